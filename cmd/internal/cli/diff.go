package cli

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/io/convert"
	"github.com/skainet-dev/skainet-go/io/convert/diff"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// CodeDifferent is the code of files that differ.
const CodeDifferent errs.Code = "DIFF_DIFFERENT"

type diffFlags struct {
	json      bool
	tolerance tolerance
	tensors   convert.Names
	jobs      int
	out       string
}

func newDiffCommand() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two weight files: names, shapes, types and values",
		Long: `Diff lists the tensors that differ between two weight files of any format,
and by how much their values differ, with blocks unpacked. The exit status is 1 if
the files differ. With --tolerance, tensors of equal shapes are the same if no
value differs by more, however they are stored.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON instead of a table")
	cmd.Flags().Var(&f.tolerance, "tolerance", "largest `difference` of two values to ignore; without it types and values must be equal")
	cmd.Flags().StringArrayVar((*[]string)(&f.tensors), "tensors", nil, "compare only tensors whose names match the `pattern`: "+globHelp+"; may be repeated")
	command.FlagJobs.Says("cores to compare on, 0 for all").Count(cmd, &f.jobs)
	command.FlagOutput.Text(cmd, &f.out, "")
	return cmd
}

func (f *diffFlags) run(cmd *cobra.Command, pathA, pathB string) error {
	a, err := weights.Open(pathA)
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := weights.Open(pathB)
	if err != nil {
		return err
	}
	defer b.Close()
	bar := progress.NewMeter(cmd.ErrOrStderr(), "comparing")
	defer bar.Close()
	r, err := diff.Diff(a, b, diff.Options{
		Select: f.tensors, Workers: f.jobs, Progress: func(done, total int64, _ string) { bar.Report(done, total) },
	})
	if err != nil {
		return err
	}
	bar.Close()
	different := f.different(r)
	data := f.table(r, different)
	if f.json {
		if data, err = display.JSON(r); err != nil {
			return err
		}
	}
	if err := command.Emit(cmd, f.out, data, append(a.Reads(), b.Reads()...)...); err != nil {
		return err
	}
	if n := len(different) + len(r.OnlyA) + len(r.OnlyB); n > 0 {
		return errs.New(CodeDifferent, "%d tensors differ from those of %s", n, pathB).In(pathA)
	}
	return nil
}

// different returns the tensors that differ.
func (f *diffFlags) different(r *diff.Report) []diff.Tensor {
	var list []diff.Tensor
	for _, t := range r.Tensors {
		if !t.Equal && !f.near(t.Distance) {
			list = append(list, t)
		}
	}
	return list
}

// near reports whether a distance is within the tolerance, if there is one.
func (f *diffFlags) near(d *diff.Distance) bool {
	return f.tolerance.given && d != nil && d.Within(f.tolerance.most)
}

// tolerance is a flag for a difference: finite and not negative.
type tolerance struct {
	given bool
	most  float64
}

func (t *tolerance) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%q is not a tolerance; give a number of at least 0, such as 1e-5", text)
	}
	*t = tolerance{true, v}
	return nil
}

func (t *tolerance) String() string {
	if !t.given {
		return ""
	}
	return strconv.FormatFloat(t.most, 'g', -1, 64)
}

// Type returns the name of a value in the help.
func (t *tolerance) Type() string { return "difference" }

func (f *diffFlags) table(r *diff.Report, different []diff.Tensor) []byte {
	var b bytes.Buffer
	for _, name := range r.OnlyA {
		fmt.Fprintf(&b, "only in the first: %s\n", display.Printable(name))
	}
	for _, name := range r.OnlyB {
		fmt.Fprintf(&b, "only in the second: %s\n", display.Printable(name))
	}
	head := []string{"TENSOR", "FIRST", "SECOND", "DIFFERENT", "MAX", "RMS", "COSINE"}
	display.Grid(&b, head, func(line func(cells ...string)) {
		for _, t := range different {
			cells := []string{display.Printable(t.Name), side(t.A), side(t.B), "-", "-", "-", "-"}
			if d := t.Distance; d != nil {
				cells = append(cells[:3], strconv.FormatInt(d.Different, 10), short(d.MaxAbs), short(d.RMS), strconv.FormatFloat(d.Cosine, 'f', 6, 64))
			}
			line(cells...)
		}
	})
	for _, t := range different {
		if d := t.Distance; d != nil && d.Infinite+d.NaNA+d.NaNB > 0 {
			fmt.Fprintf(&b, "%s: %d pairs differ by an infinity, NaNs are %d and %d; MAX, RMS and COSINE are of the other elements\n",
				display.Printable(t.Name), d.Infinite, d.NaNA, d.NaNB)
		}
	}
	fmt.Fprintf(&b, "%d of %d tensors differ, %d only in the first, %d only in the second\n",
		len(different), len(r.Tensors), len(r.OnlyA), len(r.OnlyB))
	return b.Bytes()
}

func side(s diff.Side) string { return fmt.Sprintf("%s[%s]", s.Storage, s.Shape) }

func short(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
