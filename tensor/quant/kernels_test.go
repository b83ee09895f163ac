package quant

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// plain returns the unpacker in Go of an encoding, whatever the processor has.
func plain(t *testing.T, e Encoding) Block {
	t.Helper()
	for _, family := range families {
		for _, b := range family {
			if b.Encoding == e {
				return b
			}
		}
	}
	t.Fatalf("no encoding %s", e)
	return Block{}
}

// TestKernelsAreTheirTwins compares kernels with the unpackers in Go bit for
// bit, over numbers of blocks up to beyond a piece, with every byte random: so
// scales are infinite or NaN now and then. The elements around the output must
// stay as they are.
func TestKernelsAreTheirTwins(t *testing.T) {
	state := uint32(1)
	random := func() byte {
		state = state*1664525 + 1013904223
		return byte(state >> 24)
	}
	const (
		guard = 16
		piece = 1 << 16 // elements that kernels are given at a time
	)
	for e, kernel := range kernels() {
		b := plain(t, e)
		for _, blocks := range []int{0, 1, 2, 3, 5, 17, 64, piece/int(b.Elements) - 1, 2*piece/int(b.Elements) + 3} {
			src := make([]byte, blocks*int(b.Bytes))
			for i := range src {
				src[i] = random()
			}
			n := blocks * int(b.Elements)
			want, got := make([]float32, n), make([]float32, n+2*guard)
			for i := range got {
				got[i] = 7
			}
			require.NoError(t, b.unpack(want, src))
			require.NoError(t, kernel(got[guard:guard+n], src))
			for i, v := range got {
				w := float32(7)
				if i >= guard && i < guard+n {
					w = want[i-guard]
				}
				if math.Float32bits(v) != math.Float32bits(w) {
					t.Fatalf("%s, %d blocks: element %d is %x, in Go %x", e, blocks, i-guard, math.Float32bits(v), math.Float32bits(w))
				}
			}
		}
	}
}

// TestKernelsSpecialScales puts every f16 into the scales.
func TestKernelsSpecialScales(t *testing.T) {
	for e, kernel := range kernels() {
		b := plain(t, e)
		require.NotEmpty(t, scalesOf[e], e)
		block := make([]byte, b.Bytes)
		want, got := make([]float32, b.Elements), make([]float32, b.Elements)
		for h := range 65536 {
			for i := range block {
				block[i] = byte(h*31 + i*57)
			}
			for i, at := range scalesOf[e] {
				v := h * (1 + i*40502) // odd, so the second scale takes every value, too
				if e == "IQ1_M" {      // the high halves of four bytes, one apart
					for k := range 4 {
						block[at+2*k] = block[at+2*k]&15 | byte(v>>(4*k))<<4
					}
					continue
				}
				block[at], block[at+1] = byte(v), byte(v>>8)
			}
			require.NoError(t, b.unpack(want, block))
			require.NoError(t, kernel(got, block))
			for i, v := range got {
				if math.Float32bits(v) != math.Float32bits(want[i]) {
					t.Fatalf("%s, scale %#04x: element %d is %x, in Go %x", e, h, i, math.Float32bits(v), math.Float32bits(want[i]))
				}
			}
		}
	}
}

// scalesOf are the offsets of the f16 scales of the encodings with kernels.
var scalesOf = map[Encoding][]int{
	"Q8_0": {0}, "Q4_0": {0}, "Q4_1": {0, 2}, "Q5_0": {0}, "Q4_K": {0, 2}, "Q5_K": {0, 2}, "Q6_K": {208},
	"Q5_1": {0, 2}, "Q2_K": {80, 82}, "Q3_K": {108}, "TQ1_0": {52}, "TQ2_0": {64}, "IQ1_S": {0}, "IQ1_M": {49}, "IQ2_XXS": {0},
}
