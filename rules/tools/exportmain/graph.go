package exportmain

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Graph exports the model in a graph file as its arguments say: those of Main, with --graph as the
// file to read.
func Graph(args []string, stderr io.Writer) int {
	var o options
	var graph string
	cmd := &cobra.Command{
		Use: "exporter --graph FILE.graph.json --name NAME --text OUT.mlir --contract OUT.contract.json", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return o.export(export.Stored(graph), stderr) },
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&graph, "graph", "", "graph (JSON) to export")
	command.Required(cmd, "graph")
	return command.Run(context.Background(), cmd, args, stderr, stderr)
}

// export exports a model.
func (o *options) export(m export.Model, notes io.Writer) (err error) {
	o.Notes = notes
	if o.Policy, err = export.ParsePolicy(o.policy); err != nil {
		return err
	}
	if o.Contents, err = export.ReadContents(o.contents); err != nil {
		return err
	}
	_, _, err = m.Run(cpu.Evaluate, o.Options)
	return err
}
