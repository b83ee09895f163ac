package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/io/convert"
	"github.com/skainet-dev/skainet-go/io/inspect"
	"github.com/skainet-dev/skainet-go/io/weights"
)

const codeNoTensor errs.Code = "CLI_NO_TENSOR" // smallest input: --tensors x of a file without x

type inspectFlags struct {
	json, index   bool
	metadata, out string
	tensors       convert.Names
}

func newInspectCommand() *cobra.Command {
	var f inspectFlags
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Show the contents of a weight file, an archive or a program's text",
		Long: `Inspect shows names, types, shapes, lengths and offsets of the tensors in a
weight file, how many bytes each encoding takes, and the file's metadata. The
format is detected from the file's content, not from its name.

Of a program's text, a FILE whose name ends in .mlir, it shows the tensors that carry an
encoding, as the module's attribute skainet.tensor_encodings names them, with the types
of their elements and of their bytes.

With --index it prints the weights index from which models are exported; an
index contains no weight values. With --metadata it prints one value in full, such
as a chat template or all tokens.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.tensors.Check(); err != nil {
				return err
			}
			if strings.HasSuffix(args[0], programText) {
				data, err := f.ofText(args[0])
				if err != nil {
					return err
				}
				return command.Emit(cmd, f.out, data, args[0])
			}
			w, err := weights.Open(args[0])
			if err != nil {
				return err
			}
			defer w.Close()
			data, err := f.show(w)
			if err != nil {
				return err
			}
			return command.Emit(cmd, f.out, data, w.Reads()...)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON instead of a table")
	cmd.Flags().BoolVar(&f.index, "index", false, "print the weights index (JSON)")
	cmd.Flags().StringVar(&f.metadata, "metadata", "", "print the value of one `key` of the metadata in full")
	cmd.Flags().StringArrayVar((*[]string)(&f.tensors), "tensors", nil, "show only tensors whose names match the `pattern`: "+globHelp+"; may be repeated")
	command.FlagOutput.Text(cmd, &f.out, "")
	cmd.MarkFlagsMutuallyExclusive("json", "index")
	cmd.MarkFlagsMutuallyExclusive("index", "metadata", "tensors")
	return cmd
}

func (f *inspectFlags) show(w *weights.File) ([]byte, error) {
	if f.metadata != "" {
		return whole(w, f.metadata, f.json)
	}
	if f.index {
		x, err := w.Index()
		if err != nil {
			return nil, err
		}
		return x.Marshal()
	}
	l, err := inspect.Of(w, f.tensors.Match)
	if err != nil {
		return nil, err
	}
	if len(f.tensors) > 0 && len(l.Tensors) == 0 {
		return nil, errs.New(codeNoTensor, "no tensor matches %q", []string(f.tensors)).In(w.Path()).
			Hint("list the names with: skainet inspect FILE")
	}
	if f.json {
		return display.JSON(l)
	}
	return table(l), nil
}

// programText ends the name of a program's text.
const programText = ".mlir"

// globHelp describes patterns in the help of a flag.
const globHelp = "* matches any text without a slash, ** any text"
