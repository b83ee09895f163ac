package iree

import (
	"maps"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// kernel is an executable in the text.
type kernel interface {
	Symbol() string
	Text(f kernels.Form) string
}

// call is a node that a kernel computes.
type call struct {
	kernel kernel
	print  func(p *hlo.Printer, n *dag.Node)
	weight *dag.Value // of a product of floats: as stored, before any conversion to f32
	// reads, if not nil, is read in place of the first operand, which is made of it; stored
	// is the call that reads that operand.
	reads  *dag.Value
	stored func() call
	// with, if not nil, returns a call that also computes what follows the node; adds says
	// that this may be a sum with a value like the result.
	with func(e epilogue) call
	adds bool
	// along are nodes before it that the kernel computes too, if nothing else uses them.
	along []*dag.Node
}

// apart reports whether only each other and n use the nodes along.
func (c call) apart(n *dag.Node, uses map[*dag.Value]int) bool {
	inside := map[*dag.Value]int{}
	for _, user := range append([]*dag.Node{n}, c.along...) {
		for _, v := range user.Inputs {
			inside[v]++
		}
	}
	for _, a := range c.along {
		if uses[a.Outputs[0]] != inside[a.Outputs[0]] {
			return false
		}
	}
	return true
}

var kernelRows = []Rewrite{{
	ID:      "convolution-kernel",
	Symptom: "The shifted copies of a convolution's operand are written to memory and read again, and the product takes up to three times the time of the arithmetic.",
	Instead: "kernels of vector code: one copies 16 positions at a time, one multiplies a few positions by the rows of the kernel, one sums the channels apart",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Costs,
	install: func(t *target) {
		for _, o := range t.convolutions() {
			withKernels(o, planeConvolution(t.nearness()))(t)
		}
	},
}, {
	ID:      "max-pool-kernel",
	Symptom: "A maximum over windows is padded in a copy, folded along one dimension into memory, padded again and folded along the other, each element of a strided window by itself.",
	Instead: "a kernel that copies parts of a channel into the cache and folds both dimensions there",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Costs,
	install: withKernels(id.Maximum, maxPool),
}, {
	ID:      "attention-kernel",
	Symptom: "Attention over a cache reads all of its rows, and takes six kernels.",
	Instead: "a kernel that reads only the valid rows, as stored",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Costs,
	install: withKernels(id.CachedAttention, cachedAttention),
}, {
	ID:      "product-kernel",
	Symptom: "A product of one row with a weight leaves much of the memory bandwidth unused, one with a dynamic number of rows takes twice as long, and converted weights may be copied to f32.",
	Instead: "a kernel of vector code",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Time,
	install: func(t *target) {
		find := floatProduct(t.nearness())
		if slices.Contains(t.o.Instructions, kernels.ByteProducts) {
			find = byteProductOr(find)
		}
		withKernels(id.DotGeneral, find)(t)
	},
}, {
	ID:      "whole-attention",
	Symptom: "The attention of an encoder, written out, stores the scores of all queries and keys, and reads them four times.",
	Instead: "a kernel that keeps the scores of some queries for a block of keys",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Costs,
	install: func(t *target) {
		if t.kernels != nil {
			t.kernels.attends = true
		}
	},
}, extremesRow, {
	ID:      "packed-product-kernel",
	Symptom: "A product with a weight in blocks unpacks the complete weight in each call.",
	Instead: "a kernel that unpacks blocks as it reads them",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Costs,
	install: withKernels(id.DequantMatmul, packedProduct),
}, {
	ID:      "packed-rows-kernel",
	Symptom: "Rows of a table of blocks are copied by one kernel and unpacked by another.",
	Instead: "a kernel that unpacks only the rows",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Costs,
	install: withKernels(id.DequantTake, packedRows),
}}

// kernelForm is what the rewrites to kernels share.
type kernelForm struct {
	of      map[id.ID]func(n *dag.Node) (call, bool)
	calls   map[*dag.Node]call // nodes that kernels compute
	skipped map[*dag.Node]bool // nodes that those kernels compute along the way
	attends bool               // whether a product may be the end of an attention
}

// withKernels is a row's change to the form.
func withKernels(o id.ID, find func(n *dag.Node) (call, bool)) func(t *target) {
	return func(t *target) {
		if t.kernels == nil {
			k := &kernelForm{of: map[id.ID]func(n *dag.Node) (call, bool){}, calls: map[*dag.Node]call{}, skipped: map[*dag.Node]bool{}}
			t.kernels = k
			t.Keeps = func(n *dag.Node) bool {
				_, ok := k.find(n)
				return ok
			}
			t.Starts = append(t.Starts, k.choose)
			t.Globals = append([]func(p *hlo.Printer, m *hlo.Module) error{func(p *hlo.Printer, _ *hlo.Module) error {
				k.executables(p, kernels.Form{Indent: "  ", IntegerF16: t.o.IntegerF16, Wide: t.o.Wide})
				return nil
			}}, t.Globals...)
			t.Node = func(p *hlo.Printer, n *dag.Node) bool {
				c, ok := k.calls[n]
				if ok {
					c.print(p, n)
				}
				return ok || k.skipped[n]
			}
		}
		t.kernels.of[o] = find
	}
}

func (k *kernelForm) find(n *dag.Node) (call, bool) {
	find, ok := k.of[n.Op.ID]
	if !ok {
		return call{}, false
	}
	return find(n)
}

// choose finds the nodes that kernels compute, and the conversions of
// weights that only those products use.
func (k *kernelForm) choose(p *hlo.Printer) {
	uses := map[*dag.Value]int{}
	var nodes []user
	for _, f := range p.Graph().Funcs {
		hlo.CountUses(f.Body, uses)
		for _, w := range f.Writes {
			uses[w.Value]++
		}
		nodes = append(nodes, inBlocks(f.Body)...)
	}
	readers := readersOf(nodes)
	blocks := map[*dag.Node]*dag.Block{}
	for _, u := range nodes {
		blocks[u.node] = u.block
	}
	taken := map[*dag.Value]int{}
	for _, u := range nodes {
		n := u.node
		c, ok := k.find(n)
		if !ok || !c.apart(n, uses) {
			continue
		}
		for _, along := range c.along {
			delete(k.calls, along)
			k.skipped[along] = true
		}
		if a, ok := within(n, uses, blocks); ok && k.attends {
			k.calls[n] = call{kernel: a.AttentionWhole, print: a.print}
			for _, along := range a.along {
				delete(k.calls, along)
				k.skipped[along] = true
			}
			continue
		}
		if c.reads != nil {
			if _, computed := k.calls[n.Inputs[0].Node]; computed {
				c = c.stored()
			}
		}
		last := n
		if c.with != nil {
			if e, ok := k.epilogueOf(n, c.adds, readers, uses, u.block); ok {
				reads := c.reads
				c, last = c.with(e), e.last
				c.reads = reads
				for _, along := range e.nodes {
					k.skipped[along] = true
				}
			}
		}
		k.calls[last] = c
		if c.reads != nil {
			taken[n.Inputs[0]]++
		}
		if c.weight != nil && c.weight != n.Inputs[1] {
			taken[n.Inputs[1]]++
		}
	}
	for v, count := range taken {
		if uses[v] == count {
			k.skipped[v.Node] = true
		}
	}
}

// executables prints the kernels that are used, each once, by name.
func (k *kernelForm) executables(p *hlo.Printer, f kernels.Form) {
	used := map[string]kernel{}
	for _, c := range k.calls {
		used[c.kernel.Symbol()] = c.kernel
	}
	for _, s := range slices.Sorted(maps.Keys(used)) {
		p.Text(used[s].Text(f))
	}
}
