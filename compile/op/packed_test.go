package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func init() { inferences = append(inferences, packedInferences...) }

func blocksOf(e string) Attrs { return Attrs{"encoding": e} }

var packedInferences = []inference{
	{"bitcast", "i16[2x?]", Attrs{"dtype": dtype.F16}, "f16[2x?]", ""},
	{"bitcast", "i16[2]", Attrs{"dtype": dtype.F32}, "", CodeDType},
	{"bitcast", "bool[2]", Attrs{"dtype": dtype.I8}, "", CodeDType},
	{"dequantize_blocks", "i8[3x2x144]", blocksOf("Q4_K"), "f32[3x512]", ""},
	{"dequantize_blocks", "i8[1x34]", blocksOf("Q8_0"), "f32[32]", ""},
	{"dequantize_blocks", "i8[0x5x2x22]", blocksOf("Q5_0"), "f32[0x5x64]", ""},
	{"dequantize_blocks", "i8[34]", blocksOf("Q8_0"), "", CodeShape},
	{"dequantize_blocks", "i8[3x33]", blocksOf("Q8_0"), "", CodeShape},
	{"dequantize_blocks", "i8[?x34]", blocksOf("Q8_0"), "", CodeShape},
	{"dequantize_blocks", "i8[4611686018427387904x34]", blocksOf("Q8_0"), "", CodeShape},
	{"dequantize_blocks", "u8[3x34]", blocksOf("Q8_0"), "", CodeDType},
	{"dequantize_blocks", "i8[3x34]", blocksOf("Q9_0"), "", CodeAttribute},
	{"dequantize_blocks", "i8[3x50]", blocksOf("IQ1_S"), "", CodeAttribute},
	{"dequantize_blocks", "i8[3x34]", nil, "", CodeAttribute},
	{"dequant_take", "i8[7x2x210] i32[3x5]", blocksOf("Q6_K"), "f32[3x5x512]", ""},
	{"dequant_take", "i8[7x2x210] i32[scalar]", blocksOf("Q6_K"), "f32[512]", ""},
	{"dequant_take", "i8[0x2x210] i32[3]", blocksOf("Q6_K"), "", CodeShape},
	{"dequant_take", "i8[2x210] i32[3]", blocksOf("Q6_K"), "", CodeShape},
	{"dequant_take", "i8[3000000000x1x34] i32[3]", blocksOf("Q8_0"), "", CodeShape},
	{"dequant_take", "i8[7x2x210] f32[3]", blocksOf("Q6_K"), "", CodeDType},
	{"dequant_matmul", "f32[1x64] i8[5x2x22]", blocksOf("Q5_0"), "f32[1x5]", ""},
	{"dequant_matmul", "f32[64] i8[5x2x22]", blocksOf("Q5_0"), "f32[5]", ""},
	{"dequant_matmul", "f32[3x2x64] i8[0x2x22]", blocksOf("Q5_0"), "f32[3x2x0]", ""},
	{"dequant_matmul", "f32[1x32] i8[5x2x22]", blocksOf("Q5_0"), "", CodeShape},
	{"dequant_matmul", "f32[scalar] i8[5x2x22]", blocksOf("Q5_0"), "", CodeShape},
	{"dequant_matmul", "f32[1x64] i8[2x22]", blocksOf("Q5_0"), "", CodeShape},
	{"dequant_matmul", "f32[?x64] i8[5x2x22]", blocksOf("Q5_0"), "", CodeShape},
	{"dequant_matmul", "f16[1x64] i8[5x2x22]", blocksOf("Q5_0"), "", CodeDType},
	{"dequant_matmul", "f32[1x64] f32[5x2x22]", blocksOf("Q5_0"), "", CodeDType},
	{"parameter", "", Attrs{"type": tensor.TypeOf(dtype.I8, 5, 2, 22), "key": "w", "encoding": "Q5_0"}, "i8[5x2x22]", ""},
	{"parameter", "", Attrs{"type": tensor.TypeOf(dtype.I8, 5, 2, 21), "key": "w", "encoding": "Q5_0"}, "", CodeAttribute},
	{"parameter", "", Attrs{"type": tensor.TypeOf(dtype.F32, 5, 2, 22), "key": "w", "encoding": "Q5_0"}, "", CodeAttribute},
	{"parameter", "", Attrs{"type": tensor.TypeOf(dtype.I8, 5, 2, 22), "key": "w", "encoding": "Q5"}, "", CodeAttribute},
}
