package iree

import (
	"strings"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/hlo/formulas"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var functionRows = []Rewrite{{
	ID:      "f64-functions",
	Symptom: "Functions of f64 other than exponentials, logarithms and roots become calls of a C library, to which CPU programs are not linked, or lose digits near 0.",
	Instead: "formulas with exponentials, logarithms and roots, and series",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Op
		t.Op = func(p *hlo.Printer, name string, vs ...hlo.Value) hlo.Value {
			if f := formulas.F64[strings.TrimPrefix(strings.TrimPrefix(name, "stablehlo."), "chlo.")]; f != nil && vs[0].Type.DType == dtype.F64 {
				return f(p, vs...)
			}
			return inner(p, name, vs...)
		}
	},
}, {
	ID:      "f32-angles",
	Symptom: "The inverse trigonometric functions and atan2 of f32 have only 18 correct bits, and atan2 is wrong for two zeros and for two infinities.",
	Instead: "a series",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		inner := t.Op
		t.Op = func(p *hlo.Printer, name string, vs ...hlo.Value) hlo.Value {
			if f := formulas.Angles[name]; f != nil && vs[0].Type.DType == dtype.F32 {
				return f(p, vs...)
			}
			return inner(p, name, vs...)
		}
	},
}, {
	ID:      "f64-remainder",
	Symptom: "stablehlo.remainder of f64 is a call of fmod, to which CPU programs are not linked.",
	Instead: "integer arithmetic, since float arithmetic flushes subnormals to zero",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Op
		t.Op = func(p *hlo.Printer, name string, vs ...hlo.Value) hlo.Value {
			if name == "stablehlo.remainder" && vs[0].Type.DType == dtype.F64 {
				return formulas.Remainder64(p, vs[0], vs[1])
			}
			return inner(p, name, vs...)
		}
	},
}}
