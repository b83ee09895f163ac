// Package cli is the command line: one file for each command, each of them thin
// over a library.
//
// # Errors
//
// Main prints an error once, as "skainet: CODE: ...", to stderr. The exit
// status is 1 for a coded error, 2 for a command line that makes no sense
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

	"github.com/skainet-dev/skainet-go/backend/call"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/interrupt"
	"github.com/skainet-dev/skainet-go/internal/paramfile"
)

// CodeUsage is the code of a command line that makes no sense.
const CodeUsage = command.CodeUsage

// Exit statuses.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = interrupt.ExitStatus
)

// Main runs the command line args, without the program's name, and gives the
// exit status. A single argument @FILE stands for the lines of that file.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := interrupt.Context(context.Background(), "skainet")
	defer stop()
	root := newRootCommand()
	args, err := paramfile.Arguments(args)
	if err != nil {
		fmt.Fprintln(stderr, "skainet:", err)
		return exitFailed
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "skainet: interrupted")
		return exitInterrupted
	case errs.CodeOf(err) == "":
		// Commands give coded errors; what has no code is cobra's own.
		err = errs.Wrap(CodeUsage, err, "").Hint("see %s --help", cmd.CommandPath())
		fmt.Fprintln(stderr, "skainet:", err)
		return exitUsage
	}
	fmt.Fprintln(stderr, "skainet:", err)
	if errs.CodeOf(err) == CodeUsage {
		return exitUsage
	}
	return exitFailed
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "skainet",
		Short:         "Models written in Go as portable compiled programs",
		SilenceErrors: true, // Main prints them
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { // a flag's value may fail with a code of its own
		return errs.Wrap(CodeUsage, err, "").Hint("see %s --help", cmd.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, add := range commands {
		root.AddCommand(add())
	}
	return root
}

// commands in the order of a model's way from weights to results.
var commands = []func() *cobra.Command{
	newInspectCommand,
	newPlanCommand,
	newConvertCommand,
	newDiffCommand,
	newExportCommand,
	newPackCommand,
	newCompileCommand,
	call.NewRunCommand,
	call.NewBenchCommand,
	newVerifyCommand,
	newOpsCommand,
	newGraphCommand,
	newEvalCommand,
}
