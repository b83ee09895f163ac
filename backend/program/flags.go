package program

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/command"
)

// Flags adds the options to a cobra command, as the programs of this repository have
// them.
func (o *Options) Flags(cmd *cobra.Command) {
	command.FlagDevice.Text(cmd, &o.Device, "cpu")
	command.FlagThreads.Count(cmd, &o.Threads)
	cmd.Flags().StringVar(&o.Program, "program", "", "compiled program, a .vmfb `file`, in place of the one next to this program")
	command.FlagContract.Says("its contract `file`").Text(cmd, &o.Contract, "")
	command.FlagArchive.Texts(cmd, &o.Archives)
	command.FlagLibrary.Text(cmd, &o.Library, "")
	command.FlagTool.Says("iree-run-module `file`, to use in place of the library").Text(cmd, &o.Tool, "")
}
