package cpu

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
)

// kernel is this backend's column of the table in compile/op: it computes the
// results of a node. Inputs are immutable; results may share their memory.
type kernel func(f *frame, n *dag.Node, in []array) ([]array, error)

// kernels is filled from the family files.
var kernels map[string]kernel

// makers are kernels whose results lie in memory of their own, or in that of an
// input.
var makers = map[string]bool{}

func init() { // breaks the cycle of control kernels, which run blocks
	kernels = map[string]kernel{}
	for _, family := range []map[string]kernel{
		elementwiseKernels, layoutKernels, contractionKernels, convolutionKernels,
		reductionKernels, indexingKernels, normKernels, attentionKernels, blockKernels,
	} {
		maps.Copy(kernels, family)
		for name := range family {
			makers[name] = true
		}
	}
	maps.Copy(kernels, sourceKernels)
	maps.Copy(kernels, controlKernels)
}

// one wraps a kernel with one result, of type out.
func one(f func(n *dag.Node, in []array, out tensor.Type) array) kernel {
	return func(_ *frame, n *dag.Node, in []array) ([]array, error) {
		return []array{f(n, in, n.Outputs[0].Type)}, nil
	}
}
