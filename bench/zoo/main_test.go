package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/bench/all/goals"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestChoice(t *testing.T) {
	defer func() { sileroParts, magikaParts = program.Parts{}, program.Parts{} }()
	sileroParts.Programs, magikaParts.Programs = []program.Compiled{{Target: "a"}}, []program.Compiled{{Target: "b"}}
	o := options{rounds: harness.Rounds{Number: 1}, threads: []int{1, 2}}
	list, err := o.models()
	require.NoError(t, err)
	require.Len(t, list, 2, "models that are not built into this target are not measured")
	o.only = []string{"magika"}
	list, err = o.models()
	require.NoError(t, err)
	require.Equal(t, "magika", list[0].name)
	once := o.rounds
	for _, bad := range []options{
		{threads: []int{1}}, {rounds: once, threads: []int{0}}, {rounds: once}, {rounds: once, threads: []int{1}, only: []string{"nanodet"}},
	} {
		_, err = bad.models()
		require.Equal(t, harness.CodeFlags, errs.CodeOf(err), "%+v", bad)
	}
}

// A target without models prints its heading and the machine.
func TestEmpty(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"--rounds=1"}, strings.NewReader(""), &stdout, &stderr), stderr.String())
	require.True(t, strings.HasPrefix(stdout.String(), "model "), stdout.String())
	require.Contains(t, stdout.String(), "cores; load average")
	for _, args := range [][]string{{"--serve=magika", "--threads=1"}, {"--serve=none", "--threads=1"}, {"--rounds=0"}} {
		stdout.Reset()
		require.Equal(t, 1, run(context.Background(), args, strings.NewReader(""), &stdout, &stderr))
		require.Contains(t, stderr.String(), "BENCH_FLAGS")
		require.Empty(t, stdout.String())
	}
}

// The file's arguments for a sentence are those of the voice, without variation.
func TestSentence(t *testing.T) {
	dir := t.TempDir()
	voice, record := filepath.Join(dir, "voice.json"), filepath.Join(dir, "record.json")
	require.NoError(t, os.WriteFile(voice, []byte(`{"audio": {"sample_rate": 22050}, "espeak": {"voice": "en-us"}, "phoneme_id_map": {"^": [1], "_": [0], "$": [2], "a": [14], "b": [15]}}`), 0o600))
	require.NoError(t, os.WriteFile(record, []byte(`{"phonemes": "ab"}`), 0o600))
	parts := program.Parts{Files: map[string]string{"voice": voice, "record": record}}
	path, err := speech{}.given(&parts, dir)
	require.NoError(t, err)
	got, err := npy.ReadArchive(path)
	require.NoError(t, err)
	ids, err := tensor.Of([]int64{1, 0, 14, 0, 15, 0, 2}, 1, 7)
	require.NoError(t, err)
	length, err := tensor.Of([]int64{7}, 1)
	require.NoError(t, err)
	scales, err := tensor.Of([]float32{0, 1, 0}, 3)
	require.NoError(t, err)
	require.Equal(t, []npy.Array{{Name: "input", Value: ids}, {Name: "input_lengths", Value: length}, {Name: "scales", Value: scales}}, got)

	require.NoError(t, os.WriteFile(record, []byte("{"), 0o600))
	_, err = speech{}.given(&parts, dir)
	require.Equal(t, harness.CodeRunfiles, errs.CodeOf(err))
	for _, given := range []func(*program.Parts, string) (string, error){speech{}.given, recorded{}.given} {
		_, err = given(&program.Parts{}, dir)
		require.Equal(t, program.CodeRunfiles, errs.CodeOf(err))
	}
}

// Each model has a goal beside the peer, on processors with AVX2 and with AVX-512.
func TestGoals(t *testing.T) {
	for _, m := range models {
		for _, engine := range []string{"cpu_x86_64_v3", "cpu_x86_64_v4"} {
			g, ok := goals.Find(benchmark, m.name, engine, peerName)
			require.True(t, ok, m.name)
			for _, instructions := range [][]string{{"avx2"}, {"avx2", "avx512f"}} {
				_, ok = g.Ratio(instructions, 1)
				require.True(t, ok, m.name)
			}
		}
	}
}

// The row of a contestant has each round's figures.
func TestFigures(t *testing.T) {
	c := contestant{name: peerName, ready: ready{"ONNX Runtime 1", 0.5, 1e-6}, walls: []float64{1, 2}, medians: []float64{3, 4}}
	got := c.row(models[0], 2, 6)
	require.Equal(t, figures.Row{
		Benchmark: "zoo", Case: "silero", Engine: "ort", Version: "ONNX Runtime 1", Peer: true, Threads: 2, Unit: "s",
		Rounds: []figures.Round{{Least: 1, Median: 3}, {Least: 2, Median: 4}}, Load: 0.5, Peak: 6, Error: 1e-6,
	}, got)
	c.name = "openvino"
	require.True(t, c.row(models[0], 1, 6).Peer)
	c.name = "cpu_x86_64_v3"
	got = c.row(models[0], 1, 6)
	require.False(t, got.Peer)
	require.Equal(t, "cpu_x86_64_v3", got.Target)
}

// The error is the greatest of the results', each beside its own magnitude; sizes and numbers of
// results must be those in f64.
func TestWrong(t *testing.T) {
	ctx := context.Background()
	value := func(sizes []int64, elements ...float64) tensor.Value {
		v, err := tensor.Of(elements, sizes...)
		require.NoError(t, err)
		return v
	}
	path := filepath.Join(t.TempDir(), "exact.npz")
	want := []npy.Array{{Name: "b", Value: value([]int64{1, 2}, 1, -4)}, {Name: "c", Value: value([]int64{1}, 100)}, {Name: "a", Value: value([]int64{1}, 0)}}
	require.NoError(t, npy.WriteArchive(path, want))
	gives := func(list ...tensor.Value) call {
		return call{func(context.Context) ([]tensor.Value, error) { return list, nil }, []string{"b", "c", "a"}, false}
	}
	hundred, zero := value([]int64{1}, 101), value([]int64{1}, 0)

	got, err := wrong(ctx, gives(value([]int64{2}, 1.5, -4), hundred, zero), path)
	require.NoError(t, err)
	require.InDelta(t, 0.125, got, 0)
	got, err = wrong(ctx, gives(value([]int64{2}, 1, -4), hundred, zero), path)
	require.NoError(t, err)
	require.InDelta(t, 0.01, got, 1e-15)
	got, err = wrong(ctx, call{}, "")
	require.NoError(t, err)
	require.Zero(t, got, "a target without peers does not know")

	loud := gives(value([]int64{2}, 0.25, -0.75))
	loud.results, loud.full = []string{"b"}, true
	got, err = wrong(ctx, loud, path)
	require.NoError(t, err)
	require.InDelta(t, 0.25, got, 0, "-0.75 is -3")

	other := gives(hundred)
	other.results = []string{"d"}
	_, err = wrong(ctx, other, path)
	require.Equal(t, harness.CodeResult, errs.CodeOf(err))
	for _, list := range [][]tensor.Value{nil, {hundred, hundred, zero}, {value([]int64{2}, 1, 2), hundred}} {
		_, err = wrong(ctx, gives(list...), path)
		require.Equal(t, harness.CodeResult, errs.CodeOf(err))
	}
}
