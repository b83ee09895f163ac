package quant

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// hashes reads lines of a name and a SHA-256.
func hashes(t testing.TB, path string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	m := map[string]string{}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		name, hash, ok := strings.Cut(s.Text(), " ")
		require.True(t, ok)
		m[name] = hash
	}
	return m
}

func hashOf(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func splitmix(i uint64) uint64 {
	z := (i + 1) * 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// kElement is the input of testdata/kpack.py: a bell of noise, at an exponent of
// the block's own, and blocks of each kind that the packers treat apart.
func kElement(i uint64) float32 {
	h, block, group := splitmix(i), splitmix(i>>8+1<<40), splitmix(i>>5+1<<41)
	noise := int64(h&0xffff+h>>16&0xffff+h>>32&0xffff+h>>48) - 131070
	exponent := int(block>>8%24) - 32
	switch block % 16 {
	case 0:
		noise = 0
	case 1:
		noise = max(noise, -noise)
	case 2:
		noise = min(noise, -noise)
	case 3:
		if h%61 != 0 {
			noise = 0
		}
	case 4:
		if i%256 == 77 {
			noise <<= 6
		}
	case 5:
		noise >>= 13
	case 6:
		exponent -= 100
	case 7:
		noise = 4097
	case 8:
		exponent -= int(group % 13)
	}
	return float32(math.Ldexp(float64(noise), exponent))
}

func kElements(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = kElement(uint64(i))
	}
	return x
}

var kPackers = []Encoding{"Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "Q1_0"}

// TestKPackAgainstLibgguf proves the packers bit for bit against an
// implementation that is not ours; testdata/kpack.py made the hashes.
func TestKPackAgainstLibgguf(t *testing.T) {
	want := hashes(t, "testdata/kpack.sha256")
	x := kElements(1 << 20)
	raw, err := binary.Append(nil, binary.LittleEndian, x)
	require.NoError(t, err)
	require.Equal(t, want["elements"], hashOf(raw), "the input itself")
	require.Len(t, want, len(kPackers)+1)
	for _, e := range kPackers {
		t.Run(string(e), func(t *testing.T) {
			size, err := e.Size(int64(len(x)))
			require.NoError(t, err)
			dst := make([]byte, size)
			require.NoError(t, Pack(e, dst, x))
			require.Equal(t, want[string(e)], hashOf(dst))
		})
	}
}

// TestKPackLeavesNothing packs into bytes that held something before: every bit
// of a block must be written, by all of its branches.
func TestKPackLeavesNothing(t *testing.T) {
	x := kElements(1 << 16)
	for _, e := range kPackers {
		size, err := e.Size(int64(len(x)))
		require.NoError(t, err)
		clean, used := make([]byte, size), bytes.Repeat([]byte{0xff}, int(size))
		require.NoError(t, Pack(e, clean, x))
		require.NoError(t, Pack(e, used, x))
		require.Equal(t, clean, used, e)
	}
}

// A scale is stored with 16 bits; these elements need a larger one.
func TestKPackTooLarge(t *testing.T) {
	for _, big := range []float32{1e10, 1e20, math.MaxFloat32} {
		for _, e := range kPackers {
			x := make([]float32, 512)
			for i := range x {
				x[i] = big * float32(1-i%2*2)
			}
			clear(x[:256])
			size, err := e.Size(512)
			require.NoError(t, err)
			err = Pack(e, make([]byte, size), x)
			require.Equal(t, CodeBadValue, errs.CodeOf(err), "%s %g", e, big)
			require.ErrorContains(t, err, "at element 256")
		}
	}
}

// nearestIQ4 jumps over most of the steps; here all are compared.
func TestNearestIQ4(t *testing.T) {
	slow := func(x float32) uint8 {
		best := 0
		for i, s := range steps4 {
			// On a midpoint the later step wins.
			if math.Abs(float64(x)-float64(s)) <= math.Abs(float64(x)-float64(steps4[best])) {
				best = i
			}
		}
		return uint8(best)
	}
	check := func(x float32) {
		if got, want := nearestIQ4(x), slow(x); got != want {
			t.Fatalf("nearestIQ4(%g) = %d, want %d", x, got, want)
		}
	}
	for k := -130 * 64; k <= 130*64; k++ {
		x := float32(k) / 64
		check(x)
		for range 4 {
			x = math.Nextafter32(x, 1000)
			check(x)
		}
		x = float32(k) / 64
		for range 4 {
			x = math.Nextafter32(x, -1000)
			check(x)
		}
	}
	require.EqualValues(t, 15, nearestIQ4(float32(math.NaN())))
	require.EqualValues(t, 15, nearestIQ4(float32(math.Inf(1))))
	require.EqualValues(t, 0, nearestIQ4(float32(math.Inf(-1))))
}

func BenchmarkKPack(b *testing.B) {
	x := kElements(1 << 17)
	for i := range x { // no block of a special kind
		x[i] = float32(int64(splitmix(uint64(i))>>40)-1<<23) / (1 << 24)
	}
	for _, e := range kPackers {
		b.Run(string(e), func(b *testing.B) {
			size, err := e.Size(int64(len(x)))
			require.NoError(b, err)
			dst := make([]byte, size)
			b.ReportAllocs()
			for b.Loop() {
				if err := Pack(e, dst, x); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/element")
		})
	}
}
