package cli

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/diffrun"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
)

type diffRunFlags struct {
	diffrun.Options
	with      string
	relative  float64
	tolerance float64
	all       bool
	out       string
}

func newDiffRunCommand() *cobra.Command {
	var f diffRunFlags
	cmd := &cobra.Command{
		Use:   "diff-run MODEL.onnx --with onnxruntime [--input NAME=@FILE.npy...]",
		Short: "Find the node at which a model and another engine part",
		Long: `Diff-run computes every value of an ONNX model here and in ONNX Runtime, and prints the
values that differ by more than the tolerance, the first node of them first. It runs the
ONNX Runtime of your own Python, which nothing else needs:

    python3 -m pip install onnxruntime numpy

Here is the CPU backend, or with --backend=iree and --backend=xla a program that is compiled
as by run. All values that are compared are results of it, and what is a result is not fused
with what uses it: if a program differs and none of its values do, compare fewer with --value.

Inputs are given as to run; those of known sizes that are not given are made up, the same
each time. The last line says whether the model's outputs agree: a value inside may differ
where numbers cancel or a limit is near, and no output do. The exit status is 1 if any value
differs; with --value of the outputs alone, if those do. Names of more than 60
characters are cut in the middle, but with --all.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.with, "with", "", "the other `engine`: onnxruntime")
	fl.StringArrayVar(&f.Inputs, "input", nil, "an input, `NAME=VALUE`: all elements separated by commas, or @FILE.npy; may be repeated")
	fl.StringVar(&f.Python, "python", "python3", "the Python `interpreter` that has the engine")
	fl.Float64Var(&f.tolerance, "tolerance", 1e-4, "largest `difference` of two numbers to ignore, to which --relative adds")
	fl.Float64Var(&f.relative, "relative", 1e-3, "largest `difference` to ignore, as a part of the engine's number")
	fl.StringVar(&f.Noise, "noise", "", "what the model's random numbers are: zero, or argument")
	fl.StringArrayVar(&f.Values, "value", nil, "the `name` of a value to compare; all by default; may be repeated")
	f.Here.BackendFlag(cmd)
	f.Here.CompileFlags(cmd)
	command.FlagDevice.Text(cmd, &f.Here.Run.Device, "cpu")
	command.FlagThreads.Count(cmd, &f.Here.Run.Workers)
	command.FlagLibrary.Text(cmd, &f.Here.Run.Library, "")
	command.FlagTool.Text(cmd, &f.Here.Run.Tool, "")
	command.FlagPlugin.Text(cmd, &f.Here.Run.Plugin, "")
	command.FlagWeightForm.Text(cmd, &f.Here.Run.WeightForm, "")
	fl.BoolVar(&f.all, "all", false, "print the values that agree, too")
	command.FlagOutput.Text(cmd, &f.out, "")
	command.Required(cmd, "with")
	return cmd
}

func (f *diffRunFlags) run(cmd *cobra.Command, model string) error {
	if f.with != "onnxruntime" {
		return errs.New(CodeUsage, "--with %s is no engine", f.with).Hint("the engine is onnxruntime; --python names the Python that has it")
	}
	if !(f.tolerance >= 0) || !(f.relative >= 0) {
		return errs.New(CodeUsage, "--tolerance %v and --relative %v must not be negative", f.tolerance, f.relative)
	}
	f.Model, f.Tolerance.Abs, f.Tolerance.Rel = model, f.tolerance, f.relative
	f.Here.Run.Progress = progress.On(cmd.ErrOrStderr())
	r, err := diffrun.Run(cmd.Context(), f.Options)
	if err != nil {
		return err
	}
	if err := command.Emit(cmd, f.out, f.table(r), model); err != nil {
		return err
	}
	return r.Err()
}

// table lists the values that differ, and how many there are of each kind.
func (f *diffRunFlags) table(r *diffrun.Report) []byte {
	var b bytes.Buffer
	agree, differ, missing := 0, 0, 0
	display.Grid(&b, []string{"NODE", "OPERATOR", "VALUE", "TYPE", "DIFFER", "ABSOLUTE", "RELATIVE"}, func(line func(cells ...string)) {
		for _, row := range r.Rows {
			cells := []string{f.name(row.Node), display.Printable(row.Op), f.name(row.Value)}
			switch {
			case row.Why != "":
				if missing++; f.all {
					line(append(cells, display.Printable(row.Why))...)
				}
				continue
			case row.Differs():
				differ++
			default:
				agree++
			}
			if x := row.Result; f.all || row.Differs() {
				line(append(cells, x.Type.String(), fmt.Sprintf("%d of %d", x.Mismatches, x.Elements), short(x.MaxAbs), short(x.MaxRel))...)
			}
		}
	})
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s against %s: %d differ, %d agree, %d are not compared\n", r.Backend, r.Engine, differ, agree, missing)
	if s := r.Outputs(); s != "" {
		fmt.Fprintln(&b, display.Printable(s))
	}
	return b.Bytes()
}

// name is a name as the table has it: exporters join the names of all that they fused.
func (f *diffRunFlags) name(s string) string {
	const end = 28
	if letters := []rune(s); len(letters) > 2*end+4 && !f.all {
		s = string(letters[:end]) + " ... " + string(letters[len(letters)-end:])
	}
	return display.Printable(s)
}
