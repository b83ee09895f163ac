package parity

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// OK reports whether every element agrees.
func (r *Report) OK() bool {
	for i := range r.Results {
		if r.Results[i].Mismatches > 0 {
			return false
		}
	}
	return true
}

// Err returns PARITY_MISMATCH for the first tensor that differs, or nil.
func (r *Report) Err() error {
	for i, res := range r.Results {
		if res.Mismatches > 0 {
			err := errs.New(CodeMismatch, "result %d %q: %s", i, res.Name, res.summary()).On(r.Title)
			if r.Recorded {
				return err.Hint("the recorded results are of another implementation: of the same file, arguments and version? --recorded-atol and --recorded-rtol are the tolerance")
			}
			return err.Hint("start at the first wrong element; layer_diff compares the inner values of an entry point")
		}
	}
	return nil
}

func (res *Result) summary() string {
	if res.Mismatches == 0 {
		return fmt.Sprintf("%d elements agree", res.Elements)
	}
	return fmt.Sprintf("%d of %d elements differ; first %s; worst %s", res.Mismatches, res.Elements, res.First, res.Worst)
}

// String returns "[1 2]: got 3, want 4 (diff 1)".
func (p *Place) String() string {
	return fmt.Sprintf("%v: got %s, want %s (diff %.3g)", p.Index, p.Got, p.Want, p.Diff)
}

// Text returns the report as lines, one tensor each, and one more for the first
// and the worst mismatch.
func (r *Report) Text() string {
	var b strings.Builder
	verdict := "agree"
	if !r.OK() {
		verdict = "DIFFER"
	}
	fmt.Fprintf(&b, "%s: %s\n", r.Title, verdict)
	for i := range r.Results {
		res := &r.Results[i]
		mark := "ok  "
		if res.Mismatches > 0 {
			mark = "FAIL"
		}
		fmt.Fprintf(&b, "  %s %-24s %-20s max abs %.3g, max rel %.3g (allowed %.3g + %.3g|x|)", mark, res.Name, res.Type,
			res.MaxAbs, res.MaxRel, res.Tolerance.Abs, res.Tolerance.Rel)
		if res.NaNs > 0 {
			fmt.Fprintf(&b, ", %d pairs of NaN", res.NaNs)
		}
		b.WriteByte('\n')
		if res.Mismatches > 0 {
			fmt.Fprintf(&b, "       %d of %d differ\n       first %s\n       worst %s\n", res.Mismatches, res.Elements, res.First, res.Worst)
		}
	}
	return b.String()
}
