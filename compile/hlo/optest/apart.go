package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
)

// wrongOnVulkan are functions of which IREE 3.13.0 makes wrong SPIR-V, seen on
// Mesa's software driver: numbers that differ in the first digit, no diagnostic,
// while processors agree with the reference. The README lists them; one that a
// lowering puts right goes back among those for all targets.
var wrongOnVulkan = join(
	// Products whose columns go to several gates.
	each("gru", []dtype.DType{dtype.F16}, gru, nil),
	// A sum over a middle dimension, on subgroups of 4.
	each("length_middle", halves, func(f *lang.Func, d dtype.DType) {
		f.Output("y", f.Input("x", d, 2, 6, 5).L2Normalize(1, 1e-12))
	}, nil),
)

func gru(f *lang.Func, d dtype.DType) {
	x, h := f.Input("x", d, 2, 3), f.Input("h", d, 2, 4)
	w, r, b := f.Input("w", d, 12, 3), f.Input("r", d, 12, 4), f.Input("b", d, 24)
	f.Output("gru", x.GRUCell(h, w, r, b, false))
	f.Output("gru_linear", x.GRUCell(h, w, r, b, true))
}
