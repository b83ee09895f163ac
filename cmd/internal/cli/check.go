package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/checkfile"
	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
)

// CodeRefused is the code of a model file of which an import refuses something.
const CodeRefused errs.Code = "CHECK_REFUSED" // smallest input: an ONNX file with a node of NonZero

func newCheckCommand() *cobra.Command {
	var o importtext.Options
	var weights, out string
	var json bool
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Say what is in a model file, and what of it would be refused",
		Long: `Check reads a model file of any format that import takes, and prints its inputs and sizes,
its operators, how its weights are stored, what an import would refuse and why, the memory
of a program, and the flags to give. Nothing is built. It takes the flags of import, to see
what they change.

The last line is the verdict. States are all that a program keeps from call to call, in
their own types: of a language model the cache that plan counts, in f16, and its position.

Of a GGUF file the tokenizer and the chat template are read too, as chat reads them; one
without a tokenizer is not refused, as chat takes that of another file. Of an
ONNX file all nodes that are refused are listed; those that need what a refused node makes, and whose
type the file does not say, are counted. The exit status is 1 if something is refused.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := checkfile.Of(args[0], weights, o)
			if err != nil {
				return err
			}
			if err := checkTokens(r, args[0]); err != nil {
				return err
			}
			data := checkTable(r)
			if json {
				if data, err = display.JSON(r); err != nil {
					return err
				}
			}
			if err := apart(out, false, args[0], weights); err != nil {
				return err
			}
			if err := command.Emit(cmd, out, data); err != nil {
				return err
			}
			if n := len(r.Refused); n > 0 {
				return errs.New(CodeRefused, "%s of the model would be refused", display.Counted(n, "part")).In(args[0])
			}
			return nil
		},
	}
	o.Flags(cmd)
	o.MemoryFlag(cmd)
	cmd.Flags().StringVar(&weights, "weights", "", "weight `file` of a graph file")
	cmd.Flags().BoolVar(&json, "json", false, "print JSON instead of tables, with the memory of every target")
	command.FlagOutput.Text(cmd, &out, "")
	return cmd
}

// checkTokens adds what chat would refuse of a GGUF file's tokenizer and chat template.
func checkTokens(r *checkfile.Report, path string) error {
	if r.Format != gguf.Format {
		return nil
	}
	language, has, err := textmodel.Check(path)
	switch {
	case err != nil && !has:
		return err
	case err != nil:
		r.Refuse(err)
		return nil
	case !has:
		r.NoTokenizer = true
		r.Facts = append(r.Facts, checkfile.Fact{Name: "tokenizer", Value: "none"})
		r.Options = append(r.Options, "for text, since the file has no tokenizer, a file that has: --tokenizer FILE")
		return nil
	}
	template := "none: chat continues a text"
	if language.Template != nil {
		template = "yes"
	}
	r.Facts = append(r.Facts, checkfile.Fact{Name: "tokenizer", Value: display.Counted(language.Tokens.Size(), "token")},
		checkfile.Fact{Name: "chat template", Value: template})
	return nil
}

// lastLine is the verdict, the last line: whether anything is refused.
func lastLine(r *checkfile.Report) string {
	switch n := len(r.Refused); {
	case n == 1:
		return "1 part of the model is refused"
	case n > 1:
		return display.Counted(n, "part") + " of the model are refused"
	case r.NoTokenizer:
		return "nothing of the model is refused; chat refuses the file without --tokenizer, for it has none"
	}
	return "nothing is refused"
}

func checkTable(r *checkfile.Report) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "format: %s\n", r.Format)
	for _, f := range r.Facts {
		fmt.Fprintf(&b, "%s: %s\n", display.Printable(f.Name), shorten(f.Value))
	}
	part := func(head ...string) func(fill func(row func(cells ...string))) {
		return func(fill func(row func(cells ...string))) {
			var grid bytes.Buffer
			display.Grid(&grid, head, fill)
			if grid.Len() > 0 {
				b.WriteByte('\n')
				b.Write(grid.Bytes())
			}
		}
	}
	part("INPUT", "TYPE")(func(row func(cells ...string)) {
		for _, v := range r.Inputs {
			row(display.Printable(v.Name), v.Type)
		}
	})
	part("SIZE", "INPUTS")(func(row func(cells ...string)) {
		for _, s := range r.Sizes {
			row(display.Printable(s.Name), display.Printable(strings.Join(s.Inputs, ", ")))
		}
	})
	part("ENTRY", "TAKES", "GIVES")(func(row func(cells ...string)) {
		for _, e := range r.Entries {
			row(e.Name, typed(e.Args), typed(e.Results))
		}
	})
	part("OPERATOR", "NODES")(func(row func(cells ...string)) {
		for _, o := range r.Operators {
			row(display.Printable(o.Name), strconv.FormatInt(o.Nodes, 10))
		}
	})
	part("WEIGHTS", "TENSORS", "BYTES")(func(row func(cells ...string)) {
		for _, s := range r.Weights {
			row(display.Printable(s.Name()), strconv.Itoa(s.Tensors), strconv.FormatInt(s.Bytes, 10))
		}
	})
	part("REFUSED", "BYTE", "CODE", "WHY")(func(row func(cells ...string)) {
		for _, x := range r.Refused {
			at := ""
			if x.Byte > 0 {
				at = strconv.FormatInt(x.Byte, 10)
			}
			row(display.Printable(x.Node), at, string(x.Code), display.Printable(x.What))
		}
	})
	if r.Unseen > 0 {
		fmt.Fprintf(&b, "\n%s behind them could not be examined\n", display.Counted(r.Unseen, "node"))
	}
	if m := r.Memory; m != nil {
		part("TARGET", "MAPPED", "HOST", "DEVICE")(func(row func(cells ...string)) {
			for _, x := range m.Rows {
				if x.Target == checkfile.Backend || slices.Contains(commonTargets, x.Target) {
					row(x.Target, rough(x.Mapped), rough(x.Host), rough(x.Device))
				}
			}
		})
		fmt.Fprintf(&b, "\nweights: %s\nstates: %s", size(m.Weights), size(m.States))
		if m.Held != m.States {
			fmt.Fprintf(&b, "; %s with %s, which holds f16 as f32", size(m.Held), checkfile.Backend)
		}
		fmt.Fprintf(&b, "\nvalues of a call: %s", size(m.Values))
		if m.Dynamic {
			b.WriteString(", and those whose sizes a call chooses")
		}
		b.WriteByte('\n')
	}
	for i, o := range r.Options {
		if i == 0 {
			b.WriteString("\nto give:\n")
		}
		fmt.Fprintf(&b, "  %s\n", display.Printable(o))
	}
	fmt.Fprintf(&b, "\nverdict: %s\n", lastLine(r))
	return b.Bytes()
}

// typed lists values with their types.
func typed(list []checkfile.Value) string {
	var words []string
	for _, v := range list {
		words = append(words, v.Name+" "+v.Type)
	}
	return strings.Join(words, ", ")
}
