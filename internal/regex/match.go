package regex

import "unicode/utf8"

type opcode uint8

const (
	opMatch opcode = iota
	opSet          // one rune of set
	opRun          // as many runes of set as there are, from min to max
	opSplit        // x, or else y
	opJump         // to x
	opLook         // the code from here to x matches, or not for neg; it is zero-width
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

// choice is where to continue when the current code fails: at pc with the text from at, and
// again with one rune less while at > floor.
type choice struct {
	pc, at, floor int
}

// Machine is the memory of a search, and the remaining steps. Its steps are for a whole
// text, however many parts the text is split into. It must be used by one goroutine.
type Machine struct {
	choices []choice
	steps   int
}

// Allow adds the steps that n patterns may take on a text.
func (m *Machine) Allow(text string, n int) { m.steps += n * (stepsPart + stepsPerByte*len(text)) }

// match returns the end of the match that starts at from, or -1.
func (p *Pattern) match(m *Machine, text string, from int) int {
	m.choices = m.choices[:0]
	return p.run(m, text, 0, from)
}

func (p *Pattern) run(m *Machine, text string, pc, at int) int {
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
			if c.at > c.floor { // a run that is one rune shorter
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

// decode returns the rune at an offset and its length, 0 at the end.
func decode(text string, at int) (rune, int) {
	if at >= len(text) {
		return 0, 0
	}
	if b := text[at]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	return utf8.DecodeRuneInString(text[at:])
}

// Each calls yield with the parts of text: the matches, in order, and what lies
// between them. It ends with the first error of yield, or with a *CostError.
func (p *Pattern) Each(m *Machine, text string, yield func(part string, match bool) error) error {
	if p.tail != nil {
		return p.eachTail(text, yield)
	}
	gap := 0
	for at := 0; at < len(text); {
		end := p.match(m, text, at)
		if m.steps < 0 {
			return &CostError{p.source}
		}
		if end <= at { // none, or an empty one, which splits nothing
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

func (p *Pattern) eachTail(text string, yield func(part string, match bool) error) error {
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
