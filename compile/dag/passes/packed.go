package passes

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Packed returns the pass that stores weights according to the policy. index
// describes the weight file, whose tensor names are the parameters' keys; if it
// is nil, the graph is unchanged.
//
// StoreAsIs turns a parameter stored in blocks of one of
// op.PackedEncodings into a parameter of these blocks (see the operation), and replaces
// its uses, possibly through a conversion:
//
//   - a dot_general that contracts only its last dimension
//     by dequant_matmul;
//   - a take of rows by dequant_take, and one of matrices by the same of their blocks,
//     which are then unpacked;
//   - any other by dequantize_blocks followed by the same use.
//
// Products of f16 and bf16 are then computed in f32 and rounded. Other encodings,
// and dense tensors, stay as the model declares them: they are unpacked when the
// archive is packed.
//
// StoreInt8 works like Int8, StoreInt8Dynamic like Int8Dynamic. StoreBF16, StoreF16 and StoreF32 store parameters in
// that type, converted where they are used. A pattern that matches no tensor
// is PASS_WEIGHTS.
func Packed(index *tensor.Index, policy WeightPolicy) Pass {
	return Pass{Name: "packed", Run: func(g *dag.Graph) {
		if index == nil {
			return
		}
		if err := policy.check(index); err != nil {
			panic(err) // Run turns it into an error
		}
		CleanUp(g) // so that transposes are recognised
		s := &storer{index: index, policy: policy}
		rewrite(g, s.parameter)
		for rewrite(g, blockUses) {
			CleanUp(g)
		}
		q := &quantizer{chosen: choose(g, 1), dynamic: func(k paramKey) bool { return storageOf(policy.Of(k.key)).dynamic }}
		for k := range q.chosen {
			if !storageOf(policy.Of(k.key)).rows {
				delete(q.chosen, k)
			}
		}
		rewrite(g, q.visit)
		CleanUp(g)
	}}
}

type storer struct {
	index  *tensor.Index
	policy WeightPolicy
}

// parameter replaces a parameter by one of another type, converted to the original type.
func (s *storer) parameter(e *editor, n *dag.Node) []*dag.Value {
	if n.Op.Role != op.Weight || n.Attrs.String("encoding") != "" || !large(n.Outputs[0].Type, 1) {
		return nil
	}
	spec, err := s.index.Lookup(n.Attrs.String("key"))
	t := n.Outputs[0].Type
	if err != nil || !spec.Shape.Equal(t.Shape) {
		return nil
	}
	store := storageOf(s.policy.Of(spec.Name))
	if store.name == StoreAsIs {
		return s.blocks(e, n, spec)
	}
	to := t
	if store.to != dtype.Invalid {
		to.DType = store.to
	}
	if to.DType == t.DType {
		return nil
	}
	return one(as(e, n, e.add("parameter", n.Origin, with(n.Attrs, "type", to)), t.DType))
}

func (s *storer) blocks(e *editor, n *dag.Node, spec tensor.Spec) []*dag.Value {
	if !slices.Contains(op.PackedEncodings(), spec.Encoding) {
		return nil
	}
	t, err := tensor.BlocksOf(spec.Encoding, spec.Shape)
	if err != nil {
		return nil // the row length is not a multiple of the block size
	}
	encoding := op.Attrs{"encoding": string(spec.Encoding)}
	raw := e.add("parameter", n.Origin, with(with(n.Attrs, "type", t), "encoding", string(spec.Encoding)))
	if raw == nil {
		return nil
	}
	return one(as(e, n, e.add("dequantize_blocks", n.Inner("dequantize_blocks"), encoding, raw), n.Outputs[0].Type.DType))
}

// blockUses replaces uses of unpacked blocks by operations that read blocks.
func blockUses(e *editor, n *dag.Node) []*dag.Value {
	switch n.Op.Rows {
	case op.Picked:
		w := unpacked(n.Inputs[0])
		if w == nil {
			return nil
		}
		blocks, indices := w.Inputs[0], n.Inputs[1]
		switch rank := blocks.Type.Shape.Rank(); {
		case rank < 3:
			return nil
		case rank == 3: // rows
			return one(as(e, n, e.add("dequant_take", n.Origin, w.Attrs, blocks, indices), n.Outputs[0].Type.DType))
		case !indices.Type.Shape.IsStatic(): // the sizes of blocks that are unpacked are static
			return nil
		}
		// Matrices, such as those of experts: only those that are taken are unpacked.
		some := e.add("take", n.Origin, nil, blocks, indices)
		if some == nil {
			return nil
		}
		return one(as(e, n, e.add("dequantize_blocks", n.Inner("dequantize_blocks"), w.Attrs, some), n.Outputs[0].Type.DType))
	case op.Multiplied:
		for side := range n.Inputs {
			if y := productOfBlocks(e, n, side); y != nil {
				return one(y)
			}
		}
	}
	return nil
}

// unpacked returns the node that unpacks v, directly or through a conversion to another float.
func unpacked(v *dag.Value) *dag.Node {
	if c := made(v, id.Convert); c != nil && v.Type.DType.IsFloat() {
		v = c.Inputs[0]
	}
	return made(v, id.DequantizeBlocks)
}

// productOfBlocks returns the product n with blocks at operand side: they are the
// right operand of dequant_matmul, and its result's dimension is the last one.
func productOfBlocks(e *editor, n *dag.Node, side int) *dag.Value {
	w := unpacked(n.Inputs[side])
	names := [2]string{"lhs", "rhs"}
	if w == nil || w.Inputs[0].Type.Shape.Rank() != 3 || len(n.Attrs.Ints("lhs_batching")) > 0 ||
		!slices.Equal(n.Attrs.Ints(names[side]+"_contracting"), []int64{1}) {
		return nil
	}
	x := as(e, n, n.Inputs[1-side], dtype.F32)
	last := int64(x.Type.Shape.Rank() - 1)
	if at := n.Attrs.Ints(names[1-side] + "_contracting")[0]; at != last {
		x = e.add("transpose", n.Inner("transpose"), op.Attrs{"permutation": lastAt(at, last)}, x)
	}
	if x == nil {
		return nil
	}
	y := as(e, n, e.add("dequant_matmul", n.Origin, w.Attrs, x, w.Inputs[0]), n.Outputs[0].Type.DType)
	if side == 0 && y != nil && last > 0 {
		order := []int64{last}
		for d := range last {
			order = append(order, d)
		}
		y = e.add("transpose", n.Inner("transpose"), op.Attrs{"permutation": order}, y)
	}
	return y
}

// lastAt is the permutation that makes dimension d the last one.
func lastAt(d, last int64) []int64 {
	order := make([]int64, 0, last+1)
	for i := range last + 1 {
		if i != d {
			order = append(order, i)
		}
	}
	return append(order, d)
}
