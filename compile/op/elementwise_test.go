package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// elementwiseInferences are for operations with attributes or three
// operands; the plain ones are tested by class.
var elementwiseInferences = []inference{
	{"leaky_relu", "f16[2x?]", Attrs{"slope": 0.2}, "f16[2x?]", ""},
	{"leaky_relu", "f32[0]", nil, "f32[0]", ""},
	{"leaky_relu", "i32[2]", nil, "", CodeDType},
	{"leaky_relu", "f32[2]", Attrs{"slope": math.Inf(1)}, "", CodeAttribute},
	{"elu", "f32[scalar]", nil, "f32[scalar]", ""},
	{"elu", "f32[2]", Attrs{"alpha": math.NaN()}, "", CodeAttribute},
	{"elu", "f32[2]", Attrs{"alpha": int64(1)}, "", CodeAttribute},
	{"is_nan", "bf16[2x3]", nil, "bool[2x3]", ""},
	{"is_nan", "i32[2]", nil, "", CodeDType},
	{"is_inf", "f64[scalar]", nil, "bool[scalar]", ""},
	{"is_inf", "bool[2]", nil, "", CodeDType},
	{"is_finite", "f32[?]", nil, "bool[?]", ""},
	{"is_finite", "f32[2] f32[2]", nil, "", CodeOperands},
	{"clamp", "f32[scalar] f32[2x3] f32[scalar]", nil, "f32[2x3]", ""},
	{"clamp", "u8[2] u8[2] u8[scalar]", nil, "u8[2]", ""},
	{"clamp", "f32[1] f32[2] f32[scalar]", nil, "", CodeShape},
	{"clamp", "f32[scalar] f32[2] f16[scalar]", nil, "", CodeShape},
	{"clamp", "bool[scalar] bool[2] bool[scalar]", nil, "", CodeDType},
	{"clamp", "f32[scalar] f32[2]", nil, "", CodeOperands},
	{"remainder", "f32[2] f16[2]", nil, "", CodeShape},
	{"convert", "u64[0]", Attrs{"dtype": dtype.Bool}, "bool[0]", ""},
}
