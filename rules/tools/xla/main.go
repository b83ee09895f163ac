// Command xla is what the rules run for targets of XLA: it writes the files of xla_executable,
// and calls them for `bazel run` and bench. It depends on no model.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/call"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/backend/xla/xlacall"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() {
	child.Main()
	if err := command.AtUser(); err != nil {
		fmt.Fprintln(os.Stderr, "skainet:", err)
		os.Exit(command.Usage)
	}
	command.Tool(newCommand())
}

// The subcommands and the name are those of skainet, but for write.
func newCommand() *cobra.Command {
	root := &cobra.Command{Use: "skainet", Short: "Programs of XLA"}
	root.AddCommand(call.NewRunCommand(xlacall.Files{}), call.NewBenchCommand(xlacall.Files{}), writeCommand())
	return root
}

// writeCommand returns the action of xla_executable.
func writeCommand() *cobra.Command {
	var o xla.Options
	var label, graph, contract, out string
	var sizes []string
	var compiled bool
	cmd := &cobra.Command{Use: "write --graph FILE.graph.json --output OUT.xla", Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if err = write(cmd, o, graph, contract, out, sizes, compiled); err != nil && label != "" {
			return fmt.Errorf("%s: %w", label, err)
		}
		return err
	}
	f := cmd.Flags()
	f.StringVar(&label, "label", "", "target, for messages")
	f.StringVar(&graph, "graph", "", "graph `file`")
	f.StringVar(&contract, "contract", "", "contract `file` to write")
	f.StringArrayVar(&sizes, "sizes", nil, "dynamic sizes to compile for, `NAME=N,...`; may be repeated")
	f.BoolVar(&compiled, "serialized", false, "compile now, with the plugin, for this processor")
	command.FlagOutput.Says("file to write").Text(cmd, &out, "")
	command.FlagLevel.Text(cmd, &o.Level, "")
	command.FlagPlugin.Text(cmd, &o.Plugin, "")
	command.Required(cmd, "graph", "contract", "output")
	return cmd
}

func write(cmd *cobra.Command, o xla.Options, graph, contract, out string, sizes []string, compiled bool) (err error) {
	if o.Sizes, err = command.Sizes(sizes); err != nil {
		return err
	}
	if o.Graph, err = graphjson.ReadFile(graph); err != nil {
		return err
	}
	c, err := describe.Contract(o.Graph)
	if err != nil {
		return err
	}
	document, err := c.Marshal()
	if err != nil {
		return err
	}
	if compiled {
		err = xla.Write(cmd.Context(), out, o)
	} else {
		err = xla.WritePortable(out, o)
	}
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(contract, document)
}
