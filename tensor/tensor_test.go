package tensor

import (
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestValueRoundTrip(t *testing.T) {
	v, err := Of([]int32{1, -2, 3, 4, 5, 6}, 2, 3)
	require.NoError(t, err)
	require.Equal(t, "i32[2x3]", v.Type.String())
	require.Equal(t, []byte{1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff}, v.Bytes[:8])
	got, err := Slice[int32](v)
	require.NoError(t, err)
	require.Equal(t, []int32{1, -2, 3, 4, 5, 6}, got)

	_, err = Slice[float32](v)
	require.Equal(t, CodeBadType, errs.CodeOf(err))
	_, err = Of([]float32{1}, 2)
	require.Equal(t, CodeBadSize, errs.CodeOf(err))
	v.Bytes = v.Bytes[:5]
	_, err = Slice[int32](v)
	require.Equal(t, CodeBadSize, errs.CodeOf(err))
	_, err = Zero(TypeOf(dtype.F64, 1<<60, 2))
	require.Error(t, err, "a size in bytes that wraps is refused")
}

// Every half goes to a float and back to itself; the table of known values is
// from IEEE 754-2019.
func TestHalfConversions(t *testing.T) {
	for h := range 1 << 16 {
		f := F16ToF32(uint16(h))
		if f != f {
			require.True(t, math.IsNaN(float64(F16ToF32(F32ToF16(f)))))
			continue
		}
		require.Equal(t, uint16(h), F32ToF16(f), "half %#04x", h)
	}
	known := map[uint16]float32{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 1.0 / (1 << 24), 0x0400: 1.0 / (1 << 14), 0x3555: 0.333251953125}
	for h, f := range known {
		require.Equal(t, f, F16ToF32(h))
	}
	require.Equal(t, uint16(0x7c00), F32ToF16(65520), "a tie above the largest half rounds to infinity")
	require.Equal(t, uint16(0x7bff), F32ToF16(65519.996))
	require.Equal(t, uint16(0x3c00), F32ToF16(1+1.0/2048), "a tie rounds to even")
	require.Equal(t, uint16(0x0000), F32ToF16(1.0/(1<<25)), "a tie of the smallest subnormal rounds to even")
	require.Equal(t, uint16(0x3f80), F32ToBF16(1))
	require.Equal(t, uint16(0x3f80), F32ToBF16(1+1.0/256), "a tie rounds to even")
	require.Equal(t, float32(-1.5), BF16ToF32(F32ToBF16(-1.5)))
	require.True(t, math.IsNaN(float64(BF16ToF32(F32ToBF16(float32(math.NaN()))))))
}

func TestOwned(t *testing.T) {
	b := Owned([]byte("2345"))
	require.EqualValues(t, 4, b.Len())
	got, err := b.Bytes()
	require.NoError(t, err)
	require.Equal(t, "2345", string(got))
	r, err := b.Reader()
	require.NoError(t, err)
	got, err = io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "2345", string(got))
	require.NoError(t, b.Close())
	_, err = b.Bytes()
	require.Equal(t, CodeClosed, errs.CodeOf(err))
	_, err = b.Reader()
	require.Equal(t, CodeClosed, errs.CodeOf(err))
}
