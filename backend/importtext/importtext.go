// Package importtext imports a model file as text on a command line or in a BUILD file
// says.
//
// # Errors
//
// IMPORT_OPTION for text that is no option of an import, or names an input that the file
// does not have, and the codes of arguments as text (argtext). Everything else comes from
// opening and importing the file (modelfile). No output is replaced before all are complete
// (internal/atomicfile).
//
// # Determinism
//
// As package modelfile.
package importtext

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// CodeOption is the code of an option that does not fit the file.
const CodeOption errs.Code = "IMPORT_OPTION" // smallest input: --shape x of an input y

// Options are those of an import as text.
type Options struct {
	Name       string
	Shapes     []string // NAME=batch,seq
	Fixed      []string // NAME=VALUE
	States     []string // OUT=IN
	Outputs    []string // NAME,...
	Cut        []string // TENSOR,...
	Inline     int64
	Noise      string
	Dequantize bool
	Context    int64
	Memory     command.ByteSize // most bytes of what is computed from constants; 0 means the default

	Notes io.Writer // if not nil, receives a line for what the import assumes
}

// errorsOf writes to the stream of errors that a command has when it runs.
type errorsOf struct{ cmd *cobra.Command }

func (e errorsOf) Write(p []byte) (int, error) { return e.cmd.ErrOrStderr().Write(p) }

// Flags declares the options. Notes go to the command's stream of errors.
func (o *Options) Flags(cmd *cobra.Command) {
	o.Notes = errorsOf{cmd}
	f := cmd.Flags()
	f.StringArrayVar(&o.Shapes, "shape", nil, "sizes of an input, `NAME=SIZE,...`: numbers, names of sizes that each call gives, or ? for the file's own; may be repeated")
	f.StringArrayVar(&o.Fixed, "fix", nil, "value of an input that is no argument then, `NAME=VALUE`: all elements, or @FILE.npy; may be repeated")
	f.StringArrayVar(&o.States, "state", nil, "an output that is an input of the next call, `OUTPUT=INPUT`: the program keeps it. One that grows is OUTPUT=INPUT:STEPS, and present.*=past.*:2048 several; may be repeated")
	f.StringArrayVar(&o.Outputs, "outputs", nil, "`names` of outputs, or of tensors inside the model, separated by commas, in place of the file's; may be repeated")
	f.StringArrayVar(&o.Cut, "cut", nil, "`names` of tensors at which a second entry point begins, separated by commas; may be repeated")
	f.StringVar(&o.Noise, "noise", "", "what the model's random numbers are: argument, which each call gives, or zero")
	f.BoolVar(&o.Dequantize, "dequantize", false, "compute a quantized ONNX model in f32: its weights are those of the file, and nothing else is rounded to integers")
	f.Int64Var(&o.Context, "context", 0, "`positions` that a language model keeps, of a GGUF file; 0 means 2048, or what it was trained for if that is less")
	f.Int64Var(&o.Inline, "inline", modelfile.DefaultInline, "largest tensor, in `bytes`, that is a constant in the graph and not a weight outside")
}

// MemoryFlag declares the limit, for a command that runs nothing and so has none of its own.
func (o *Options) MemoryFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&o.Memory, "max-memory", "maximum `size` of what the import of an ONNX file computes from constants; 1GiB by default")
}

// Write writes the graph of an open file and the index of its weights, which are other
// files than it.
func (o *Options) Write(m *modelfile.Model, graph, index string) error {
	for _, out := range []string{graph, index} {
		reads := []string{m.Path()}
		if _, err := os.Stat(out); err == nil {
			reads = weights.Reads(reads...)
		}
		if err := command.Apart(out, reads...); err != nil {
			return err
		}
	}
	g, err := o.Graph(m)
	if err != nil {
		return err
	}
	doc, err := graphjson.Marshal(g)
	if err != nil {
		return err
	}
	x, err := m.Index()
	if err != nil {
		return err
	}
	names, err := x.Marshal()
	if err != nil {
		return err
	}
	if err := atomicfile.WriteAll(atomicfile.Bytes(graph, doc), atomicfile.Bytes(index, names)); err != nil {
		return err
	}
	o.noteOpen(m, g)
	return nil
}

// Graph makes the graph of an open file.
func (o *Options) Graph(m *modelfile.Model) (*dag.Graph, error) {
	to, err := o.Parse(m)
	if err != nil {
		return nil, err
	}
	return m.Graph(to)
}

// Parse reads the options, whose names are those of the inputs of a file.
func (o *Options) Parse(m *modelfile.Model) (modelfile.Options, error) {
	to, err := o.parse(m.Inputs())
	return to, errs.WithFile(err, m.Path())
}

func (o *Options) parse(inputs []contract.Named) (modelfile.Options, error) {
	said := map[string]bool{}
	to := modelfile.Options{
		Note: func(text string) {
			if o.Notes != nil && !said[text] { // once, of a file that is imported twice
				fmt.Fprintln(o.Notes, "note:", text)
				said[text] = true
			}
		},
		Name: o.Name, Evaluate: open.Evaluator(int64(o.Memory)), MaxMemory: int64(o.Memory), Inline: max(o.Inline, 1), Noise: o.Noise, Dequantize: o.Dequantize, Context: o.Context, Outputs: words(o.Outputs), Cut: words(o.Cut),
		Shapes: map[string]shape.Shape{}, Constants: map[string]tensor.Value{}, States: map[string]string{},
	}
	if o.Inline < 0 {
		return to, errs.New(CodeOption, "--inline of %d bytes", o.Inline).Hint("give 0 or more")
	}
	for _, text := range o.Shapes {
		i, value, err := split(inputs, "shape", text)
		if err != nil {
			return to, err
		}
		if _, twice := to.Shapes[inputs[i].Name]; twice {
			return to, errs.New(CodeOption, "--shape is given twice").On(inputs[i].Name)
		}
		s, err := parseShape(inputs[i], value)
		if err != nil {
			return to, err
		}
		to.Shapes[inputs[i].Name], inputs[i].Shape = s, s
	}
	for _, text := range o.Fixed {
		i, value, err := split(inputs, "fix", text)
		if err != nil {
			return to, err
		}
		in := inputs[i]
		if _, twice := to.Constants[in.Name]; twice {
			return to, errs.New(CodeOption, "--fix is given twice").On(in.Name)
		}
		arg := in
		if strings.Contains(arg.Name, "=") {
			arg.Name = "value" // names of arguments as text have no such sign
		}
		values, err := argtext.Parse(&contract.Entry{Name: "fix", Args: []contract.Named{arg}}, []string{arg.Name + "=" + value})
		if err != nil {
			return to, err
		}
		to.Constants[in.Name] = values[0]
	}
	for _, text := range o.States {
		out, in, err := pair(inputs, text)
		if err != nil {
			return to, err
		}
		if _, twice := to.States[out]; twice {
			return to, errs.New(CodeOption, "--state is given twice").On(out)
		}
		if slices.Contains(slices.Collect(maps.Values(to.States)), in) {
			return to, errs.New(CodeOption, "two states are this input").On(in)
		}
		to.States[out] = in
	}
	return to, nil
}

// words returns the names in lists separated by commas.
func words(lists []string) (all []string) {
	for _, text := range lists {
		for _, w := range strings.Split(text, ",") {
			if w = strings.TrimSpace(w); w != "" {
				all = append(all, w)
			}
		}
	}
	return all
}

// split returns the input that a text begins with, and what follows its equals sign. A
// name may have such a sign itself.
func split(inputs []contract.Named, option, text string) (at int, value string, err error) {
	at = -1
	for i, in := range inputs {
		if rest, ok := strings.CutPrefix(text, in.Name+"="); ok && (at < 0 || len(in.Name) > len(inputs[at].Name)) {
			at, value = i, rest
		}
	}
	if at < 0 {
		return 0, "", errs.New(CodeOption, "--%s %q does not begin with the name of an input and an equals sign", option, text).Hint("%s", list(inputs))
	}
	return at, value, nil
}

// pair returns the output and the input of a state. Behind the input may be a colon and how
// many steps are kept; a pattern has a * on both sides.
func pair(inputs []contract.Named, text string) (out, in string, err error) {
	if out, in = ended(inputs, text); in != "" {
		return out, in, nil
	}
	if at := strings.LastIndexByte(text, ':'); at >= 0 {
		if _, err := strconv.ParseUint(text[at+1:], 10, 63); err == nil {
			if out, in = ended(inputs, text[:at]); in != "" {
				return out, in + text[at:], nil
			}
		}
	}
	return "", "", errs.New(CodeOption, "--state %q does not end with an equals sign and the name of an input", text).
		Hint("write OUTPUT=INPUT, or OUTPUT=INPUT:STEPS for one that grows; %s", list(inputs))
}

// ended splits a text that ends with the name of an input, or a pattern of such names.
func ended(inputs []contract.Named, text string) (out, in string) {
	for _, n := range inputs {
		if rest, ok := strings.CutSuffix(text, "="+n.Name); ok && rest != "" && len(n.Name) > len(in) {
			out, in = rest, n.Name
		}
	}
	if in != "" {
		return out, in
	}
	return pattern(inputs, text)
}

// pattern splits a pair of patterns, the second of which is that of an input.
func pattern(inputs []contract.Named, text string) (out, in string) {
	at := strings.LastIndexByte(text, '=')
	if at < 1 {
		return "", ""
	}
	before, after, ok := strings.Cut(text[at+1:], "*")
	if !ok || !strings.Contains(text[:at], "*") {
		return "", ""
	}
	for _, n := range inputs {
		if len(n.Name) >= len(before)+len(after) && strings.HasPrefix(n.Name, before) && strings.HasSuffix(n.Name, after) {
			return text[:at], text[at+1:]
		}
	}
	return "", ""
}

func list(inputs []contract.Named) string {
	var names []string
	for _, n := range inputs {
		names = append(names, n.Name+" "+n.Type().String())
	}
	return "the inputs are: " + strings.Join(names, ", ")
}

// parseShape reads "batch,128" or, for a scalar, nothing.
func parseShape(in contract.Named, text string) (shape.Shape, error) {
	s := shape.Shape{}
	if text == "" {
		return s, nil
	}
	for i, word := range strings.Split(text, ",") {
		word = strings.TrimSuffix(strings.TrimSpace(word), "?")
		n, err := strconv.ParseInt(word, 10, 64)
		d := shape.Named(word)
		switch {
		case word == "" && i < len(in.Shape):
			d = in.Shape[i]
		case err == nil && n >= 0:
			d = shape.N(n)
		case !d.IsKnown() || d.Size < shape.Dynamic:
			return nil, errs.New(CodeOption, "%q is not the size of a dimension", word).On(in.Name).
				Hint("write a number, a name such as batch, arithmetic such as 32*rows, or ? for the file's own")
		}
		s = append(s, d)
	}
	return s, nil
}
