package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

func newCompileCommand() *cobra.Command {
	var f struct {
		target, level, out, cache, weights string

		flags []string
		run   open.Options // the compiler
		xla   xlaFlags
		emit  emitFlags
	}
	cmd := &cobra.Command{
		Use:   "compile FILE [--target NAME] [--compiler FILE] [--level NAME] [--flag FLAG...] -o PROGRAM.vmfb",
		Short: "Compile StableHLO text or a model file to a program",
		Long: `Compile runs iree-compile on the text's content, so that the same text and
flags give the same program in any folder. A target is a row of the table that
the build rules use, and a level says what to optimise for; flags replace those of
the target with the same names. Without a target the flags must be complete; without
both the target is that of this processor.
Warnings go to standard error.

Of a model file that is no text (ONNX, GGUF or a graph) it makes the text first, and writes
the contract and the archive of the weights next to the program, as PROGRAM.contract.json and
PROGRAM.irpa: all that "skainet run" needs of it. --weights names the weights of a graph.

For a target of XLA the file may be any model file, and the compiler is a plugin of the
PJRT C API: --plugin names it. The result, PROGRAM.xla, runs with the same build of the
plugin on such a processor; with --portable it is the graph without code, for any plugin and
machine. Dynamic sizes are compiled for those that --sizes names. The flags of "skainet
import", such as --shape and --state, say how the model is read.

With --emit=portable the result is a portable artifact of StableHLO, which versions of years
before and after read: jaxlib, a package of Python, writes it, a file for each entry point.
With --emit=text it is the text, also that of an artifact.

Targets: ` + strings.Join(compile.Targets()[1:], ", ") + `.
Levels: ` + strings.Join(compile.Levels(), ", ") + `.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.emit.form != "" {
				return f.emit.write(cmd, args[0], f.out, &f.xla)
			}
			if f.target != "" {
				to, err := compile.To(f.target, f.level)
				switch {
				case err != nil:
					return err
				case to.Backend == compile.XLA:
					return f.xla.compile(cmd, args[0], to, f.out)
				case to.Backend == compile.CPU:
					return errs.New(target.CodeTarget, "the CPU backend needs no program").Hint("run the model: skainet run %s; or name the target of a processor: --target=%s", args[0], target.Default())
				}
			}
			model, err := ofFile(args[0])
			if err != nil {
				return err
			}
			m := madeIREE
			if model {
				m = madeProgram
			}
			if err := f.xla.unused(cmd, m); err != nil {
				return err
			}
			if f.target == "" && len(f.flags) == 0 {
				if f.target, err = openfile.Target("cpu", processor.Here()); err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "skainet: the target is %s, that of this processor; --target names another\n", f.target)
			}
			f.run.Progress = progress.On(cmd.ErrOrStderr())
			if model {
				f.run.Target, f.run.Level, f.run.Flags = f.target, f.level, f.flags
				return f.xla.program(cmd, args[0], openfile.Options{Cache: f.cache, Weights: f.weights, Run: f.run}, f.out)
			}
			if err := openfile.FindCompiler(cmd.Context(), &f.run, f.cache); err != nil {
				return err
			}
			text, err := regular.Read(args[0], regular.MaxText)
			if err != nil {
				return err
			}
			warnings, err := compiler.Compile(cmd.Context(), compiler.Options{
				Compiler: f.run.Compiler, Linker: f.run.Linker, Target: f.target, Level: f.level, Flags: f.flags,
				Text: text, TextName: args[0], Out: f.out,
			})
			if err != nil {
				return err
			}
			warn(cmd, warnings)
			return nil
		},
	}
	command.FlagCompiler.Says("iree-compile `file`; "+compiler.Variable+", or the one next to this program or on the path, by default").Text(cmd, &f.run.Compiler, "")
	command.FlagLinker.Says("iree-lld `file`, if it is not next to iree-compile").Text(cmd, &f.run.Linker, "")
	openfile.FetchFlag(cmd, &f.run.Fetch)
	openfile.CacheFlag(cmd, &f.cache)
	cmd.Flags().StringVar(&f.target, "target", "", "`name` of a target; that of this processor by default")
	command.FlagLevel.Text(cmd, &f.level, "")
	command.FlagCompilerFlag.Texts(cmd, &f.flags)
	command.FlagOutput.Says("program `file` to write").Text(cmd, &f.out, "")
	cmd.Flags().StringVar(&f.weights, "weights", "", "weight `file` of a graph file")
	f.xla.declare(cmd)
	f.emit.declare(cmd)
	command.Required(cmd, "output")
	return cmd
}
