package op

import (
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// rows are the rows of the family files, in order.
var rows = slices.Concat(
	sourceOps, elementwiseOps, layoutOps, contractionOps, convolutionOps, reductionOps, indexingOps, normOps,
	controlOps, cachedOps, packedOps,
	// For composite operations only:
	poolOps, attentionOps, recurrentOps, resizeOps, rearrangeOps, quantizeOps, unfoldOps, integerPowerOps,
)

// table maps names to rows.
var table = func() map[string]*Op {
	m := make(map[string]*Op, len(rows))
	for _, o := range rows {
		o.ID = id.Of(o.Name)
		if o.Decompose != nil || o.Portable != nil {
			o.Padding = InParts
		}
		m[o.Name] = o
	}
	return m
}()

// Lookup returns the operation with a name.
func Lookup(name string) (*Op, error) {
	if o, ok := table[name]; ok {
		return o, nil
	}
	if o := registered.named(name); o != nil {
		return o, nil
	}
	err := errs.New(CodeUnknown, "unknown operation %q", name)
	if space, _, ok := strings.Cut(name, "."); ok {
		err.Hint("it is an operation of %s: import the Go package that registers it in this program, or use a program that does", space)
	}
	return nil, err
}

// All returns the operations sorted by name, registered ones included.
func All() []*Op { return sorted(append(BuiltIn(), registered.all()...)) }

// BuiltIn returns the operations of the table sorted by name, without registered ones.
func BuiltIn() []*Op { return sorted(slices.Collect(maps.Values(table))) }

func sorted(all []*Op) []*Op {
	slices.SortFunc(all, func(a, b *Op) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Infer checks operands and attributes, fills in defaults (in the returned
// attributes; attrs is not changed) and applies the shape rule. Control
// operations take their result types from the graph: see Control.
func Infer(name string, in []tensor.Type, attrs Attrs) ([]tensor.Type, Attrs, error) {
	o, err := Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	return o.infer(in, attrs)
}

func (o *Op) infer(in []tensor.Type, attrs Attrs) ([]tensor.Type, Attrs, error) {
	c := &Call{Op: o, In: in, Attrs: Attrs{}}
	if err := c.checkAttributes(attrs); err != nil {
		return nil, nil, err
	}
	if err := c.checkOperands(); err != nil {
		return nil, nil, err
	}
	out, err := o.Rule(c)
	if err != nil {
		return nil, nil, c.advised(err)
	}
	for _, t := range out {
		if err := c.checkResult(t); err != nil {
			return nil, nil, err
		}
	}
	return out, c.Attrs, nil
}

// checkResult returns an error for sizes that arithmetic made negative or too large.
func (c *Call) checkResult(t tensor.Type) error {
	for _, d := range t.Shape {
		if d.Size < shape.Dynamic {
			return c.Failf(CodeShape, "a size of the result %s overflows", t)
		}
	}
	if t.Shape.IsStatic() {
		if _, err := t.Bytes(); err != nil {
			return c.Failf(CodeShape, "%v", err)
		}
	}
	return nil
}

func (c *Call) checkAttributes(given Attrs) error {
	known := map[string]bool{}
	for _, a := range c.Op.Attributes {
		known[a.Name] = true
		v, ok := given[a.Name]
		if !ok {
			v = a.Default
		}
		if v == nil {
			return c.Failf(CodeAttribute, "attribute %q is missing%s", a.Name, bracketed(a.Doc)).Hint("%s", c.giving(a))
		}
		if !a.Kind.holds(v) {
			return c.Failf(CodeAttribute, "attribute %q has the Go type %T", a.Name, v).Hint("it takes %s", a.Kind.goType())
		}
		if s, ok := v.(shape.Shape); ok && s.IsStatic() {
			v = s.Sizes() // the canonical form of static sizes
		}
		c.Attrs[a.Name] = v
	}
	for _, n := range given.Names() {
		if !known[n] {
			return c.Failf(CodeAttribute, "unknown attribute %q", n)
		}
	}
	return nil
}

// giving says how an attribute that is missing can be given.
func (c *Call) giving(a Attribute) string {
	advice := "give it in the attributes, of Go type " + a.Kind.goType()
	if c.Op.Custom != nil {
		advice += ", or set a Default where " + c.Op.Custom.Package + " registers the operation"
	}
	return advice
}

func bracketed(doc string) string {
	if doc == "" {
		return ""
	}
	return " (" + doc + ")"
}

func (c *Call) checkOperands() error {
	want := len(c.Op.Operands)
	variadic := want > 0 && c.Op.Operands[want-1].Variadic
	if len(c.In) < want && !(variadic && len(c.In) == want-1) || len(c.In) > want && !variadic {
		return c.Failf(CodeOperands, "got %d operands, want %d", len(c.In), want)
	}
	for i, t := range c.In {
		o := c.Op.OperandAt(i)
		if !o.Class.Has(t.DType) {
			if !Any.Has(t.DType) {
				return c.uncomputed(t.DType)
			}
			return c.Failf(CodeDType, "operand %q must be %s", o.Name, o.Class)
		}
	}
	return nil
}

// uncomputed is the error of an element type that only files hold, such as i4 or f8e4m3fn.
func (c *Call) uncomputed(d dtype.DType) *errs.Error {
	err := c.Failf(CodeDType, "no operation supports the element type %s", d)
	switch {
	case d == dtype.I4 || d == dtype.U4:
		wide := dtype.I8
		if d == dtype.U4 {
			wide = dtype.U8
		}
		err.Hint("%s is an integer type for storage alone: unpack the elements to %s before the program", d, wide)
	case d.IsStorageOnly():
		err.Hint("%s is a type for storage alone: convert the elements to f32 before the program", d)
	}
	return err
}

// same is the rule of operations whose operands have the same type.
func same(c *Call) ([]tensor.Type, error) {
	for i, t := range c.In[1:] {
		if t.DType != c.In[0].DType || !t.Shape.Same(c.In[0].Shape) {
			return nil, c.unequal(i+1, "operands must have the same type")
		}
	}
	return []tensor.Type{c.In[0]}, nil
}

func (c *Call) axis(name string, rank int) (int, error) {
	a := c.Attrs.Int(name)
	if a < 0 || a >= int64(rank) {
		return 0, c.Failf(CodeAttribute, "%s = %d is not a dimension of a tensor of rank %d", name, a, rank)
	}
	return int(a), nil
}

// axes checks that the named attribute lists distinct dimensions of a tensor
// of this rank and returns them as a set.
func (c *Call) axes(name string, rank int) (map[int64]bool, error) {
	set := map[int64]bool{}
	for _, a := range c.Attrs.Ints(name) {
		if a < 0 || a >= int64(rank) || set[a] {
			return nil, c.Failf(CodeAttribute, "%s = %v are not distinct dimensions of a tensor of rank %d", name, c.Attrs.Ints(name), rank)
		}
		set[a] = true
	}
	return set, nil
}

// byID maps IDs to operations.
var byID = func() []*Op {
	list := make([]*Op, id.Count())
	for _, o := range table {
		list[o.ID] = o
	}
	list[id.Unknown] = nil
	return list
}()

// Of returns the operation with this ID, or nil.
func Of(i ID) *Op {
	if int(i) < len(byID) {
		return byID[i]
	}
	return registered.numbered(i)
}
