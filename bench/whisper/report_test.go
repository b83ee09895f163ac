package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/bench/whisper/contestant"
	"github.com/skainet-dev/skainet-go/errs"
)

func TestTables(t *testing.T) {
	runs := func(cpu ...float64) (out []contestant.Run) {
		for _, v := range cpu {
			out = append(out, contestant.Run{CPU: v, Wall: v + 1, Parts: contestant.Parts{Mel: 0.125, Encode: 0.5}})
		}
		return out
	}
	r := report{rows: []row{
		{contestant: spec{name: "mine"}, ready: contestant.Ready{Load: 0.25}, loadedMiB: 10, peakMiB: 20, runs: runs(1, 3)},
		{contestant: spec{name: "theirs", peer: true}, ready: contestant.Ready{Load: 0.5}, loadedMiB: 30, peakMiB: 40, runs: runs(2, 2)},
	}}
	require.Equal(t, figures.Row{
		Benchmark: "whisper", Case: "tiny.en 11 s", Engine: "theirs", Peer: true, Threads: 1, Unit: "CPU s",
		Rounds: figures.Once([]float64{2, 2}), Load: 0.5, Peak: 40,
	}, r.rows[1].figures("tiny.en 11 s"))
	var b strings.Builder
	require.NoError(t, r.figures(&b))
	require.NoError(t, r.ratios(&b))
	want := `
CPU seconds of one transcription (user and system), and of its first window's parts
  contestant    min  median  spread    mel  encode   rest  wall min  load CPU s  MiB loaded  MiB peak
        mine  1.000   2.000   2.000  0.125   0.500  0.375     2.000        0.25          10        20
      theirs  2.000   2.000   0.000  0.125   0.500  1.375     3.000        0.50          30        40

Ratio of CPU seconds, ours to the peer's: of the minima, of the medians (below 1: ours takes less)
            theirs
  mine  0.50  1.00
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestNoRatiosWithoutPeers(t *testing.T) {
	r := report{rows: []row{{contestant: spec{name: "mine"}, runs: []contestant.Run{{CPU: 1}}}}}
	var b strings.Builder
	require.NoError(t, r.ratios(&b))
	require.Empty(t, b.String())
}

func TestWords(t *testing.T) {
	const said = " And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country."
	for _, c := range []struct {
		name, text string
		times      int
		code       errs.Code
	}{
		{"with commas", said, 1, ""},
		{"without", "And so my fellow Americans ask not what your country can do for you ask what you can do for your country.", 1, ""},
		{"a word less", "And so my fellow Americans ask not what your country can do for you ask what you can do for your.", 1, "BENCH_WORDS"},
		{"nothing", "", 1, "BENCH_WORDS"},
		{"twice", said + said, 2, ""},
		{"twice of four times", said + said, 4, "BENCH_WORDS"},
		{"twice of once", said + said, 1, "BENCH_WORDS"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.code, errs.CodeOf(checkWords("x", c.text, c.times))) })
	}
}
