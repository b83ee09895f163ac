package tokenizer

import (
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// pattern is a compiled regular expression of a pre-tokeniser. Go's own engine
// has no look-ahead, which nearly all of these need, so this is a small
// backtracking one: the leftmost match, and of alternatives the first. It takes
// literals, classes with \p, \s, \d, groups, alternatives, greedy and lazy
// repetition, look-ahead and $; all else is refused. Its steps are counted, so
// that no pattern of a file can run for long.
type pattern struct {
	source string
	code   []inst
	// tail is the class of a pattern "class+$": searching for that one step by step
	// would be quadratic.
	tail *runeSet
}

// errCost is a match that takes too many steps.
func (p *pattern) errCost() error {
	return errs.New(CodeCost, "the pattern %q takes more than %d steps for each byte of the text, or leaves more than %d ways open",
		brief(p.source), stepsPerByte, maxChoices).
		Hint("the pattern repeats what repeats itself; take the tokenizer of the original model")
}

// errVocabularyCost is the same of tokens, with many that begin alike.
func errVocabularyCost() error {
	return errs.New(CodeCost, "the tokens of the file take more than %d steps for each byte of the text", stepsFinding).
		Hint("the vocabulary is not that of a model; take the tokenizer of the original model")
}

// brief is a pattern as a message quotes it.
func brief(source string) string {
	const most = 120
	if len(source) > most {
		return strings.ToValidUTF8(source[:most], "") + "..."
	}
	return source
}

const (
	stepsPerByte = 64
	stepsMin     = 1 << 14
	// stepsFinding is for tokens that stand for themselves, which are looked for at
	// every byte: those of a model begin alike for 32 characters at most.
	stepsFinding = 256
	// stepsPart is for each part of a text that is cut by itself.
	stepsPart  = 1 << 10
	maxChoices = 1 << 16
)

type opcode uint8

const (
	opMatch opcode = iota
	opSet          // one rune of set
	opRun          // as many as there are of set, from min to max
	opSplit        // x, or else y
	opJump         // to x
	opLook         // the code from here to x matches, or not for neg; it eats nothing
	opEnd          // the end of the text
)

type inst struct {
	op       opcode
	neg      bool
	x, y     int
	min, max int // of opRun; max < 0 for no limit
	set      *runeSet
	first    *runeSet // of opSplit: what x can begin with; nil for anything
}

// choice is where to go on when the code in hand fails: at pc with the text from
// at, and again with a rune less while at > floor.
type choice struct {
	pc, at, floor int
}

// machine is the memory of a search. Its steps are for all of a text, however many
// parts it is cut into.
type machine struct {
	choices []choice
	steps   int
}

// allow adds the steps that n cutters may take on a text.
func (m *machine) allow(text string, n int) { m.steps += n * (stepsPart + stepsPerByte*len(text)) }

// match gives where the match that starts at from ends, or -1.
func (p *pattern) match(m *machine, text string, from int) int {
	m.choices = m.choices[:0]
	return p.run(m, text, 0, from)
}

func (p *pattern) run(m *machine, text string, pc, at int) int {
	base := len(m.choices)
	for {
		if len(m.choices) > maxChoices {
			m.steps = 0
		}
		if m.steps--; m.steps < 0 {
			m.choices = m.choices[:base]
			return -1
		}
		i := &p.code[pc]
		ok := true
		switch i.op {
		case opMatch:
			m.choices = m.choices[:base]
			return at
		case opSet:
			if r, n := decode(text, at); n > 0 && i.set.has(r) {
				at += n
				pc++
			} else {
				ok = false
			}
		case opRun:
			start, floor, n := at, at, 0
			for i.max < 0 || n < i.max {
				r, size := decode(text, at)
				if size == 0 || !i.set.has(r) {
					break
				}
				at += size
				if n++; n == i.min {
					floor = at
				}
			}
			m.steps -= (at - start) / 8
			if n < i.min {
				ok = false
				break
			}
			pc++
			if at > floor && p.code[pc].op != opMatch {
				m.choices = append(m.choices, choice{pc, at, floor})
			}
		case opSplit:
			if i.first != nil {
				if r, n := decode(text, at); n == 0 || !i.first.has(r) {
					pc = i.y
					break
				}
			}
			m.choices = append(m.choices, choice{i.y, at, at})
			pc = i.x
		case opJump:
			pc = i.x
		case opLook:
			if found := p.run(m, text, pc+1, at) >= 0; found != i.neg {
				pc = i.x
			} else {
				ok = false
			}
		case opEnd:
			ok = at == len(text)
			pc++
		}
		if ok {
			continue
		}
		for {
			if len(m.choices) == base {
				return -1
			}
			c := &m.choices[len(m.choices)-1]
			if c.at > c.floor { // a run with one rune less
				_, n := utf8.DecodeLastRuneInString(text[:c.at])
				c.at -= n
				pc, at = c.pc, c.at
				if c.at == c.floor {
					m.choices = m.choices[:len(m.choices)-1]
				}
				break
			}
			pc, at = c.pc, c.at
			m.choices = m.choices[:len(m.choices)-1]
			break
		}
	}
}

// decode gives the rune at a place and its length, 0 at the end.
func decode(text string, at int) (rune, int) {
	if at >= len(text) {
		return 0, 0
	}
	if b := text[at]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	return utf8.DecodeRuneInString(text[at:])
}

// each calls yield with the parts of text: the matches, in order, and what lies
// between them.
func (p *pattern) each(m *machine, text string, yield func(part string, match bool) error) error {
	if p.tail != nil {
		return p.eachTail(text, yield)
	}
	gap := 0
	for at := 0; at < len(text); {
		end := p.match(m, text, at)
		if m.steps < 0 {
			return p.errCost()
		}
		if end <= at { // none, or an empty one, which cuts nothing off
			_, n := decode(text, at)
			at += n
			continue
		}
		if gap < at {
			if err := yield(text[gap:at], false); err != nil {
				return err
			}
		}
		if err := yield(text[at:end], true); err != nil {
			return err
		}
		at, gap = end, end
	}
	if gap < len(text) {
		return yield(text[gap:], false)
	}
	return nil
}

func (p *pattern) eachTail(text string, yield func(part string, match bool) error) error {
	at := len(text)
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:at])
		if !p.tail.has(r) {
			break
		}
		at -= n
	}
	if at > 0 {
		if err := yield(text[:at], false); err != nil {
			return err
		}
	}
	if at < len(text) {
		return yield(text[at:], true)
	}
	return nil
}
