package xla

import (
	"strings"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/hlo/formulas"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var rows = []Rewrite{{
	ID:      "ynn-fusion",
	Symptom: "Sums and elementwise operations that XLA gives to the library YNNPACK compute other numbers at each run: a sum over two dimensions of products with values of fewer elements.",
	Instead: "only products are given to the library",
	Targets: "xla_cpu", First: "0.115", Last: "0.115", Shown: "many_rows_q4_0",
	Flags: map[string]any{"xla_cpu_experimental_ynn_fusion_type": "LIBRARY_FUSION_TYPE_DOT,LIBRARY_FUSION_TYPE_INDIVIDUAL_DOT"},
}, {
	ID:      "arctangent",
	Symptom: "chlo.atan of as many elements as a vector register has, or more, is wrong.",
	Instead: "a series; for f16 and bf16 in f32",
	Targets: "xla_cpu", First: "0.115", Last: "0.115", Shown: "dynamic_any_f32_1",
	install: func(f *hlo.Form) {
		inner := f.Op
		f.Op = func(p *hlo.Printer, name string, vs ...hlo.Value) hlo.Value {
			if name != "chlo.atan" {
				return inner(p, name, vs...)
			}
			d := vs[0].Type.DType
			if d == dtype.F64 {
				return formulas.Angles[name](p, vs...)
			}
			return p.Convert(formulas.Angles[name](p, p.Convert(vs[0], dtype.F32)), d)
		}
	},
}, {
	ID:      "f64-hyperbolic",
	Symptom: "The hyperbolic sine and cosine of f64 lose digits as their argument grows: they add the logarithm of 1/2 to it.",
	Instead: "formulas with exponentials",
	Targets: "xla_cpu", First: "0.81", Last: "0.115", Shown: "exact_sinh",
	install: func(f *hlo.Form) { ofF64(f, "sinh", "cosh") },
}, {
	ID:      "f64-cube-root",
	Symptom: "The cube root of f64 loses digits.",
	Instead: "formulas with exponentials and logarithms",
	Targets: "xla_cpu", First: "0.81", Last: "0.81", Shown: "exact_cbrt",
	install: func(f *hlo.Form) { ofF64(f, "cbrt") },
}, {
	ID:      "f64-remainder",
	Symptom: "The remainder of f64 is NaN where the quotient has more bits than an f64, and for subnormal numbers, which programs take for zeros.",
	Instead: "integer arithmetic",
	Targets: "xla_cpu", First: "0.81", Last: "0.115", Shown: "remainder_f64",
	install: func(f *hlo.Form) {
		inner := f.Op
		f.Op = func(p *hlo.Printer, name string, vs ...hlo.Value) hlo.Value {
			if name == "stablehlo.remainder" && vs[0].Type.DType == dtype.F64 {
				return formulas.Remainder64(p, vs[0], vs[1])
			}
			return inner(p, name, vs...)
		}
	},
}}

// ofF64 makes a form write functions of f64 as formulas.
func ofF64(f *hlo.Form, names ...string) {
	inner := f.Op
	f.Op = func(p *hlo.Printer, name string, vs ...hlo.Value) hlo.Value {
		short := strings.TrimPrefix(strings.TrimPrefix(name, "stablehlo."), "chlo.")
		for _, n := range names {
			if n == short && vs[0].Type.DType == dtype.F64 {
				return formulas.F64[short](p, vs...)
			}
		}
		return inner(p, name, vs...)
	}
}
