package dag

import "slices"

// Walk visits every node of b and of its nested blocks, a node before the
// nodes of its blocks.
func (b *Block) Walk(visit func(n *Node)) {
	for _, n := range b.Nodes {
		visit(n)
		for _, inner := range n.Blocks {
			inner.Walk(visit)
		}
	}
}

// Reads visits every value that n or a node of its blocks reads, or that is a result
// of these blocks, as often as it is one.
func (n *Node) Reads(visit func(v *Value)) {
	for _, v := range n.Inputs {
		visit(v)
	}
	for _, b := range n.Blocks {
		b.Reads(visit)
	}
}

// Reads visits what the nodes of b read, and the results of b.
func (b *Block) Reads(visit func(v *Value)) {
	for _, n := range b.Nodes {
		n.Reads(visit)
	}
	for _, v := range b.Results {
		visit(v)
	}
}

// Sweep removes the nodes of b and of the blocks that stay whose values nothing needs.
// live holds what is needed after b; afterwards it holds what b needs too.
func (b *Block) Sweep(live map[*Value]bool) {
	kept := b.Nodes[:0:0]
	for _, n := range slices.Backward(b.Nodes) {
		if !slices.ContainsFunc(n.Outputs, func(v *Value) bool { return live[v] }) {
			continue
		}
		kept = append(kept, n)
		for _, v := range n.Inputs {
			live[v] = true
		}
		for _, inner := range n.Blocks {
			for _, v := range inner.Results {
				live[v] = true
			}
			inner.Sweep(live)
		}
	}
	slices.Reverse(kept)
	b.Nodes = kept
}
