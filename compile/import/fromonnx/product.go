package fromonnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var productRules = map[string]rule{
	"Einsum": func(n *node) []*dag.Value {
		return one(n.captured(func(f *lang.Func, in []lang.Tensor) lang.Tensor { return f.Einsum(n.str("equation", ""), in...) }, n.all()...))
	},
	"MatMul": func(n *node) []*dag.Value { return one(n.matmul(n.in(0), n.in(1))) },
	"Gemm": func(n *node) []*dag.Value {
		a, b := n.in(0), n.in(1)
		contracting := func(transposed string, usual int64) []int64 {
			if n.int(transposed, 0) == 1 {
				return []int64{1 - usual}
			}
			return []int64{usual}
		}
		y := n.add("dot_general", op.Attrs{"lhs_contracting": contracting("transA", 1), "rhs_contracting": contracting("transB", 0)}, a, b)
		if alpha := n.float("alpha", 1); alpha != 1 {
			y = n.scale(y, alpha)
		}
		if n.has(2) {
			c := n.in(2)
			if beta := n.float("beta", 1); beta != 1 {
				c = n.scale(c, beta)
			}
			y = n.binary("add", y, c)
		}
		return one(y)
	},
}

// matmul is NumPy's: vectors become a row or a column, and the dimensions before
// the last two are broadcast.
func (n *node) matmul(a, b *dag.Value) *dag.Value {
	row, column := rank(a) == 1, rank(b) == 1
	if row {
		a = n.reshapeTo(a, shape.N(1), dims(a)[0])
	}
	if column {
		b = n.reshapeTo(b, dims(b)[0], shape.N(1))
	}
	sa, sb := dims(a), dims(b)
	if len(sb) == 2 { // one for the whole batch
		to := slices.Clone(sa[:len(sa)-1])
		if row {
			to = to[1:]
		}
		if !column {
			to = append(to, sb[1])
		}
		return n.reshapeTo(n.product(a, b), to...)
	}
	batch := broadcast(sa[:len(sa)-2], sb[:len(sb)-2])
	a = n.spreadTo(a, append(slices.Clone(batch), sa[len(sa)-2:]...))
	b = n.spreadTo(b, append(slices.Clone(batch), sb[len(sb)-2:]...))
	r := int64(len(batch))
	lead := []int64{}
	for i := range r {
		lead = append(lead, i)
	}
	y := n.add("dot_general", op.Attrs{
		"lhs_batching": lead, "rhs_batching": lead, "lhs_contracting": []int64{r + 1}, "rhs_contracting": []int64{r},
	}, a, b)
	to := slices.Clone(dims(y))
	if row {
		at := len(batch)
		to = slices.Delete(to, at, at+1)
	}
	return n.reshapeTo(y, to...)
}

// captured adds the nodes that the capture DSL builds for operands.
func (n *node) captured(build func(f *lang.Func, in []lang.Tensor) lang.Tensor, in ...*dag.Value) *dag.Value {
	g, err := lang.Capture("part", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			var ts []lang.Tensor
			var of []string
			for i, v := range in {
				ts = append(ts, f.InputOf(fmt.Sprintf("x%d", i), v.Type.DType, dims(v)...))
				for _, d := range dims(v) {
					for _, name := range d.Names() { // which only arithmetic on it may have
						f.InputOf(fmt.Sprintf("of%d", len(of)), dtype.U8, shape.Named(name))
						of = append(of, name)
					}
				}
			}
			f.Output("y", build(f, ts))
		})
	})
	if err != nil {
		panic(refusal{err})
	}
	body := g.Funcs[0].Body
	made := map[*dag.Value]*dag.Value{}
	next := 0
	for i, a := range body.Args {
		if strings.HasPrefix(g.Funcs[0].Args[i], "x") {
			made[a] = in[next]
			next++
		}
	}
	for _, old := range body.Nodes {
		var operands []*dag.Value
		for _, v := range old.Inputs {
			operands = append(operands, made[v])
		}
		for i, v := range n.outputs(old.Op.Name, old.Attrs, operands...) {
			made[old.Outputs[i]] = v
		}
	}
	return made[body.Results[0]]
}
