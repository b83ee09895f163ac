package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Weights that are read unpacked although no policy asks for it are reported once for
// each encoding.
func TestNotesOfUnpackedWeights(t *testing.T) {
	index := &tensor.Index{Format: "gguf"}
	for _, s := range []struct {
		name string
		e    quant.Encoding
	}{{"a", "IQ1_S"}, {"b", "IQ1_S"}, {"c", "Q8_K"}, {"d", "Q4_K"}, {"e", quant.Dense}, {"f", "IQ1_S"}, {"g", "IQ1_S"}} {
		spec := tensor.Spec{Name: s.name, DType: dtype.F32, Shape: shape.Of(256, 256), Encoding: s.e, Bytes: 4 * 256 * 256}
		if !s.e.IsDense() {
			n, err := s.e.Size(256 * 256)
			require.NoError(t, err)
			spec.Bytes = n
		}
		index.Tensors = append(index.Tensors, spec)
	}
	build := func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 1, 256)
			for _, s := range index.Tensors {
				x = x.Dot(f.Param(s.Name), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}})
			}
			f.Output("y", x)
		})
	}
	notes := func(o Options) []string {
		var b bytes.Buffer
		o.Name, o.Notes = "m", &b
		_, m, err := RunIndex(cpu.Evaluate, build, index, o)
		require.NoError(t, err)
		require.NotEmpty(t, m.Text)
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	got := notes(Options{})
	require.Len(t, got, 2)
	require.Equal(t, "note: weights in IQ1_S are read unpacked, 1048576 bytes for 51200 in the file: programs cannot read blocks of this encoding "+
		"(4: a, b, f, ...); set a weight policy for them, such as a=bf16, to silence this note", got[0])
	require.Contains(t, got[1], "weights in Q8_K are read unpacked, 262144 bytes for 74752 in the file")
	require.Contains(t, got[1], "(1: c)")

	// A policy that names the weights silences the note.
	require.Len(t, notes(Options{Weights: "packed,c=bf16"}), 1)
	for _, quiet := range []Options{{Weights: "bf16"}, {DType: "int8"}, {Weights: "packed,[abcfg]=f32"}} {
		require.Equal(t, []string{""}, notes(quiet))
	}
	// Blocks that the model uses where blocks cannot be read.
	index = &tensor.Index{Format: "gguf", Tensors: index.Tensors[3:4]}
	require.Equal(t, []string{""}, notes(Options{}))
	index.Tensors[0].Shape = shape.Of(256 * 256) // as many bytes
	build = func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 256*256).Mul(f.Param("d"))) })
	}
	require.Contains(t, notes(Options{})[0], "weights in Q4_K are read unpacked")
	require.Contains(t, notes(Options{})[0], "the model uses them where programs cannot read blocks")
	_, _, err := RunIndex(cpu.Evaluate, build, index, Options{Name: "m"})
	require.NoError(t, err, "nobody listens")
}
