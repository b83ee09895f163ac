package passes

import (
	"bytes"
	"encoding/binary"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Splat turns constants whose elements are all equal into splats,
// which take a few bytes of text whatever their shape, and does the
// same for reshaped splats. Named constants stay: their bytes may
// belong to an archive.
func Splat(g *dag.Graph) { makeSplats(g) }

func makeSplats(g *dag.Graph) (changed bool) {
	splat := op.Of(id.Splat)
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Memory == op.Same || n.Op.ID == id.BroadcastInDim {
				// Walk visits the operand first, so chains collapse in one visit.
				if from := n.Inputs[0].Node; from != nil && from.Op == splat {
					n.Attrs = op.Attrs{"type": n.Outputs[0].Type, "value": from.Attrs.Float("value")}
					n.Op, n.Inputs, changed = splat, nil, true
				}
				return
			}
			if n.Op.Role != op.Literal || n.Attrs.String("name") != "" {
				return
			}
			if v, ok := oneValue(n.Attrs.Value("value")); ok {
				n.Attrs = op.Attrs{"type": n.Outputs[0].Type, "value": v}
				n.Op, changed = splat, true
			}
		})
	}
	return changed
}

// oneValue returns the element that fills v, if a float64 represents it exactly.
func oneValue(v tensor.Value) (float64, bool) {
	width := v.Type.DType.Bits() / 8
	if width == 0 || len(v.Bytes) == 0 {
		return 0, false
	}
	first := v.Bytes[:width]
	for i := width; i < len(v.Bytes); i += width {
		if !bytes.Equal(first, v.Bytes[i:i+width]) {
			return 0, false
		}
	}
	one := tensor.Value{Type: tensor.Type{DType: v.Type.DType}, Bytes: first}
	switch v.Type.DType {
	case dtype.F32:
		return scalar[float32](one)
	case dtype.F64:
		return scalar[float64](one)
	case dtype.I8:
		return scalar[int8](one)
	case dtype.I16:
		return scalar[int16](one)
	case dtype.I32:
		return scalar[int32](one)
	case dtype.U8:
		return scalar[uint8](one)
	case dtype.U16:
		return scalar[uint16](one)
	case dtype.U32:
		return scalar[uint32](one)
	case dtype.I64:
		return scalar[int64](one)
	case dtype.U64:
		return scalar[uint64](one)
	case dtype.F16:
		return number(float64(tensor.F16ToF32(binary.LittleEndian.Uint16(first))))
	case dtype.BF16:
		return number(float64(tensor.BF16ToF32(binary.LittleEndian.Uint16(first))))
	}
	return 0, false
}

func scalar[T float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](v tensor.Value) (float64, bool) {
	s, err := tensor.Slice[T](v)
	if err != nil {
		return 0, false
	}
	f := float64(s[0])
	if v.Type.DType.IsInt() && (f <= -1<<53 || f >= 1<<53) {
		return 0, false // may have been rounded
	}
	return number(f)
}

// number accepts all values except NaN, which keeps its payload as a constant.
func number(f float64) (float64, bool) { return f, f == f }
