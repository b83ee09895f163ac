package command

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/paramfile"
)

// Tool is the main function of a program that build rules run, whose arguments may
// be in a file of Bazel's.
func Tool(cmd *cobra.Command) {
	Main(cmd.Name(), func(ctx context.Context) int { return RunTool(ctx, cmd, os.Args[1:], os.Stdout, os.Stderr) })
}

// RunTool is Run after a single argument @FILE was replaced by the lines of that file.
func RunTool(ctx context.Context, cmd *cobra.Command, args []string, stdout, stderr io.Writer) int {
	args, err := paramfile.Arguments(args)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", cmd.Name(), err)
		return Failed
	}
	return Run(ctx, cmd, args, stdout, stderr)
}
