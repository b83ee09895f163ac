package fromhlo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// importer converts one text. Its methods end the conversion with a refusal.
type importer struct {
	o     Options
	tree  *verify.Tree
	g     *dag.Graph
	funcs map[string]*verify.TreeFunc
	vars  map[string]*variable // globals by name
	equal map[string]shape.Dim // what names of dimensions are, after that of the entry point and /

	constants Constants
	keys      map[int]string         // of constants, by their positions
	given     map[string]tensor.Type // by key
	entries   map[string]bool        // names of entry points
	seen      map[string]bool        // names of arguments and results
	tries     map[string]int         // numbers after names that were taken

	b         *dag.Block
	scope     *scope
	at        string // path of nodes
	entryName string
	place     int    // position of the operation
	name      string // of the operation
	depth     int    // of calls
	nodes     int

	numbers map[*dag.Value][]number // elements of small integer tensors
	values  int                     // the number of those that only a call knows
	written map[string]*dag.Value   // new values of globals in this entry point
	raised  bool                    // whether scalars of a region stand for tensors
}

// scope is the values that a region sees.
type scope struct {
	outer  *scope
	values map[string]*dag.Value
}

func (s *scope) get(name string) *dag.Value {
	for ; s != nil; s = s.outer {
		if v := s.values[name]; v != nil {
			return v
		}
	}
	return nil
}

func newImporter(tree *verify.Tree, o Options, equal map[string]shape.Dim) *importer {
	name := o.Name
	if name == "" {
		name = identifier(tree.Name, "module")
	}
	im := &importer{
		o: o, tree: tree, g: &dag.Graph{Name: name}, funcs: map[string]*verify.TreeFunc{}, vars: map[string]*variable{}, equal: equal,
		given: map[string]tensor.Type{}, entries: map[string]bool{}, seen: map[string]bool{}, tries: map[string]int{}, numbers: map[*dag.Value][]number{}, written: map[string]*dag.Value{},
	}
	for _, f := range tree.Funcs {
		im.funcs[f.Name] = f
	}
	return im
}

// refusal carries an error out of a rule.
type refusal struct{ error }

// failed is an error at the operation that is being converted.
func (im *importer) failed(code errs.Code, what string, args ...any) *errs.Error {
	if im.name != "" {
		what = strings.ReplaceAll(im.name, "%", "%%") + ": " + what
	}
	return errs.New(code, what, args...).In(im.o.File).On(im.tree.Place(im.place))
}

// refuse ends the conversion with an error at the operation, and what to do.
func (im *importer) refuse(code errs.Code, hint, what string, args ...any) {
	panic(refusal{im.failed(code, what, args...).Hint("%s", hint)})
}

const (
	hintForm = "write it with other operations where the model is defined, or export it for CPU with plain StableHLO"
	hintSize = "give the argument's dimension a number with --shape"
)

// rule converts an operation to its results.
type rule func(c *call) []*dag.Value

// call is an operation that is being converted.
type call struct {
	*importer
	*verify.TreeOp
	in []*dag.Value
}

// rules maps operations to rules, filled from the families' files.
var rules map[string]rule

func init() {
	rules = map[string]rule{}
	for _, family := range []map[string]rule{
		elementwiseRules, layoutRules, reduceRules, productRules, convRules, gatherRules, sortRules, controlRules, callRules, sizeRules, normRules, sourceRules, windowRules, bitRules, broadcastRules(),
	} {
		maps.Copy(rules, family)
	}
}

// region converts the operations of a region and returns what it returns.
func (im *importer) region(r *verify.TreeRegion) []*dag.Value {
	for _, o := range r.Ops {
		place, name := im.place, im.name
		im.place, im.name = o.Pos, o.Name
		if o.Name == "func.return" || o.Name == "stablehlo.return" {
			out := im.operands(o)
			im.place, im.name = place, name
			return out
		}
		im.op(o)
		im.place, im.name = place, name
	}
	return nil
}

func (im *importer) operands(o *verify.TreeOp) []*dag.Value {
	in := make([]*dag.Value, len(o.Operands))
	for i, name := range o.Operands {
		if in[i] = im.scope.get(name); in[i] == nil {
			im.refuse(CodeForm, hintForm, "its operand %s has no value here", name)
		}
	}
	return in
}

func (im *importer) op(o *verify.TreeOp) {
	r, ok := rules[o.Name]
	if !ok {
		im.refuse(CodeOperation, hintForm, "no operation of the table computes it")
	}
	if _, each := elementwiseRules[o.Name]; im.raised && !each && o.Name != "stablehlo.constant" && o.Name != "func.call" {
		im.refuse(CodeForm, hintForm, "a region of elementwise operations alone is needed here")
	}
	c := &call{im, o, im.operands(o)}
	out := r(c)
	if len(out) < len(o.Out) {
		im.refuse(CodeForm, hintForm, "%d results where %d are needed", len(out), len(o.Out))
	}
	for i, t := range o.Out {
		c.agree(i, out[i].Type, t)
	}
	for i, name := range o.Results {
		im.scope.values[name] = out[i]
	}
}

// agree checks a result against the type that the text states.
func (c *call) agree(i int, got tensor.Type, stated verify.TreeType) {
	want := c.typeOf(stated)
	ok := got.DType == want.DType
	if !c.raised {
		ok = ok && len(got.Shape) == len(want.Shape)
		for d := 0; ok && d < len(got.Shape); d++ {
			a, b := got.Shape[d], want.Shape[d]
			ok = !a.IsStatic() || !b.IsStatic() || a.Size == b.Size
		}
	}
	if !ok {
		c.refuse(CodeForm, hintForm, "result %d is %s, and the text states %s", i, got, stated)
	}
}

// add appends a node and returns its first output.
func (im *importer) add(name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	return im.addAll(name, attrs, in...)[0]
}

func (im *importer) addAll(name string, attrs op.Attrs, in ...*dag.Value) []*dag.Value {
	before := len(im.b.Nodes)
	n, err := im.b.Add(name, im.at+"/"+name, attrs, in...)
	if err != nil {
		e := errs.Wrap(CodeForm, err, "%s has no counterpart of this form", im.name).In(im.o.File).On(im.tree.Place(im.place)).Hint(hintForm)
		panic(refusal{e})
	}
	im.count(len(im.b.Nodes) - before)
	return n.Outputs
}

// count bounds the nodes.
func (im *importer) count(n int) {
	if im.nodes += n; im.nodes > MaxNodes {
		im.refuse(CodeLimit, "export a smaller part of the model", "the text expands to more than %d operations", MaxNodes)
	}
}

// inside converts what f does in a new block, which sees the values around it.
func (im *importer) inside(f func() []*dag.Value) *dag.Block {
	b, s := im.b, im.scope
	im.b, im.scope = &dag.Block{}, &scope{s, map[string]*dag.Value{}}
	inner := im.b
	inner.Results = f()
	im.b, im.scope = b, s
	return inner
}

// dtype returns the element type of a type in the text.
func (im *importer) dtype(t verify.TreeType) dtype.DType {
	d, ok := constants.DType(t.Elem)
	if !ok {
		im.refuse(CodeType, "convert the values to one of the types that programs compute in where the model is defined", "no operation computes in the type %s", t)
	}
	return d
}

// typeOf returns a type of the text; unknown sizes have no name.
func (im *importer) typeOf(t verify.TreeType) tensor.Type {
	out := tensor.Type{DType: im.dtype(t), Shape: make(shape.Shape, len(t.Dims))}
	for i, d := range t.Dims {
		out.Shape[i] = shape.N(d)
	}
	return out
}

// identifier makes a name for the graph of one in the text.
func identifier(name, otherwise string) string {
	var b strings.Builder
	for _, r := range strings.TrimPrefix(name, "%") {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		case r == '_':
			b.WriteByte('_')
		}
		if b.Len() > 100 {
			break
		}
	}
	if s := strings.TrimRight(b.String(), "_"); s != "" {
		return s
	}
	return otherwise
}

// unique returns a name that is not taken, and takes it.
func (im *importer) unique(name string, taken map[string]bool) string {
	out := name
	for taken[out] {
		im.tries[name]++
		out = fmt.Sprintf("%s_%d", name, im.tries[name])
	}
	taken[out] = true
	return out
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// quotedList lists names for a message.
func quotedList(names map[string]bool) string {
	list := sortedKeys(names)
	if len(list) > 20 {
		list = append(list[:20], "...")
	}
	return strings.Join(list, ", ")
}
