package kernels

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/quant"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// packedEncodings are the encodings that have kernels.
var packedEncodings = []quant.Encoding{
	"IQ4_NL", "IQ4_XS", "Q2_K", "Q3_K", "Q4_0", "Q4_1", "Q4_K", "Q5_0", "Q5_K", "Q6_K", "Q8_0", "TQ2_0",
}

func TestReaders(t *testing.T) {
	require.Equal(t, packedEncodings, slices.Sorted(maps.Keys(readers)))
	for e, r := range readers {
		elements, bytes, runs := r.block()
		b := newBuilder(Form{})
		m := memory{"%w", i8, []int64{bytes}}
		end := int64(0)
		from := func(offset int64, count int) value {
			require.LessOrEqual(t, offset+int64(count), bytes, "%s reads behind its block", e)
			end = max(end, offset+int64(count))
			return b.load(m, count, b.index(offset))
		}
		scales, shifts := r.scales(b, from)
		require.Equal(t, r.shifted, !shifts.none(), e)
		for _, v := range []value{scales, shifts} {
			if !v.none() {
				require.Equal(t, f32, v.typ.elem, e)
				require.EqualValues(t, runs, max(1, v.typ.lanes), e)
			}
		}
		var seen []int
		r.codes(b, from, func(run int, codes []value) {
			seen = append(seen, run)
			require.Len(t, codes, r.run/lanes, e)
			for _, c := range codes {
				require.Equal(t, typ{f32, lanes}, c.typ, e)
			}
		})
		slices.Sort(seen)
		require.Equal(t, span(0, int(runs)), seen, "%s gives each run once", e)
		require.EqualValues(t, elements, r.run*len(seen), e)
		require.Equal(t, bytes, end, "%s reads to the end of its block", e)
	}
}

func TestPackedSupported(t *testing.T) {
	tests := []struct {
		m    PackedMatVec
		want bool
	}{
		{PackedMatVec{262144, 640, "Q8_0"}, true},
		{PackedMatVec{1, 32, "Q4_0"}, true},
		{PackedMatVec{640, 2048, "Q6_K"}, true},
		{PackedMatVec{640, 640, "Q6_K"}, false}, // 640 is not a multiple of 256
		{PackedMatVec{4, 48, "Q5_0"}, false},
		{PackedMatVec{4, 32, "Q5_1"}, false},
		{PackedMatVec{4, 32, quant.Dense}, false},
		{PackedMatVec{0, 32, "Q4_0"}, false},
		{PackedMatVec{4, 0, "Q4_0"}, false},
		{PackedMatVec{4, -32, "Q4_0"}, false},
		{PackedMatVec{4, maxPackedK, "Q4_0"}, true},
		{PackedMatVec{4, maxPackedK + 32, "Q4_0"}, false},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, tt.m.Supported(), "%+v", tt.m)
	}
}

// Rows are in streams, each a quarter of the matrix; the last row is repeated where
// a stream is shorter than the others.
func TestPackedStreams(t *testing.T) {
	m := PackedMatVec{70, 64, "Q8_0"}
	text := m.Text(Form{})
	require.Equal(t, 4, strings.Count(text, "memref.store"))
	require.Equal(t, 4, strings.Count(text, "arith.minui"), "the end of a workgroup and three streams")
	require.Equal(t, text, PackedMatVec{71, 64, "Q8_0"}.Text(Form{}), "the number of rows is an operand")
	require.Equal(t, m.Symbol(), PackedMatVec{71, 64, "Q8_0"}.Symbol())
	require.NotEqual(t, m.Symbol(), PackedMatVec{70, 32, "Q8_0"}.Symbol())
}

// Guards against change; the parity tests of the operations that use the kernels show
// that the numbers are right.
func TestPackedText(t *testing.T) {
	for _, e := range packedEncodings {
		m := PackedMatVec{40, 512, e}
		text := m.Text(Form{Indent: "  "})
		require.Equal(t, text, m.Text(Form{Indent: "  "}))
		path := filepath.Join("testdata", strings.ToLower(string(e))+".mlir")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		}
		golden, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(string(golden), text), "%s: run with -update", e)
	}
}
