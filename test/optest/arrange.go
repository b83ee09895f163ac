package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var arrange = join(
	each("arrange", []dtype.DType{dtype.F32, dtype.F16, dtype.I32, dtype.U8}, func(f *lang.Func, d dtype.DType) {
		x := f.Input("x", d, 3, 4)
		f.Output("reverse", x.Reverse(1))
		f.Output("reverse_both", x.Reverse(0, 1))
		f.Output("tile", x.Tile(2, 3))
		f.Output("roll", x.Roll(-3, 1))
		f.Output("reflect", x.PadMode(lang.Reflect, []int64{2, 0}, []int64{1, 3}))
		f.Output("symmetric", x.PadMode(lang.Symmetric, []int64{0, 4}, []int64{3, 1}))
		f.Output("edge", x.PadMode(lang.Edge, []int64{2, 1}, []int64{0, 5}))
		f.Output("wrap", x.PadMode(lang.Wrap, []int64{1, 2}, []int64{2, 1}))
		f.Output("tril", x.Tril(0))
		f.Output("triu", x.Triu(1))
	}, nil),
	each("scan", []dtype.DType{dtype.F32, dtype.F16, dtype.I32}, func(f *lang.Func, d dtype.DType) {
		x := f.Input("x", d, 3, 11)
		f.Output("sum", x.CumSum(1, lang.ScanOptions{}))
		f.Output("sum_columns", x.CumSum(0, lang.ScanOptions{Exclusive: true}))
		f.Output("sum_back", x.CumSum(1, lang.ScanOptions{Reverse: true, Exclusive: true}))
		f.Output("product", x.CumProd(1, lang.ScanOptions{}))
		f.Output("product_back", x.CumProd(1, lang.ScanOptions{Reverse: true}))
	}, nil),
	[]entry{{name: "split", build: func(f *lang.Func) {
		parts := f.Input("x", dtype.F32, 2, 7, 3).Split(1, 3, 0, 4)
		f.Output("first", parts[0])
		f.Output("rest", parts[2].SwapLast().Flatten(0, 1).Unsqueeze(0))
	}}},
)
