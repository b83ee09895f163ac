// Command ours is a compiled program as a contestant of the benchmark of language models:
// in process, through the same session as the chat.
package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/text/contestant"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/text/generate"
)

func main() {
	var o program.Options
	cmd := &cobra.Command{
		Use: "ours", Args: cobra.NoArgs,
		Short: "Continue a text for each line of the standard input",
		RunE:  func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), o) },
	}
	o.Flags(cmd)
	command.Main("ours", func(ctx context.Context) int {
		return command.Run(ctx, cmd, os.Args[1:], os.Stdout, os.Stderr)
	})
}

func serve(ctx context.Context, o program.Options) error {
	x, err := program.Parts{}.Open(o)
	if err != nil {
		return err
	}
	defer x.Close()
	if !backend.KeepsState(x) {
		return errs.New(harness.CodeRuntime, "the runtime library was not built on this host").
			Hint("without it a program is loaded for each call, which is not what is measured here")
	}
	s, err := generate.NewSession(x, generate.Options{})
	if err != nil {
		return err
	}
	return contestant.Serve(ctx, os.Stdin, os.Stdout, contestant.Ready{Version: "IREE " + x.Contract().IREE}, s)
}
