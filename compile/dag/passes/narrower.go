package passes

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// narrower rebuilds the functions of a graph. A value that was f32, or
// of the other narrow type, is f32 or narrow afterwards; all others keep
// their types.
type narrower struct {
	Narrowing
	g      *dag.Graph
	funcs  map[string]*dag.Func // done
	states map[string]bool      // narrow ones

	now  map[*dag.Value]*dag.Value
	into *scope
}

// scope is a block being built. A conversion is added once for it and its nested
// blocks.
type scope struct {
	block *dag.Block
	casts map[cast]*dag.Value
	outer *scope
}

type cast struct {
	v *dag.Value
	d dtype.DType
}

func (n *narrower) graph() {
	for _, s := range n.g.States {
		if n.changes(s.Type.DType) && n.states[s.Name] {
			s.Type.DType = n.To
			s.Init = rounded(n.To, s.Init)
		}
	}
	for _, f := range n.g.Funcs {
		n.now = map[*dag.Value]*dag.Value{}
		keep := f.Entry && n.KeepSignature
		old := f.Body
		f.Body = n.block(old, func(b *dag.Block) {
			for _, v := range old.Args {
				t := v.Type
				if !keep && n.changes(t.DType) {
					t.DType = n.To
				}
				n.now[v] = b.AddArg(t)
			}
			for _, v := range old.Args { // after all arguments
				if keep && n.changes(v.Type.DType) {
					n.now[v] = n.as(n.now[v], n.To)
				}
			}
		}, func() {
			for i, w := range f.Writes {
				t := w.Value.Type.DType
				if n.changes(t) && n.states[w.State] {
					t = n.To
				}
				f.Writes[i].Value = n.as(n.now[w.Value], t)
			}
		}, func(_ int, r *dag.Value) dtype.DType {
			if n.changes(r.Type.DType) && !keep {
				return n.To
			}
			return r.Type.DType
		})
		n.funcs[f.Name] = f
	}
}

// block rebuilds a block: begin adds its arguments, end (if any) runs after
// its nodes, and result returns the element type of a result.
func (n *narrower) block(old *dag.Block, begin func(b *dag.Block), end func(), result func(i int, r *dag.Value) dtype.DType) *dag.Block {
	b := &dag.Block{}
	n.into = &scope{block: b, casts: map[cast]*dag.Value{}, outer: n.into}
	begin(b)
	for _, m := range old.Nodes {
		for i, v := range n.node(m) {
			n.now[m.Outputs[i]] = v
		}
	}
	for i, r := range old.Results {
		b.Results = append(b.Results, n.as(n.now[r], result(i, r)))
	}
	if end != nil {
		end()
	}
	n.into = n.into.outer
	return b
}

// changes reports whether values of a type become f32 or narrow.
func (n *narrower) changes(d dtype.DType) bool {
	return d == dtype.F32 || d != n.To && (d == dtype.F16 || d == dtype.BF16)
}

// as returns v in another float type, or unchanged.
func (n *narrower) as(v *dag.Value, d dtype.DType) *dag.Value {
	if v.Type.DType == d {
		return v
	}
	for s := n.into; s != nil; s = s.outer {
		if c := s.casts[cast{v, d}]; c != nil {
			return c
		}
	}
	c := n.constant(v, d)
	if c == nil {
		c = n.add("convert", originOf(v).Inner("convert"), op.Attrs{"dtype": d}, v)[0]
	}
	n.into.casts[cast{v, d}] = c
	return c
}

func originOf(v *dag.Value) dag.Origin {
	if v.Node == nil {
		return dag.Origin{Path: "argument"}
	}
	return v.Node.Origin
}

// add appends a node that inference has accepted before with other float types.
func (n *narrower) add(name string, at dag.Origin, attrs op.Attrs, in ...*dag.Value) []*dag.Value {
	m, err := n.into.block.AddAt(at, name, attrs, in...)
	if err != nil {
		panic(err) // Run turns it into an error, like any bug of a pass
	}
	return m.Outputs
}

func (n *narrower) node(m *dag.Node) []*dag.Value {
	in := make([]*dag.Value, len(m.Inputs))
	for i, v := range m.Inputs {
		in[i] = n.now[v]
	}
	attrs := maps.Clone(m.Attrs)
	switch m.Op.Role {
	case op.Loops:
		return n.while(m, in)
	case op.Chooses:
		return n.cond(m, in)
	case op.Calls:
		return n.call(m, in)
	case op.Weight, op.Variable:
		t := m.Attrs.Type("type")
		if n.changes(t.DType) && (m.Op.Role == op.Weight || n.states[m.Attrs.String("name")]) {
			t.DType = n.To
		}
		attrs["type"] = t
	default:
		if m.Op.ID == id.Convert {
			return n.convert(m, in[0])
		}
		n.operands(m, in)
	}
	return n.add(m.Op.Name, m.Origin, attrs, in...)
}

// convert drops conversions between floats that change, which are added
// where needed.
func (n *narrower) convert(m *dag.Node, x *dag.Value) []*dag.Value {
	from, to := m.Inputs[0].Type.DType, m.Attrs.DType("dtype")
	if n.changes(to) && (n.changes(from) || from == n.To) {
		return []*dag.Value{x}
	}
	if n.changes(to) {
		to = dtype.F32 // from integers
	}
	return []*dag.Value{n.as(x, to)}
}

// operands converts the operands of m that change, according to its precision.
func (n *narrower) operands(m *dag.Node, in []*dag.Value) {
	d := dtype.F32
	own := precision(m)
	switch own {
	case op.Narrow:
		d = n.To
	case op.First:
		d = in[0].Type.DType
	case op.Follow:
		for i, v := range m.Inputs {
			if n.changes(v.Type.DType) && in[i].Type.DType == n.To {
				d = n.To
			}
		}
	}
	for i, v := range m.Inputs {
		switch {
		case own == op.Own:
			in[i] = n.as(in[i], v.Type.DType)
		case n.changes(v.Type.DType):
			in[i] = n.as(in[i], d)
		}
	}
}

// constant returns a splat or a constant in another type, or nil.
func (n *narrower) constant(v *dag.Value, d dtype.DType) *dag.Value {
	if s := made(v, id.Splat); s != nil {
		t, value := tensor.Type{DType: d, Shape: v.Type.Shape}, rounded(d, s.Attrs.Float("value"))
		if !op.Holds(d, value) {
			return nil // needs a conversion
		}
		return n.add("splat", s.Origin, op.Attrs{"type": t, "value": value})[0]
	}
	c := made(v, id.Constant)
	if c == nil || d == dtype.F32 {
		return nil
	}
	from := c.Attrs.Value("value")
	data := make([]float32, int64(len(from.Bytes))*8/int64(from.Type.DType.Bits()))
	if err := tensor.Float32s(from.Type.DType, data, from.Bytes); err != nil {
		return nil
	}
	for i, x := range data {
		data[i] = float32(rounded(d, float64(x)))
	}
	to := tensor.Value{Type: tensor.Type{DType: d, Shape: v.Type.Shape}, Bytes: make([]byte, d.Bytes(int64(len(data))))}
	if _, err := tensor.PutFloat32s(d, to.Bytes, data); err != nil {
		return nil
	}
	return n.add("constant", c.Origin, op.Attrs{"value": to, "name": c.Attrs.String("name")})[0]
}
