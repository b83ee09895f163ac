package fromonnx

import (
	"context"
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Evaluator computes the results of a graph's entry point main.
type Evaluator func(ctx context.Context, g *dag.Graph, args []tensor.Value) ([]tensor.Value, error)

// session is what the environments of one import share.
type session struct {
	model      *onnx.Model
	evaluate   Evaluator
	inline     int64    // bytes of the largest tensor that is a constant of the graph
	assumed    []string // what Options.Note is told
	noise      string
	dequantize bool  // see Options
	limit      int64 // bytes of what may be computed
	computed   int64 // so far
	tooMuch    error // what was not computed because of the limit

	known     map[*dag.Value]tensor.Value  // values that every call has
	samples   map[*dag.Value]tensor.Value  // values of a test's inputs, and what follows from them
	stored    map[*dag.Value]*onnx.Tensor  // parameters
	params    map[string]*dag.Value        // parameters of the entry point by key
	followed  map[*dag.Value][]number      // of numbers
	names     map[string]place             // where a call's sizes are read, by their name
	labels    map[*dag.Value]string        // names in the file of what a call gives
	filling   map[string]bool              // sizes of states that grow, which are as long as they are filled
	scales    map[*dag.Value]*dag.Value    // of floats that stand for integers: see dequantize.go
	sums      map[*dag.Value]bool          // floats that stand for sums of integers
	codes     map[*dag.Value]dtype.DType   // of elements that programs do not compute in
	marked    map[*errs.Error]bool         // errors that name a node of the file
	blames    map[*errs.Error]*blame       // sizes that errors speak of
	decides   map[*errs.Error]*dag.Value   // what a call decides, of errors about numbers that follow from it
	sizeless  map[*errs.Error]bool         // those that no other size would prevent
	behind    map[*errs.Error]bool         // those about what a refused node would make
	sources   map[string]*onnx.Node        // nodes of the file by their paths in the graph
	functions map[[3]string]*onnx.Function // by domain, name and overload
	count     int                          // nodes of the file that were added
	added     int                          // operations that the node of the model's own graph became, so far
	choices   *choices                     // what masks choose; nil where their elements are known

	bindings *bindings    // what the file's names of sizes stand for
	examined *examination // of a model that is only examined

	function  *dag.Func   // the entry point
	taken     identifiers // names of its arguments
	variables identifiers // names of states
	root      *env        // of the entry point
}

// place is a dimension of an argument.
type place struct {
	v   *dag.Value
	dim int
}

func newSession(m *onnx.Model, evaluate Evaluator, inline int64) *session {
	return &session{
		model: m, evaluate: evaluate, inline: inline, limit: DefaultMaxMemory, known: map[*dag.Value]tensor.Value{}, samples: map[*dag.Value]tensor.Value{},
		stored: map[*dag.Value]*onnx.Tensor{}, params: map[string]*dag.Value{}, followed: map[*dag.Value][]number{},
		names: map[string]place{}, labels: map[*dag.Value]string{}, codes: map[*dag.Value]dtype.DType{}, filling: map[string]bool{}, scales: map[*dag.Value]*dag.Value{}, sums: map[*dag.Value]bool{}, marked: map[*errs.Error]bool{}, blames: map[*errs.Error]*blame{}, decides: map[*errs.Error]*dag.Value{}, behind: map[*errs.Error]bool{}, sizeless: map[*errs.Error]bool{}, sources: map[string]*onnx.Node{}, taken: identifiers{}, variables: identifiers{},
	}
}

// value returns the elements of v, computed if they are not known yet. Those of a test's
// inputs count as known.
func (s *session) value(v *dag.Value) tensor.Value {
	x, err := s.evaluated(v, true)
	if err != nil {
		panic(refusal{err})
	}
	return x
}

// certain returns the elements of v if constants and sizes say what they are.
func (s *session) certain(v *dag.Value) (tensor.Value, bool) {
	x, err := s.evaluated(v, false)
	return x, err == nil
}

// evaluated returns the elements of v. What is computed on the way is remembered, so that
// each node is computed once.
func (s *session) evaluated(v *dag.Value, sampled bool) (tensor.Value, error) {
	if x, ok := s.have(v, sampled); ok {
		return x, nil
	}
	if x, ok := s.whole(v); ok {
		s.known[v] = x
		return x, nil
	}
	c := &cone{session: s, sampled: sampled, seen: map[*dag.Value]bool{}}
	if err := c.visit(v); err != nil {
		return tensor.Value{}, err
	}
	for _, n := range c.nodes {
		if err := c.compute(n); err != nil {
			return tensor.Value{}, err
		}
	}
	x, _ := s.have(v, sampled)
	return x, nil
}

// have returns elements that are known already.
func (s *session) have(v *dag.Value, sampled bool) (tensor.Value, bool) {
	if x, ok := s.known[v]; ok {
		return x, true
	}
	if x, ok := s.samples[v]; ok && sampled {
		return x, true
	}
	if t := s.stored[v]; t != nil {
		if x, err := t.Value(); err == nil {
			return Carrier(x), true
		}
	}
	return tensor.Value{}, false
}

// whole returns v as a tensor where all of its numbers are constants.
func (s *session) whole(v *dag.Value) (tensor.Value, bool) {
	d := v.Type.DType
	if !d.IsInt() && d != dtype.Bool || d.Bits() < 8 {
		return tensor.Value{}, false
	}
	list := s.numbers(v)
	if list == nil {
		return tensor.Value{}, false
	}
	x := tensor.Value{Type: v.Type, Bytes: []byte{}}
	for _, e := range list {
		c, ok := e.constant()
		if !ok {
			return tensor.Value{}, false
		}
		for i := range d.Bits() / 8 {
			x.Bytes = append(x.Bytes, byte(c>>(8*i)))
		}
	}
	return x, true
}

// cone is the nodes that a value needs, in an order in which they can be computed.
type cone struct {
	*session
	sampled bool
	seen    map[*dag.Value]bool
	nodes   []*dag.Node
}

func (c *cone) visit(v *dag.Value) error {
	if c.seen[v] {
		return nil
	}
	c.seen[v] = true
	if _, ok := c.have(v, c.sampled); ok {
		return nil
	}
	if x, ok := c.whole(v); ok {
		c.known[v] = x
		return nil
	}
	n := v.Node
	if n == nil {
		return c.open(v)
	}
	if n.Op.Role == op.Measures || n.Op.Role == op.Variable || !v.Type.Shape.IsStatic() {
		return c.open(v)
	}
	var err error
	inner := map[*dag.Value]bool{} // values of its own blocks
	for _, b := range n.Blocks {
		for _, a := range b.Args {
			inner[a] = true
		}
		b.Walk(func(n *dag.Node) {
			for _, o := range n.Outputs {
				inner[o] = true
			}
			for _, b := range n.Blocks {
				for _, a := range b.Args {
					inner[a] = true
				}
			}
		})
	}
	n.Reads(func(v *dag.Value) {
		if err == nil && !inner[v] {
			err = c.visit(v)
		}
	})
	if err == nil {
		c.nodes = append(c.nodes, n)
	}
	for _, o := range n.Outputs {
		c.seen[o] = true
	}
	return err
}

// open is the error for a value that a call decides.
func (s *session) open(v *dag.Value) error {
	if n := v.Node; n != nil && n.Op.Role == op.Measures {
		d := n.Inputs[0].Type.Shape[n.Attrs.Int("dim")]
		return s.fixing(unmapped("a number that is the size %s", d), d)
	}
	if d := v.Type.Shape; !d.IsStatic() && !s.fromElements(v) {
		for _, x := range d {
			if !x.IsStatic() {
				err := unmapped("a number that follows from the elements of a tensor [%s]", d)
				s.decides[err] = v
				return s.fixing(err, x)
			}
		}
	}
	if label := s.labels[v]; label != "" {
		err := unmapped("a number that follows from the elements of %q", label)
		s.decides[err] = v
		return err
	}
	err := unmapped("a number that follows from what a call computes")
	s.decides[err] = v
	s.behind[err] = s.examined != nil && s.examined.made[v]
	return err
}

// compute works out a node of the cone from what is known.
func (c *cone) compute(n *dag.Node) error {
	if _, ok := c.have(n.Outputs[0], c.sampled); ok {
		return nil
	}
	if err := c.reserve(n); err != nil {
		return err
	}
	f := &dag.Func{Name: "main", Entry: true, Body: &dag.Block{}}
	made, sampled := map[*dag.Value]*dag.Value{}, false
	var args []tensor.Value
	n.Reads(func(v *dag.Value) {
		x, ok := c.have(v, c.sampled)
		if !ok || made[v] != nil {
			return
		}
		if _, is := c.samples[v]; is {
			sampled = true
		}
		made[v] = f.Body.AddArg(x.Type)
		f.Args = append(f.Args, fmt.Sprintf("x%d", len(args)))
		args = append(args, x)
	})
	copied := copyOf(n, made)
	f.Body.Nodes, f.Body.Results = []*dag.Node{copied}, copied.Outputs
	for i := range copied.Outputs {
		f.Results = append(f.Results, fmt.Sprintf("y%d", i))
	}
	ctx := c.counting(n)
	out, err := c.evaluate(ctx, &dag.Graph{Name: "part", Funcs: []*dag.Func{f}}, args)
	if ctx.exhausted() {
		c.tooMuch = errs.New(CodeExpansion, "a loop over constants of more turns than the import computes: it stops after %d operations", ctx.limit).
			On(n.Path).Hint("make the turns fewer, or the number of turns an input of the model; a value that the loop makes decides a size")
		return c.tooMuch
	}
	if err != nil {
		return err
	}
	for i, o := range n.Outputs {
		if sampled {
			c.samples[o] = out[i]
		} else {
			c.known[o] = out[i]
		}
	}
	return nil
}

// reserve counts the results of a node, before they are computed.
func (s *session) reserve(n *dag.Node) error {
	for _, o := range n.Outputs {
		size, err := o.Type.Bytes()
		if err != nil {
			return err
		}
		if size > s.limit-s.computed {
			s.tooMuch = errs.New(CodeMemory, "what the import computes from constants takes more than %d bytes: here a value %s, after %d bytes", s.limit, o.Type, s.computed).
				On(n.Path).Hint("allow more with --max-memory, or make the model's constants smaller")
			return s.tooMuch
		}
		s.computed += size
	}
	return nil
}

// copyOf copies a node and its blocks, with other values in place of those in made, to
// which it adds its own.
func copyOf(n *dag.Node, made map[*dag.Value]*dag.Value) *dag.Node {
	to := &dag.Node{Op: n.Op, Origin: n.Origin, Attrs: n.Attrs}
	for _, v := range n.Inputs {
		to.Inputs = append(to.Inputs, made[v])
	}
	for _, b := range n.Blocks {
		block := &dag.Block{}
		for _, a := range b.Args {
			made[a] = block.AddArg(a.Type)
		}
		for _, inner := range b.Nodes {
			block.Nodes = append(block.Nodes, copyOf(inner, made))
		}
		for _, r := range b.Results {
			block.Results = append(block.Results, made[r])
		}
		to.Blocks = append(to.Blocks, block)
	}
	for i, o := range n.Outputs {
		made[o] = &dag.Value{Type: o.Type, Node: to, Port: i}
		to.Outputs = append(to.Outputs, made[o])
	}
	return to
}

// fixing adds what to give so that a named size is a number.
func (s *session) fixing(err *errs.Error, d shape.Dim) *errs.Error {
	if s.blames[err] == nil {
		s.blames[err] = &blame{}
	}
	s.blames[err].add(d)
	for _, name := range d.Names() {
		p, ok := s.names[name]
		if !ok || s.labels[p.v] == "" { // only the sizes of inputs can be given
			continue
		}
		var sizes []string
		for i, x := range p.v.Type.Shape {
			switch {
			case i == p.dim:
				sizes = append(sizes, "NUMBER")
			default:
				sizes = append(sizes, strings.TrimSuffix(x.String(), "?"))
			}
		}
		return err.Hint("give %s a number: --shape %s=%s", name, s.labels[p.v], strings.Join(sizes, ","))
	}
	return err
}
