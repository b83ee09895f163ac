// Package paritytext compares two backends as text on a command line says: which calls to
// make of both, and how far results may be apart. It prints a report of each call.
//
// # Errors
//
// PARITY_BAD_INPUT for text that chooses no calls, or where nothing was compared;
// PARITY_MISMATCH for the first result that differs, after the report of all; everything
// else comes from the arguments (argtext) and the backends.
//
// # Determinism
//
// As package parity; the report says how long each case took.
package paritytext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Options chooses calls and tolerances.
type Options struct {
	Inputs   []string         // NAME=LEAST..MOST, NAME=VALUE or NAME=@FILE.npy
	Sizes    []string         // NAME=SIZE,...
	Recorded []string         // CASE=FILE
	F64      parity.Tolerance // of f64 results
	Known    parity.Tolerance // of f32 and f64 results to recorded ones
	Only     string           // names of cases, separated by commas
	F32      parity.Tolerance // of the program's f32 results to the reference's
	NaNEqual bool
	Suggest  string // what names the first operation that differs, for the message; may be ""
}

// Flags declares the options.
func (o *Options) Flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.Inputs, "input", nil, "values of an argument: made up as `NAME=LEAST..MOST` or NAME=VALUE, or an array, NAME=@FILE.npy; may be repeated")
	f.StringArrayVar(&o.Sizes, "sizes", nil, "make a call with these sizes of named dimensions: `NAME=SIZE,...`; may be repeated")
	f.StringArrayVar(&o.Recorded, "recorded", nil, "a file of a recorded case, `CASE=FILE` (.npz or .npy): arguments, and results of another implementation; may be repeated")
	f.Float64Var(&o.Known.Abs, "recorded-atol", parity.DefaultRecorded.Abs, "allowed absolute difference of f32 and f64 results from recorded ones")
	f.Float64Var(&o.Known.Rel, "recorded-rtol", parity.DefaultRecorded.Rel, "allowed difference of f32 and f64 results relative to recorded ones")
	f.Float64Var(&o.F32.Abs, "atol", 1e-4, "allowed absolute difference of f32 results")
	f.Float64Var(&o.F32.Rel, "rtol", 1e-4, "allowed difference of f32 results relative to the reference")
	f.Float64Var(&o.F64.Abs, "f64-atol", 1e-10, "allowed absolute difference of f64 results")
	f.Float64Var(&o.F64.Rel, "f64-rtol", 1e-10, "allowed difference of f64 results relative to the reference, such as 1e-4 where they are made of f32")
	f.BoolVar(&o.NaNEqual, "nan-equal", false, "a NaN agrees with a NaN")
	f.StringVar(&o.Only, "only", "", "run only the cases whose names are in this comma-separated list")
}

// Rules returns which values agree.
func (o *Options) Rules() parity.Rules {
	rules := parity.Default()
	rules.Float[dtype.F32], rules.Float[dtype.F64] = o.F32, o.F64
	rules.NaNEqual = o.NaNEqual
	return rules
}

// Selected reports whether a case should run.
func (o *Options) Selected(name string) bool {
	return o.Only == "" || strings.Contains(","+o.Only+",", ","+name+",")
}

// Check returns an error for unknown cases, and if nothing would be compared.
func (o *Options) Check(cases []parity.Case) error {
	var known []string
	for _, c := range cases {
		known = append(known, c.Name)
	}
	if len(known) == 0 {
		return errs.New(parity.CodeInput, "nothing was compared").Hint("the cases function returned no case")
	}
	if o.Only == "" {
		return nil
	}
	for _, name := range strings.Split(o.Only, ",") {
		if !slices.Contains(known, name) {
			return errs.New(parity.CodeInput, "no case is named %q", name).Hint("--only takes a comma-separated list of %s", strings.Join(known, ", "))
		}
	}
	return nil
}

// Compare makes the calls of the selected cases on both, prints the reports, and returns
// the first result that differs as an error.
func (o *Options) Compare(ctx context.Context, cases []parity.Case, reference, candidate parity.Open, stdout io.Writer) error {
	rules := o.Rules()
	compared := 0
	var first error
	for _, c := range cases {
		if !o.Selected(c.Name) {
			continue
		}
		start := time.Now()
		reports, err := parity.Run(ctx, c, reference, candidate, rules)
		for _, r := range reports {
			fmt.Fprint(stdout, r.Text())
			compared += len(r.Results)
			if first == nil {
				first = o.suggested(c.Name, r)
			}
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s took %.1f s\n", c.Name, time.Since(start).Seconds())
	}
	if first != nil {
		return first
	}
	if compared == 0 {
		return errs.New(parity.CodeInput, "nothing was compared").Hint("the cases call no entry point that has results")
	}
	fmt.Fprintf(stdout, "%d results agree\n", compared)
	return nil
}

// suggested returns the error of a report, which names layer_diff for a difference
// between the program and the reference.
func (o *Options) suggested(name string, r *parity.Report) error {
	err := r.Err()
	var e *errs.Error
	if errors.As(err, &e) && o.Suggest != "" && !r.Recorded {
		_ = e.Hint("for the first operation that differs: bazel run %s -- --only=%s", o.Suggest, name)
	}
	return err
}
