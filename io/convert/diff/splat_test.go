package diff

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// filled is an archive whose one tensor "w" repeats a pattern: as a splat, or
// with all of its bytes.
func filled(t *testing.T, expand bool, storage transform.Storage, pattern []byte, sizes ...int64) *weights.File {
	t.Helper()
	s := tensor.Spec{Name: "w", DType: storage.DType, Encoding: storage.Encoding, Shape: shape.Of(sizes...)}
	var err error
	s.Bytes, err = storage.Bytes(s.Shape)
	require.NoError(t, err)
	item := irpa.Item{Name: "w", Length: s.Bytes, Pattern: pattern}
	if expand {
		item = irpa.Bytes("w", bytes.Repeat(pattern, int(s.Bytes)/len(pattern)))
	}
	item.Metadata, err = irpa.Describe(s)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "m.irpa")
	require.NoError(t, irpa.Write(path, []irpa.Item{item}))
	return open(t, path)
}

// What is found from the patterns of two splats is what is found from all of
// their bytes, but for the rounding of sums.
func TestSplatsAsTheirBytes(t *testing.T) {
	dense := func(d dtype.DType) transform.Storage { return transform.Storage{DType: d, Encoding: quant.Dense} }
	blocks := func(e quant.Encoding) transform.Storage { return transform.Storage{DType: dtype.F32, Encoding: e} }
	one := raw[float32](t, 1)
	eight := append([]byte{0, 0x3c, 1, 2, 3, 4, 5, 6}, 7, 8, 9, 10, 11, 12, 13, 14) // as a scale of Q8_0 only once in 8 blocks
	nan := raw[float32](t, 1, math.Float32frombits(0x7fc00000), 2, 3)
	tests := []struct {
		name               string
		a, b               transform.Storage
		patternA, patternB []byte
		sizes              []int64
	}{
		{"equal", dense(dtype.F32), dense(dtype.F32), one, raw[float32](t, 1, 1), []int64{40, 2}},
		{"other pattern", dense(dtype.F32), dense(dtype.F32), one, raw[float32](t, 1, 2, 3, 4), []int64{7, 4}},
		{"shorter than a period", dense(dtype.F32), dense(dtype.F32), one, raw[float32](t, 2), []int64{3}},
		{"a rest", dense(dtype.I8), dense(dtype.F64), []byte{3}, raw(t, 3.25), []int64{19}},
		{"infinite and not a number", dense(dtype.F32), dense(dtype.F32), nan, raw[float32](t, 1, 2, math.Float32frombits(0x7f800000), 3), []int64{6, 4}},
		{"blocks", blocks("Q8_0"), dense(dtype.F32), eight, one, []int64{27, 32 * 16}},
		{"blocks of two kinds", blocks("Q8_0"), blocks("Q6_K"), eight, eight, []int64{24, 256}},
		{"fields apart", blocks("Q8_0/planar"), blocks("Q8_0"), eight, eight, []int64{40, 64}},
		{"once a tensor", blocks(quant.BitNetB158), blocks("Q8_0"), []byte{0x24, 0x91}, eight, []int64{8, 256}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, err := Diff(filled(t, true, tt.a, tt.patternA, tt.sizes...), filled(t, true, tt.b, tt.patternB, tt.sizes...), Options{})
			require.NoError(t, err)
			for _, expand := range [][2]bool{{false, false}, {false, true}, {true, false}} {
				got, err := Diff(filled(t, expand[0], tt.a, tt.patternA, tt.sizes...), filled(t, expand[1], tt.b, tt.patternB, tt.sizes...), Options{})
				require.NoError(t, err)
				// Sums of at most 2^14 terms against products: 1e-12 is far above their rounding.
				require.Empty(t, cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0)), "expanded: %v", expand)
			}
		})
	}
}

// A splat may claim a terabyte, and more elements than anyone could visit.
func TestSplatsOfTerabytes(t *testing.T) {
	f32, f16 := transform.Storage{DType: dtype.F32, Encoding: quant.Dense}, transform.Storage{DType: dtype.F16, Encoding: quant.Dense}
	const n = 1 << 56
	a, b := filled(t, false, f32, raw[float32](t, 1, 2), n), filled(t, false, f16, []byte{0, 0x3c}, n)
	r, err := Diff(a, b, Options{})
	require.NoError(t, err)
	want := &Distance{Elements: n, Different: n / 2, First: 1, MaxAbs: 1, MaxAt: 1, MeanAbs: 0.5, RMS: 0.7071067811865476, Cosine: 0.9486832980505138}
	require.Empty(t, cmp.Diff(want, r.Tensors[0].Distance))
	r, err = Diff(a, filled(t, false, f32, raw[float32](t, 1, 2, 1, 2), n), Options{})
	require.NoError(t, err)
	require.True(t, r.Tensors[0].Equal)

	q8 := transform.Storage{DType: dtype.F32, Encoding: "Q8_0"}
	zero, planar := []byte{0}, transform.Storage{DType: dtype.F32, Encoding: "Q8_0/planar"}
	for _, s := range []transform.Storage{q8, planar} {
		r, err = Diff(filled(t, false, s, zero, n/1024, 1024), filled(t, false, f32, raw[float32](t, 2), n/1024, 1024), Options{})
		require.NoError(t, err)
		d := r.Tensors[0].Distance
		require.EqualValues(t, n, d.Different)
		require.Equal(t, 2., d.MeanAbs)
	}
}
