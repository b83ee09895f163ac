// Package cli is the command line: one file for each command, each a thin layer
// over a library.
//
// # Errors
//
// Main prints an error once, as "skainet: CODE: ...", to stderr. The exit
// status is 1 for a coded error, 2 for an invalid command line
// (code USAGE), 130 after an interrupt.
//
// # Determinism
//
// A command's output depends only on its arguments and the files they name.
package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/cmd/internal/embedding"
	"github.com/skainet-dev/skainet-go/cmd/internal/talk"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/interrupt"
)

// CodeUsage is the code of an invalid command line.
const CodeUsage = command.CodeUsage

// Main runs the command line args, without the program's name, and returns the
// exit status. A single argument @FILE stands for the lines of that file.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := interrupt.Context(context.Background(), "skainet")
	defer stop()
	if err := command.AtUser(); err != nil {
		fmt.Fprintln(stderr, "skainet:", err)
		return command.Usage
	}
	return command.RunTool(ctx, Command(), args, stdout, stderr)
}

// Command returns the command that Main runs, with those below it.
func Command() *cobra.Command {
	root := &cobra.Command{
		Use:     "skainet",
		Short:   "Models written in Go as portable compiled programs",
		Version: version(),
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, add := range commands {
		root.AddCommand(add())
	}
	return root
}

// The commands are in the order of a model's way from weights to results.
var commands = []func() *cobra.Command{
	newInspectCommand,
	newPlanCommand,
	newConvertCommand,
	newDiffCommand,
	newDiffRunCommand,
	newCheckCommand,
	newImportCommand,
	newExportCommand,
	newPackCommand,
	newCompileCommand,
	newRunCommand,
	newBenchCommand,
	newParityCommand,
	newDevicesCommand,
	newVerifyCommand,
	newVerifyReleaseCommand,
	newOpsCommand,
	newGraphCommand,
	newEvalCommand,
	talk.NewFileCommand,
	embedding.NewFileCommand,
}
