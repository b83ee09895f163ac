package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var layout = append(arrange, []entry{
	{name: "reshape", build: func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 2, 3, 4)
		f.Output("flat", x.Reshape(-1))
		f.Output("split", x.Reshape(3, 2, 2, 2))
		f.Output("bytes", f.Input("b", dtype.U8, 6).Reshape(2, 3))
	}},
	{name: "transpose", build: func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 2, 3, 4)
		f.Output("last", x.Transpose(0, 2, 1))
		f.Output("rotate", x.Transpose(2, 0, 1))
		f.Output("halves", f.Input("h", dtype.F16, 3, 5).Transpose(1, 0))
		f.Output("bools", f.Input("b", dtype.Bool, 3, 5).Transpose(1, 0))
	}},
	{name: "broadcast", build: func(f *lang.Func) {
		f.Output("rows", f.Input("row", dtype.F32, 3).BroadcastTo(2, 3))
		f.Output("columns", f.Input("column", dtype.F32, 2, 1).BroadcastTo(2, 3))
		f.Output("scalar", f.Input("s", dtype.I32).BroadcastTo(2, 3))
	}},
	{name: "concatenate", build: func(f *lang.Func) {
		a, b := f.Input("a", dtype.F32, 2, 3), f.Input("b", dtype.F32, 2, 1)
		f.Output("columns", f.Concat(1, a, b, a))
		f.Output("rows", f.Concat(0, a, f.Input("c", dtype.F32, 1, 3)))
		f.Output("bytes", f.Concat(0, f.Input("d", dtype.I8, 3), f.Input("e", dtype.I8, 5)))
	}},
	{name: "slice", build: func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 5, 7)
		f.Output("rows", x.Slice(0, 1, 4))
		f.Output("steps", x.SliceBy(1, 1, 7, 3))
		f.Output("halves", f.Input("h", dtype.F16, 9).SliceBy(0, 0, 9, 2))
	}},
	{name: "pad", build: func(f *lang.Func) {
		f.Output("columns", f.Input("x", dtype.F32, 2, 3).Pad(1, 2, 1, -1.5))
		f.Output("rows", f.Input("h", dtype.F16, 2, 3).Pad(0, 0, 2, 0.25))
		f.Output("integers", f.Input("i", dtype.I32, 4).Pad(0, 1, 1, 9))
	}},
}...)
