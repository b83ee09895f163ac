package transform

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Part selects one of the two tensors of Rows.
type Part int

// The parts.
const (
	RowValues Part = iota + 1 // i8, of the tensor's shape
	RowScales                 // f32 [N], one for each row
)

// Rows finds the way from a tensor [N, ...] of floats, dense or in blocks, to 8-bit
// integers with a scale for each of the N rows: the weight-only quantisation of
// output channels, symmetric and with the largest magnitude at 127. A row's scale
// is max |x| / 127 in f32; an element is x/scale, rounded to nearest even. The
// error of an element is at most half a scale. A row of zeros has scale 0.
//
// A row of more than 2^20 elements is PACK_BAD_ROW, and NaN or an infinity
// QUANT_BAD_VALUE.
func Rows(from tensor.Spec, part Part, o Options) (*Transform, error) {
	t := &Transform{From: from, To: from, options: o, Kind: Quantise}
	t.To.DType, t.To.Encoding = dtype.I8, quant.Dense
	base, planar := from.Encoding.Blocks()
	if from.Encoding.IsOpaque() || planar || base.IsDense() && !isFloat(from.DType) || from.Shape.Rank() == 0 {
		return nil, t.none("only rows of floats can be scaled", "export the program without --dtype int8, or use weights in floats")
	}
	have, err := StorageOf(from).Bytes(from.Shape)
	if err != nil {
		return nil, t.named(err)
	}
	if have != from.Bytes {
		return nil, errs.New(CodeLength, "the file has %d bytes for %s (%s), which takes %d", from.Bytes, from.Type(), from.Encoding, have).In(o.File).On(from.Name)
	}
	all, _ := from.Shape.Elements() // Bytes has seen it
	n := from.Shape[0].Size
	t.unit = all / max(n, 1)
	if t.whole(from.Encoding) {
		return nil, t.none("it stores something once for the tensor", "convert the weights to floats first: skainet convert")
	}
	if t.unit > maxRow || t.unit == 0 && n > 0 {
		return nil, errs.New(CodeRow, "a row has %d elements, one that is scaled has 1 to %d", t.unit, maxRow).In(o.File).On(from.Name)
	}
	t.unit = max(t.unit, 1)
	t.units = max(chunkElements/t.unit, 1)
	t.steps = steps{floats: true, from: StorageOf(from), to: Storage{DType: dtype.F32, Encoding: quant.Dense}, part: part, row: t.unit}
	t.To.Bytes = all
	if part == RowScales {
		t.To.DType, t.To.Shape, t.To.Bytes = dtype.F32, shape.Of(n), 4*n
	}
	return t, nil
}

// scaleRows makes the part of each row of values.
func (s steps) scaleRows(c *chunk, values []float32) error {
	for i := int64(0); i < int64(len(values))/s.row; i++ {
		row := values[i*s.row : (i+1)*s.row]
		largest := float32(0)
		for _, x := range row {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return errs.New(quant.CodeBadValue, "%v has no place among 8-bit integers", x)
			}
			largest = max(largest, float32(math.Abs(float64(x))))
		}
		scale := largest / 127
		if s.part == RowScales {
			binary.LittleEndian.PutUint32(c.dst[4*i:], math.Float32bits(scale))
			continue
		}
		for j, x := range row {
			c.dst[i*s.row+int64(j)] = byte(int8(scaled(x, scale)))
		}
	}
	return nil
}

// scaled returns x/scale as an integer. Where the division by 127 was of
// subnormals the quotient may exceed 127, and there may be no scale at all.
func scaled(x, scale float32) float64 {
	if scale == 0 {
		return 0
	}
	return max(min(math.RoundToEven(float64(x)/float64(scale)), 127), -127)
}
