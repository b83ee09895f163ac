package paritymain

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
)

// calls are the options that choose the cases.
type calls struct {
	inputs, sizes, recorded []string
	tolerance               parity.Tolerance
}

func (o *calls) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.inputs, "input", nil, "made-up values of an argument: `NAME=LEAST..MOST` or NAME=VALUE; may be repeated")
	f.StringArrayVar(&o.sizes, "sizes", nil, "make a call with these sizes of named dimensions: `NAME=SIZE,...`; may be repeated")
	f.StringArrayVar(&o.recorded, "recorded", nil, "a file of a recorded case, `CASE=FILE` (.npz or .npy): arguments, and results of another implementation; may be repeated")
	f.Float64Var(&o.tolerance.Abs, "recorded-atol", parity.DefaultRecorded.Abs, "allowed absolute difference of f32 results from recorded ones")
	f.Float64Var(&o.tolerance.Rel, "recorded-rtol", parity.DefaultRecorded.Rel, "allowed difference of f32 results relative to recorded ones")
}

// cases returns the calls to make: those of the model's own function or made-up ones,
// unless only recorded ones are asked for, and the recorded ones.
func (o *calls) cases(c *contract.Contract, own func(*contract.Contract) ([]parity.Case, error)) ([]parity.Case, error) {
	made, err := o.made()
	if err != nil {
		return nil, err
	}
	chosen := len(o.inputs)+len(o.sizes) > 0
	var cases []parity.Case
	switch {
	case own != nil && chosen:
		return nil, errs.New(parity.CodeInput, "--input and --sizes are for made-up calls, and the model has its own").On(c.Name)
	case own != nil:
		cases, err = own(c)
	case chosen || len(o.recorded) == 0:
		cases, err = made.Cases(c)
	}
	if err != nil {
		return nil, err
	}
	var names []string
	files := map[string][]string{}
	for _, word := range o.recorded {
		// A name may have an equals sign; the paths of runfiles have none.
		i := strings.LastIndexByte(word, '=')
		if i < 1 || i == len(word)-1 {
			return nil, errs.New(parity.CodeInput, "--recorded %q is not of the form CASE=FILE", word)
		}
		name, path := word[:i], word[i+1:]
		if files[name] == nil {
			names = append(names, name)
		}
		files[name] = append(files[name], path)
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
			one.Calls[i].WantTolerance = o.tolerance
		}
		cases = append(cases, one)
	}
	return cases, nil
}

func (o *calls) made() (parity.Made, error) {
	m := parity.Made{Inputs: map[string]parity.Range{}}
	for _, word := range o.inputs {
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
	for _, word := range o.sizes {
		s, err := parity.ParseSizes(word)
		if err != nil {
			return m, err
		}
		m.Sizes = append(m.Sizes, s)
	}
	return m, nil
}
