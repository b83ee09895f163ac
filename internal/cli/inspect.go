package cli

import (
	"bytes"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/io/weights"
)

func newInspectCommand() *cobra.Command {
	var f struct {
		json, index bool
		out         string
	}
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Show what a weight file or a parameter archive holds",
		Long: `Inspect shows names, types, shapes, lengths and places of the tensors in a
weight file, and the settings of its model. The format is found from what the
file holds, not from its name: CTranslate2 and IREE parameter archives.

With --index it gives the weights index from which models are exported; an
index holds no weight value.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := weights.Open(args[0])
			if err != nil {
				return err
			}
			defer w.Close()
			if f.index {
				x, err := w.Index()
				if err != nil {
					return err
				}
				data, err := x.Marshal()
				if err != nil {
					return err
				}
				return emit(cmd, f.out, data)
			}
			l, err := list(w)
			if err != nil {
				return err
			}
			data := l.table()
			if f.json {
				if data, err = marshal(l); err != nil {
					return err
				}
			}
			return emit(cmd, f.out, data)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON in place of a table")
	cmd.Flags().BoolVar(&f.index, "index", false, "print the weights index (JSON)")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "`file` to write in place of the standard output")
	cmd.MarkFlagsMutuallyExclusive("json", "index")
	return cmd
}

// marshal gives indented JSON with one trailing newline; names stay readable.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return nil, errs.Wrap("CLI_JSON", err, "cannot encode the answer")
	}
	return b.Bytes(), nil
}
