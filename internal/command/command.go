// Package command holds what the programs of this repository have in common: running and ending,
// messages, shared flags (vocabulary.go), and the user's folder.
//
// # Errors
//
// USAGE for an invalid command line; the command's own errors are printed once,
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
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/interrupt"
)

// CodeUsage is the code of an invalid command line.
const CodeUsage errs.Code = "USAGE"

// Exit statuses, beside interrupt.ExitStatus.
const (
	Failed = 1
	Usage  = 2
)

// Main calls run with a context that a signal cancels, and exits with the status that
// it returns.
func Main(name string, run func(context.Context) int) {
	ctx, stop := interrupt.Context(context.Background(), name)
	defer stop()
	os.Exit(run(ctx))
}

// Program is the main function of a program that is one command: it runs it with the
// process's arguments.
func Program(cmd *cobra.Command) {
	Main(cmd.Name(), func(ctx context.Context) int { return Run(ctx, cmd, os.Args[1:], os.Stdout, os.Stderr) })
}

// Run runs a command whose RunE returns coded errors, or one with such subcommands, and
// returns the exit status: Usage if no command was reached, or if one returns USAGE itself.
func Run(ctx context.Context, cmd *cobra.Command, args []string, stdout, stderr io.Writer) int {
	ran := false
	watch(cmd, &ran)
	if cmd.RunE == nil && cmd.HasAvailableSubCommands() {
		cmd.RunE = func(c *cobra.Command, _ []string) error {
			var names []string
			for _, sub := range c.Commands() {
				if sub.Name() != "help" {
					names = append(names, sub.Name())
				}
			}
			return errs.New(CodeUsage, "no command is named").Hint("give one of %s; see %s --help", strings.Join(names, ", "), c.Name())
		}
	}
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.CompletionOptions.DisableDefaultCmd = !cmd.CompletionOptions.HiddenDefaultCmd
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error { // a flag's value may fail with a code of its own
		return errs.Wrap(CodeUsage, err, "").Hint("see %s --help", c.CommandPath())
	})
	cmd.DisableSuggestions = true // they are lines of their own
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	reached, err := cmd.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "%s: interrupted\n", cmd.Name())
		return interrupt.ExitStatus
	case !ran && errs.CodeOf(err) == "":
		err = errs.Wrap(CodeUsage, err, "").Hint("see %s --help", reached.CommandPath())
	}
	fmt.Fprintf(stderr, "%s: %v\n", cmd.Name(), err)
	if errs.CodeOf(err) == CodeUsage {
		return Usage
	}
	return Failed
}

// watch records when one of the commands is reached.
func watch(cmd *cobra.Command, ran *bool) {
	if do := cmd.RunE; do != nil {
		cmd.RunE = func(c *cobra.Command, args []string) error {
			*ran = true
			return do(c, args)
		}
	}
	for _, sub := range cmd.Commands() {
		watch(sub, ran)
	}
}
