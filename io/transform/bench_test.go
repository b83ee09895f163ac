package transform

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The rate is in bytes of f32, whatever is stored, so that rows compare.
func BenchmarkTransform(b *testing.B) {
	const rows, cols = 4096, 4096
	for _, tt := range []struct{ from, to string }{
		{"f32", "f16"}, {"f32", "bf16"}, {"f16", "f32"}, {"Q8_0", "f32"}, {"Q4_K", "f16"}, {"f32", "Q8_0"}, {"Q4_K", "Q4_K/planar"},
	} {
		b.Run(tt.from+"_to_"+tt.to, func(b *testing.B) {
			from, err := ParseStorage(tt.from)
			require.NoError(b, err)
			to, err := ParseStorage(tt.to)
			require.NoError(b, err)
			s := tensor.Spec{Name: "w", DType: from.DType, Encoding: from.Encoding, Shape: tensor.TypeOf(dtype.F32, rows, cols).Shape}
			s.Bytes, err = from.Bytes(s.Shape)
			require.NoError(b, err)
			data := tensor.Owned(make([]byte, s.Bytes))
			b.SetBytes(rows * cols * 4)
			for b.Loop() {
				t, err := New(s, to, Options{})
				require.NoError(b, err)
				r, err := t.Open(data)
				require.NoError(b, err)
				n, err := io.Copy(io.Discard, r)
				require.NoError(b, err)
				require.Equal(b, t.To.Bytes, n)
			}
		})
	}
}
