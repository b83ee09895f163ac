package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// manyElements is the number of elements below which a reduction costs no more than a kernel's
// call.
const manyElements = 4096

// extremesRow is a row of the table of kernels.
var extremesRow = Rewrite{
	ID:      "extremes-kernel",
	Symptom: "The least and the greatest of all elements, from which a model that is quantised as it runs makes a scale, are two dispatches that each read the tensor, and wait for each comparison.",
	Instead: "one kernel for both",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Time,
	install: func(t *target) {
		withKernels(id.ReduceMin, extremes(0))(t)
		withKernels(id.ReduceMax, extremes(1))(t)
		if t.o.Wide { // whose processors have a fused multiply-add
			withKernels(id.Convert, quantized)(t)
		}
	},
}

// extremes is a reduction of all of many elements to the least, or to the greatest: element
// at of a kernel's result, which both reductions of a value share.
func extremes(at int64) func(n *dag.Node) (call, bool) {
	return func(n *dag.Node) (call, bool) {
		x := n.Inputs[0].Type
		count, left := x.Shape.Product(), kept(n)
		return call{kernel: kernels.Extremes{}, print: func(p *hlo.Printer, n *dag.Node) {
			in := p.In(n, 0)
			y := p.Once("extremes "+in.Name, func() hlo.Value {
				x := p.Reshape(in, tensor.Type{DType: dtype.F32, Shape: shape.Shape{count}})
				return dispatch(p, kernels.Extremes{}, tensor.TypeOf(dtype.F32, 2), nil, []hlo.Value{sizeOf(p, x, 0)}, x)
			})
			y = p.Slice(y, tensor.TypeOf(dtype.F32, 1), shape.Of(at), shape.Of(at+1), []int64{1})
			p.Bind(n, p.Reshape(y, n.Outputs[0].Type))
		}}, x.DType == dtype.F32 && left == shape.N(1) && (!count.IsStatic() || count.Size >= manyElements)
	}
}
