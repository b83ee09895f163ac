package lang

import "github.com/skainet-dev/skainet-go/compile/op"

// Direction is what Compare asks of each pair of elements.
type Direction string

// The directions. With a NaN on either side NE holds and the others do not.
const (
	EQ Direction = op.EQ // equal
	NE Direction = op.NE // not equal
	LT Direction = op.LT // less
	LE Direction = op.LE // less or equal
	GT Direction = op.GT // greater
	GE Direction = op.GE // greater or equal
)

// ScatterMode is how a scatter combines an element with an update of it.
type ScatterMode string

// The modes of Scatter, ScatterAlong and ScatterND.
const (
	ScatterSet ScatterMode = op.ScatterSet // the update replaces the element
	ScatterAdd ScatterMode = op.ScatterAdd // their sum
	ScatterMul ScatterMode = op.ScatterMul // their product
	ScatterMin ScatterMode = op.ScatterMin // the smaller one
	ScatterMax ScatterMode = op.ScatterMax // the larger one
)

// PadMode is which elements of a tensor Tensor.PadMode continues it with, as in
// numpy.pad.
type PadMode string

// The modes, each with what it makes of a b c d where it adds two on either side.
const (
	Reflect   PadMode = op.Reflect   // c b [a b c d] c b
	Symmetric PadMode = op.Symmetric // b a [a b c d] d c
	Edge      PadMode = op.Edge      // a a [a b c d] d d
	Wrap      PadMode = op.Wrap      // c d [a b c d] a b
)

// DepthOrder is the order of the channels of DepthToSpace and SpaceToDepth, as ONNX
// names it.
type DepthOrder string

// The orders of the channels on the deep side.
const (
	DCR DepthOrder = op.DCR // place in the block, then channel of the shallow side: depth, column, row
	CRD DepthOrder = op.CRD // channel of the shallow side, then place in the block: PyTorch's pixel shuffle
)

// ResizeMode is how Resize interpolates.
type ResizeMode string

// The ways to interpolate.
const (
	Nearest ResizeMode = op.Nearest
	Linear  ResizeMode = op.Linear
	Cubic   ResizeMode = op.Cubic
)

// ResizeCoordinates is where an element of Resize's result lies in the operand.
type ResizeCoordinates string

// The coordinates x of the element i of a result, as ONNX names them.
const (
	HalfPixel        ResizeCoordinates = op.HalfPixel        // (i + 1/2)/scale - 1/2
	PyTorchHalfPixel ResizeCoordinates = op.PyTorchHalfPixel // as HalfPixel, but 0 where the result has one element
	AlignCorners     ResizeCoordinates = op.AlignCorners     // the first and last elements lie on those of the operand
	Asymmetric       ResizeCoordinates = op.Asymmetric       // i/scale
)

// ResizeRounding is which element is nearest to a coordinate.
type ResizeRounding string

// The roundings of mode Nearest.
const (
	RoundPreferFloor ResizeRounding = op.PreferFloor // to the nearest, halves down
	RoundPreferCeil  ResizeRounding = op.PreferCeil  // to the nearest, halves up
	RoundFloor       ResizeRounding = op.RoundFloor  // down
	RoundCeil        ResizeRounding = op.RoundCeil   // up
)

// Compare compares element by element; the result is bool.
func (t Tensor) Compare(d Direction, o Tensor) Tensor {
	return t.binary("compare", o, attrs{"direction": string(d)})
}

// Equal returns t == o, element by element.
func (t Tensor) Equal(o Tensor) Tensor { return t.Compare(EQ, o) }

// NotEqual returns t != o, element by element.
func (t Tensor) NotEqual(o Tensor) Tensor { return t.Compare(NE, o) }

// Less returns t < o, element by element.
func (t Tensor) Less(o Tensor) Tensor { return t.Compare(LT, o) }

// LessEqual returns t <= o, element by element.
func (t Tensor) LessEqual(o Tensor) Tensor { return t.Compare(LE, o) }

// Greater returns t > o, element by element.
func (t Tensor) Greater(o Tensor) Tensor { return t.Compare(GT, o) }

// GreaterEqual returns t >= o, element by element.
func (t Tensor) GreaterEqual(o Tensor) Tensor { return t.Compare(GE, o) }
