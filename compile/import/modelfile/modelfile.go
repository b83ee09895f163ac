// Package modelfile opens a file that holds a model, of any format that has a reader
// here, which it recognises by the file's content and never by its name, and makes the
// model's graph (compile/dag) of it.
//
// A format is a row of the table formats: how its files begin, what opens one, and which
// options of an import it takes. What a row opens is a source: it says what the file
// declares, makes the graph, and gives the file as one of weights, which stay in it.
//
// # Errors
//
// MODELFILE_UNKNOWN for a file of no such format, MODELFILE_OPTION for an option that
// its format does not have. Everything else comes from the package of the format.
//
// # Determinism
//
// The graph depends only on the structure of the file, its small tensors and the options: other
// weights of the same shapes give the same graph.
package modelfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodeUnknown errs.Code = "MODELFILE_UNKNOWN" // smallest input: the empty file
	CodeOption  errs.Code = "MODELFILE_OPTION"  // smallest input: --cut with a graph file
)

// Evaluator computes the results of a graph's entry point main.
type Evaluator func(ctx context.Context, g *dag.Graph, args []tensor.Value) ([]tensor.Value, error)

// DefaultInline is the usual Options.Inline: scalars, which are mostly part of a model's
// structure, such as an exponent or a clipping limit.
const DefaultInline = 8

// Options says what graph to make of a file.
type Options struct {
	Name       string                  // of the module
	Evaluate   Evaluator               // computes what follows from constants
	MaxMemory  int64                   // bytes of that; see fromonnx.Options
	Shapes     map[string]shape.Shape  // of inputs, by name, in place of the file's
	Constants  map[string]tensor.Value // values of inputs that are no arguments then
	States     map[string]string       // from an output to the input of the next call that it is
	Outputs    []string                // instead of the file's
	Cut        []string                // tensors at which a second entry point begins
	Inline     int64                   // tensors of at most so many bytes are constants in the graph
	Noise      string                  // what random numbers are: argument or zero
	Dequantize bool                    // compute a quantized model in f32
	Context    int64                   // positions that a language model keeps; 0 means its default
	Note       func(text string)       // is told what the import assumes; may be nil
}

// given is 1 where an option is.
func given(option bool) int {
	if option {
		return 1
	}
	return 0
}

// Fact is what a file says of itself, such as which program wrote it.
type Fact struct{ Name, Value string }

// source is an open file of a format.
type source interface {
	inputs() []contract.Named // as the file declares them; open sizes have names
	facts() []Fact
	graph(o Options) (*dag.Graph, error)
	weights() *weights.File // open until Close; nil where the format has none
	Close() error
}

// format is a row of the table of formats.
type format struct {
	name  string
	sniff func(head []byte) bool
	open  func(path string) (source, error)
	takes []string // the options, by their names on a command line, that files of it take
}

// Graph is the format of graph files (compile/dag/graphjson).
const Graph = "graph"

// formats in the order in which they are tried: those with a magic number first.
var formats = []format{
	{gguf.Format, sniffGGUF, openGGUF, []string{"--context"}},
	{onnx.Format, onnx.Sniff, openONNX, []string{"--shape", "--fix", "--state", "--outputs", "--cut", "--noise", "--dequantize"}},
	{Graph, sniffGraph, openGraph, nil},
	{constants.Format, constants.Sniff, openText, []string{"--shape", "--state"}},
}

// Formats returns the names of the formats.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Model is an open model file.
type Model struct {
	format format
	path   string
	source source
}

// headBytes is enough for every sniffer.
const headBytes = 4096

// FormatOf returns the name of the format of the file at path, from its beginning.
func FormatOf(path string) (string, error) {
	f, err := find(path)
	return f.name, err
}

func find(path string) (format, error) {
	head, err := readHead(path)
	if err != nil {
		return format{}, err
	}
	at := slices.IndexFunc(formats, func(f format) bool { return f.sniff(head) })
	if at < 0 {
		return format{}, unknown(path, head)
	}
	return formats[at], nil
}

// Open opens the file at path and reads its structure.
func Open(path string) (*Model, error) {
	f, err := find(path)
	if err != nil {
		return nil, err
	}
	m := &Model{format: f, path: path}
	if m.source, err = m.format.open(path); err != nil {
		return nil, err
	}
	return m, nil
}

func readHead(path string) ([]byte, error) {
	if err := regular.Check(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(regular.CodeOpen, err, "cannot open the file").In(path).Hint("check the name and the permissions")
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errs.Wrap(regular.CodeOpen, err, "cannot read the file").In(path)
	}
	return head[:n], nil
}

// unknown says what a file is instead of a model.
func unknown(path string, head []byte) error {
	known := "the known formats are " + strings.Join(Formats(), ", ")
	if len(head) == 0 {
		return errs.New(CodeUnknown, "the file is empty").In(path).At(0).Hint("%s", known)
	}
	if name, err := weights.FormatOf(path); err == nil && !slices.Contains(Formats(), name) {
		return errs.New(CodeUnknown, "this is a file of weights, of format %s: it does not say what is computed with them", name).In(path).At(0).
			Hint("write the model in Go, or give the file beside a graph; %s", known)
	}
	if what := weights.Foreign(head); what != "" {
		return errs.New(CodeUnknown, "this looks like %s, not like a model of a known format", what).In(path).At(0).
			Hint("%s; compiled programs are for skainet run and bench", known)
	}
	return errs.New(CodeUnknown, "not a model of a known format; the file begins with %q", head[:min(len(head), 16)]).In(path).At(0).Hint("%s", known)
}

// Format returns the name of the file's format.
func (m *Model) Format() string { return m.format.name }

// Path returns the path as it was opened.
func (m *Model) Path() string { return m.path }

// Weights returns the file as one of weights; nil where the format has none.
func (m *Model) Weights() *weights.File { return m.source.weights() }

// Index returns the index of the weights; an empty one where the format has none.
func (m *Model) Index() (*tensor.Index, error) {
	if w := m.Weights(); w != nil {
		return w.Index()
	}
	return &tensor.Index{Format: m.format.name, Tensors: []tensor.Spec{}}, nil
}

// Inputs returns the inputs that the file declares, in its order.
func (m *Model) Inputs() []contract.Named { return m.source.inputs() }

// Facts returns what the file says of itself.
func (m *Model) Facts() []Fact { return m.source.facts() }

// Layout says how the model is split over several devices, as far as its format knows: a
// language model of a GGUF file.
func (m *Model) Layout() (shard.Layout, error) {
	if f, ok := m.source.(*ggufFile); ok {
		return fromgguf.Layout(f.index)
	}
	return shard.Layout{}, nil
}

// Takes reports whether files of the format take an option, by its name on a command line.
func (m *Model) Takes(option string) bool { return slices.Contains(m.format.takes, option) }

// Graph makes the model's graph. Its parameters are in the scope model, by the keys that
// Weights has.
func (m *Model) Graph(o Options) (*dag.Graph, error) {
	for _, x := range []struct {
		name  string
		given int
	}{{"--shape", len(o.Shapes)}, {"--fix", len(o.Constants)}, {"--state", len(o.States)}, {"--outputs", len(o.Outputs)}, {"--cut", len(o.Cut)}, {"--noise", len(o.Noise)}, {"--context", given(o.Context != 0)}, {"--dequantize", given(o.Dequantize)}} {
		if x.given == 0 || m.Takes(x.name) {
			continue
		}
		err := errs.New(CodeOption, "a file of format %s takes no option %s", m.format.name, x.name).In(m.path)
		if len(m.format.takes) == 0 {
			return nil, err.Hint("leave it out: the graph is as the file has it")
		}
		return nil, err.Hint("it takes %s", strings.Join(m.format.takes, ", "))
	}
	g, err := m.source.graph(o)
	if err != nil {
		return nil, errs.WithFile(err, m.path)
	}
	if o.Name != "" {
		g.Name = o.Name
	}
	return g, nil
}

// Refused returns what Graph would refuse, in the file's order: of an ONNX model an error for
// each node, as far as nodes can be examined behind one that is refused, and how many could
// not be; of other formats the first error.
func (m *Model) Refused(o Options) (list []error, unseen int) {
	if x, ok := m.source.(interface {
		refused(o Options) ([]error, int)
	}); ok {
		list, unseen = x.refused(o)
	}
	if len(list) == 0 {
		if _, err := m.Graph(o); err != nil {
			list = []error{err}
		}
	}
	for i := range list {
		list[i] = errs.WithFile(list[i], m.path)
	}
	return list, unseen
}

// Close closes the file and its weights.
func (m *Model) Close() error { return m.source.Close() }

// isObject reports whether a text is a JSON object.
func isObject(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{"))
}
