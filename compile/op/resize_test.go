package op

import (
	endian "encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func init() {
	inferences = append(inferences, resizeInferences...)
	inferences = append(inferences, rearrangeInferences...)
	inferences = append(inferences, quantizeInferences...)
}

func sizes(v ...int64) Attrs { return Attrs{"sizes": v} }

func scales(v ...float64) tensor.Value {
	out := tensor.Value{Type: tensor.TypeOf(dtype.F64, int64(len(v)))}
	for _, x := range v {
		out.Bytes = endian.LittleEndian.AppendUint64(out.Bytes, math.Float64bits(x))
	}
	return out
}

var resizeInferences = []inference{
	{"resize", "f32[1x2x4x5]", sizes(1, 2, 8, 3), "f32[1x2x8x3]", ""},
	{"resize", "i8[1x2x4x5]", sizes(1, 2, 8, 3), "i8[1x2x8x3]", ""},
	{"resize", "f16[4]", with(with(sizes(7), "mode", Cubic), "coordinates", AlignCorners), "f16[7]", ""},
	{"resize", "f32[4]", with(with(sizes(7), "mode", Linear), "scales", scales(1.8)), "f32[7]", ""},
	{"resize", "f32[0x4]", sizes(0, 4), "f32[0x4]", ""},
	{"resize", "f32[4]", sizes(0), "f32[0]", ""},
	{"resize", "f32[4]", sizes(7, 7), "", CodeAttribute},
	{"resize", "f32[4]", with(sizes(7), "scales", scales(1, 2)), "", CodeAttribute},
	{"resize", "f32[4]", with(sizes(7), "scales", scales(0)), "", CodeAttribute},
	{"resize", "f32[4]", with(sizes(7), "scales", scales(math.NaN())), "", CodeAttribute},
	{"resize", "f32[4]", with(sizes(7), "scales", tensor.Value{Type: tensor.TypeOf(dtype.F32, 1), Bytes: make([]byte, 4)}), "", CodeAttribute},
	{"resize", "f32[4]", with(sizes(7), "mode", "bilinear"), "", CodeAttribute},
	{"resize", "f32[4]", with(sizes(7), "coordinates", "corners"), "", CodeAttribute},
	{"resize", "f32[4]", with(sizes(7), "rounding", "round"), "", CodeAttribute},
	{"resize", "f32[4]", with(sizes(7), "coefficient", math.Inf(1)), "", CodeAttribute},
	{"resize", "i8[4]", with(sizes(7), "mode", Linear), "", CodeDType},
	{"resize", "f32[?]", sizes(7), "", CodeShape},
	{"resize", "f32[0]", sizes(7), "", CodeShape},
	{"resize", "f32[4]", sizes(1 << 40), "", CodeShape},
	{"resize", "f32[4]", sizes(-1), "", CodeShape},
}

var rearrangeInferences = []inference{
	{"depth_to_space", "f32[2x12x3x4]", Attrs{"block": int64(2)}, "f32[2x3x6x8]", ""},
	{"depth_to_space", "u8[2x9x3x4]", Attrs{"block": int64(3), "order": CRD}, "u8[2x1x9x12]", ""},
	{"depth_to_space", "f32[2x12x3x4]", Attrs{"block": int64(5)}, "", CodeShape},
	{"depth_to_space", "f32[12x3x4]", Attrs{"block": int64(2)}, "", CodeShape},
	{"depth_to_space", "f32[?x12x3x4]", Attrs{"block": int64(2)}, "", CodeShape},
	{"depth_to_space", "f32[2x12x3x4]", Attrs{"block": int64(0)}, "", CodeAttribute},
	{"depth_to_space", "f32[2x12x3x4]", Attrs{"block": int64(2), "order": "CDR"}, "", CodeAttribute},
	{"space_to_depth", "f32[2x3x6x8]", Attrs{"block": int64(2)}, "f32[2x12x3x4]", ""},
	{"space_to_depth", "bool[2x3x6x8]", Attrs{"block": int64(2), "order": CRD}, "bool[2x12x3x4]", ""},
	{"space_to_depth", "f32[2x3x6x7]", Attrs{"block": int64(2)}, "", CodeShape},
	{"space_to_depth", "f32[2x3x6x8]", Attrs{"block": int64(1 << 40)}, "", CodeAttribute},
}

var quantizeInferences = []inference{
	{"quantize_linear", "f32[2x3] f32[scalar] i8[scalar]", nil, "i8[2x3]", ""},
	{"quantize_linear", "f16[2x3] f16[3] u16[3]", Attrs{"axis": int64(1)}, "u16[2x3]", ""},
	{"quantize_linear", "f32[2x3] f32[3] u8[3]", nil, "", CodeShape},
	{"quantize_linear", "f32[2x3] f32[3] u8[scalar]", Attrs{"axis": int64(1)}, "", CodeShape},
	{"quantize_linear", "f32[2x3] f32[3] u8[3]", Attrs{"axis": int64(2)}, "", CodeAttribute},
	{"quantize_linear", "f32[2x3] f16[scalar] i8[scalar]", nil, "", CodeDType},
	{"quantize_linear", "f32[2x3] f32[scalar] i32[scalar]", nil, "", CodeDType},
	{"quantize_linear", "f32[2x?] f32[scalar] i8[scalar]", nil, "", CodeShape},
	{"dequantize_linear", "i8[2x3] f32[2] i8[2]", nil, "f32[2x3]", ""},
	{"dequantize_linear", "i32[2x3] f16[scalar] i32[scalar]", nil, "f16[2x3]", ""},
	{"dequantize_linear", "i8[2x3] f32[scalar] u8[scalar]", nil, "", CodeDType},
	{"dequantize_linear", "i64[2x3] f32[scalar] i64[scalar]", nil, "", CodeDType},
	{"dequantize_linear", "i8[2x3] f32[3] i8[3]", nil, "", CodeShape},
}
