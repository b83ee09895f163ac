package dag

import (
	"regexp"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A nodeRule is one row of the graph's contract: a condition on every
// node that it applies to.
type nodeRule struct {
	code errs.Code
	what string
	ok   func(c *check, n *Node) bool
}

var nodeRules = []nodeRule{
	{CodeUndefined, "an input is made by no node before this one in a block around it", func(c *check, n *Node) bool {
		for _, v := range n.Inputs {
			if v == nil || !c.defined[v] {
				return false
			}
		}
		return true
	}},
	{CodeTypes, "the attributes or the result types are not what shape inference gives", func(c *check, n *Node) bool {
		if n.Op.Role == op.Calls {
			return true // has its own rule
		}
		in := make([]tensor.Type, len(n.Inputs))
		for i, v := range n.Inputs {
			in[i] = v.Type
		}
		out, filled, err := op.Infer(n.Op.Name, in, n.Attrs)
		return err == nil && len(filled) == len(n.Attrs) && (n.Op.Role == op.Chooses || sameTypes(types(n.Outputs), out))
	}},
	{CodePorts, "an output does not point back to its node", func(c *check, n *Node) bool {
		for i, v := range n.Outputs {
			if v.Node != n || v.Port != i {
				return false
			}
		}
		return true
	}},
	{CodeBlocks, "the number of nested blocks is not the operation's", func(c *check, n *Node) bool {
		return len(n.Blocks) == n.Op.Blocks
	}},
	{CodeCall, "the callee is missing, comes later, is an entry point, or has other types", func(c *check, n *Node) bool {
		if n.Op.Role != op.Calls {
			return true
		}
		f := c.funcs[n.Attrs.String("function")]
		return f != nil && !f.Entry && sameTypes(types(n.Inputs), types(f.Body.Args)) && sameTypes(types(n.Outputs), types(f.Body.Results))
	}},
	{CodeWhile, "condition and body do not take the carried types, or give other results than one bool and the carried types", func(c *check, n *Node) bool {
		if n.Op.Role != op.Loops {
			return true
		}
		carried := types(n.Inputs)
		cond, body := n.Blocks[0], n.Blocks[1]
		return sameTypes(types(cond.Args), carried) && sameTypes(types(body.Args), carried) &&
			sameTypes(types(cond.Results), []tensor.Type{tensor.TypeOf(dtype.Bool)}) && sameTypes(types(body.Results), carried)
	}},
	{CodeCond, "the blocks take arguments, or do not both give the result types, at least one", func(c *check, n *Node) bool {
		if n.Op.Role != op.Chooses {
			return true
		}
		then, otherwise, out := n.Blocks[0], n.Blocks[1], types(n.Outputs)
		return len(then.Args) == 0 && len(otherwise.Args) == 0 && len(out) > 0 &&
			sameTypes(types(then.Results), out) && sameTypes(types(otherwise.Results), out)
	}},
	{CodeState, "the state variable is missing or has another type, or is read inside a private function or a loop", func(c *check, n *Node) bool {
		if n.Op.Role != op.Variable {
			return true
		}
		s, err := c.g.State(n.Attrs.String("name"))
		return err == nil && s.Type.Equal(n.Attrs.Type("type")) && c.fn.Entry && c.depth == 0
	}},
}

type check struct {
	g       *Graph
	fn      *Func
	funcs   map[string]*Func // the functions before fn
	defined map[*Value]bool
	depth   int // nesting depth of blocks
}

// identifier matches valid names of functions, arguments and states: they
// become symbols of the text and names on a command line.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// identifierHint is the hint for an invalid name.
const identifierHint = "use letters, digits and _, not starting with a digit, and each name only once"

// CheckName returns the DAG_NAME error of a name of this kind that is no identifier, or that is
// taken.
func CheckName(kind, name string, taken bool) *errs.Error {
	switch {
	case taken:
		return errs.New(CodeName, "%s name %q is given twice", kind, name).Hint(identifierHint)
	case !identifier.MatchString(name):
		return errs.New(CodeName, "%s name %q is not an identifier", kind, name).Hint(identifierHint)
	}
	return nil
}

// Verify checks the whole graph against its contract and returns the first
// violation.
func Verify(g *Graph) error {
	if !identifier.MatchString(g.Name) {
		return errs.New(CodeName, "module name %q is not an identifier", g.Name).
			Hint("use letters, digits and _, not starting with a digit; in a BUILD file set module_name if the target's name is not valid")
	}
	states := map[string]bool{}
	for _, s := range g.States {
		if err := CheckName("state", s.Name, states[s.Name]); err != nil {
			return err.On(g.Name)
		}
		states[s.Name] = true
		if !op.Any.Has(s.Type.DType) || !s.Type.Shape.IsStatic() {
			return errs.New(CodeState, "state variable is %s", s.Type).On(s.Name).Hint("give it a static shape")
		}
		if err := sized(s.Type.Shape, s.Name); err != nil {
			return err
		}
		if !op.Holds(s.Type.DType, s.Init) {
			return errs.New(CodeState, "state variable is %s with the initial value %v", s.Type, s.Init).On(s.Name).Hint("use an initial value of its type")
		}
	}
	c := &check{g: g, funcs: map[string]*Func{}}
	for _, f := range g.Funcs {
		if err := CheckName("function", f.Name, c.funcs[f.Name] != nil); err != nil {
			return err.On(g.Name)
		}
		if err := c.function(f); err != nil {
			return err
		}
		c.funcs[f.Name] = f
	}
	if _, err := g.Params(); err != nil {
		return err
	}
	return g.sharded()
}

func (c *check) function(f *Func) error {
	c.fn, c.defined, c.depth = f, map[*Value]bool{}, 0
	for _, names := range [][]string{f.Args, f.Results} {
		seen := map[string]bool{}
		for _, n := range names {
			if err := CheckName("argument or result", n, seen[n]); err != nil {
				return err.On(f.Name)
			}
			seen[n] = true
		}
	}
	if len(f.Args) != len(f.Body.Args) || len(f.Results) != len(f.Body.Results) {
		return errs.New(CodeSignature, "%d names for %d arguments, %d for %d results", len(f.Args), len(f.Body.Args), len(f.Results), len(f.Body.Results)).On(f.Name)
	}
	if err := c.block(f.Body, f.Name); err != nil {
		return err
	}
	if err := c.dims(f); err != nil {
		return err
	}
	written := map[string]bool{}
	for _, w := range f.Writes {
		s, err := c.g.State(w.State)
		if err != nil {
			return at(err, f.Name)
		}
		if err := c.write(f, w, s, written[w.State]); err != nil {
			return err.On(f.Name)
		}
		written[w.State] = true
	}
	return nil
}

// write checks what a function writes to a state variable; again if it did so before.
func (c *check) write(f *Func, w Write, s *State, again bool) *errs.Error {
	switch {
	case again:
		return errs.New(CodeWrite, "state %q is written twice", w.State).Hint("write it once, with its last value")
	case !f.Entry:
		return errs.New(CodeWrite, "state %q is written by a private function", w.State).Hint("return the value, and write it in the entry point")
	case w.Value == nil || !c.defined[w.Value]:
		return errs.New(CodeWrite, "state %q is written with a value that the function does not compute, or only inside a loop or a branch", w.State).
			Hint("write a result of the loop or the branch")
	case !w.Value.Type.Equal(s.Type):
		return errs.New(CodeWrite, "state %q is %s, and is written with a value of type %s", w.State, s.Type, w.Value.Type).
			Hint("convert or reshape the value, or declare the state with that type")
	}
	return nil
}

func (c *check) block(b *Block, path string) error {
	for i, v := range b.Args {
		if v.Node != nil || v.Port != i {
			return errs.New(CodePorts, "block argument %d has the wrong index", i).On(path)
		}
		if !op.Any.Has(v.Type.DType) {
			return errs.New(CodeTypes, "block argument %d is %s, but no operation supports that element type", i, v.Type).On(path)
		}
		c.defined[v] = true
	}
	for _, n := range b.Nodes {
		for _, r := range nodeRules {
			if !r.ok(c, n) {
				return errs.New(r.code, "%s: %s", n.Op.Name, r.what).On(n.Path)
			}
		}
		c.depth++
		for _, inner := range n.Blocks {
			if err := c.block(inner, n.Path); err != nil {
				return err
			}
			c.forget(inner)
		}
		c.depth--
		for _, v := range n.Outputs {
			c.defined[v] = true
		}
	}
	for i, v := range b.Results {
		if v == nil || !c.defined[v] {
			return errs.New(CodeUndefined, "result %d is not defined in the block", i).On(path)
		}
	}
	return nil
}

// forget removes the values of a nested block, which are not visible outside it.
func (c *check) forget(b *Block) {
	for _, v := range b.Args {
		delete(c.defined, v)
	}
	for _, n := range b.Nodes {
		for _, v := range n.Outputs {
			delete(c.defined, v)
		}
	}
}

func types(vs []*Value) []tensor.Type {
	out := make([]tensor.Type, len(vs))
	for i, v := range vs {
		if v != nil {
			out[i] = v.Type
		}
	}
	return out
}

func sameTypes(a, b []tensor.Type) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}
