package parity

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Open loads a new instance of a program.
type Open func() (backend.Executable, error)

// Run makes the calls of one case on both backends and compares the results, call by
// call.
func Run(ctx context.Context, c Case, reference, candidate Open, rules Rules) ([]*Report, error) {
	want, err := reference()
	if err != nil {
		return nil, err
	}
	defer want.Close()
	got, err := candidate()
	if err != nil {
		return nil, err
	}
	defer got.Close()

	var reports []*Report
	var before [][]tensor.Value
	for _, call := range c.Calls {
		args := call.Args
		if call.Make != nil {
			if args, err = call.Make(before); err != nil {
				return reports, errs.Wrap(CodeInput, err, "no arguments for %s", call.Entry).On(c.Name)
			}
		}
		w, err := want.Call(ctx, call.Entry, args...)
		if err != nil {
			return reports, failed(err, "the reference", c.Name)
		}
		g, err := got.Call(ctx, call.Entry, args...)
		if err != nil {
			return reports, failed(err, "the compiled program", c.Name)
		}
		e, err := want.Contract().Entry(call.Entry)
		if err != nil {
			return reports, err
		}
		names := make([]string, len(e.Results))
		for i, r := range e.Results {
			names[i] = r.Name
		}
		r, err := Compare(c.Name+": "+call.Entry, names, g, w, rules.with(call.Tolerance))
		if err != nil {
			return reports, err
		}
		reports = append(reports, r)
		more, err := withRecorded(c.Name, call, names, w, g, rules)
		if err != nil {
			return reports, err
		}
		reports = append(reports, more...)
		before = append(before, w)
	}
	return reports, nil
}

// withRecorded compares both backends' results with those that the call wants.
func withRecorded(title string, call Call, names []string, reference, candidate []tensor.Value, rules Rules) ([]*Report, error) {
	var known []string
	var want []tensor.Value
	var got [2][]tensor.Value
	for i, v := range call.Want {
		if v.Type.DType == dtype.Invalid {
			continue
		}
		known, want = append(known, names[i]), append(want, v)
		got[0], got[1] = append(got[0], reference[i]), append(got[1], candidate[i])
	}
	if len(want) == 0 {
		return nil, nil
	}
	var reports []*Report
	for i, who := range []string{"the reference", "the program"} {
		r, err := Compare(title+": "+call.Entry+", "+who+" against the recorded results", known, got[i], want, rules.recorded(cmp.Or(call.WantTolerance, DefaultRecorded)))
		if err != nil {
			return reports, err
		}
		r.Recorded = true
		reports = append(reports, r)
	}
	return reports, nil
}

// with returns the rules with another tolerance of f32, unless it is zero.
func (r Rules) with(t Tolerance) Rules {
	if t != (Tolerance{}) {
		r.Float = maps.Clone(r.Float)
		r.Float[dtype.F32] = t
	}
	return r
}

// recorded returns the rules for results of another implementation, in f32 or, made of such,
// in f64.
func (r Rules) recorded(t Tolerance) Rules {
	r = r.with(t)
	r.Float[dtype.F64] = t
	return r
}

// failed returns the error of a call, with which of the two failed, and in which case.
func failed(err error, who, of string) error {
	var e *errs.Error
	if !errors.As(err, &e) {
		return errs.Wrap(errs.CodeOf(err), err, "%s failed", who).On(of)
	}
	again, in := *e, ""
	if e.Node != "" && e.Node != of {
		in = " in " + e.Node
	}
	again.Node, again.What = of, who+" failed"+in+": "+e.What
	return &again
}
