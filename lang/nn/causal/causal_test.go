package causal_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// Seven layers of sums of at most 16 products around 1, in f32 against f64: some
// hundred roundings of 2^-24, most of which cancel. Should a key or a value lie
// between two halves and be rounded the other way, it is 2^-12 of one product off.
const tolerance = 2e-4

func requireLogits(t *testing.T, want, got []float32) {
	t.Helper()
	require.InDeltaSlice(t, want, got, tolerance)
}

// eachCase runs a test on every model of the golden file.
func eachCase(t *testing.T, run func(t *testing.T, x backend.Executable, c causal.Config, ids []int32, want [][]float32)) {
	ids, cases := goldens(t)
	for name, g := range cases {
		t.Run(name, func(t *testing.T) { run(t, load(t, g.config()), g.config(), ids, g.Logits) })
	}
}

func TestLogitsAgainstNumPy(t *testing.T) {
	eachCase(t, func(t *testing.T, x backend.Executable, c causal.Config, ids []int32, want [][]float32) {
		for _, n := range []int{len(ids), 1, 4, 5} {
			got := slice[float32](t, call(t, x, "logits", of(t, ids[:n], int64(n)))[0])
			require.Len(t, got, n*int(c.VocabSize))
			for i := range n {
				requireLogits(t, want[i], got[i*int(c.VocabSize):(i+1)*int(c.VocabSize)])
			}
		}
	})
}

// A cut is the model of those layers: its numbers are those of a model that has no others,
// whose weights it finds under their numbers in the whole.
func TestCut(t *testing.T) {
	ids, cases := goldens(t)
	for name, g := range cases {
		t.Run(name, func(t *testing.T) {
			whole := g.config()
			last, err := whole.Cut(whole.NumLayers-1, 1)
			require.NoError(t, err)
			require.Equal(t, whole.NumLayers-1, last.FirstLayer)
			again, err := last.Cut(0, 1)
			require.NoError(t, err)
			require.Equal(t, []int64{last.FirstLayer, 1}, []int64{again.FirstLayer, again.NumLayers})
			var names []string
			for _, s := range last.Tensors() {
				names = append(names, s.Name)
			}
			require.Contains(t, names, fmt.Sprintf("blk.%d.attn_q.weight", whole.NumLayers-1))
			require.NotContains(t, names, "blk.0.attn_q.weight")

			all, err := whole.Cut(0, whole.NumLayers)
			require.NoError(t, err)
			got := slice[float32](t, call(t, load(t, all), "logits", of(t, ids, int64(len(ids))))[0])
			for i := range ids {
				requireLogits(t, g.Logits[i], got[i*int(all.VocabSize):(i+1)*int(all.VocabSize)])
			}
			x := load(t, last)
			_ = prefill(t, x, ids[:4], 0)
			one := decode(t, x, ids[4])
			logits := slice[float32](t, call(t, x, "logits", of(t, ids[:5], 5))[0])
			requireLogits(t, logits[4*int(last.VocabSize):], one)

			for _, bad := range [][2]int64{{0, 0}, {-1, 1}, {0, whole.NumLayers + 1}, {whole.NumLayers, 1}, {1, math.MaxInt64}, {math.MaxInt64, 1}} {
				_, err := whole.Cut(bad[0], bad[1])
				require.Equal(t, causal.CodeLayers, errs.CodeOf(err), "%v", bad)
			}
		})
	}
}

// Any way of feeding a text gives the logits of the whole of it.
func TestStepsAreTheWhole(t *testing.T) {
	eachCase(t, func(t *testing.T, x backend.Executable, _ causal.Config, ids []int32, want [][]float32) {
		for _, chunks := range [][]int{{11}, {1}, {1, 1, 1}, {4, 1, 5}, {5, 6}, {2, 3, 4}} {
			at := 0
			for _, n := range chunks {
				requireLogits(t, want[at+n-1], prefill(t, x, ids[at:at+n], at))
				at += n
			}
			for ; at < len(ids); at++ {
				requireLogits(t, want[at], decode(t, x, ids[at]))
			}
		}
	})
}

// A prefill below the position takes back what came after it; logits leaves the
// state alone.
func TestStartTakesBack(t *testing.T) {
	eachCase(t, func(t *testing.T, x backend.Executable, _ causal.Config, ids []int32, want [][]float32) {
		other := []int32{20, 19, 18, 17, 16, 15}
		prefill(t, x, ids[:3], 0)
		prefill(t, x, other, 3)
		requireLogits(t, want[5], prefill(t, x, ids[3:6], 3))
		call(t, x, "logits", of(t, other, 6))
		requireLogits(t, want[6], decode(t, x, ids[6]))
	})
}

// A token outside the vocabulary is the nearest one, as take has it: nothing is
// read beside the table.
func TestTokensOutsideTheVocabulary(t *testing.T) {
	_, cases := goldens(t)
	c := cases["llama"].config()
	x := load(t, c)
	require.Equal(t, prefill(t, x, []int32{0, int32(c.VocabSize) - 1}, 0), prefill(t, x, []int32{-5, 1 << 30}, 0))
}

func TestEntryPoints(t *testing.T) {
	_, cases := goldens(t)
	doc := load(t, cases["gemma"].config()).Contract()
	got := map[string][2][]string{}
	for _, e := range doc.Entries {
		var s [2][]string
		for _, a := range e.Args {
			s[0] = append(s[0], a.Name+" "+a.Type().String())
		}
		for _, r := range e.Results {
			s[1] = append(s[1], r.Name+" "+r.Type().String())
		}
		got[e.Name] = s
	}
	logits := []string{"logits f32[1x23]"}
	require.Equal(t, map[string][2][]string{
		"prefill": {{"tokens i32[seq?]", "start i32[scalar]"}, logits},
		"decode":  {{"token i32[1]"}, logits},
		"logits":  {{"tokens i32[seq?]"}, {"logits f32[seq?x23]"}},
		"generate": {
			{"tokens i32[seq?]", "start i32[scalar]", "max_tokens i32[scalar]", "temperature f32[scalar]", "top_k i32[scalar]",
				"top_p f32[scalar]", "min_p f32[scalar]", "repeat_penalty f32[scalar]", "seed i32[2]", "stop i32[stops?]"},
			{"tokens i32[16]", "count i32[scalar]"},
		},
	}, got)
	// Each weight once, under its name in the file.
	var keys, names []string
	for _, p := range doc.Parameters {
		keys = append(keys, p.Key)
	}
	for _, s := range cases["gemma"].config().Tensors() {
		names = append(names, s.Name)
	}
	require.ElementsMatch(t, names, keys)
}

func TestTextIsDeterministic(t *testing.T) {
	_, cases := goldens(t)
	c := cases["gemma"].config()
	text := func() string {
		g, err := lang.Capture("small", indexOf(c), func(m *lang.Module) { causal.Model(m, c) })
		require.NoError(t, err)
		require.NoError(t, dag.Verify(g))
		m, err := iree.Emit(g, iree.Options{})
		require.NoError(t, err)
		return string(m.Text)
	}
	once := text()
	require.Equal(t, once, text())
}

// A query sees the positions of its own chunk alone: without rotary positions, a second
// chunk gives what its tokens give by themselves.
func TestChunks(t *testing.T) {
	ids, cases := goldens(t)
	for name, g := range cases {
		t.Run(name, func(t *testing.T) {
			c := g.config()
			c.GlobalEvery, c.Local.Window, c.Local.Chunk, c.Block.NoRotary = 1000, 0, 3, true
			x, n := load(t, c), int(c.VocabSize)
			all := slice[float32](t, call(t, x, "logits", of(t, ids[:6], 6))[0])
			first := slice[float32](t, call(t, x, "logits", of(t, ids[:3], 3))[0])
			second := slice[float32](t, call(t, x, "logits", of(t, ids[3:6], 3))[0])
			requireLogits(t, first, all[:3*n])
			requireLogits(t, second, all[3*n:])
			_ = prefill(t, x, ids[:5], 0)
			requireLogits(t, second[2*n:], decode(t, x, ids[5]))
		})
	}
}
