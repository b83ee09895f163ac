//go:build integration

package interop

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// elementCount is a million at least, in whole rows of the oracle.
const elementCount = 1 << 20

// blocks are random bytes: all codes, and scales of every size, infinite and
// NaN among them.
func blocks(t testing.TB, b quant.Block) []byte {
	t.Helper()
	n, err := b.Encoding.Size(elementCount)
	require.NoError(t, err)
	out := make([]byte, n+8)
	r := rand.New(rand.NewPCG(uint64(b.GGML), 6))
	for i := 0; i < len(out)-7; i += 8 {
		binary.LittleEndian.PutUint64(out[i:], r.Uint64())
	}
	return out[:n]
}

// TestUnpack compares Unpack with both packages, a million elements a type.
func TestUnpack(t *testing.T) {
	dir := t.TempDir()
	made := map[string][]byte{}
	for _, b := range quant.All() {
		if b.GGML == quant.NoGGML {
			continue
		}
		made[string(b.Encoding)] = blocks(t, b)
		write(t, filepath.Join(dir, string(b.Encoding)+".blocks"), made[string(b.Encoding)])
	}
	var can map[string][]string
	python(t, &can, "unpack", dir)
	known := map[string]int{}
	for oracle, types := range can {
		for _, name := range types {
			known[name]++
			t.Run(oracle+"/"+name, func(t *testing.T) {
				want := read(t, filepath.Join(dir, name+"."+oracle))
				require.Len(t, want, 4*elementCount)
				got := make([]float32, elementCount)
				require.NoError(t, quant.Unpack(quant.Encoding(name), got, made[name]))
				same(t, want, got)
			})
		}
	}
	// What no package unpacks: activations, which no file holds.
	var alone []string
	for name := range made {
		if known[name] == 0 {
			alone = append(alone, name)
		}
	}
	slices.Sort(alone)
	require.Equal(t, []string{"Q8_1", "Q8_K"}, alone)
	require.Len(t, can["libgguf"], 24)
	require.Len(t, can["gguf"], 23)
}

// same compares bits; of NaN, whose bits no format defines, only that it is one.
func same(t testing.TB, want []byte, got []float32) {
	t.Helper()
	nans := 0
	for i, g := range got {
		w := math.Float32frombits(binary.LittleEndian.Uint32(want[4*i:]))
		if g != g && w != w {
			nans++
			continue
		}
		if math.Float32bits(g) != math.Float32bits(w) {
			t.Fatalf("element %d is %v (%#08x), want %v (%#08x)", i, g, math.Float32bits(g), w, math.Float32bits(w))
		}
	}
	require.Less(t, nans, len(got)/2, "NaN hides what is compared")
}

// rows are elements as weights have them, and rows that are unlike them: zeros,
// one value, an outlier, tiny and huge ones.
func rows() []float32 {
	r := rand.New(rand.NewPCG(7, 7))
	out := make([]float32, elementCount)
	for i := range out {
		v := float32(r.NormFloat64())
		switch i / 1024 % 16 {
		case 1:
			v = 0
		case 2:
			v = 0.25
		case 3:
			v = float32(math.Abs(float64(v)))
		case 4:
			if i%97 == 0 {
				v *= 1000
			}
		case 5:
			v *= 1e-6
		case 6:
			v *= 1e3
		case 7:
			v = float32(i%5 - 2)
		}
		out[i] = v
	}
	return out
}

// TestPack compares Pack with both packages: the same bytes.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	source := rows()
	var b bytes.Buffer
	require.NoError(t, binary.Write(&b, binary.LittleEndian, source))
	write(t, filepath.Join(dir, "elements.f32"), b.Bytes())
	arguments := []string{"pack", dir}
	for _, x := range quant.All() {
		if x.GGML != quant.NoGGML && quant.CanPack(x.Encoding) {
			arguments = append(arguments, string(x.Encoding))
		}
	}
	var can map[string][]string
	python(t, &can, arguments...)
	for oracle, types := range can {
		for _, name := range types {
			t.Run(oracle+"/"+name, func(t *testing.T) {
				want := read(t, filepath.Join(dir, name+"."+oracle))
				got := make([]byte, len(want))
				require.NoError(t, quant.Pack(quant.Encoding(name), got, source))
				sameBlocks(t, quant.Encoding(name), want, got)
			})
		}
	}
	require.ElementsMatch(t, arguments[2:], can["libgguf"], "libgguf packs all that we pack")
	require.Len(t, can["gguf"], 8)
}

func sameBlocks(t testing.TB, e quant.Encoding, want, got []byte) {
	t.Helper()
	b, ok := e.Block()
	require.True(t, ok)
	for i := 0; i < len(want); i += int(b.Bytes) {
		if w, g := want[i:i+int(b.Bytes)], got[i:i+int(b.Bytes)]; !bytes.Equal(w, g) {
			t.Fatalf("block %d is %x, want %x", i/int(b.Bytes), g, w)
		}
	}
}
