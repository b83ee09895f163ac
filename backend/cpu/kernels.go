package cpu

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

// kernel is this backend's column of the table in compile/op: it computes the
// results of a node. Inputs are immutable; results may share their memory.
type kernel func(f *frame, n *dag.Node, in []array) ([]array, error)

// kernels is filled from the family files. Elementwise operations without a kernel in a
// family file are computed by their scalar function.
var kernels []kernel

func init() { // breaks the cycle of control kernels, which run blocks
	kernels = make([]kernel, id.Count())
	for _, o := range op.BuiltIn() {
		kernels[o.ID] = scalarKernel(o)
	}
	for _, family := range []map[id.ID]kernel{
		sourceKernels, elementwiseKernels, layoutKernels, contractionKernels, convolutionKernels, reductionKernels,
		indexingKernels, normKernels, attentionKernels, blockKernels, controlKernels,
	} {
		for i, k := range family {
			kernels[i] = k
		}
	}
}

// kernelOf returns the kernel of an operation.
func kernelOf(o *op.Op) kernel {
	if o.Custom != nil {
		return registered
	}
	return kernels[o.ID]
}

// makes reports whether results of n have memory of their own, rather than that of an input.
func makes(n *dag.Node) bool { return n.Op.Family != op.Source && n.Op.Family != op.Control }

// one wraps a kernel with one result, of type out.
func one(f func(n *dag.Node, in []array, out tensor.Type) array) kernel {
	return func(_ *frame, n *dag.Node, in []array) ([]array, error) {
		return []array{f(n, in, n.Outputs[0].Type)}, nil
	}
}
