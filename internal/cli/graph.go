package cli

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/dag/draw"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/internal/errs"
)

func newGraphCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Import and draw graphs",
		Long: `A graph is a JSON document of all that a model computes, with weights by key.
"skainet export --graph" writes one, as do exporters of models that are built
with Bazel (--graph FILE); programs of others may make their own.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGraphShowCommand(), newGraphImportCommand())
	return cmd
}

func newGraphShowCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "show FILE.json [-o FILE]",
		Short: "Draw a graph with shapes and sizes",
		Long: `Show prints the graph as DOT text, which Graphviz and others draw:
skainet graph show FILE.json | dot -Tsvg`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := graphjson.ReadFile(args[0])
			if err != nil {
				return err
			}
			text, err := draw.DOT(g)
			if err != nil {
				return errs.WithFile(err, args[0])
			}
			return emit(cmd, out, text, args[0])
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "`file` to write in place of the standard output")
	return cmd
}

func newGraphImportCommand() *cobra.Command {
	var policy, out string
	cmd := &cobra.Command{
		Use:   "import FILE.json -o PREFIX",
		Short: "Write a graph as StableHLO text with its contract",
		Long: `Import checks a graph and writes the files that "skainet export" writes for a
model, so that it can be compiled, packed and run.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := export.ParsePolicy(policy)
			if err != nil {
				return err
			}
			g, err := graphjson.ReadFile(args[0])
			if err != nil {
				return err
			}
			o, err := outputs(out)
			if err != nil {
				return err
			}
			for _, path := range []string{o.Text, o.Kernels, o.Contract, o.Constants} {
				if err := apart(path, args[0]); err != nil {
					return err
				}
			}
			o.Name, o.Policy = g.Name, p
			_, err = export.RunGraph(g, o)
			return errs.WithFile(err, args[0])
		},
	}
	cmd.Flags().StringVar(&policy, "constants", "inline", "inline, external, or the size in `bytes` from which named constants are external")
	cmd.Flags().StringVarP(&out, "output", "o", "", "`prefix` of the files to write")
	required(cmd, "output")
	return cmd
}
