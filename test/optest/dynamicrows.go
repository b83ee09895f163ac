package optest

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// ofMany are numbers of rows of x for kernels that process six at a time: fewer than
// six, a few more than six, and more than fit a workgroup.
var ofMany = []sizes{{"n": 1}, {"n": 8}, {"n": 1030}}

// manyRows are products with a dynamic number of rows, with matrices whose rows are
// whole panels of 16 and with others.
var manyRows = func() []entry {
	var entries []entry
	for _, e := range op.PackedEncodings() {
		whole, part := blocksOf(e, 32), blocksOf(e, 21)
		entries = append(entries, entry{name: "many_rows_" + strings.ToLower(string(e)), sizes: ofMany, build: func(f *lang.Func) {
			w, v := f.Input("w", dtype.I8, whole.Type.Shape.Sizes()...), f.Input("v", dtype.I8, part.Type.Shape.Sizes()...)
			x := f.InputOf("x", dtype.F32, n, shape.N(512))
			f.Output("whole", x.DequantMatMul(e, w))
			f.Output("part", x.DequantMatMul(e, v))
		}, args: []tensor.Value{whole, part}})
	}
	for _, d := range []dtype.DType{dtype.F32, dtype.F16, dtype.BF16, dtype.I8} {
		entries = append(entries, entry{name: fmt.Sprintf("many_rows_%s", d), sizes: ofMany, build: func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, n, shape.N(400)) // slices of different lengths
			for _, columns := range []int64{32, 21} {
				w := f.Input(fmt.Sprintf("w%d", columns), d, columns, 400)
				if d != dtype.F32 {
					w = w.Convert(dtype.F32)
				}
				f.Output(fmt.Sprintf("y%d", columns), x.Dot(w, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
			}
			// Sums of 400 terms are about 20 in size, partial sums 60: of those a few
			// roundings, 2^-24 each, stay where terms cancel.
		}, tolerance: parity.Tolerance{Abs: 1e-4, Rel: 1e-5}})
	}
	return entries
}()
