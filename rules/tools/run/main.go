// Command run calls compiled programs for the rules: iree_run, iree_bench
// and `bazel run` of an iree_vmfb. It is a separate program so that running a program
// depends on no model.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/call"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() {
	if err := command.AtUser(); err != nil {
		fmt.Fprintln(os.Stderr, "skainet:", err)
		os.Exit(command.Usage)
	}
	command.Tool(newCommand())
}

// The subcommands and the name are those of skainet.
func newCommand() *cobra.Command {
	root := &cobra.Command{Use: "skainet", Short: "Calls of compiled programs"}
	root.AddCommand(call.NewRunCommand(nil), call.NewBenchCommand(nil))
	return root
}
