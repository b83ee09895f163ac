// Package generatetest provides a program for testing text generation: it stores the
// tokens themselves where a model stores keys and values, and its logits are a function
// of all of them, which exposes a wrong cache.
//
// # Errors
//
// Misuse of the program's state fails the test.
//
// # Determinism
//
// Logits depend on the tokens only.
package generatetest

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// Context and Vocabulary are the program's R and V.
const (
	Context    = 16
	Vocabulary = 50
)

// Program is a backend.Executable.
type Program struct {
	T        *testing.T
	Document *contract.Contract
	Cache    []int32
	Calls    []string           // names of the entry points called
	Before   func(string) error // is called at the start of each call, if set
	Count    func(int32) int32  // changes the result of generate, if set
	Broken   int                // a longer text has NaN logits; 0 for none
	Onward   bool               // it cannot go back: see GoesOn
}

// New makes a program with an empty cache.
func New(t *testing.T) *Program {
	tokens, start := Named("tokens", dtype.I32, shape.Dynamic), Named("start", dtype.I32)
	logits := []contract.Named{Named("logits", dtype.F32, 1, Vocabulary)}
	return &Program{T: t, Document: &contract.Contract{Schema: contract.Schema, Name: "fake", Entries: []contract.Entry{
		{Name: "prefill", Args: []contract.Named{tokens, start}, Results: logits, State: true},
		{Name: "decode", Args: []contract.Named{Named("token", dtype.I32, 1)}, Results: logits, State: true},
		{
			Name: "generate", State: true,
			Args: []contract.Named{
				tokens, start, Named("max_tokens", dtype.I32), Named("temperature", dtype.F32), Named("top_k", dtype.I32),
				Named("top_p", dtype.F32), Named("min_p", dtype.F32), Named("repeat_penalty", dtype.F32), Named("seed", dtype.I32, 2),
				Named("stop", dtype.I32, shape.Dynamic),
			},
			Results: []contract.Named{Named("tokens", dtype.I32, Context), Named("count", dtype.I32)},
		},
		{Name: "logits", Args: []contract.Named{tokens}, Results: []contract.Named{Named("logits", dtype.F32, shape.Dynamic, Vocabulary)}},
	}}}
}

// Named is an argument or result.
func Named(name string, d dtype.DType, sizes ...int64) contract.Named {
	return contract.Named{Name: name, DType: d, Shape: shape.Of(sizes...)}
}

// After returns the logits after a text.
func After(text []int32) []float32 {
	h := uint32(17)
	for _, t := range text {
		h = (h ^ uint32(t)) * 16777619
	}
	logits := make([]float32, Vocabulary)
	for i := range logits {
		h = h*1664525 + 1013904223
		logits[i] = float32(h>>8) / (1 << 22)
	}
	return logits
}

// Continued returns the continuation of a text: n times the most likely token.
func Continued(text []int32, n int) []int32 {
	text = slices.Clone(text)
	for range n {
		logits := After(text)
		text = append(text, int32(slices.Index(logits, slices.Max(logits))))
	}
	return text[len(text)-n:]
}

// Contract describes the entry points.
func (p *Program) Contract() *contract.Contract { return p.Document }

// GoesOn makes it a program that cannot go back to an earlier position, as one of
// recurrent layers.
func (p *Program) GoesOn() {
	p.Onward = true
	for i := range p.Document.Entries {
		for j, a := range p.Document.Entries[i].Args {
			if a.Name == "start" {
				p.Document.Entries[i].Args[j].Name = "resume"
			}
		}
	}
}

// Close does nothing.
func (p *Program) Close() error { return nil }

// put writes tokens, starting at start.
func (p *Program) put(tokens []int32, start int) {
	require.LessOrEqual(p.T, start, len(p.Cache), "rows that were never written")
	if p.Onward && start != 0 {
		require.Len(p.T, p.Cache, start, "an earlier position")
	}
	require.LessOrEqual(p.T, start+len(tokens), Context, "rows after the last")
	require.NotEmpty(p.T, tokens)
	p.Cache = append(p.Cache[:start:start], tokens...)
}

// Call runs an entry point.
func (p *Program) Call(_ context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	e, err := p.Document.Entry(entry)
	require.NoError(p.T, err)
	require.NoError(p.T, backend.Check(e, args))
	p.Calls = append(p.Calls, entry)
	if p.Before != nil {
		if err := p.Before(entry); err != nil {
			return nil, err
		}
	}
	switch entry {
	case "prefill":
		p.put(slice[int32](p, args[0]), int(slice[int32](p, args[1])[0]))
	case "decode":
		p.put(slice[int32](p, args[0]), len(p.Cache))
	case "logits":
		var all []float32
		text := slice[int32](p, args[0])
		for i := range text {
			all = append(all, After(text[:i+1])...)
		}
		return []tensor.Value{of(p, all, int64(len(text)), Vocabulary)}, nil
	case "generate":
		return p.generate(args), nil
	}
	return []tensor.Value{of(p, p.after(), 1, Vocabulary)}, nil
}

// after returns the logits after what the cache holds.
func (p *Program) after() []float32 {
	logits := After(p.Cache)
	if p.Broken > 0 && len(p.Cache) > p.Broken {
		for i := range logits {
			logits[i] = float32(math.NaN())
		}
	}
	return logits
}

func (p *Program) generate(args []tensor.Value) []tensor.Value {
	integer := func(i int) int { return int(slice[int32](p, args[i])[0]) }
	float := func(i int) float32 { return slice[float32](p, args[i])[0] }
	tokens, seed := slice[int32](p, args[0]), slice[int32](p, args[8])
	p.put(tokens, integer(1))
	s, err := generate.NewSampler(generate.Sampling{
		Temperature: float(3), TopK: integer(4), TopP: float(5), MinP: float(6), RepeatPenalty: float(7),
		Seed: uint64(uint32(seed[1]))<<32 | uint64(uint32(seed[0])),
	})
	require.NoError(p.T, err)
	s.Observe(tokens...)
	chosen, count := make([]int32, Context), int32(0)
	most := min(integer(2), Context-len(p.Cache))
	require.Positive(p.T, most)
	for i := range most {
		token, err := s.Next(p.after())
		if err != nil { // like package causal
			token = -1
		}
		s.Observe(token)
		chosen[i] = token
		p.put([]int32{max(token, 0)}, len(p.Cache))
		if slices.Contains(slice[int32](p, args[9]), token) {
			break
		}
		count++
	}
	if p.Count != nil {
		count = p.Count(count)
	}
	return []tensor.Value{of(p, chosen, Context), of(p, []int32{count})}
}

func slice[T tensor.Element](p *Program, v tensor.Value) []T {
	s, err := tensor.Slice[T](v)
	require.NoError(p.T, err)
	return s
}

func of[T tensor.Element](p *Program, data []T, sizes ...int64) tensor.Value {
	v, err := tensor.Of(data, sizes...)
	require.NoError(p.T, err)
	return v
}
