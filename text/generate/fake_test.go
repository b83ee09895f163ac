package generate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
	"github.com/skainet-dev/skainet-go/text/generate"
)

const (
	fakeContext    = 16
	fakeVocabulary = 50
)

// fake is a program that keeps the tokens themselves in place of keys and values.
// Its logits are some function of all of them, so that a wrong cache shows.
type fake struct {
	t        *testing.T
	contract *contract.Contract
	cache    []int32
	calls    []string           // "prefill 3@0", "decode", ...
	before   func(string) error // a call
	count    func(int32) int32  // what generate says
}

func named(name string, d dtype.DType, sizes ...int64) contract.Named {
	return contract.Named{Name: name, DType: d, Shape: shape.Of(sizes...)}
}

func fakeContractOf() *contract.Contract {
	tokens, start := named("tokens", dtype.I32, shape.Dynamic), named("start", dtype.I32)
	logits := []contract.Named{named("logits", dtype.F32, 1, fakeVocabulary)}
	return &contract.Contract{Name: "fake", Entries: []contract.Entry{
		{Name: "prefill", Args: []contract.Named{tokens, start}, Results: logits, State: true},
		{Name: "decode", Args: []contract.Named{named("token", dtype.I32, 1)}, Results: logits, State: true},
		{
			Name: "generate", State: true,
			Args: []contract.Named{
				tokens, start, named("max_tokens", dtype.I32), named("temperature", dtype.F32), named("top_k", dtype.I32),
				named("top_p", dtype.F32), named("min_p", dtype.F32), named("repeat_penalty", dtype.F32), named("seed", dtype.I32, 2),
				named("stop", dtype.I32, shape.Dynamic),
			},
			Results: []contract.Named{named("tokens", dtype.I32, fakeContext), named("count", dtype.I32)},
		},
		{Name: "logits", Args: []contract.Named{tokens}, Results: []contract.Named{named("logits", dtype.F32, shape.Dynamic, fakeVocabulary)}},
	}}
}

func newFake(t *testing.T) *fake { return &fake{t: t, contract: fakeContractOf()} }

func (f *fake) Contract() *contract.Contract { return f.contract }
func (f *fake) Close() error                 { return nil }

// after gives the logits after a text.
func after(text []int32) []float32 {
	h := uint32(17)
	for _, t := range text {
		h = (h ^ uint32(t)) * 16777619
	}
	logits := make([]float32, fakeVocabulary)
	for i := range logits {
		h = h*1664525 + 1013904223
		logits[i] = float32(h>>8) / (1 << 22)
	}
	return logits
}

// put writes tokens from start on, as a program would.
func (f *fake) put(tokens []int32, start int) {
	require.LessOrEqual(f.t, start, len(f.cache), "rows that were never written")
	require.LessOrEqual(f.t, start+len(tokens), fakeContext, "rows behind the last")
	require.NotEmpty(f.t, tokens)
	f.cache = append(f.cache[:start:start], tokens...)
}

func (f *fake) Call(_ context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	e, err := f.contract.Entry(entry)
	require.NoError(f.t, err)
	require.NoError(f.t, backend.Check(e, args))
	ints := func(i int) []int32 {
		v, err := tensor.Slice[int32](args[i])
		require.NoError(f.t, err)
		return v
	}
	f.calls = append(f.calls, entry)
	if f.before != nil {
		if err := f.before(entry); err != nil {
			return nil, err
		}
	}
	switch entry {
	case "prefill":
		f.put(ints(0), int(ints(1)[0]))
	case "decode":
		f.put(ints(0), len(f.cache))
	case "logits":
		var all []float32
		for i := range ints(0) {
			all = append(all, after(ints(0)[:i+1])...)
		}
		return []tensor.Value{value(f.t, all, int64(len(ints(0))), fakeVocabulary)}, nil
	case "generate":
		return f.generate(ints, args)
	}
	return []tensor.Value{value(f.t, after(f.cache), 1, fakeVocabulary)}, nil
}

func (f *fake) generate(ints func(int) []int32, args []tensor.Value) ([]tensor.Value, error) {
	float := func(i int) float32 {
		v, err := tensor.Slice[float32](args[i])
		require.NoError(f.t, err)
		return v[0]
	}
	f.put(ints(0), int(ints(1)[0]))
	seed := ints(8)
	s, err := generate.NewSampler(generate.Sampling{
		Temperature: float(3), TopK: int(ints(4)[0]), TopP: float(5), MinP: float(6), RepeatPenalty: float(7),
		Seed: uint64(uint32(seed[1]))<<32 | uint64(uint32(seed[0])),
	})
	require.NoError(f.t, err)
	s.Observe(ints(0)...)
	chosen, count := make([]int32, fakeContext), int32(0)
	most := min(int(ints(2)[0]), fakeContext-len(f.cache))
	require.Positive(f.t, most)
	for i := range most {
		token, err := s.Next(after(f.cache))
		require.NoError(f.t, err)
		s.Observe(token)
		chosen[i] = token
		f.put([]int32{token}, len(f.cache))
		if contains(ints(9), token) {
			break
		}
		count++
	}
	if f.count != nil {
		count = f.count(count)
	}
	return []tensor.Value{value(f.t, chosen, fakeContext), value(f.t, []int32{count})}, nil
}

func contains(list []int32, v int32) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

var errBroken = errors.New("broken")
