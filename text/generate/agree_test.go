package generate_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// program is the sampler as part of a program: lang/nn.
func program(t *testing.T, vocabulary int64) backend.Executable {
	t.Helper()
	g, err := lang.Capture("sampler", nil, func(m *lang.Module) {
		m.Entry("next", func(f *lang.Func) {
			logits := f.Input("logits", dtype.F32, vocabulary)
			recent := f.Input("recent", dtype.I32, generate.Window)
			penalty := f.Input("repeat_penalty", dtype.F32)
			s := nn.Sampling{
				Temperature: f.Input("temperature", dtype.F32), TopK: f.Input("top_k", dtype.I32),
				TopP: f.Input("top_p", dtype.F32), MinP: f.Input("min_p", dtype.F32),
				Seed: f.Input("seed", dtype.I32, 2), Step: f.Input("step", dtype.I32),
			}
			token := nn.Sample(nn.Penalize(logits, recent, penalty), s)
			f.Output("token", token)
			f.Output("recent", nn.Remember(recent, token))
		})
	})
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	x, err := cpu.Load(g, m.Contract, nil)
	require.NoError(t, err)
	return x
}

func value[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

// requireAgreement draws with both from the same logits and compares token by token.
func requireAgreement(t *testing.T, x backend.Executable, s generate.Sampling, start []int32, logits func(step int) []float32, steps int) {
	t.Helper()
	host, err := generate.NewSampler(s)
	require.NoError(t, err)
	host.Observe(start...)
	window := slices.Repeat([]int32{-1}, generate.Window)
	window = append(window, start...)
	recent := value(t, window[len(start):], generate.Window)
	fill := func(v float32) tensor.Value {
		if v == 0 {
			v = 1
		}
		return value(t, []float32{v})
	}
	for step := range steps {
		l := logits(step)
		out, err := x.Call(context.Background(), "next", value(t, l, int64(len(l))), recent, fill(s.RepeatPenalty),
			value(t, []float32{s.Temperature}), value(t, []int32{int32(s.TopK)}), fill(s.TopP), value(t, []float32{s.MinP}),
			value(t, []int32{int32(s.Seed), int32(s.Seed >> 32)}, 2), value(t, []int32{int32(step)}))
		require.NoError(t, err)
		got, err := tensor.Slice[int32](out[0])
		require.NoError(t, err)
		want, err := host.Next(slices.Clone(l))
		require.NoError(t, err)
		require.Equal(t, want, got[0], "step %d of %+v", step, s)
		host.Observe(want)
		recent = out[1]
	}
}

// The program's sampler is held against the host's, whose probabilities are NumPy's.
func TestProgramDrawsTheSameTokens(t *testing.T) {
	f := samplings(t)
	x := program(t, int64(len(f.Logits)))
	for i, c := range f.Cases {
		requireAgreement(t, x, c.sampling(uint64(i)<<40|3), f.Recent, func(int) []float32 { return f.Logits }, 100)
	}
}

// Over as many tokens as fill no square, with masked ones and a seed of all bits.
func TestProgramDrawsTheSameOfManyTokens(t *testing.T) {
	const vocabulary = 3001
	x := program(t, vocabulary)
	r := rand.New(rand.NewPCG(1, 2))
	logits := func(int) []float32 {
		l := make([]float32, vocabulary)
		for i := range l {
			if l[i] = float32(r.NormFloat64() * 3); i%7 == 6 {
				l[i] = -1e30
			}
		}
		return l
	}
	for _, s := range []generate.Sampling{
		{},
		{RepeatPenalty: 2},
		{Temperature: 1, Seed: 1<<64 - 1},
		{Temperature: 1, TopK: 2500, Seed: 2},
		{Temperature: 1, TopK: 3000, Seed: 2},
		{Temperature: 0.7, TopK: 40, TopP: 0.95, MinP: 0.05, RepeatPenalty: 1.1, Seed: 42},
		{Temperature: 1.5, TopP: 0.999, Seed: 7},
		{Temperature: 1e-30, Seed: 7},
	} {
		requireAgreement(t, x, s, []int32{5}, logits, 12)
	}
}
