package quant

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

type sum struct{ SHA256 string }

// sums reads a part of testdata/oracle.json.
func sums(t *testing.T, v any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "oracle.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, v))
}

// TestGridsAgainstOracle compares the points with gguf's tables, by their sums.
func TestGridsAgainstOracle(t *testing.T) {
	var o struct{ Grids map[string]sum }
	sums(t, &o)
	grids := map[string]struct {
		points [][8]int8
		width  int
	}{
		"IQ1_S": {iq1Grid(), 8}, "IQ2_XXS": {iq2xxsGrid(), 8}, "IQ2_XS": {iq2xsGrid(), 8},
		"IQ2_S": {iq2sGrid(), 8}, "IQ3_XXS": {iq3xxsGrid(), 4}, "IQ3_S": {iq3sGrid(), 4},
	}
	require.Len(t, grids, len(o.Grids))
	for name, grid := range grids {
		var raw []byte
		for _, p := range grid.points {
			for _, c := range p[:grid.width] {
				raw = append(raw, byte(c))
			}
		}
		got := sha256.Sum256(raw)
		require.Equal(t, o.Grids[name].SHA256, hex.EncodeToString(got[:]), name)
	}
}

func TestHalves(t *testing.T) {
	var o struct{ Halves sum }
	sums(t, &o)
	var raw []byte
	for h := range 65536 {
		f := half(byte(h), byte(h>>8))
		bits := math.Float32bits(f)
		if f != f {
			bits = 0x7fc00000
		} else {
			require.Equal(t, uint16(h), toHalf(f), "half %#04x", h)
		}
		raw = append(raw, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	got := sha256.Sum256(raw)
	require.Equal(t, o.Halves.SHA256, hex.EncodeToString(got[:]))
}

// TestToHalfRounds tries every midpoint of neighbours and the floats beside it.
func TestToHalfRounds(t *testing.T) {
	for h := range uint16(0x7c00) {
		low, even := half(byte(h), byte(h>>8)), h+h&1
		high := half(byte(h+1), byte((h+1)>>8))
		if h == 0x7bff {
			high = 65536
		}
		middle := (low + high) / 2 // exact
		require.Equal(t, even, toHalf(middle), "a tie above half %#04x", h)
		require.Equal(t, even|0x8000, toHalf(-middle))
		require.Equal(t, h, toHalf(math.Nextafter32(middle, 0)))
		require.Equal(t, h+1, toHalf(math.Nextafter32(middle, 1e9)))
	}
	require.Equal(t, uint16(0x7c00), toHalf(math.MaxFloat32))
	require.Equal(t, uint16(0x8000), toHalf(-math.SmallestNonzeroFloat32))
}
