// Package checkfile says what is in a model file, and what of it would be refused, before
// anything is built: operators, sizes, how weights are stored, the memory of a program, and
// the options to give.
//
// # Errors
//
// Those of opening the file, and of options that do not fit it. What an import would refuse
// is a part of the report.
//
// # Determinism
//
// The report follows from the file and the options.
package checkfile

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/inspect"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// Report is what is known of a file.
type Report struct {
	Format    string          `json:"format"`
	Facts     []Fact          `json:"facts"`
	Inputs    []Value         `json:"inputs"` // as the file declares them
	Sizes     []Size          `json:"sizes"`  // with names, of the inputs
	Entries   []Entry         `json:"entries"`
	Operators []Operator      `json:"operators"`
	Weights   []inspect.Share `json:"weights"`
	Refused   []Refusal       `json:"refused"`
	Unseen    int             `json:"not_examined"` // nodes that need what a refused one makes
	Memory    *Memory         `json:"memory,omitempty"`
	Options   []string        `json:"options"` // to give
	// NoTokenizer is whether it is a GGUF file without a tokenizer, which a model needs for text.
	NoTokenizer bool `json:"no_tokenizer,omitempty"`
}

// Fact is what the file says of itself.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Value is an input or a result.
type Value struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Size is a size that has a name, with the inputs that have it.
type Size struct {
	Name   string   `json:"name"`
	Inputs []string `json:"inputs"`
}

// Entry is an entry point of the program.
type Entry struct {
	Name    string  `json:"name"`
	Args    []Value `json:"args"`
	Results []Value `json:"results"`
}

// Operator is how many nodes have an operator.
type Operator struct {
	Name  string `json:"name"`
	Nodes int64  `json:"nodes"`
}

// Refusal is what an import refuses.
type Refusal struct {
	Code errs.Code `json:"code"`
	Node string    `json:"node,omitempty"`
	Byte int64     `json:"byte,omitempty"` // the offset in the file, where that is known
	What string    `json:"what"`
	Do   string    `json:"do,omitempty"`
}

// Of examines the file at path as an import with these options would; weightFile has the
// weights of a graph file, if it has some.
func Of(path, weightFile string, o importtext.Options) (*Report, error) {
	m, err := modelfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	to, err := o.Parse(m)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Format: m.Format(), Facts: []Fact{}, Inputs: values(m.Inputs()), Sizes: sizes(m.Inputs()),
		Entries: []Entry{}, Operators: []Operator{}, Weights: []inspect.Share{}, Refused: []Refusal{}, Options: []string{},
	}
	for _, f := range m.Facts() {
		r.Facts = append(r.Facts, Fact(f))
	}
	w := m.Weights()
	if w == nil && weightFile != "" {
		if w, err = weights.Open(weightFile); err != nil {
			return nil, err
		}
		defer w.Close()
	}
	if w != nil {
		l, err := inspect.Of(w, func(string) bool { return true })
		if err != nil {
			return nil, err
		}
		r.Weights = append(r.Weights, l.Encodings...)
		if err := r.operatorsOf(w); err != nil {
			return nil, err
		}
	}
	var list []error
	if list, r.Unseen = m.Refused(to); len(list) > 0 {
		r.refuse(list)
		return r, nil
	}
	return r, r.program(m, w, to)
}

// program adds what the graph says.
func (r *Report) program(m *modelfile.Model, w *weights.File, to modelfile.Options) error {
	g, err := m.Graph(to)
	if err != nil {
		return err
	}
	index, err := m.Index()
	if err == nil && m.Weights() == nil && w != nil {
		index, err = w.Index()
	}
	if err != nil {
		return err
	}
	if len(r.Operators) == 0 {
		r.operators(g)
	}
	if g, err = export.Given(g).Graph(cpu.Evaluate, "", index, "", ""); err != nil {
		r.refuse([]error{err})
		return nil
	}
	c, err := describe.Contract(g)
	if err != nil {
		return err
	}
	for _, e := range c.Entries {
		r.Entries = append(r.Entries, Entry{e.Name, values(e.Args), values(e.Results)})
	}
	r.Memory, err = memoryOf(g, c)
	r.advise(m, c)
	return err
}

// values describes inputs or results.
func values(list []contract.Named) []Value {
	all := []Value{}
	for _, n := range list {
		all = append(all, Value{n.Name, n.Type().String()})
	}
	return all
}

// sizes lists the names that sizes of inputs have, in the order in which they occur.
func sizes(inputs []contract.Named) []Size {
	list := []Size{}
	for _, in := range inputs {
		for _, d := range in.Shape {
			for _, name := range d.Names() {
				at := slices.IndexFunc(list, func(s Size) bool { return s.Name == name })
				if at < 0 {
					at = len(list)
					list = append(list, Size{Name: name})
				}
				if !slices.Contains(list[at].Inputs, in.Name) {
					list[at].Inputs = append(list[at].Inputs, in.Name)
				}
			}
		}
	}
	return list
}

// operatorPrefix begins the settings of an ONNX file that count operators.
const operatorPrefix = "operator."

// operatorsOf reads the counts of operators that a file of weights has, as an ONNX file does.
func (r *Report) operatorsOf(w *weights.File) error {
	for _, s := range w.Settings() {
		name, ok := strings.CutPrefix(s.Key, operatorPrefix)
		if !ok {
			continue
		}
		first, err := s.First(1)
		if err != nil {
			return err
		}
		if n, ok := first[0].(int64); ok {
			r.Operators = append(r.Operators, Operator{name, n})
		}
	}
	return nil
}

// operators counts those of a graph, the most frequent first.
func (r *Report) operators(g *dag.Graph) {
	count := map[string]int64{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) { count[n.Op.Name]++ })
	}
	for name, n := range count {
		r.Operators = append(r.Operators, Operator{name, n})
	}
	slices.SortFunc(r.Operators, func(a, b Operator) int { return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.Name, b.Name)) })
}

// refuse adds errors, and what to do about them.
func (r *Report) refuse(list []error) {
	for _, err := range list {
		x := Refusal{Code: errs.CodeOf(err), What: err.Error()}
		var e *errs.Error
		if errors.As(err, &e) {
			x.Node, x.Byte, x.What, x.Do = e.Node, e.Offset, e.What, e.Do
			if e.Cause != nil {
				x.What += ": " + e.Cause.Error()
			}
		}
		r.Refused = append(r.Refused, x)
		if x.Do != "" && !slices.Contains(r.Options, x.Do) {
			r.Options = append(r.Options, x.Do)
		}
	}
}

// Refuse adds what is refused of a file beside its graph, such as its tokenizer.
func (r *Report) Refuse(err error) { r.refuse([]error{err}) }

// advise says which sizes a call chooses, and how to fix them: a program of fixed sizes is
// faster.
func (r *Report) advise(m *modelfile.Model, c *contract.Contract) {
	open := map[string]bool{}
	for _, e := range c.Entries {
		for _, a := range e.Args {
			for _, d := range a.Shape {
				for _, n := range d.Names() {
					open[n] = true
				}
			}
		}
	}
	if len(open) == 0 || !m.Takes("--shape") {
		return
	}
	for _, option := range importtext.Fixing(m.Inputs()) {
		r.Options = append(r.Options, "for a program of fixed sizes, which is faster: "+option)
	}
}
