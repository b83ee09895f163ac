// Command importgraph is the action of a model that is a file: it writes the file's graph
// and the index of its weights. With other weights of the same shapes both stay the same, so that no
// other action but packing runs again.
package main

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// codeFormat is the code of a file that is in another format than its attribute says.
const codeFormat errs.Code = "IMPORT_FORMAT" // smallest input: a graph file as onnx

func main() { command.Tool(newCommand()) }

// The command is called skainet in messages, the name that a user knows.
func newCommand() *cobra.Command {
	var o importtext.Options
	var format, graph, index string
	cmd := &cobra.Command{
		Use: "skainet FILE --graph OUT.graph.json --index OUT.json", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := modelfile.Open(args[0])
			if err != nil {
				return err
			}
			defer m.Close()
			if format != "" && m.Format() != format {
				return errs.New(codeFormat, "the file is of format %s, not %s", m.Format(), format).In(args[0]).
					Hint("write %s = in place of %s = in the BUILD file", m.Format(), format)
			}
			return o.Write(m, graph, index)
		},
	}
	o.Flags(cmd)
	o.MemoryFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&o.Name, "name", "", "name of the module")
	f.StringVar(&format, "format", "", "format that the file must have")
	f.StringVar(&graph, "graph", "", "graph to write")
	f.StringVar(&index, "index", "", "index of the weights to write")
	command.Required(cmd, "graph", "index")
	return cmd
}
