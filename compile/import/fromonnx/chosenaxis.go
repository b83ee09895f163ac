package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A mask of one dimension may choose along one dimension of a tensor, as in
// y[:, mask] = y[:, mask]/w[mask]: Gather along that dimension, and ScatterND at all
// coordinates of the others.

// chooserAlong returns the mask of one dimension whose places [rows], or [rows, 1], at are.
func (n *node) chooserAlong(at *dag.Value) *choice {
	if n.choices == nil || rank(at) == 0 || !dims(at).Product().Same(dims(at)[0]) {
		return nil
	}
	for v := at; v.Node != nil; v = v.Node.Inputs[0] {
		if c := n.choices.places[v]; c != nil && rank(c.mask) == 1 {
			return c
		}
		if v.Node.Op.ID != id.Reshape && v.Node.Op.ID != id.Transpose {
			return nil
		}
	}
	return nil
}

// compactedAlong returns the rows of x that a mask chooses along dimension a, which become
// the dimensions of the places; nil if no mask made these.
func (n *node) compactedAlong(x, at *dag.Value, a int64) *dag.Value {
	c := n.chooserAlong(at)
	if c == nil {
		return nil
	}
	if !dims(x)[a].Same(dims(c.mask)[0]) {
		n.refuse("places in a dimension of %s elements that a mask of %s chooses", dims(x)[a], dims(c.mask)[0])
	}
	wide := slices.Insert(slices.Clone(dims(x)), int(a), c.unit)
	places := all(x)
	for i := range places[a:] {
		places[int(a)+i]++
	}
	x = n.add("broadcast_in_dim", op.Attrs{"sizes": wide, "dims": places}, x)
	return n.reshapeTo(x, slices.Concat(wide[:a], dims(at), wide[a+2:])...)
}

// restoredAlong returns x with rows in the places that a mask chooses along one dimension,
// at all coordinates of the others; nil if the coordinates are others.
func (n *node) restoredAlong(x, at, updates *dag.Value) *dag.Value {
	r := rank(at) - 1
	if n.choices == nil || len(n.choices.units) == 0 || r < 1 || extentOf(at, r) != int64(r) || r > rank(x) || n.mode() != op.ScatterSet || at.Node == nil || at.Node.Op.ID != id.Concatenate || len(at.Node.Inputs) != r {
		return nil
	}
	var c *choice
	axis := -1
	order := []int64{} // for each dimension of x with more than one element, that of the updates
	for k, column := range at.Node.Inputs {
		f, ok := n.column(column)
		switch {
		case !ok || extentOf(column, r) != 1:
			return nil
		case f.along < 0:
			if f.value != 0 || !dims(x)[k].Same(shape.N(1)) {
				return nil
			}
			continue
		case n.choices.places[f.root] != nil:
			c, axis = n.choices.places[f.root], k
			if rank(c.mask) != 1 || !dims(at)[f.along].Same(c.rows()) || !dims(x)[k].Same(dims(c.mask)[0]) {
				return nil
			}
		case !dims(at)[f.along].Same(dims(x)[k]):
			return nil
		}
		if slices.Contains(order, int64(f.along)) {
			return nil
		}
		order = append(order, int64(f.along))
	}
	if c == nil {
		return nil
	}
	for i := range r { // those that are left have one element
		if !slices.Contains(order, int64(i)) {
			if !dims(at)[i].Same(shape.N(1)) {
				return nil
			}
			order = append(order, int64(i))
		}
	}
	for i := r; i < rank(updates); i++ {
		order = append(order, int64(i))
	}
	if !dims(updates)[:r].Same(dims(at)[:r]) || !dims(updates)[r:].Same(dims(x)[r:]) {
		return nil
	}
	rows := n.transpose(updates, order...)
	wide := slices.Insert(slices.Clone(dims(x)), axis, c.unit)
	rows = n.reshapeTo(n.window(n.reshapeTo(rows, wide...), int64(axis), 0, 1, 1), dims(x)...)
	mask := slices.Repeat(shape.Shape{shape.N(1)}, rank(x))
	mask[axis] = dims(x)[axis]
	return n.chosenBack(n.choose(n.reshapeTo(c.mask, mask...), rows, x))
}
