package paritytext

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Cases returns the calls to make: those of the model's own function, or one with the
// arrays of Inputs, or made-up ones, unless only recorded ones are asked for; and the
// recorded ones.
func (o *Options) Cases(c *contract.Contract, own func(*contract.Contract) ([]parity.Case, error)) ([]parity.Case, error) {
	arrays, ranges := o.split()
	made, err := o.made(ranges)
	if err != nil {
		return nil, err
	}
	chosen := len(o.Inputs)+len(o.Sizes) > 0
	var cases []parity.Case
	switch {
	case own != nil && chosen:
		return nil, errs.New(parity.CodeInput, "--input and --sizes are for made-up calls, and the model has its own").On(c.Name)
	case own != nil:
		cases, err = own(c)
	case len(arrays) > 0:
		cases, err = o.given(c, made, arrays)
	case chosen || len(o.Recorded) == 0:
		cases, err = made.Cases(c)
	}
	if err != nil {
		return nil, err
	}
	names, files, err := o.recorded()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if slices.ContainsFunc(cases, func(k parity.Case) bool { return k.Name == name }) {
			return nil, errs.New(parity.CodeInput, "the recorded case %q has the name of another case", name).Hint("rename it")
		}
		one, err := parity.Recorded(c, name, files[name])
		if err != nil {
			return nil, err
		}
		for i := range one.Calls {
			one.Calls[i].WantTolerance = o.Known
		}
		cases = append(cases, one)
	}
	return cases, nil
}

func (o *Options) made(ranges []string) (parity.Made, error) {
	m := parity.Made{Inputs: map[string]parity.Range{}}
	for _, word := range ranges {
		i := strings.LastIndexByte(word, '=')
		if i < 1 {
			return m, errs.New(parity.CodeInput, "--input %q is not of the form NAME=LEAST..MOST", word)
		}
		name := word[:i]
		if _, twice := m.Inputs[name]; twice {
			return m, errs.New(parity.CodeInput, "--input is given twice for %q", name)
		}
		r, err := parity.ParseRange(word[i+1:])
		if err != nil {
			return m, err
		}
		m.Inputs[name] = r
	}
	for _, word := range o.Sizes {
		s, err := parity.ParseSizes(word)
		if err != nil {
			return m, err
		}
		m.Sizes = append(m.Sizes, s)
	}
	return m, nil
}

// split returns the inputs that are files, and those that are ranges.
func (o *Options) split() (arrays, ranges []string) {
	for _, word := range o.Inputs {
		if _, ok := argtext.File(word[strings.LastIndexByte(word, '=')+1:]); ok {
			arrays = append(arrays, word)
		} else {
			ranges = append(ranges, word)
		}
	}
	return arrays, ranges
}

// Arrays returns the inputs that are files, NAME=@FILE.npy.
func (o *Options) Arrays() []string {
	arrays, _ := o.split()
	return arrays
}

// RecordedTypes returns the types of the arrays in recorded cases, by name, of a program
// that is made for their sizes; nil if --sizes chooses others.
func (o *Options) RecordedTypes() (map[string][]tensor.Type, error) {
	if len(o.Sizes) > 0 {
		return nil, nil
	}
	_, files, err := o.recorded()
	if err != nil {
		return nil, err
	}
	all := map[string][]tensor.Type{}
	for _, list := range files {
		types, err := parity.RecordedTypes(list)
		if err != nil {
			return nil, err
		}
		for name, t := range types {
			all[name] = append(all[name], t...)
		}
	}
	return all, nil
}

// recorded returns the names of recorded cases, in order, and their files.
func (o *Options) recorded() (names []string, files map[string][]string, err error) {
	files = map[string][]string{}
	for _, word := range o.Recorded {
		// A name may have an equals sign; the paths of runfiles have none.
		i := strings.LastIndexByte(word, '=')
		if i < 1 || i == len(word)-1 {
			return nil, nil, errs.New(parity.CodeInput, "--recorded %q is not of the form CASE=FILE", word)
		}
		name, path := word[:i], word[i+1:]
		if files[name] == nil {
			names = append(names, name)
		}
		files[name] = append(files[name], path)
	}
	return names, files, nil
}

// given is a call of the entry point that has all of the arrays' names; what is not given is
// made up.
func (o *Options) given(c *contract.Contract, made parity.Made, arrays []string) ([]parity.Case, error) {
	if len(o.Sizes) > 0 {
		return nil, errs.New(parity.CodeInput, "--sizes is for made-up calls, and --input has an array, which has its sizes").On(c.Name)
	}
	var texts, names []string
	for _, word := range arrays {
		name, value, _ := strings.Cut(word, "=")
		name = parity.Known(c, name)
		texts, names = append(texts, name+"="+value), append(names, name)
	}
	at := slices.IndexFunc(c.Entries, func(e contract.Entry) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			return !slices.ContainsFunc(e.Args, func(a contract.Named) bool { return a.Name == name })
		})
	})
	e := &c.Entries[max(at, 0)] // of one that has not all names the text says which
	args, given, err := argtext.ParseSome(e, texts)
	if err != nil {
		return nil, err
	}
	if err := made.Complete(c, e, args, given); err != nil {
		return nil, err
	}
	return []parity.Case{{Name: e.Name, Calls: []parity.Call{{Entry: e.Name, Args: args}}}}, nil
}
