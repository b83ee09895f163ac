package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var signalRules = map[string]rule{
	"HannWindow":     cosines(0.5, -0.5),
	"HammingWindow":  cosines(25.0/46, -21.0/46),
	"BlackmanWindow": cosines(0.42, -0.5, 0.08),
	"DFT": func(n *node) []*dag.Value {
		x := n.in(0)
		axis := n.int("axis", 1)
		if n.opset >= 20 {
			axis = -2
			if n.has(2) {
				axis = n.whole(2)
			}
		}
		a := n.axis(axis, rank(x))
		length := int64(0)
		if n.has(1) {
			length = n.whole(1)
		} else {
			length = extent(x, a)
		}
		return one(n.fourier(x, a, length, n.int("inverse", 0) == 1, n.int("onesided", 0) == 1))
	},
	"STFT": func(n *node) []*dag.Value {
		x, step := n.in(0), n.whole(1)
		length := int64(0)
		if n.has(2) {
			length = sizes(n.in(2))[0]
		}
		if n.has(3) {
			length = n.whole(3)
		}
		if rank(x) == 2 { // as ONNX Runtime takes real ones too
			x = n.reshapeTo(x, append(slices.Clone(dims(x)), shape.N(1))...)
		}
		size := dims(x)[1]
		if step < 1 || length < 1 || !size.AtLeast(length) {
			n.undecided(shape.Shape{size}, "an STFT of frames of %d elements by steps of %d, of a signal of %s", length, step, size)
		}
		count := size.Minus(shape.N(length)).FloorDiv(step).Plus(shape.N(1))
		if count.IsStatic() {
			n.bounded(count.Size, length)
		}
		first := n.scale(n.iotaTo(dtype.I64, 0, count, shape.N(1)), float64(step))
		frames := n.takeAlong(x, n.binary("add", first, n.iota(dtype.I64, 1, 1, length)), 1) // [B, count, length, 1 or 2]
		if n.has(2) {
			frames = n.binary("multiply", frames, n.reshape(n.in(2), length, 1))
		}
		return one(n.fourier(frames, 2, length, false, n.int("onesided", 1) == 1))
	},
}

// cosines is a window: a sum of cosines of 0, 1, 2, ... turns.
func cosines(weights ...float64) rule {
	return func(n *node) []*dag.Value {
		size := n.whole(0)
		whole := size
		if n.int("periodic", 1) == 0 {
			whole--
		}
		at := n.iota(dtype.F32, 0, size)
		y := n.splat(at, weights[0])
		for i, w := range weights[1:] {
			turn := n.add("cosine", nil, n.scale(at, 2*math.Pi*float64(i+1)/float64(whole)))
			y = n.binary("add", y, n.scale(turn, w))
		}
		return one(n.convert(y, n.dtypeOf(n.int("output_datatype", 1))))
	}
}

// fourier transforms x [..., 1 or 2], real or complex, along a into complex
// numbers by a product with the matrix of the transform.
func (n *node) fourier(x *dag.Value, a, length int64, inverse, half bool) *dag.Value {
	last := int64(rank(x) - 1)
	have := extent(x, a)
	if have > length {
		x = n.window(x, a, 0, length, 1)
		have = length
	}
	rows := length
	if half {
		rows = length/2 + 1
	}
	n.bounded(rows, have)
	sign, scale := -1.0, 1.0
	if inverse {
		sign, scale = 1, 1/float64(length)
	}
	cos, sin := make([]float64, 0, rows*have), make([]float64, 0, rows*have)
	for k := range rows {
		for i := range have { // elements beyond are zero
			angle := 2 * math.Pi * float64(k*i%length) / float64(length)
			cos, sin = append(cos, scale*math.Cos(angle)), append(sin, sign*scale*math.Sin(angle))
		}
	}
	part := func(i int64) *dag.Value { return n.window(x, last, i, i+1, 1) }
	c, s := n.matrix(x.Type.DType, cos, rows, have), n.matrix(x.Type.DType, sin, rows, have)
	real, imaginary := n.project(part(0), c, a), n.project(part(0), s, a)
	if extent(x, last) == 2 {
		real = n.binary("subtract", real, n.project(part(1), s, a))
		imaginary = n.binary("add", imaginary, n.project(part(1), c, a))
	}
	return n.add("concatenate", op.Attrs{"dim": last}, real, imaginary)
}

// matrix is a constant.
func (n *node) matrix(d dtype.DType, elements []float64, sizes ...int64) *dag.Value {
	v, err := tensor.Of(elements, sizes...)
	if err != nil {
		panic(refusal{err})
	}
	return n.convert(n.constant(v), d)
}

// project multiplies dimension a of x by a matrix [M, size of a].
func (n *node) project(x, matrix *dag.Value, a int64) *dag.Value {
	y := n.add("dot_general", op.Attrs{"lhs_contracting": []int64{a}, "rhs_contracting": []int64{1}}, x, matrix)
	back := []int64{}
	for i := range int64(rank(x) - 1) {
		back = append(back, i)
	}
	return n.transpose(y, slices.Insert(back, int(a), int64(rank(x)-1))...)
}
