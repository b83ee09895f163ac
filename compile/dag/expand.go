package dag

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
)

// expand appends the decomposition of the composite node n. After an error
// the block is unchanged.
func (b *Block) expand(n *Node) error {
	before := len(b.Nodes)
	in := make([]op.Ref, len(n.Inputs))
	for i, v := range n.Inputs {
		in[i] = op.Ref{Type: v.Type, Value: v}
	}
	out, err := b.refs(n, in)
	if err != nil {
		b.Nodes = b.Nodes[:before]
		return err
	}
	n.Outputs = out
	return nil
}

// refs appends n composed from other operations and returns its results. Registered
// operations may be composed of each other, but not in a circle, which has no end.
func (b *Block) refs(n *Node, in []op.Ref) ([]*Value, error) {
	if i := slices.Index(n.From, n.Op.ID); i >= 0 && n.Op.Custom != nil {
		var through []string
		for _, part := range n.From[i+1:] {
			through = append(through, part.String())
		}
		return nil, op.Cycle(n.Op, through...).On(n.Path)
	}
	from := append(slices.Clip(n.From), n.Op.ID)
	out, err := n.Op.Expand(in, n.Attrs, func(name string, attrs op.Attrs, in []op.Ref) ([]op.Ref, error) {
		values, err := fromRefs(in)
		if err != nil {
			return nil, err
		}
		inner, err := b.AddAt(Origin{n.Path + "/" + name, from}, name, attrs, values...)
		if err != nil {
			return nil, err
		}
		refs := make([]op.Ref, len(inner.Outputs))
		for i, v := range inner.Outputs {
			refs[i] = op.Ref{Type: v.Type, Value: v}
		}
		return refs, nil
	})
	if err != nil {
		return nil, err
	}
	return fromRefs(out)
}

func fromRefs(refs []op.Ref) ([]*Value, error) {
	out := make([]*Value, len(refs))
	for i, r := range refs {
		v, ok := r.Value.(*Value)
		if !ok {
			return nil, errs.New(CodeUndefined, "a decomposition returned an unknown value")
		}
		out[i] = v
	}
	return out, nil
}
