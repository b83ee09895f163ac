package cli

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/weights"
)

func newImportCommand() *cobra.Command {
	var o importtext.Options
	var prefix string
	cmd := &cobra.Command{
		Use:   "import FILE --prefix PREFIX",
		Short: "Write a model file as a graph with the index of its weights",
		Long: `Import reads a model in a file of any known format and writes PREFIX.graph.json, what the
model computes, and PREFIX.index.json, the names, shapes and types of its weights. Neither
has the value of a weight, so other weights of the same shapes give the same files.

"skainet export PREFIX.graph.json --index PREFIX.index.json" makes the text and the
contract of them, and "skainet pack --weights FILE" the archive.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := outputs(prefix); err != nil {
				return err
			}
			return importModel(args[0], o, prefix)
		},
	}
	o.Flags(cmd)
	o.MemoryFlag(cmd)
	cmd.Flags().StringVar(&o.Name, "name", "", "`name` of the module; the file's by default")
	cmd.Flags().StringVar(&prefix, "prefix", "", "`prefix` of the files to write")
	command.Required(cmd, "prefix")
	return cmd
}

func importModel(path string, o importtext.Options, prefix string) error {
	m, err := modelfile.Open(path)
	if err != nil {
		return err
	}
	defer m.Close()
	return o.Write(m, prefix+".graph.json", prefix+".index.json")
}

// isModelFile reports whether a file is a model and no exporter.
func isModelFile(path string) bool {
	_, err := modelfile.FormatOf(path)
	return err == nil
}

// graphFile exports a graph file as an exporter exports its model.
func (f *exportFlags) graphFile(cmd *cobra.Command, path string) error {
	if format, err := modelfile.FormatOf(path); err != nil || format != modelfile.Graph {
		return errs.New(CodeNoModel, "this is a model file of format %s, not a graph", format).In(path).
			Hint("import it first: skainet import FILE --prefix PREFIX, then export PREFIX.graph.json")
	}
	o, err := outputs(f.out)
	if err != nil {
		return err
	}
	if o.Policy, err = export.ParsePolicy(f.policy); err != nil {
		return err
	}
	o.Name, o.Index, o.DType, o.Weights, o.Notes = f.name, f.index, f.dtype, f.stored, cmd.ErrOrStderr()
	if f.f16 {
		o.TextF16, o.KernelsF16 = f.out+".f16.mlir", f.out+".kernels.f16.mlir"
	}
	if f.wide {
		o.KernelsWide = f.out + ".kernels.wide.mlir"
	}
	if f.graph {
		o.Graph = f.out + ".graph.json"
	}
	for _, out := range []string{o.Text, o.Kernels, o.Contract, o.Constants, o.Graph} {
		if err := apart(out, false, path, f.weights); err != nil {
			return err
		}
	}
	model := export.Stored(path)
	if f.weights == "" {
		_, _, err = model.Run(cpu.Evaluate, o)
		return err
	}
	w, err := weights.Open(f.weights)
	if err != nil {
		return err
	}
	defer w.Close()
	index, err := w.Index()
	if err != nil {
		return err
	}
	if f.merge {
		contents, err := w.Contents()
		if err != nil {
			return err
		}
		o.Contents = func(_, key string) string { return contents[key] }
	}
	_, _, err = model.RunIndex(cpu.Evaluate, index, o)
	return err
}
