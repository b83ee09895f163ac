package quant

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// hashBoth packs x and unpacks the result, and hashes both.
func hashBoth(t *testing.T, e Encoding, x []float32, cols int) string {
	t.Helper()
	size, err := e.SizeRows(int64(len(x)/cols), int64(cols))
	require.NoError(t, err)
	packed := bytes.Repeat([]byte{0xff}, int(size))
	require.NoError(t, PackRows(e, packed, x, cols))
	got := make([]float32, len(x))
	require.NoError(t, UnpackRows(e, got, packed, cols))
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
		"TernaryPacked":   hashBoth(t, TernaryPacked, few, len(few)),
		"BITNET_B1_58":    hashBoth(t, BitNetB158, x[:4099], 4099),
		"BITNET_PLANES":   hashBoth(t, BitNetPlanes, x[:16*260], 260),
		"DENSE_I8_ABSMAX": hashBoth(t, DenseI8AbsMax, x[:16*260], 260),
	}
	for _, block := range []int{32, 128, 4096} {
		for _, bits := range []int{2, 3, 4, 8} {
			for residual := range 5 {
				e, err := TurboQuantPolar(bits, block)
				if residual > 0 {
					e, err = TurboQuantPolarQjl(bits, residual, block)
				}
				require.NoError(t, err)
				got[string(e)] = hashTurbo(t, e, x)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func hashTurbo(t *testing.T, e Encoding, x []float32) string {
	t.Helper()
	size, err := e.Size(int64(len(x)))
	require.NoError(t, err)
	packed := bytes.Repeat([]byte{0xff}, int(size))
	seed := func(k int) int32 { return TurboSeed(int32(k%5-2), int32(k), int32(7*k)) }
	require.NoError(t, PackTurboQuant(e, packed, x, seed))
	got := make([]float32, len(x))
	require.NoError(t, Unpack(e, got, packed))
	both, err := binary.Append(packed, binary.LittleEndian, got)
	require.NoError(t, err)
	return hashOf(both)
}

// kotlin_random.txt is of Kotlin's own library; kotlin_random.js made it.
func TestStreamOfKotlin(t *testing.T) {
	b, err := os.ReadFile("testdata/kotlin_random.txt")
	require.NoError(t, err)
	lines := 0
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); lines++ {
		name, want, _ := strings.Cut(s.Text(), " ")
		seed, err := strconv.ParseInt(name, 10, 32)
		require.NoError(t, err)
		g := newXorwow(int32(seed))
		var got strings.Builder
		for range 64 {
			fmt.Fprint(&got, g.bit())
		}
		require.Equal(t, want, got.String(), "seed %d", seed)
	}
	require.Equal(t, 7, lines)
}

// Cases computed by hand from the layouts.
func TestSKaiNETByHand(t *testing.T) {
	third := float32(1)
	half := float32(0)
	for range 7 {
		third /= 3
		half += third
	}
	tests := []struct {
		e    Encoding
		cols int
		src  []float32
		hex  string
		want []float32
	}{
		{TernaryPacked, 5, []float32{-1, 0, 1, 1, 0}, "a401", []float32{-1, 0, 1, 1, 0}},
		{TernaryPacked, 4, []float32{-1, -1, -1, -1}, "00", []float32{-1, -1, -1, -1}},
		// The mean magnitude is 2; 4 is clamped, and 1 is half way to 0 and rounded to it.
		{BitNetB158, 4, []float32{2, -2, 0, 4}, "9200000040", []float32{2, -2, 0, 2}},
		{BitNetB158, 5, []float32{1, -3, 3, 1, 2}, "6102" + "00000040", []float32{0, -2, 2, 0, 2}},
		{BitNetB158, 3, []float32{0, 0, 0}, "1500000000", []float32{0, 0, 0}},
		// 0.5 is not above 0.5: its digits are 0, 1, 1, 1, ...
		{
			BitNetPlanes, 4, []float32{1, -1, 0.5, 0}, "52" + strings.Repeat("65", 7) + "003c",
			[]float32{1, -1, half, 0},
		},
		{BitNetPlanes, 4, []float32{0, 0, 0, 0}, strings.Repeat("55", 8) + "0000", []float32{0, 0, 0, 0}},
		// Halves go up: -1.5 to -1, 2.5 to 3.
		{DenseI8AbsMax, 4, []float32{127, -1.5, 2.5, 0}, "7fff0300" + "0000803f", []float32{127, -1, 3, 0}},
		{DenseI8AbsMax, 2, []float32{0, 0, -254, 2}, "00008101" + "00000000" + "00000040", []float32{0, 0, -254, 2}},
		// A scale whose reciprocal overflows: zeros, not a division by zero.
		{DenseI8AbsMax, 1, []float32{0x1p-149}, "00" + "00000000", []float32{0}},
		{DenseI8AbsMax, 1, []float32{0x1p-130}, "00" + "20100000", []float32{0}}, // 2^19 steps of 2^-149 by 127
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %v", tt.e, tt.src), func(t *testing.T) {
			size, err := tt.e.SizeRows(int64(len(tt.src)/tt.cols), int64(tt.cols))
			require.NoError(t, err)
			packed := make([]byte, size)
			require.NoError(t, PackRows(tt.e, packed, tt.src, tt.cols))
			require.Equal(t, tt.hex, hex.EncodeToString(packed))
			got := make([]float32, len(tt.src))
			require.NoError(t, UnpackRows(tt.e, got, packed, tt.cols))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The elements are the signs of seed 0, so the rotated block is sqrt(32) and 31
// zeros: the first code is 7, the others 0, and the scale sqrt(32)/7 is the half
// 0x3a77.
func TestTurboQuantByHand(t *testing.T) {
	x := make([]float32, 32)
	for i, c := range "10111000010010101001110001000000" {
		x[i] = 1 - 2*float32(c-'0')
	}
	packed := make([]byte, 22)
	require.NoError(t, Pack("TurboQuantPolar(bits=4,block=32)", packed, x))
	require.Equal(t, "00000000"+"773a"+"8f"+strings.Repeat("88", 15), hex.EncodeToString(packed))
	got := make([]float32, 32)
	require.NoError(t, Unpack("TurboQuantPolar(bits=4,block=32)", got, packed))
	const scale = 0.5 * (1 + 631./1024)
	for i, v := range got {
		// Two roundings of float32, of a value near 1.
		require.InDelta(t, 7*scale/math.Sqrt(32)*float64(x[i]), float64(v), 2e-7)
	}

	// Residuals make the error smaller and leave the other fields as they are.
	withResiduals := make([]byte, 30)
	x[3] = 0.25
	require.NoError(t, Pack("TurboQuantPolar(bits=4,block=32)", packed, x))
	require.NoError(t, Pack("TurboQuantPolarQjl(bits=4,residual=1,block=32)", withResiduals, x))
	require.Equal(t, packed, withResiduals[:22], "the fields of both")
	require.NoError(t, Unpack("TurboQuantPolar(bits=4,block=32)", got, packed))
	plain := distance(got, x)
	require.NoError(t, Unpack("TurboQuantPolarQjl(bits=4,residual=1,block=32)", got, withResiduals))
	require.Less(t, distance(got, x), plain)
}

func distance(a, b []float32) (sum float64) {
	for i := range a {
		d := float64(a[i] - b[i])
		sum += d * d
	}
	return sum
}

// A code of eight bits gives back what is within half a step of the rotated
// element, so the whole block is within half of the root mean square step.
func TestTurboQuantIsNear(t *testing.T) {
	x := kElements(1 << 14)
	for _, bits := range []int{2, 3, 4, 8} {
		e, err := TurboQuantPolar(bits, 128)
		require.NoError(t, err)
		size, err := e.Size(int64(len(x)))
		require.NoError(t, err)
		packed, got := make([]byte, size), make([]float32, len(x))
		require.NoError(t, Pack(e, packed, x))
		require.NoError(t, Unpack(e, got, packed))
		for k := 0; k < len(x); k += 128 {
			b := packed[k/128*(int(size)/(len(x)/128)):]
			var bound float64
			for g := range 4 {
				s := float64(half(b[4+2*g], b[5+2*g]))
				// The scale was rounded to 11 bits, or to a multiple of 2^-24.
				step := s/2 + math.Max(s*0x1p-11, 0x1p-25)*float64(int(1)<<(bits-1))
				bound += 32 * step * step
			}
			require.LessOrEqual(t, distance(got[k:k+128], x[k:k+128]), bound*(1+1e-5), "%s, block %d", e, k/128)
		}
	}
}

func TestSKaiNETRefuses(t *testing.T) {
	big := []float32{1e10, 0, 0, 0}
	many := make([]float32, 32)
	many[5] = 3e38
	nan := []float32{float32(math.NaN()), 0, 0, 0}
	var four [4]float32
	tests := []struct {
		name string
		err  error
		want errs.Code
	}{
		{"a ternary of another value", Pack(TernaryPacked, make([]byte, 1), []float32{1, 0.5, 0, 0}), CodeBadValue},
		{"a row's scale above f16", PackRows(BitNetPlanes, make([]byte, 10), big, 4), CodeBadValue},
		{"a group's scale above f16", Pack("TurboQuantPolar(bits=2,block=32)", make([]byte, 14), many), CodeBadValue},
		{"NaN in a row", PackRows(DenseI8AbsMax, make([]byte, 8), nan, 4), CodeBadValue},
		{"no row length to unpack", Unpack(DenseI8AbsMax, four[:], make([]byte, 8)), CodeNeedsRows},
		{"no row length to pack", Pack(BitNetPlanes, make([]byte, 10), four[:]), CodeNeedsRows},
		{"rows of no elements", UnpackRows(DenseI8AbsMax, nil, nil, 0), CodeBadLength},
		{"a row and a half", UnpackRows(DenseI8AbsMax, make([]float32, 6), make([]byte, 12), 4), CodeBadLength},
		{"planes of three columns", PackRows(BitNetPlanes, make([]byte, 100), make([]float32, 3), 3), CodeBadLength},
		{"too few bytes", UnpackRows(DenseI8AbsMax, four[:], make([]byte, 7), 4), CodeBadLength},
		{"rows that are no blocks", UnpackRows("Q8_0", make([]float32, 96), make([]byte, 102), 48), CodeBadLength},
		{"rows of opaque bytes", UnpackRows(Opaque("x"), four[:], make([]byte, 4), 4), CodeOpaque},
		{"seeds for another encoding", PackTurboQuant("Q8_0", nil, nil, nil), CodeUnknown},
		{"seeds and too few bytes", PackTurboQuant("TurboQuantPolar(bits=2,block=32)", nil, many, nil), CodeBadLength},
		{"seeds and NaN", PackTurboQuant("TurboQuantPolar(bits=2,block=32)", make([]byte, 14), append(nan, make([]float32, 28)...), nil), CodeBadValue},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, errs.CodeOf(tt.err), "%v", tt.err)
		})
	}
	_, err := DenseI8AbsMax.Size(4)
	require.Equal(t, CodeNeedsRows, errs.CodeOf(err))
}

func TestSizeRows(t *testing.T) {
	tests := []struct {
		e          Encoding
		rows, cols int64
		want       int64 // -1: QUANT_BAD_LENGTH
	}{
		{DenseI8AbsMax, 3, 5, 27},
		{DenseI8AbsMax, 0, 5, 0},
		{DenseI8AbsMax, 3, 0, 12},
		{DenseI8AbsMax, 1 << 32, 1 << 32, -1},
		{DenseI8AbsMax, math.MaxInt64, math.MaxInt64, -1},
		{DenseI8AbsMax, -1, 4, -1},
		{BitNetPlanes, 2, 8, 2*8*2 + 4},
		{BitNetPlanes, 2, 6, -1},
		{BitNetPlanes, 1 << 40, 1 << 40, -1},
		{TernaryPacked, 3, 3, 3},
		{BitNetB158, 3, 3, 7},
		{"Q8_0", 3, 64, 204},
		{"Q8_0", 2, 16, -1},
		{"Q4_K/planar", 3, 512, 6 * 148},
		{"Q4_K/planar", 2, 128, -1},
		{"Q8_0", 1 << 40, 1 << 40, -1},
		{"TurboQuantPolar(bits=3,block=128)", 2, 256, 4 * 60},
		{"TurboQuantPolarQjl(bits=3,residual=2,block=128)", 1, 128, 60 + 32 + 4},
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
	whole := map[Encoding]bool{BitNetB158: true, BitNetPlanes: true, DenseI8AbsMax: true}
	for _, e := range []Encoding{BitNetB158, BitNetPlanes, DenseI8AbsMax, TernaryPacked, "Q8_0", Dense} {
		require.Equal(t, whole[e], e.NeedsWholeTensor(), e)
	}
}

func TestSKaiNETNames(t *testing.T) {
	for _, name := range []string{
		"TernaryPacked", "BITNET_B1_58", "BITNET_PLANES", "DENSE_I8_ABSMAX",
		"TurboQuantPolar(bits=4,block=128)", "TurboQuantPolarQjl(bits=8,residual=4,block=4096)",
	} {
		e, err := Parse(name)
		require.NoError(t, err)
		require.Equal(t, name, e.String())
		require.True(t, CanPack(e), name)
	}
	for _, name := range []string{
		"TurboQuantPolar", "TurboQuantPolar()", "TurboQuantPolar(bits=5,block=128)", "TurboQuantPolar(bits=4,block=96)",
		"TurboQuantPolar(bits=4,block=16)", "TurboQuantPolar(bits=4,block=8192)", "TurboQuantPolar(bits=04,block=128)",
		"TurboQuantPolar(bits=4, block=128)", "TurboQuantPolar(bits=4,block=128) ", "TurboQuantPolar(bits=4,block=128",
		"TurboQuantPolarQjl(bits=4,residual=0,block=128)", "TurboQuantPolarQjl(bits=4,residual=5,block=128)",
		"TurboQuantPolarQjl(bits=4,residual=-1,block=128)", "TurboQuantPolar(bits=99999999999999999999,block=128)",
		"TurboQuantPolar(bits=4,block=128)" + strings.Repeat("x", 1<<16),
	} {
		_, err := Parse(name)
		require.Equal(t, CodeUnknown, errs.CodeOf(err), name)
	}
	for _, residual := range []int{-1, 0, 5} {
		_, err := TurboQuantPolarQjl(4, residual, 128)
		require.Equal(t, CodeUnknown, errs.CodeOf(err))
	}
	_, err := TurboQuantPolar(4, 100)
	require.Equal(t, CodeUnknown, errs.CodeOf(err))
}

func BenchmarkSKaiNET(b *testing.B) {
	x := kElements(1 << 16)
	for _, e := range []Encoding{
		BitNetB158, BitNetPlanes, DenseI8AbsMax,
		"TurboQuantPolar(bits=4,block=128)", "TurboQuantPolarQjl(bits=4,residual=1,block=128)",
	} {
		size, err := e.SizeRows(64, 1024)
		require.NoError(b, err)
		packed := make([]byte, size)
		b.Run("Pack/"+string(e), func(b *testing.B) {
			b.SetBytes(int64(4 * len(x)))
			for b.Loop() {
				require.NoError(b, PackRows(e, packed, x, 1024))
			}
		})
		b.Run("Unpack/"+string(e), func(b *testing.B) {
			b.SetBytes(int64(4 * len(x)))
			for b.Loop() {
				require.NoError(b, UnpackRows(e, x, packed, 1024))
			}
		})
	}
}
