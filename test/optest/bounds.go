package optest

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Floats out of the range of integers become the nearest integer, and NaN becomes
// 0, whatever computes them, however many there are, and whatever else is in the kernel.
var (
	bounded     = bounds("common", []dtype.DType{dtype.F32, dtype.F16}, dtype.I32, dtype.I8, dtype.U8)
	wideBounded = join(
		bounds("all", []dtype.DType{dtype.F64}, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64),
		bounds("more", []dtype.DType{dtype.F32}, dtype.I16, dtype.I64, dtype.U16, dtype.U32, dtype.U64),
		bounds("some", []dtype.DType{dtype.F16, dtype.BF16}, dtype.I16, dtype.U32, dtype.U64),
	)
	dynamicBounded = over(ofN, each("dynamic_bounds", []dtype.DType{dtype.F32, dtype.F16}, func(f *lang.Func, d dtype.DType) {
		x := f.InputOf("x", d, n, shape.N(5)).MulScalar(100)
		x = x.Div(x.Slice(1, 0, 1).Floor()) // infinities and NaN among them
		for _, i := range integers {
			f.Output(i.String(), x.Convert(i))
		}
	}, nil))
)

// edges are numbers around the bounds of all integers.
var edges = func() []float64 {
	all := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 0.5, -0.5, -0.999, -1, -1.5, 3e9, -3e9, 1e30, -1e30, 60000}
	for _, bits := range []int{7, 8, 15, 16, 31, 32, 63, 64} {
		for _, by := range []float64{-1, -0.5, -0x1p-30, 0, 0.5, 1} {
			e := math.Ldexp(1, bits) + by
			all = append(all, e, -e)
		}
		all = append(all, math.Nextafter(math.Ldexp(1, bits), 0), float64(math.Nextafter32(float32(math.Ldexp(1, bits)), 0)))
	}
	return all
}()

// edgesOf are those that differ in the type, in rows of 5.
func edgesOf(d dtype.DType) tensor.Value {
	var some []float64
	for _, v := range edges {
		switch d {
		case dtype.F32:
			v = float64(float32(v))
		case dtype.F16:
			v = float64(tensor.F16ToF32(tensor.F32ToF16(float32(v))))
		case dtype.BF16:
			v = float64(tensor.BF16ToF32(tensor.F32ToBF16(float32(v))))
		}
		if !slices.Contains(some, v) {
			some = append(some, v)
		}
	}
	for len(some)%5 != 0 {
		some = append(some, 1.75)
	}
	rows := int64(len(some) / 5)
	if d == dtype.F64 {
		return list(some, rows, 5)
	}
	narrow := make([]float32, len(some))
	for i, v := range some {
		narrow[i] = float32(v)
	}
	return typed(d, narrow, rows, 5)
}

// bounds has one entry point for each float.
func bounds(name string, from []dtype.DType, to ...dtype.DType) []entry {
	return each("bounds_"+name, from, func(f *lang.Func, d dtype.DType) {
		rows := edgesOf(d).Type.Shape[0].Size
		x := f.Input("x", d, rows, 5)
		some := x.Slice(0, 0, 1).Reshape(5).Slice(0, 0, 3) // for which scalar code is generated
		folded := constantOf(f, d)
		for _, i := range to {
			f.Output(i.String(), x.Convert(i))
			f.Output(i.String()+"_some", some.Convert(i))
			f.Output(i.String()+"_folded", folded.Convert(i))
			f.Output(i.String()+"_fused", x.Round().Convert(i).Max(f.Splat(i, 1, rows, 5)).Sum(false, 1))
		}
		f.Output("bounded", x.ClampScalar(-200, 100).Convert(to[0]))
		f.Output("splat", f.Splat(d, 60000, 3).Convert(to[len(to)-1]))
		f.Output("bool", x.Convert(dtype.Bool))
	}, func(d dtype.DType) []tensor.Value { return []tensor.Value{edgesOf(d)} })
}

// constantOf converts constants, which a compiler may fold.
func constantOf(f *lang.Func, d dtype.DType) lang.Tensor {
	v := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 300.5, 3e9, -3e9, 1e30}
	if d == dtype.F64 {
		return lang.Const(f, v, int64(len(v)))
	}
	narrow := make([]float32, len(v))
	for i, x := range v {
		narrow[i] = float32(x)
	}
	return lang.Const(f, narrow, int64(len(v))).Convert(d)
}
