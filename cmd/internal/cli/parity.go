package cli

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/parity/paritytext"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func newParityCommand() *cobra.Command {
	var o openfile.Options
	var compare paritytext.Options
	var out string
	cmd := &cobra.Command{
		Use:   "parity FILE [--input NAME=...]",
		Short: "Compare a model file's compiled program with the CPU backend",
		Long: `Parity compiles a model file for this processor, as run --backend=iree does, or with
--target=xla_cpu by XLA, calls the program and the CPU backend with the same arguments, and prints for each result how far they
are apart. Arguments are arrays, or made up, the same each time: floats are standard normal,
integers 0 to 3. Sizes that the file leaves open are those of the arrays, as for run, also of
recorded ones where they are the same in all; without any, a program of any size is called
with three. With --recorded both are compared with results of another implementation as well. The exit status is 1 if something differs.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := apart(out, false, args[0], o.Weights); err != nil {
				return err
			}
			o.Run.Progress = progress.On(cmd.ErrOrStderr())
			var err error
			if o.Like, err = compare.RecordedTypes(); err != nil {
				return err
			}
			m, _, err := openfile.Import(args[0], compare.Arrays(), o)
			if err != nil {
				return err
			}
			if err := open.Budget(m.Graph, int64(o.Memory)); err != nil { // before arguments are made up
				return err
			}
			cases, err := compare.Cases(m.Contract, nil)
			if err != nil {
				return err
			}
			if err := compare.Check(cases); err != nil {
				return err
			}
			on := func(name string) func() (backend.Executable, error) {
				return func() (backend.Executable, error) { return m.On(cmd.Context(), name) }
			}
			var report bytes.Buffer
			differs := compare.Compare(cmd.Context(), cases, on(open.CPU), on(m.Compiler()), &report)
			if err := command.Emit(cmd, out, report.Bytes()); err != nil {
				return err
			}
			return differs
		},
	}
	o.ProgramFlags(cmd)
	compare.Flags(cmd)
	command.FlagDevice.Text(cmd, &o.Run.Device, "cpu")
	command.FlagThreads.Count(cmd, &o.Run.Workers)
	command.FlagLibrary.Text(cmd, &o.Run.Library, "")
	command.FlagTool.Text(cmd, &o.Run.Tool, "")
	command.FlagPlugin.Text(cmd, &o.Run.Plugin, "")
	command.FlagOutput.Text(cmd, &out, "")
	return cmd
}
