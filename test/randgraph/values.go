package randgraph

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func decimal(i int) string { return strconv.Itoa(i) }

// numbers returns the elements as f64, which rounds large integers.
func numbers(v tensor.Value) []float64 {
	d := v.Type.DType
	width := d.Bits() / 8
	if d == dtype.Bool {
		width = 1
	}
	out := make([]float64, len(v.Bytes)/width)
	for i := range out {
		bits := uint64(0)
		for k := width - 1; k >= 0; k-- {
			bits = bits<<8 | uint64(v.Bytes[i*width+k])
		}
		switch {
		case d == dtype.F64:
			out[i] = math.Float64frombits(bits)
		case d == dtype.F32:
			out[i] = float64(math.Float32frombits(uint32(bits)))
		case d == dtype.F16:
			out[i] = float64(tensor.F16ToF32(uint16(bits)))
		case d == dtype.BF16:
			out[i] = float64(tensor.BF16ToF32(uint16(bits)))
		case d.IsSigned():
			shift := 64 - 8*width
			out[i] = float64(int64(bits<<shift) >> shift)
		default:
			out[i] = float64(bits)
		}
	}
	return out
}

// valueOf rounds numbers to the element type.
func valueOf(t tensor.Type, xs []float64) tensor.Value {
	v := tensor.Value{Type: t}
	le := binary.LittleEndian
	for _, x := range xs {
		switch t.DType {
		case dtype.F64:
			v.Bytes = le.AppendUint64(v.Bytes, math.Float64bits(x))
		case dtype.F32:
			v.Bytes = le.AppendUint32(v.Bytes, math.Float32bits(float32(x)))
		case dtype.F16:
			v.Bytes = le.AppendUint16(v.Bytes, tensor.F32ToF16(float32(x)))
		case dtype.BF16:
			v.Bytes = le.AppendUint16(v.Bytes, tensor.F32ToBF16(float32(x)))
		case dtype.Bool:
			b := byte(0)
			if x != 0 {
				b = 1
			}
			v.Bytes = append(v.Bytes, b)
		default:
			v.Bytes = le.AppendUint64(v.Bytes, uint64(int64(x)))[:len(v.Bytes)+t.DType.Bits()/8]
		}
	}
	return v
}

// magnitudes returns |v|; negated returns -v. Both only change signs.
func magnitudes(v tensor.Value) tensor.Value { return signs(v, func(b byte) byte { return b &^ 0x80 }) }
func negated(v tensor.Value) tensor.Value    { return signs(v, func(b byte) byte { return b ^ 0x80 }) }

func signs(v tensor.Value, f func(byte) byte) tensor.Value {
	out := tensor.Value{Type: v.Type, Bytes: append([]byte{}, v.Bytes...)}
	width := v.Type.DType.Bits() / 8
	for i := width - 1; i < len(out.Bytes); i += width {
		out.Bytes[i] = f(out.Bytes[i])
	}
	return out
}

// moved moves each element of a float tensor by 1 to n units in the last place,
// up or down. Zeros and infinities are unchanged.
func (o *oracle) moved(v tensor.Value, n int) tensor.Value {
	if !v.Type.DType.IsFloat() || n == 0 {
		return v
	}
	out := tensor.Value{Type: v.Type, Bytes: append([]byte{}, v.Bytes...)}
	width := v.Type.DType.Bits() / 8
	sign := uint64(1) << (8*width - 1)
	infinity := map[dtype.DType]uint64{
		dtype.F16: 0x7c00, dtype.BF16: 0x7f80, dtype.F32: 0x7f800000, dtype.F64: 0x7ff0000000000000,
	}[v.Type.DType]
	for i := 0; i < len(out.Bytes); i += width {
		by := int64(1 + o.r.IntN(n))
		if o.r.IntN(2) == 0 {
			by = -by
		}
		bits := uint64(0)
		for k := width - 1; k >= 0; k-- {
			bits = bits<<8 | uint64(out.Bytes[i+k])
		}
		size := int64(bits &^ sign)
		if size == 0 || uint64(size) >= infinity {
			continue
		}
		size = min(max(size+by, 1), int64(infinity)-1)
		bits = bits&sign | uint64(size)
		for k := range width {
			out.Bytes[i+k] = byte(bits >> (8 * k))
		}
	}
	return out
}

// shifted adds up to n units in the last place of x to the elements of v: of each
// element's own where x has as many, else of the largest. Their significand has bits.
func (o *oracle) shifted(v, x tensor.Value, n float64, bits int) tensor.Value {
	ys, xs := numbers(v), numbers(x)
	greatest := largest(x)
	for i := range ys {
		size := greatest
		if len(xs) == len(ys) {
			size = math.Abs(xs[i])
		}
		if math.IsInf(size, 0) || math.IsNaN(size) {
			continue
		}
		ys[i] += (2*o.r.Float64() - 1) * n * math.Ldexp(size, 1-bits)
	}
	return valueOf(v.Type, ys)
}
