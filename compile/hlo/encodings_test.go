package hlo

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// header is the first line of a text, which has no errors.
func header(t *testing.T, m *Module) string {
	t.Helper()
	require.Empty(t, verify.Text("m", m.Text))
	line, _, _ := strings.Cut(string(m.Text), "\n")
	return line
}

// packed reads weights in blocks: one that two nodes read, one whose key has to be quoted,
// an argument, a constant with a name and one without, and a dense weight.
func packed(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 3, 32)
		blocks := func(key string) lang.Tensor {
			w, _ := f.ParamBlocks(key)
			return w
		}
		f.Output("a", x.DequantMatMul("Q8_0", blocks("w_q8")))
		f.Output("b", blocks("w_q8").DequantTake("Q8_0", f.Input("i", dtype.I32, 2)))
		f.Output("c", x.DequantMatMul("Q4_0", blocks("0/w")))
		f.Output("d", f.Input("raw", dtype.I8, 2, 1, 34).DequantizeBlocks("Q8_0"))
		f.Output("e", lang.Weight(f, "table", make([]int8, 34), 1, 1, 34).Reshape(1, 34).DequantizeBlocks("Q8_0"))
		f.Output("f", lang.Const(f, append(make([]int8, 17), 1), 1, 18).DequantizeBlocks("Q4_0"))
		f.Output("g", x.Slice(1, 0, 3).Add(f.Param("a/bias")))
	})
	// A second tensor of a name: the first counts.
	m.Entry("again", func(f *lang.Func) { f.Output("y", f.Input("raw", dtype.I8, 2, 1, 18).DequantizeBlocks("Q4_0")) })
}

func TestEncodings(t *testing.T) {
	index := &tensor.Index{Format: "test", Tensors: []tensor.Spec{
		{Name: "w_q8", DType: dtype.F32, Shape: shape.Of(4, 32), Encoding: "Q8_0", Bytes: 4 * 34},
		{Name: "0/w", DType: dtype.F32, Shape: shape.Of(4, 32), Encoding: "Q4_0", Bytes: 4 * 18},
		{Name: "a/bias", DType: dtype.F32, Shape: shape.Of(3), Bytes: 12},
	}}
	emitted := func(t *testing.T, build lang.Constructor) *Module {
		g, err := lang.Capture("m", index, build)
		require.NoError(t, err)
		m, err := Emit(g, Options{})
		require.NoError(t, err)
		return m
	}
	t.Run("encoded_weights_produce_module_attributes_block", func(t *testing.T) {
		m := emitted(t, packed)
		require.Equal(t, `module @m attributes {skainet.tensor_encodings = {"0/w" = "Q4_0", "main/constant" = "Q4_0", raw = "Q8_0", table = "Q8_0", w_q8 = "Q8_0"}} {`, header(t, m))
		require.Contains(t, string(m.Text), "// parameter \"w_q8\": Q8_0 f32[4x32]\n")
		require.Contains(t, string(m.Text), "// parameter \"a/bias\": dense f32[3]\n")
		list, err := verify.Encodings("m", m.Text)
		require.NoError(t, err)
		said := map[string]string{}
		for _, e := range list {
			said[e.Name] = e.Encoding.String()
		}
		for _, p := range m.Contract.Parameters {
			if !p.Encoding.IsDense() {
				require.Equal(t, p.Encoding.String(), said[p.Key], p.Key)
			}
		}
	})
	t.Run("dense_graph_keeps_bare_module_header", func(t *testing.T) {
		m := emitted(t, func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 3).Add(f.Param("a/bias"))) })
		})
		require.Equal(t, "module @m {", header(t, m))
		require.NotContains(t, string(m.Text), contract.EncodingsAttribute)
		require.Equal(t, "dense", m.Contract.Parameters[0].Encoding.String())
	})
}

// Blocks keep their encoding on every way from where they are stored to where they are read.
func TestEncodingsOnTheWay(t *testing.T) {
	blocks := func(f *lang.Func, name string) lang.Tensor { return f.Input(name, dtype.I8, 2, 1, 34) }
	read := func(x lang.Tensor) lang.Tensor { return x.DequantizeBlocks("Q8_0") }
	main := func(build func(f *lang.Func)) lang.Constructor {
		return func(m *lang.Module) { m.Entry("main", build) }
	}
	twice := func(f *lang.Func, carried lang.Tensor, next func(c lang.Tensor) lang.Tensor, read func(c lang.Tensor) lang.Tensor) []lang.Tensor {
		initial := []lang.Tensor{f.Splat(dtype.I32, 0), f.Splat(dtype.F32, 0, 2, 32), carried}
		return f.While(initial, func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 2)) },
			func(c []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{c[0].AddScalar(1), c[1].Add(read(c[2])), next(c[2])}
			})
	}
	itself := func(x lang.Tensor) lang.Tensor { return x }
	for name, tt := range map[string]struct {
		build lang.Constructor
		want  string
	}{
		"carried by a loop": {main(func(f *lang.Func) { f.Output("y", twice(f, blocks(f, "a"), itself, read)[1]) }), `a = "Q8_0"`},
		"given by a loop": {main(func(f *lang.Func) {
			b := blocks(f, "b")
			f.Output("y", read(twice(f, blocks(f, "a"), func(lang.Tensor) lang.Tensor { return b }, func(x lang.Tensor) lang.Tensor { return f.Splat(dtype.F32, 0, 2, 32) })[2]))
		}), `a = "Q8_0", b = "Q8_0"`},
		"chosen": {main(func(f *lang.Func) {
			a, b := blocks(f, "a"), blocks(f, "b")
			f.Output("y", read(f.Cond(f.Input("p", dtype.Bool), func() []lang.Tensor { return []lang.Tensor{a} }, func() []lang.Tensor { return []lang.Tensor{b} })[0]))
		}), `a = "Q8_0", b = "Q8_0"`},
		"selected, not the condition": {main(func(f *lang.Func) {
			f.Output("y", read(f.Input("p", dtype.Bool).Select(blocks(f, "a"), blocks(f, "b"))))
		}), `a = "Q8_0", b = "Q8_0"`},
		"sliced":       {main(func(f *lang.Func) { f.Output("y", read(f.Input("a", dtype.I8, 4, 1, 34).Slice(0, 0, 2))) }), `a = "Q8_0"`},
		"concatenated": {main(func(f *lang.Func) { f.Output("y", read(f.Concat(0, blocks(f, "a"), blocks(f, "b")))) }), `a = "Q8_0", b = "Q8_0"`},
		"behind a barrier, transposed": {main(func(f *lang.Func) {
			f.Output("y", read(f.Input("a", dtype.I8, 1, 2, 34).Barrier().Transpose(1, 0, 2)))
		}), `a = "Q8_0"`},
		"from a table, not the indices": {main(func(f *lang.Func) {
			f.Output("y", read(f.Input("a", dtype.I8, 9, 1, 34).Take(f.Input("i", dtype.I8, 2))))
		}), `a = "Q8_0"`},
		"other bits": {main(func(f *lang.Func) { f.Output("y", read(f.Input("a", dtype.U8, 2, 1, 34).Bitcast(dtype.I8))) }), `a = "Q8_0"`},
		"constant": {main(func(f *lang.Func) {
			f.Output("y", read(lang.Weight(f, "a", make([]int8, 4*34), 4, 1, 34).Slice(0, 0, 2)))
		}), `a = "Q8_0"`},
		"multiplied": {main(func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.F32, 3, 32).DequantMatMul("Q8_0", f.Input("a", dtype.I8, 4, 1, 34).Slice(0, 0, 2)))
		}), `a = "Q8_0"`},
		"computed is not stored": {main(func(f *lang.Func) { f.Output("y", read(blocks(f, "a").Add(blocks(f, "b")))) }), ""},
		"called": {func(m *lang.Module) {
			c := m.Func("read", func(f *lang.Func) { f.Output("y", read(blocks(f, "inner"))) })
			m.Entry("main", func(f *lang.Func) { f.Output("y", f.Call(c, blocks(f, "a"))[0]) })
		}, `a = "Q8_0", inner = "Q8_0"`},
		"returned to the caller that reads them": {func(m *lang.Module) {
			c := m.Func("second", func(f *lang.Func) { blocks(f, "u"); f.Output("y", blocks(f, "v").Barrier()) })
			m.Entry("main", func(f *lang.Func) {
				f.Output("y", read(f.Call(c, blocks(f, "x"), blocks(f, "a"))[0]))
				f.Output("z", f.Call(c, blocks(f, "x2"), blocks(f, "dense"))[0])
			})
		}, `a = "Q8_0", v = "Q8_0"`},
		"kept in a state variable": {func(m *lang.Module) {
			s := m.State("kept", dtype.I8, 0, 2, 1, 34)
			m.Entry("set", func(f *lang.Func) { f.Write(s, blocks(f, "a")); f.Output("y", f.Splat(dtype.F32, 0, 1)) })
			m.Entry("get", func(f *lang.Func) { f.Output("y", read(f.Read(s))) })
		}, `a = "Q8_0", kept = "Q8_0"`},
		"an argument's before a private one's": {func(m *lang.Module) {
			c := m.Func("read", func(f *lang.Func) { f.Output("y", f.Input("a", dtype.I8, 2, 1, 18).DequantizeBlocks("Q4_0")) })
			m.Entry("main", func(f *lang.Func) {
				f.Output("z", f.Call(c, f.Input("b", dtype.I8, 2, 1, 18))[0])
				f.Output("y", read(blocks(f, "a")))
			})
		}, `a = "Q8_0", b = "Q4_0"`},
		"a dense constant of the name": {main(func(f *lang.Func) {
			f.Output("y", read(blocks(f, "a")).Slice(1, 0, 3).Add(lang.Weight(f, "a", []float32{1, 2, 3}, 3)))
		}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := lang.Capture("m", nil, tt.build)
			require.NoError(t, err)
			m, err := Emit(g, Options{})
			require.NoError(t, err)
			want := "module @m {"
			if tt.want != "" {
				want = "module @m attributes {skainet.tensor_encodings = {" + tt.want + "}} {"
			}
			require.Equal(t, want, header(t, m))
		})
	}
}
