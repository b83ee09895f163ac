package tensor

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func little[T any](t *testing.T, data ...T) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, data)
	require.NoError(t, err)
	return b
}

// Bit patterns and what IEEE 754, bfloat16 and the OCP 8-bit formats say that
// they are.
func TestDecode(t *testing.T) {
	tests := []struct {
		d    dtype.DType
		b    []byte
		want []float64
	}{
		{dtype.F32, little[uint32](t, 0x3f800000, 0xc0200000), []float64{1, -2.5}},
		{dtype.F64, little[uint64](t, 0x3ff0000000000000, 0xc004000000000000), []float64{1, -2.5}},
		{dtype.F16, little[uint16](t, 0x3c00, 0xc100, 0x0001), []float64{1, -2.5, 1.0 / (1 << 24)}},
		{dtype.BF16, little[uint16](t, 0x3f80, 0xc020), []float64{1, -2.5}},
		{dtype.F8E4M3FN, []byte{0x38, 0xc2, 0x7e}, []float64{1, -2.5, 448}},
		{dtype.F8E5M2, []byte{0x3c, 0xc1, 0x7b}, []float64{1, -2.5, 57344}},
		{dtype.F8E8M0FNU, []byte{127, 128}, []float64{1, 2}},
		{dtype.I8, []byte{0xff, 0x7f}, []float64{-1, 127}},
		{dtype.U8, []byte{0xff}, []float64{255}},
		{dtype.Bool, []byte{0, 1}, []float64{0, 1}},
		{dtype.I16, little[int16](t, -300), []float64{-300}},
		{dtype.U16, little[uint16](t, 65535), []float64{65535}},
		{dtype.I32, little[int32](t, math.MinInt32), []float64{math.MinInt32}},
		{dtype.U32, little[uint32](t, math.MaxUint32), []float64{math.MaxUint32}},
		{dtype.I64, little[int64](t, -1, 1<<53+1), []float64{-1, 1 << 53}},
		{dtype.U64, little[uint64](t, math.MaxUint64), []float64{1 << 64}},
	}
	for _, tt := range tests {
		got := make([]float64, len(tt.want))
		require.NoError(t, Float64s(tt.d, got, tt.b))
		require.Equal(t, tt.want, got, tt.d)
		single := make([]float32, len(tt.want))
		err := Float32s(tt.d, single, tt.b)
		if tt.d.IsInt() || tt.d == dtype.Bool {
			require.Equal(t, CodeBadType, errs.CodeOf(err), tt.d)
			continue
		}
		require.NoError(t, err)
		for i, v := range single {
			require.Equal(t, tt.want[i], float64(v), tt.d)
		}
	}
}

func TestEncode(t *testing.T) {
	inf := float32(math.Inf(1))
	tests := []struct {
		d        dtype.DType
		in       []float32
		want     []byte
		overflow int64
	}{
		{dtype.F32, []float32{1, inf}, little[uint32](t, 0x3f800000, 0x7f800000), 0},
		{dtype.F64, []float32{-2.5}, little[uint64](t, 0xc004000000000000), 0},
		{dtype.F16, []float32{1, 65519, 65520, -1e10, inf}, little[uint16](t, 0x3c00, 0x7bff, 0x7c00, 0xfc00, 0x7c00), 2},
		{dtype.BF16, []float32{1, math.MaxFloat32, -inf}, little[uint16](t, 0x3f80, 0x7f80, 0xff80), 1},
	}
	for _, tt := range tests {
		got := make([]byte, len(tt.want))
		overflow, err := PutFloat32s(tt.d, got, tt.in)
		require.NoError(t, err)
		require.Equal(t, tt.want, got, tt.d)
		require.Equal(t, tt.overflow, overflow, tt.d)
	}
}

// A value just above the tie between two halves: rounding to f32 first makes it
// the tie, which goes down to the even half.
func TestRoundToOdd(t *testing.T) {
	d := 1 + 1.0/2048 + 1.0/(1<<40)
	require.Equal(t, uint16(0x3c00), F32ToF16(float32(d)))
	require.Equal(t, uint16(0x3c01), F32ToF16(F64ToF32Odd(d)))
	require.Equal(t, float32(math.MaxFloat32), F64ToF32Odd(1e300), "never an infinity")
	require.Equal(t, float32(math.Inf(-1)), F64ToF32Odd(math.Inf(-1)), "but of an infinity")
	require.Equal(t, float32(-math.SmallestNonzeroFloat32), F64ToF32Odd(-1e-300))
	require.Equal(t, float32(0.5), F64ToF32Odd(0.5))
	require.True(t, math.IsNaN(float64(F64ToF32Odd(math.NaN()))))
}

func TestFloatsRefuse(t *testing.T) {
	require.Equal(t, CodeBadType, errs.CodeOf(Float32s(dtype.I4, make([]float32, 2), make([]byte, 1))), "half bytes")
	require.Equal(t, CodeBadType, errs.CodeOf(Float64s(dtype.C64, make([]float64, 1), make([]byte, 8))))
	require.Equal(t, CodeBadType, errs.CodeOf(Float32s(dtype.Invalid, nil, nil)))
	require.Equal(t, CodeBadSize, errs.CodeOf(Float32s(dtype.F16, make([]float32, 2), make([]byte, 3))))
	require.Equal(t, CodeBadSize, errs.CodeOf(Float64s(dtype.F16, make([]float64, 2), make([]byte, 5))))
	_, err := PutFloat32s(dtype.F32, make([]byte, 3), make([]float32, 1))
	require.Equal(t, CodeBadSize, errs.CodeOf(err))
	_, err = PutFloat32s(dtype.F8E5M2, make([]byte, 1), make([]float32, 1))
	require.Equal(t, CodeBadType, errs.CodeOf(err))
}
