// Package command runs the commands of programs that do one thing, such as chat and
// transcribe: how they are called, how they end, and what they say then. The skainet
// command, which has many, is package internal/cli.
//
// # Errors
//
// USAGE where a command line makes no sense; the command's own errors are printed once,
// as "NAME: CODE: ...".
//
// # Determinism
//
// What is printed depends on the command.
package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/internal/interrupt"
)

// Exit statuses, beside interrupt.ExitStatus.
const (
	Failed = 1
	Usage  = 2
)

// Main calls run with a context that a signal ends, and ends the program with the
// status that it gives.
func Main(name string, run func(context.Context) int) {
	ctx, stop := interrupt.Context(context.Background(), name)
	defer stop()
	os.Exit(run(ctx))
}

// Run runs a command whose RunE gives coded errors, and gives the exit status.
func Run(ctx context.Context, cmd *cobra.Command, args []string, stdout, stderr io.Writer) int {
	ran := false
	do := cmd.RunE
	cmd.RunE = func(c *cobra.Command, args []string) error {
		ran = true
		return do(c, args)
	}
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "%s: interrupted\n", cmd.Name())
		return interrupt.ExitStatus
	case !ran:
		fmt.Fprintf(stderr, "%s: %v\n", cmd.Name(), errs.Wrap("USAGE", err, "").Hint("see %s --help", cmd.Name()))
		return Usage
	}
	fmt.Fprintf(stderr, "%s: %v\n", cmd.Name(), err)
	return Failed
}

// Path is a file that an argument names, from where the user is: bazel run starts
// programs in a folder of its own.
func Path(argument string) string {
	if dir := os.Getenv("BUILD_WORKING_DIRECTORY"); dir != "" && !filepath.IsAbs(argument) {
		return filepath.Join(dir, argument)
	}
	return argument
}
