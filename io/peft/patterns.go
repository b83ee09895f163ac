package peft

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/errs"
)

// Limits of the patterns of one setting. Most are layers' names, which cost nothing; an
// expression is compiled, and x{1000} has a thousand times the instructions of x.
const (
	maxPatterns      = 4096
	maxPatternLength = 512
	maxCost          = 4096 // of all expressions together, in instructions
	maxLayerName     = 1024 // that an expression is compared with
)

// patterns are numbers for the layers whose names end in one of them, as PEFT matches
// it: re.match(rf"(.*\.)?({pattern})$", layer).
type patterns struct {
	list []pattern
	cost int
}

type pattern struct {
	text, name string // its own, and that of the setting with it
	at         int64
	number     float64
	expression *regexp.Regexp // nil for a name
}

// read keeps the patterns of a setting, whose values number reads.
func (p *patterns) read(setting string, v value, number func(name string, v value) (float64, error)) error {
	if v.Kind() == 'n' {
		return nil
	}
	if v.Kind() != '{' {
		return wrong(setting, v, "an object of patterns and numbers")
	}
	err := members(v.Value, v.at, func(text string, v value) error {
		x := pattern{text: text, name: setting + "[" + strconv.Quote(text) + "]", at: v.at}
		if len(p.list) == maxPatterns {
			return errs.New(CodeConfig, "more than %d patterns", maxPatterns).On(setting).At(v.at).Hint(shorter)
		}
		if len(text) > maxPatternLength {
			return errs.New(CodeConfig, "a pattern of %d bytes, the limit is %d", len(text), maxPatternLength).On(setting).At(v.at).Hint(shorter)
		}
		var err error
		if x.number, err = number(x.name, v); err != nil {
			return err
		}
		if !isName(text) {
			if x.expression, err = p.compile(setting, x); err != nil {
				return err
			}
		}
		p.list = append(p.list, x)
		return nil
	})
	slices.SortFunc(p.list, func(a, b pattern) int { return cmp.Compare(a.text, b.text) })
	return err
}

const shorter = "name the layers themselves, such as model.layers.0.self_attn.q_proj, or use fewer and simpler expressions"

// compile compiles an expression if it is within what is left for all.
func (p *patterns) compile(setting string, x pattern) (*regexp.Regexp, error) {
	bad := func(err error) error {
		return errs.Wrap(CodeConfig, err, "%q is not a regular expression of Go's package regexp", x.text).On(x.name).At(x.at).
			Hint("write it without Python's look-around and back-references, or name the layers themselves")
	}
	// Alone, since "a)|(b" is none.
	tree, err := syntax.Parse(x.text, syntax.Perl)
	if err != nil {
		return nil, bad(err)
	}
	if p.cost += 8 + cost(tree); p.cost > maxCost {
		return nil, errs.New(CodeConfig, "the expressions up to %q have more than %d instructions", x.text, maxCost).
			On(setting).At(x.at).Hint(shorter)
	}
	e, err := regexp.Compile(`^(.*\.)?(` + x.text + `)$`)
	if err != nil {
		return nil, bad(err)
	}
	return e, nil
}

// cost is about the number of instructions of a compiled expression, and more than
// maxCost for every one that has more.
func cost(r *syntax.Regexp) int {
	n := 1 + len(r.Rune)
	for _, s := range r.Sub {
		n += cost(s)
	}
	if r.Op == syntax.OpRepeat {
		n = min(n, maxCost+1) * (max(r.Min, r.Max, 1) + 1)
	}
	return min(n, maxCost+1)
}

// isName reports whether the text of a pattern has no operator but the dot, which stands
// for any character.
func isName(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != '.' && c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// fits reports whether the pattern fits the end of a layer's name.
func (x pattern) fits(layer string) bool {
	if x.expression != nil {
		return x.expression.MatchString(layer)
	}
	name := []rune(layer)
	at := len(name) - len(x.text)
	if at < 0 || at > 0 && name[at-1] != '.' {
		return false
	}
	for i := range len(x.text) {
		if c := rune(x.text[i]); c != name[at+i] && (c != '.' || name[at+i] == '\n') {
			return false
		}
	}
	return true
}

// find returns the number for a layer and the name of the pattern it is from, or the
// number given if no pattern fits.
func (p *patterns) find(layer string, without float64) (number float64, by string, err error) {
	if p.cost > 0 && len(layer) > maxLayerName {
		return 0, "", errs.New(CodeTensor, "the layer's name has %d bytes; with expressions in the settings the limit is %d", len(layer), maxLayerName).
			On(layer).Hint(shorter)
	}
	number = without
	for _, x := range p.list {
		switch {
		case !x.fits(layer):
		case by == "":
			number, by = x.number, x.name
		case number != x.number:
			return 0, "", errs.New(CodeConfig, "both %s and %s fit the layer %s, with other numbers", by, x.name, layer).On(x.name).At(x.at).
				Hint("give the layer one number: write the longer names, or remove one of the two")
		}
	}
	return number, by, nil
}
