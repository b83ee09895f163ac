package hlo

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var sortLowerings = map[id.ID]Lowering{
	id.Argsort: func(p *Printer, n *dag.Node) {
		x, dim := p.In(n, 0), n.Attrs.Int("dim")
		index := p.Places(p.Iota(n.Outputs[0].Type, dim, x))
		p.Bind(n, p.form.Sort(p, x, index, dim, n.Attrs.Bool("descending")))
	},
	// StableHLO's operation drops updates out of range, so the indices
	// are clamped first.
	id.Scatter: func(p *Printer, n *dag.Node) {
		x, updates := p.In(n, 0), p.In(n, 2)
		indices := p.Clamp(p.In(n, 1), x)
		count, width := indices.Type.Shape.Product(), x.Type.Shape[1:]
		at := p.Places(p.Reshape(indices, sized(indices, shape.Shape{count, shape.N(1)})))
		flat := p.Reshape(updates, sized(updates, append(shape.Shape{count}, width...)))
		d := x.Type.DType
		x, flat = p.Convert(x, Wide(x.Type).DType), p.Convert(flat, Wide(flat.Type).DType)
		p.Bind(n, p.Convert(p.form.Scatter(p, n, x, at, flat), d))
	},
}

// plainSort returns the indices that sort the elements of x. Indices break ties, so the
// order is total and does not depend on the compiler's algorithm.
func plainSort(p *Printer, x, index Value, dim int64, descending bool) Value {
	v := p.Fresh(index.Type)
	p.Line(`%s:2 = "stablehlo.sort"(%s) <{dimension = %d : i64, is_stable = true}> ({`, v.Name, Names([]Value{x, index}), dim)
	st, si := Scalar(x.Type), Scalar(index.Type)
	p.Line("^bb0(%%a.: %s, %%c.: %s, %%i.: %s, %%j.: %s):", p.Type(st), p.Type(st), p.Type(si), p.Type(si))
	p.indent++
	before := p.Before(Value{"%a.", st}, Value{"%c.", st}, Value{"%i.", si}, Value{"%j.", si}, descending)
	p.Line("stablehlo.return %s : %s", before.Name, p.Type(tensor.TypeOf(dtype.Bool)))
	p.indent--
	p.Line("}) : (%s) -> (%s)", p.Types([]Value{x, index}), p.Types([]Value{x, index}))
	return Value{v.Name + "#1", index.Type}
}

func plainScatter(p *Printer, n *dag.Node, x, at, updates Value) Value {
	var window []int64
	for i := range x.Type.Shape[1:] {
		window = append(window, int64(i+1))
	}
	v := p.Fresh(x.Type)
	p.Line(`%s = "stablehlo.scatter"(%s) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<%sinserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({`,
		v.Name, Names([]Value{x, at, updates}), updateWindow(window))
	st := Scalar(x.Type)
	p.Line("^bb0(%%a.: %s, %%c.: %s):", p.Type(st), p.Type(st))
	p.indent++
	a, c := Value{"%a.", st}, Value{"%c.", st}
	r := c
	if name := combine[n.Attrs.String("mode")]; name != "" {
		r = p.Same("stablehlo."+name, a, c)
	}
	p.Line("stablehlo.return %s : %s", r.Name, p.Type(st))
	p.indent--
	p.Line("}) : (%s) -> %s", p.Types([]Value{x, at, updates}), p.Type(x.Type))
	return v
}

// Takers returns the number of operations and results that use v.
func (p *Printer) Takers(v *dag.Value) int {
	if p.uses == nil {
		p.uses = map[*dag.Value]int{}
		for _, f := range p.g.Funcs {
			CountUses(f.Body, p.uses)
		}
	}
	return p.uses[v]
}

// CountUses adds the uses of values in b.
func CountUses(b *dag.Block, uses map[*dag.Value]int) {
	for _, n := range b.Nodes {
		for _, v := range n.Inputs {
			uses[v]++
		}
		for _, inner := range n.Blocks {
			CountUses(inner, uses)
		}
	}
	for _, v := range b.Results {
		uses[v]++
	}
}

// Before returns where the element a of index i comes before c of index j.
func (p *Printer) Before(a, c, i, j Value, descending bool) Value {
	if descending {
		a, c = c, a
	}
	first, same := p.Compare("LT", a, c), p.Compare("EQ", a, c)
	if a.Type.DType.IsFloat() {
		aNaN, cNaN := p.Compare("NE", a, a), p.Compare("NE", c, c)
		first = p.Same("stablehlo.or", first, p.Same("stablehlo.and", cNaN, p.Same("stablehlo.not", aNaN)))
		same = p.Same("stablehlo.or", same, p.Same("stablehlo.and", aNaN, cNaN))
	}
	return p.Same("stablehlo.or", first, p.Same("stablehlo.and", same, p.Compare("LT", i, j)))
}

// combine are the operations of scatter's modes; set has none.
var combine = map[string]string{op.ScatterAdd: "add", op.ScatterMul: "multiply", op.ScatterMin: "minimum", op.ScatterMax: "maximum"}

func updateWindow(dims []int64) string {
	if len(dims) == 0 {
		return ""
	}
	return fmt.Sprintf("update_window_dims = %s, ", Ints(dims))
}
