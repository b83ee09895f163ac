package quant

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// hashBoth packs x and unpacks the result, and hashes both.
func hashBoth(t *testing.T, e Encoding, x []float32) string {
	t.Helper()
	size, err := e.Size(int64(len(x)))
	require.NoError(t, err)
	packed := bytes.Repeat([]byte{0xff}, int(size))
	require.NoError(t, Pack(e, packed, x))
	got := make([]float32, len(x))
	require.NoError(t, Unpack(e, got, packed))
	both, err := binary.Append(packed, binary.LittleEndian, got)
	require.NoError(t, err)
	return hashOf(both)
}

// TestSKaiNETAgainstNumPy compares with testdata/skainet.py, which is ours too
// but shares nothing with the Go code: it was written from the layouts.
func TestSKaiNETAgainstNumPy(t *testing.T) {
	want := hashes(t, "testdata/skainet.sha256")
	x := kElements(16384)
	few := make([]float32, 4099)
	for i := range few {
		few[i] = float32(splitmix(uint64(i))%3) - 1
	}
	got := map[string]string{
		"TernaryPacked": hashBoth(t, TernaryPacked, few),
		"BITNET_B1_58":  hashBoth(t, BitNetB158, x[:4099]),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Cases computed by hand from the layouts.
func TestSKaiNETByHand(t *testing.T) {
	tests := []struct {
		e    Encoding
		src  []float32
		hex  string
		want []float32
	}{
		{TernaryPacked, []float32{-1, 0, 1, 1, 0}, "a401", []float32{-1, 0, 1, 1, 0}},
		{TernaryPacked, []float32{-1, -1, -1, -1}, "00", []float32{-1, -1, -1, -1}},
		// The mean magnitude is 2; 4 is clamped, and 1 is half way to 0 and rounded to it.
		{BitNetB158, []float32{2, -2, 0, 4}, "9200000040", []float32{2, -2, 0, 2}},
		{BitNetB158, []float32{1, -3, 3, 1, 2}, "6102" + "00000040", []float32{0, -2, 2, 0, 2}},
		{BitNetB158, []float32{0, 0, 0}, "1500000000", []float32{0, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %v", tt.e, tt.src), func(t *testing.T) {
			size, err := tt.e.Size(int64(len(tt.src)))
			require.NoError(t, err)
			packed := make([]byte, size)
			require.NoError(t, Pack(tt.e, packed, tt.src))
			require.Equal(t, tt.hex, hex.EncodeToString(packed))
			got := make([]float32, len(tt.src))
			require.NoError(t, Unpack(tt.e, got, packed))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSKaiNETRefuses(t *testing.T) {
	err := Pack(TernaryPacked, make([]byte, 1), []float32{1, 0.5, 0, 0})
	require.Equal(t, CodeBadValue, errs.CodeOf(err), "a ternary of another value")
	for _, name := range []string{"BITNET_PLANES", "TurboQuantPolar(bits=4,block=128)", "ternarypacked"} {
		_, err := Parse(name)
		require.Equal(t, CodeUnknown, errs.CodeOf(err), name)
	}
}

func TestSizeRows(t *testing.T) {
	tests := []struct {
		e          Encoding
		rows, cols int64
		want       int64 // -1: QUANT_BAD_LENGTH
	}{
		{TernaryPacked, 0, 5, 0},
		{TernaryPacked, 3, 0, 0},
		{TernaryPacked, 1 << 32, 1 << 32, -1},
		{TernaryPacked, math.MaxInt64, math.MaxInt64, -1},
		{TernaryPacked, -1, 4, -1},
		{TernaryPacked, 3, 3, 3},
		{BitNetB158, 3, 3, 7},
		{"Q8_0", 3, 64, 204},
		{"Q8_0", 2, 16, -1},
		{"Q4_K/planar", 3, 512, 6 * 148},
		{"Q4_K/planar", 2, 128, -1},
		{"Q8_0", 1 << 40, 1 << 40, -1},
	}
	for _, tt := range tests {
		got, err := tt.e.SizeRows(tt.rows, tt.cols)
		if tt.want < 0 {
			require.Equal(t, CodeBadLength, errs.CodeOf(err), "%v", tt)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, tt.want, got, "%v", tt)
	}
	for _, e := range []Encoding{BitNetB158, TernaryPacked, "Q8_0", Dense} {
		require.Equal(t, e == BitNetB158, e.NeedsWholeTensor(), e)
	}
}

func TestSKaiNETNames(t *testing.T) {
	for _, name := range []string{"TernaryPacked", "BITNET_B1_58"} {
		e, err := Parse(name)
		require.NoError(t, err)
		require.Equal(t, name, e.String())
		require.True(t, CanPack(e), name)
	}
}

func BenchmarkSKaiNET(b *testing.B) {
	x := kElements(1 << 16)
	for _, e := range []Encoding{BitNetB158} {
		size, err := e.Size(int64(len(x)))
		require.NoError(b, err)
		packed := make([]byte, size)
		b.Run("Pack/"+string(e), func(b *testing.B) {
			b.SetBytes(int64(4 * len(x)))
			for b.Loop() {
				require.NoError(b, Pack(e, packed, x))
			}
		})
		b.Run("Unpack/"+string(e), func(b *testing.B) {
			b.SetBytes(int64(4 * len(x)))
			for b.Loop() {
				require.NoError(b, Unpack(e, x, packed))
			}
		})
	}
}
