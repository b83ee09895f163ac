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
