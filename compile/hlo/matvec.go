package hlo

import (
	"sort"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/kernels"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// matVec is a product that a kernel computes.
type matVec struct {
	kernel kernels.MatVec
	weight *dag.Value // as stored, before any conversion to f32
}

// hasKernel says whether kernels of the package of this name compute n, an
// operation that has a portable form; the text with kernels keeps it, the other
// one, and that of what has none, has the portable form in its place.
func hasKernel(*dag.Node) bool { return false }

// chooseKernels finds the products x [1, K] times W [N, K] of floats whose weight
// is a parameter, as it is or converted to f32, and the conversions that nothing
// but these products uses.
func (p *printer) chooseKernels() {
	uses := map[*dag.Value]int{}
	var nodes []*dag.Node
	for _, f := range p.g.Funcs {
		countBlock(f.Body, uses)
		for _, w := range f.Writes {
			uses[w.Value]++
		}
		f.Body.Walk(func(n *dag.Node) { nodes = append(nodes, n) })
	}
	taken := map[*dag.Value]int{}
	for _, n := range nodes {
		m, ok := asMatVec(n)
		if !ok {
			continue
		}
		p.matVecs[n] = m
		taken[n.Inputs[1]]++
	}
	for v, count := range taken {
		if v.Node.Op.Name == "convert" && uses[v] == count {
			p.skipped[v.Node] = true
		}
	}
}

func countBlock(b *dag.Block, uses map[*dag.Value]int) {
	for _, n := range b.Nodes {
		for _, v := range n.Inputs {
			uses[v]++
		}
		for _, inner := range n.Blocks {
			countBlock(inner, uses)
		}
	}
	for _, v := range b.Results {
		uses[v]++
	}
}

func asMatVec(n *dag.Node) (matVec, bool) {
	if n.Op.Name != "dot_general" || len(n.Attrs.Ints("lhs_batching")) > 0 {
		return matVec{}, false
	}
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	lc, rc := n.Attrs.Ints("lhs_contracting"), n.Attrs.Ints("rhs_contracting")
	if x.Shape.Rank() != 2 || w.Shape.Rank() != 2 || x.Shape[0].Size != 1 ||
		len(lc) != 1 || lc[0] != 1 || rc[0] != 1 {
		return matVec{}, false
	}
	weight := n.Inputs[1]
	if made := weight.Node; made != nil && made.Op.Name == "convert" && w.DType == dtype.F32 {
		weight = made.Inputs[0]
	}
	if weight.Node == nil || weight.Node.Op.Name != "parameter" {
		return matVec{}, false
	}
	// A narrow x is widened, and the sum rounded, as a product of narrow floats is.
	if x.DType != dtype.F32 && !(x.DType.IsFloat() && x.DType.Bits() < 32) {
		return matVec{}, false
	}
	k := kernels.MatVec{N: w.Shape[0].Size, K: w.Shape[1].Size, Weight: weight.Type.DType}
	return matVec{k, weight}, k.Supported()
}

// executables prints the kernels that are used, each once, by name.
func (p *printer) executables() {
	texts := map[string]string{}
	for _, m := range p.matVecs {
		texts[m.kernel.Symbol()] = m.kernel.Text("  ")
	}
	symbols := make([]string, 0, len(texts))
	for s := range texts {
		symbols = append(symbols, s)
	}
	sort.Strings(symbols)
	for _, s := range symbols {
		p.buf.WriteString(texts[s])
	}
}

// dispatch prints a product as a call of its kernel.
func (p *printer) dispatch(n *dag.Node, m matVec) {
	x := p.to(tensor.TypeOf(dtype.F32, m.kernel.K), "stablehlo.reshape", "", p.convert(p.in(n, 0), dtype.F32))
	w, t := p.values[m.weight], tensor.TypeOf(dtype.F32, m.kernel.N)
	s := symbol(m.kernel.Symbol())
	y := p.def(t, "flow.dispatch %s::%s(%s) : (%s) -> %s", s, s, names([]ssa{w, x}), p.typesOf([]ssa{w, x}), p.typ(t))
	p.bind(n, p.to(n.Outputs[0].Type, "stablehlo.reshape", "", p.convert(y, n.Outputs[0].Type.DType)))
}
