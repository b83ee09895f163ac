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

// line is a convolution of floats along a line with a stride of 1, such as those of
// speech: x [B, C, L] with w [F, C/groups, K].
type line struct {
	batch, length, out                 shape.Dim
	channels, features, groups, kernel int64
	low, high, dilation                int64
}

// lineOf returns such a convolution.
func lineOf(n *dag.Node) (line, bool) {
	x, w, y := n.Inputs[0].Type, n.Inputs[1].Type, n.Outputs[0].Type
	if x.Shape.Rank() != 3 || !w.Shape.IsStatic() || !x.Shape[1].IsStatic() || !x.DType.IsFloat() || x.DType.Bits() > 32 {
		return line{}, false
	}
	g := hlo.GeometryOf(n)
	c := line{
		batch: x.Shape[0], length: x.Shape[2], out: y.Shape[2],
		channels: x.Shape[1].Size, features: w.Shape[0].Size, groups: g.Groups, kernel: w.Shape[2].Size,
		low: g.Low[0], high: g.High[0], dilation: g.Dilation[0],
	}
	return c, g.Strides[0] == 1 && c.low >= 0 && c.high >= 0 && c.channels > 0 && c.features > 0
}

// keptLine is one by the kernel that keeps lines of the operand.
func keptLine(n *dag.Node) (call, bool) {
	c, ok := lineOf(n)
	if !ok {
		return call{}, false
	}
	return c.kept(n)
}

// lineConvolution is one whose batch or length is dynamic.
func lineConvolution(n *dag.Node) (call, bool) {
	c, ok := lineOf(n)
	if !ok {
		return call{}, false
	}
	if kept, ok := c.kept(n); ok {
		return kept, true
	}
	k := kernels.Conv{Kernel: [2]int64{1, c.kernel}, Strides: [2]int64{1, 1}, Dilation: [2]int64{1, c.dilation}}
	if c.kernel == 1 {
		k.Dilation[1] = 1
	}
	return fusedCall(c.features, func(e kernels.Epilogue) (kernel, printer) {
		k.Epilogue = e
		return k, func(p *hlo.Printer, in ...hlo.Value) hlo.Value { return c.print(p, k, in) }
	}), k.Supported()
}

// print prints the call for the operands x, w and a bias.
func (c line) print(p *hlo.Printer, k kernels.Conv, in []hlo.Value) hlo.Value {
	f32 := func(sizes ...shape.Dim) tensor.Type { return tensor.Type{DType: dtype.F32, Shape: sizes} }
	groups, depth, features := shape.N(c.groups), c.channels/c.groups, c.features/c.groups
	x, length := in[0], c.length.Plus(shape.N(c.low+c.high))
	if c.low != 0 || c.high != 0 {
		x = p.Pad(x, p.Splat(hlo.Scalar(x.Type), 0), []int64{0, 0, c.low}, []int64{0, 0, c.high}, shape.Shape{c.batch, shape.N(c.channels), length})
	}
	x = p.Reshape(x, f32(c.batch.Times(groups), shape.N(depth), length))
	operands := []hlo.Value{p.Reshape(in[1], f32(groups, shape.N(features), shape.N(depth*c.kernel))), x}
	if k.Bias {
		operands = append(operands, p.Reshape(in[2], f32(groups, shape.N(features))))
	}
	z, m, long := sizeOf(p, x, 0), indexNumber(p, features), sizeOf(p, x, 2)
	out := long
	if span := (c.kernel - 1) * c.dilation; span != 0 {
		out = p.Def(tensor.Type{}, "arith.subi %s, %s : index", long.Name, indexNumber(p, span).Name)
	}
	return dispatch(p, k, f32(c.batch.Times(groups), shape.N(features), c.out), []hlo.Value{z, m, out},
		[]hlo.Value{z, m, out, indexNumber(p, depth*c.kernel), indexNumber(p, c.groups), long, out, long, long}, operands...)
}

// kept is the convolution by the kernel that keeps lines of the operand, with the leaky ReLU
// before it.
func (c line) kept(n *dag.Node) (call, bool) {
	k := kernels.Line{Taps: c.kernel, Dilation: c.dilation, Low: c.low}
	stored := c.keptOf(n, n.Inputs[0], k)
	ok := k.Supported()
	made := n.Inputs[0].Node
	if made == nil || made.Op.ID != id.LeakyRelu || n.Inputs[0].Type.DType != dtype.F32 {
		return stored, ok
	}
	k.Leaky = kernels.Limit{Set: true, At: made.Attrs.Float("slope")}
	fused := c.keptOf(n, made.Inputs[0], k)
	fused.reads, fused.stored = made.Inputs[0], func() call { return stored }
	return fused, ok
}

// keptOf is the call of such a kernel for an operand.
func (c line) keptOf(n *dag.Node, x *dag.Value, k kernels.Line) call {
	of := func(k kernels.Line, e epilogue) call {
		k.Epilogue, k.Addend = e.Epilogue, e.added != nil
		return call{kernel: k, print: func(p *hlo.Printer, last *dag.Node) {
			in := []hlo.Value{p.Convert(p.In(n, 1), dtype.F32), p.Convert(p.Value(x), dtype.F32)}
			for _, more := range []*dag.Value{e.bias, e.added} {
				if more != nil {
					in = append(in, p.Value(more))
				}
			}
			t := last.Outputs[0].Type
			y := p.Reshape(c.printKept(p, k, in), tensor.Type{DType: dtype.F32, Shape: t.Shape})
			p.Bind(last, p.Convert(y, t.DType))
		}}
	}
	plain := of(k, epilogue{})
	plain.adds, plain.with = true, func(e epilogue) call { return of(k, e) }
	return plain
}

// printKept prints the call for the operands w, x, a bias, and a value to add.
func (c line) printKept(p *hlo.Printer, k kernels.Line, in []hlo.Value) hlo.Value {
	f32 := func(sizes ...shape.Dim) tensor.Type { return tensor.Type{DType: dtype.F32, Shape: sizes} }
	groups, depth, features := shape.N(c.groups), c.channels/c.groups, c.features/c.groups
	z := c.batch.Times(groups)
	in[0] = p.Reshape(in[0], f32(groups, shape.N(features), shape.N(depth*c.kernel)))
	in[1] = p.Reshape(in[1], f32(z, shape.N(depth), c.length))
	if k.Bias {
		in[2] = p.Reshape(in[2], f32(groups, shape.N(features)))
	}
	if k.Addend {
		in[len(in)-1] = p.Reshape(in[len(in)-1], f32(z, shape.N(features), c.out))
	}
	count, m, long := sizeOf(p, in[1], 0), indexNumber(p, features), sizeOf(p, in[1], 2)
	out := long
	switch more := c.low + c.high - (c.kernel-1)*c.dilation; {
	case more > 0:
		out = p.Def(tensor.Type{}, "arith.addi %s, %s : index", long.Name, indexNumber(p, more).Name)
	case more < 0:
		out = p.Def(tensor.Type{}, "arith.subi %s, %s : index", long.Name, indexNumber(p, -more).Name)
	}
	return dispatch(p, k, f32(z, shape.N(features), c.out), []hlo.Value{count, m, out},
		[]hlo.Value{count, m, out, indexNumber(p, depth*c.kernel), indexNumber(p, c.groups), long}, in...)
}
