package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/evaluate"
	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Codes of this program.
const (
	codeRecord errs.Code = "ONNX_RECORD" // smallest input: a record that is no file
	codeTests  errs.Code = "ONNX_TESTS"  // smallest input: an empty folder
)

type options struct {
	tests, record, only string
	verbose             bool
	evaluate            evaluate.Options
}

// outcome of a test: reason is "" where it passes, and says why it is unmapped or
// fails.
type outcome struct {
	test, op, reason string
	failed           bool
}

// counts of outcomes.
type counts struct {
	Pass     int `json:"pass"`
	Fail     int `json:"fail"`
	Unmapped int `json:"unmapped"`
}

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
	folders, err := filepath.Glob(filepath.Join(o.tests, o.only, "model.onnx"))
	if err != nil || len(folders) == 0 {
		return errs.Wrap(codeTests, err, "no model is there").In(o.tests)
	}
	var tests []*nodeTest
	for _, f := range folders {
		tests = append(tests, load(filepath.Dir(f)))
	}
	runAll(ctx, tests, o.evaluate)
	var total counts
	byOp := map[string]*counts{}
	reasons := map[string][]string{}
	for _, t := range tests {
		r := t.outcome
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
	fmt.Fprintf(out, "\n%s: %d pass, %d fail, %d unmapped\n", o.evaluate.Backend, total.Pass, total.Fail, total.Unmapped)
	if o.record == "" {
		return nil
	}
	return hold(o.record, o.evaluate.Backend, total)
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

// hold compares with the recorded counts of the backend.
func hold(path, backend string, got counts) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return errs.Wrap(codeRecord, err, "no recorded counts").In(path)
	}
	var recorded map[string]counts
	if err := json.Unmarshal(data, &recorded); err != nil {
		return errs.Wrap(codeRecord, err, "no recorded counts").In(path)
	}
	want, ok := recorded[backend]
	if !ok || got.Pass < want.Pass || got.Fail > want.Fail {
		return errs.New(codeRecord, "%d pass and %d fail on %s; recorded are %d and %d", got.Pass, got.Fail, backend, want.Pass, want.Fail).In(path)
	}
	return nil
}
