package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this program.
const (
	codeRecord   errs.Code = "ONNX_RECORD"   // smallest input: a record that is not a file
	codeTests    errs.Code = "ONNX_TESTS"    // smallest input: an empty folder
	codeFlags    errs.Code = "ONNX_FLAGS"    // smallest input: --only [
	codeFault    errs.Code = "ONNX_MUTANT"   // no input is known: the importer fails at a changed model
	codeRunfiles errs.Code = "ONNX_RUNFILES" // smallest input: no --tests, outside Bazel
)

type options struct {
	tests, record, update, only string
	verbose, mutants            bool
	part, parts                 int // which part of how many
	open                        open.Options
}

// outcome of a test: reason is "" if it passes, else why it is unmapped or fails.
type outcome struct {
	test, op, reason string
	failed           bool
}

// counts of outcomes.
type counts struct{ Pass, Fail, Unmapped int }

func (c *counts) add(o outcome) {
	switch {
	case o.failed:
		c.Fail++
	case o.reason != "":
		c.Unmapped++
	default:
		c.Pass++
	}
}

func run(ctx context.Context, o options, out io.Writer) error {
	s, err := openSuite(o.tests)
	if err != nil {
		return err
	}
	defer s.Close()
	chosen, err := s.choose(o.only, o.part, o.parts)
	if err != nil {
		return err
	}
	if o.mutants {
		if o.record+o.update != "" {
			return errs.New(codeFlags, "--mutants has no record").Hint("leave out --record and --update")
		}
		return mutated(s, chosen, out)
	}
	var tests []*nodeTest
	for _, name := range chosen {
		tests = append(tests, load(s, name))
	}
	runAll(ctx, tests, o.open)
	var got []outcome
	for _, t := range tests {
		got = append(got, t.outcome)
	}
	report(out, got, o)
	if o.record != "" {
		r, err := readRecord(o.record)
		if err == nil {
			err = r.hold(len(s.names), got)
		}
		return errs.WithFile(err, o.record)
	}
	if o.update != "" {
		if len(got) != len(s.names) {
			return errs.New(codeFlags, "a record needs all tests, but only %d of %d ran", len(got), len(s.names))
		}
		return update(o.update, got)
	}
	return nil
}

// report prints the outcomes.
func report(out io.Writer, got []outcome, o options) {
	var total counts
	byOp := map[string]*counts{}
	reasons := map[string][]string{}
	for _, r := range got {
		total.add(r)
		if byOp[r.op] == nil {
			byOp[r.op] = &counts{}
		}
		byOp[r.op].add(r)
		if r.failed || o.verbose {
			fmt.Fprintf(out, "%s: %s\n", r.test, r)
		}
		if r.reason != "" && !r.failed {
			reasons[r.reason] = append(reasons[r.reason], strings.TrimPrefix(r.test, "test_"))
		}
	}
	fmt.Fprintf(out, "\n%-28s %5s %5s %9s\n", "OPERATOR", "PASS", "FAIL", "UNMAPPED")
	for _, name := range slices.Sorted(maps.Keys(byOp)) {
		c := byOp[name]
		fmt.Fprintf(out, "%-28s %5d %5d %9d\n", name, c.Pass, c.Fail, c.Unmapped)
	}
	fmt.Fprintf(out, "\nunmapped, with reasons:\n")
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(out, "%4d %s (%s, ...)\n", len(reasons[reason]), reason, reasons[reason][0])
	}
	fmt.Fprintf(out, "\n%s: %d pass, %d fail, %d unmapped\n", o.open.Backend, total.Pass, total.Fail, total.Unmapped)
}

func (o outcome) String() string {
	switch {
	case o.failed:
		return "fail: " + o.reason
	case o.reason != "":
		return "unmapped: " + o.reason
	}
	return "pass"
}
