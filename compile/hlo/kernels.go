package hlo

import (
	"maps"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
)

// kernel is an executable of the text.
type kernel interface {
	Symbol() string
	Text(f kernels.Form) string
}

// call is a node that a kernel computes.
type call struct {
	kernel kernel
	print  func(p *printer, n *dag.Node)
	weight *dag.Value // of a product of floats: as stored, before any conversion to f32
}

// kernelsOf finds the kernels of nodes, by operation.
var kernelsOf = map[string]func(n *dag.Node) (call, bool){
	"cached_attention": cachedAttention,
	"dot_general":      floatProduct,
	"dequant_matmul":   packedProduct,
	"dequant_take":     packedRows,
}

// hasKernel says whether kernels of the package of this name compute n, an
// operation that has a portable form; the text with kernels keeps it, the other
// one, and that of what has none, has the portable form in its place.
func hasKernel(n *dag.Node) bool {
	_, ok := kernelOf(n)
	return ok
}

func kernelOf(n *dag.Node) (call, bool) {
	find, ok := kernelsOf[n.Op.Name]
	if !ok {
		return call{}, false
	}
	return find(n)
}

// chooseKernels finds what kernels compute, and the conversions of weights that
// nothing but those products uses.
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
		c, ok := kernelOf(n)
		if !ok {
			continue
		}
		p.calls[n] = c
		if c.weight != nil && c.weight != n.Inputs[1] {
			taken[n.Inputs[1]]++
		}
	}
	for v, count := range taken {
		if uses[v] == count {
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

// executables prints the kernels that are used, each once, by name.
func (p *printer) executables() {
	used := map[string]kernel{}
	for _, c := range p.calls {
		used[c.kernel.Symbol()] = c.kernel
	}
	for _, s := range slices.Sorted(maps.Keys(used)) {
		p.buf.WriteString(used[s].Text(kernels.Form{Indent: "  ", IntegerF16: p.integerF16}))
	}
}
