package hlo

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/op"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var sortLowerings = map[string]lowering{
	// The indices break ties: the order is total, and does not depend on how the
	// compiler sorts.
	"argsort": func(p *printer, n *dag.Node) {
		x, dim, t := p.in(n, 0), n.Attrs.Int("dim"), n.Outputs[0].Type
		index := p.barrier(p.def(t, "stablehlo.iota dim = %d : %s", dim, p.typ(t)))
		v := p.fresh(t)
		p.line(`%s:2 = "stablehlo.sort"(%s) <{dimension = %d : i64, is_stable = true}> ({`, v.name, names([]ssa{x, index}), dim)
		st, si := scalar(x.typ), scalar(t)
		p.line("^bb0(%%a: %s, %%c: %s, %%i: %s, %%j: %s):", p.typ(st), p.typ(st), p.typ(si), p.typ(si))
		p.indent++
		a, c, i, j := ssa{"%a", st}, ssa{"%c", st}, ssa{"%i", si}, ssa{"%j", si}
		if n.Attrs.Bool("descending") {
			a, c = c, a
		}
		first, same := p.compare("LT", a, c), p.compare("EQ", a, c)
		if st.DType.IsFloat() {
			aNaN, cNaN := p.compare("NE", a, a), p.compare("NE", c, c)
			first = p.same("stablehlo.or", first, p.same("stablehlo.and", cNaN, p.same("stablehlo.not", aNaN)))
			same = p.same("stablehlo.or", same, p.same("stablehlo.and", aNaN, cNaN))
		}
		before := p.same("stablehlo.or", first, p.same("stablehlo.and", same, p.compare("LT", i, j)))
		p.line("stablehlo.return %s : %s", before.name, p.typ(tensor.TypeOf(dtype.Bool)))
		p.indent--
		p.line("}) : (%s) -> (%s)", p.typesOf([]ssa{x, index}), p.typesOf([]ssa{x, index}))
		p.bind(n, p.barrier(ssa{v.name + "#1", t}))
	},
	// As with take, the indices are clamped before: the compiler would write
	// outside.
	"scatter": func(p *printer, n *dag.Node) {
		x, updates := p.in(n, 0), p.in(n, 2)
		indices := p.clamp(p.in(n, 1), x.typ.Shape[0].Size-1)
		count, _ := indices.typ.Shape.Elements() // static: the rule says so
		width := x.typ.Shape[1:]
		it := tensor.Type{DType: indices.typ.DType, Shape: shape.Of(count, 1)}
		ut := tensor.Type{DType: updates.typ.DType, Shape: append(shape.Of(count), width...)}
		at := p.barrier(p.to(it, "stablehlo.reshape", "", indices))
		flat := p.to(ut, "stablehlo.reshape", "", updates)
		var window []int64
		for i := range width {
			window = append(window, int64(i+1))
		}
		d := x.typ.DType
		x, flat = p.convert(x, f32(x.typ).DType), p.convert(flat, f32(ut).DType)
		v := p.fresh(x.typ)
		p.line(`%s = "stablehlo.scatter"(%s) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<%sinserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({`,
			v.name, names([]ssa{x, at, flat}), updateWindow(window))
		st := scalar(x.typ)
		p.line("^bb0(%%a: %s, %%c: %s):", p.typ(st), p.typ(st))
		p.indent++
		a, c := ssa{"%a", st}, ssa{"%c", st}
		r := c
		if name := combine[n.Attrs.String("mode")]; name != "" {
			r = p.same("stablehlo."+name, a, c)
		}
		p.line("stablehlo.return %s : %s", r.name, p.typ(st))
		p.indent--
		p.line("}) : (%s) -> %s", p.typesOf([]ssa{x, at, flat}), p.typ(x.typ))
		p.bind(n, p.convert(v, d))
	},
}

// combine are the operations of scatter's modes; set has none.
var combine = map[string]string{op.ScatterAdd: "add", op.ScatterMul: "multiply", op.ScatterMin: "minimum", op.ScatterMax: "maximum"}

func updateWindow(dims []int64) string {
	if len(dims) == 0 {
		return ""
	}
	return fmt.Sprintf("update_window_dims = %s, ", ints(dims))
}
