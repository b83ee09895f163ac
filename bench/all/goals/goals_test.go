package goals

import (
	"path"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	haswell = []string{"avx", "avx2", "fma"}
	zen4    = []string{"avx", "avx2", "avx512f", "fma"}
)

// Each row has patterns that are valid, ratios for one thread and more on both processors, and
// is found by something: no row before it takes all that it matches.
func TestTable(t *testing.T) {
	for i, g := range Table() {
		for _, p := range []string{g.Benchmark, g.Case, g.Engine, g.Peer} {
			_, err := path.Match(p, "")
			require.NoError(t, err, "row %d", i)
			require.NotEmpty(t, p, "row %d", i)
		}
		require.NotEmpty(t, g.Work, "row %d", i)
		for _, list := range [][]float64{g.AVX2, g.AVX512} {
			require.True(t, len(list) == 1 || len(list) == 2, "row %d", i)
			require.Positive(t, slices.Min(list), "row %d", i)
		}
		for j, before := range table[:i] {
			same := matches(before.Benchmark, g.Benchmark) && matches(before.Case, g.Case) && matches(before.Engine, g.Engine) && matches(before.Peer, g.Peer)
			require.False(t, same, "row %d hides row %d", j, i)
		}
	}
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		benchmark, name, engine, peer string
		threads                       int
		avx2, avx512                  float64
	}{
		{"whisper", "tiny.en 11 s", "ours-v3", "faster-whisper", 1, 1 / 0.70, 1 / 0.65},
		{"whisper", "base 60 s", "ours-v3", "faster-whisper int8", 1, 1, 1},
		{"text", "gemma3_270m decode 64", "ours-v3", "llama.cpp", 1, 1.4, 1.5},
		{"text", "smollm2_135m decode 64", "ours-v4", "llama.cpp", 2, 1.3, 1.4},
		{"text", "smollm2_135m decode 64", "ours-v4", "llama.cpp", 8, 1.3, 1.4},
		{"text", "gemma3_270m prefill 2048", "ours-v3", "llama.cpp", 2, 1.8, 1.8},
		{"text", "gemma3_270m decode 64", "ours-go", "llama.cpp", 2, 0.9, 1.0},
		{"text", "gemma3_270m prefill 128", "ours-go", "llama.cpp", 1, 1.1, 1.2},
		{"zoo", "bge-small f32", "cpu_x86_64_v3", "ort", 1, 1.2, 1.2},
		{"zoo", "bge-small int8", "cpu_x86_64_v3", "ort", 1, 1, 1},
		{"zoo", "bge-small int8", "cpu_x86_64_v3", "openvino", 1, 1.5, 1.5},
		{"zoo", "piper", "cpu_x86_64_v4", "ort", 2, 1, 1},
		{"operators", "matmul f32 128x384x1536", "cpu_x86_64_v3", "ort", 1, 0.95, 0.95},
		{"operators", "matmul int8 dynamic 16x384x1536", "cpu_x86_64_v4", "ort", 2, 1, 1},
		{"operators", "bert 6x384 1x16", "cpu_x86_64_v3", "ort", 1, 1.2, 1.2},
		{"operators", "bert 12x384 32x128", "cpu_x86_64_v4", "openvino int8", 2, 1.5, 1.5},
		{"operators", "softmax 12x128x128", "ours-go", "ort", 1, 1, 1},
		{"backends", "gemma3_270m decode", "xla", "jax", 2, 1 / 1.05, 1 / 1.05},
		{"ops", "matmul", "ours", "openblas", 2, 0.95, 0.95},
		{"ops", "softmax", "ours", "xla", 1, 1, 1},
	} {
		g, ok := Find(tt.benchmark, tt.name, tt.engine, tt.peer)
		require.True(t, ok, tt)
		for _, on := range []struct {
			instructions []string
			want         float64
		}{{haswell, tt.avx2}, {zen4, tt.avx512}} {
			got, ok := g.Ratio(on.instructions, tt.threads)
			require.True(t, ok)
			require.InDelta(t, on.want, got, 1e-12, "%+v: a constant and a quotient may differ in the last bit", tt)
		}
		_, ok = g.Ratio([]string{"neon"}, tt.threads)
		require.False(t, ok)
	}
	for _, none := range [][4]string{
		{"whisper", "tiny.en 11 s", "ours-v3", "whisper.cpp"},
		{"ops", "matmul", "ours", "gonum"},
		{"formats", "open", "ours", "libgguf"},
	} {
		_, ok := Find(none[0], none[1], none[2], none[3])
		require.False(t, ok, none)
	}
}

// Each limit has patterns that are valid, is of something that has a goal or of load and memory, says
// what was tried, and is found: no row before it takes all that it matches.
func TestLimits(t *testing.T) {
	for i, l := range Limits() {
		for _, p := range []string{l.Benchmark, l.Case, l.Engine, l.Peer} {
			_, err := path.Match(p, "")
			require.NoError(t, err, "row %d", i)
			require.NotEmpty(t, p, "row %d", i)
		}
		require.Contains(t, []Kind{Speed, Load, Memory}, l.Of, "row %d", i)
		require.Regexp(t, `[0-9]`, l.Bound, "row %d: a limit has a figure", i)
		require.GreaterOrEqual(t, len(l.Tried), 3, "row %d", i)
		for _, text := range append([]string{l.Bound}, l.Tried...) {
			require.NotRegexp(t, `[.;]$`, text, "row %d: the report ends sentences", i)
		}
		for j, before := range limits[:i] {
			same := before.Of == l.Of && (before.Threads == 0 || before.Threads == l.Threads) && (before.Instructions == "" || before.Instructions == l.Instructions) &&
				matches(before.Benchmark, l.Benchmark) && matches(before.Case, l.Case) && matches(before.Engine, l.Engine) && matches(before.Peer, l.Peer)
			require.False(t, same, "row %d hides row %d", j, i)
		}
	}
}
