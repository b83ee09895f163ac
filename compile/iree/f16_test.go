package iree

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// manyHalves has f16 everywhere that a text can: arguments, results, constants, a weight,
// state variables, a loop, a function, and blocks.
func manyHalves(m *lang.Module) {
	cache, count := m.State("cache", dtype.F16, 0, 4, 2), m.State("count", dtype.I16, 0)
	bits := m.State("bits", dtype.I16, 1)
	twice := m.Func("twice", func(f *lang.Func) { x := f.Input("x", dtype.F16, 4, 2); f.Output("y", x.Add(x)) })
	m.Entry("step", func(f *lang.Func) {
		x, at := f.Input("x", dtype.F16, 1, 2), f.Input("at", dtype.I32)
		rows := f.Read(cache).Update(x, at, f.Splat(dtype.I32, 0))
		f.Write(cache, rows)
		f.Write(count, f.Read(count).AddScalar(1))
		f.Write(bits, f.Read(bits))
		f.Output("rows", rows.AddScalar(0.5))
		f.Output("twice", f.Call(twice, rows)[0])
		f.Output("same", x)
	})
	m.Entry("loop", func(f *lang.Func) {
		limit := f.Input("limit", dtype.F16)
		out := f.While([]lang.Tensor{f.Splat(dtype.F16, 1)},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(limit) },
			func(c []lang.Tensor) []lang.Tensor { return []lang.Tensor{c[0].MulScalar(2).Barrier()} })
		f.Output("y", out[0])
	})
	m.Entry("weight", func(f *lang.Func) {
		w := f.Param("z.weight")
		f.Output("y", f.InputOf("x", dtype.F16, shape.Named("n"), shape.N(2)).Dot(w, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
		f.Output("rows", w.Take(f.Input("rows", dtype.I32, 2)))
		f.Output("wide", f.Input("d", dtype.F64, 2).Convert(dtype.F16))
	})
}

// The values of the text are i16: f16 occurs in signatures of entry points, where an
// argument or result is bitcast, and in the names and bodies of kernels.
func TestIntegerF16(t *testing.T) {
	mention := regexp.MustCompile(`[x<]f16>`)
	for _, kernels := range []bool{false, true} {
		plain := mustEmit(t, manyHalves, Options{Kernels: kernels})
		m := mustEmit(t, manyHalves, Options{Kernels: kernels, IntegerF16: true})
		require.Equal(t, plain.Parameters, m.Parameters)
		require.Equal(t, plain.Contract.Entries, m.Contract.Entries)
		text := string(m.Text)
		require.Equal(t, text, string(mustEmit(t, manyHalves, Options{Kernels: kernels, IntegerF16: true}).Text))
		casts := 0
		for _, line := range strings.Split(text, "\n") {
			if !mention.MatchString(line) || strings.Contains(line, "func.func @") || strings.HasPrefix(line, "    return ") || strings.Contains(line, "memref") {
				continue
			}
			require.Regexp(t, `%\d+ = stablehlo.bitcast_convert %\S+ : \(tensor<([0-9x?]*)(f16|i16)>\) -> tensor<([0-9x?]*)(i16|f16)>$`, line)
			casts++
		}
		require.Equal(t, 3+7, casts, "arguments and results of f16")
		require.NotContains(t, text, "arith.extf")
		require.Contains(t, text, `util.global private @"z.weight" = #flow.parameter.named<"model"::"z.weight"> : tensor<3x2xi16>`)
		require.Contains(t, text, "func.func private @twice(%x: tensor<4x2xi16>) -> (tensor<4x2xi16>) {")
		// The initial values differ, or the compiler would let the variables share memory.
		require.Contains(t, text, "util.global private mutable @cache = dense<2> : tensor<4x2xi16>")
		require.Contains(t, text, "util.global private mutable @count = dense<0> : tensor<i16>")
	}
}

// Without f16 both forms of the text are the same.
func TestIntegerF16WithoutHalves(t *testing.T) {
	for _, build := range []lang.Constructor{affine, weightedModel, looping} {
		for _, kernels := range []bool{false, true} {
			o := Options{Kernels: kernels}
			plain := mustEmit(t, build, o)
			o.IntegerF16 = true
			require.Equal(t, string(plain.Text), string(mustEmit(t, build, o).Text))
		}
	}
}
