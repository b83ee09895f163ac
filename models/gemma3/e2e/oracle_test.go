//go:build integration

// Package e2e tests Gemma 3 with its real weights against other implementations.
// README.md says what each file proves.
package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/models/gemma3"
	"github.com/skainet-dev/skainet-go/test/reference"
)

// first holds llama.cpp's logits after the prompt (the same weights in f32).
var first = map[int]float64{506: 19.0934, 496: 18.5500, 9079: 18.2686, 886: 18.1157, 3224: 17.7868}

func checkKnown(t *testing.T, x backend.Executable) {
	t.Helper()
	logits := reference.Prefill(t, x, prompt, 0)
	for id, want := range first {
		require.InDelta(t, want, logits[id], reference.Tolerance, "token %d", id)
	}
	reference.Read(t, reference.Path(t, "REFERENCE")).Continue(t, x, reference.Greedy{Name: "known", Prompt: prompt, Tokens: known})
}

// checkLogits compares the entry point for all positions on the first ones; the
// chunks of checkAll cover the others.
func checkLogits(t *testing.T, f reference.File, x backend.Executable) {
	t.Helper()
	const rows = 7
	all := reference.Slice[float32](t, reference.Call(t, x, "logits", reference.Of(t, f.IDs[:rows], rows))[0])
	width := len(all) / rows
	for _, l := range f.Logits {
		if l.Position < rows {
			f.Require(t, l, all[l.Position*width:(l.Position+1)*width])
		}
	}
}

// checkAll compares the logits at the edges of the window, fed in chunks that
// end there, and the answer to every prompt.
func checkAll(t *testing.T, x backend.Executable) {
	t.Helper()
	f := reference.Read(t, reference.Path(t, "REFERENCE"))
	checkKnown(t, x)
	checkLogits(t, f, x)
	f.Chunks(t, x)
	f.Continue(t, x, f.Greedy...)
	f.Generate(t, x, f.Greedy[:2]...)
}

func TestCPUBackend(t *testing.T) { checkAll(t, reference.OnCPU(t, "gemma3", gemma3.Model)) }

func TestProgram(t *testing.T) { checkAll(t, reference.Program(t, "PROGRAM_CPU", "local-task", 2)) }

// The other device, with the program for the newest processor that this one can run.
func TestProgramOnOneThread(t *testing.T) {
	variable := "PROGRAM_CPU_V4"
	needs, err := iree.Needs(reference.Path(t, variable))
	require.NoError(t, err)
	if processor.Here().Check(needs) != nil {
		variable = "PROGRAM_CPU"
	}
	x := reference.Program(t, variable, "local-sync", 0)
	f := reference.Read(t, reference.Path(t, "REFERENCE"))
	checkKnown(t, x)
	f.Chunks(t, x)
	f.Continue(t, x, f.Greedy[2:4]...)
	f.Generate(t, x, f.Greedy[4:5]...)
}

// A text fed token by token gives the same logits as the text fed at once, also beyond
// the window.
func TestStepsAreTheWhole(t *testing.T) {
	f := reference.Read(t, reference.Path(t, "REFERENCE"))
	x := reference.Program(t, "PROGRAM_CPU", "local-task", 2)
	const from, to = 505, 520
	reference.Prefill(t, x, f.IDs[:from], 0)
	var steps [][]float32
	for _, id := range f.IDs[from:to] {
		steps = append(steps, append([]float32{}, reference.Decode(t, x, id)...))
	}
	for i, got := range steps {
		want := reference.Prefill(t, x, f.IDs[:from+i+1], 0)
		// Sums are in another order, so a cached value may round to the
		// neighbouring f16 value.
		require.InDeltaSlice(t, want, got, reference.Tolerance, "after %d tokens", from+i+1)
	}
}

// Two programs with one archive have separate caches.
func TestTwoSideBySide(t *testing.T) {
	f := reference.Read(t, reference.Path(t, "REFERENCE"))
	a, b := reference.Program(t, "PROGRAM_CPU", "local-task", 2), reference.Program(t, "PROGRAM_CPU", "local-sync", 0)
	one, other := f.Greedy[0], f.Greedy[1]
	x, y := reference.Prefill(t, a, one.Prompt, 0), reference.Prefill(t, b, other.Prompt, 0)
	for i := range 8 {
		require.Equal(t, one.Tokens[i], reference.Best(x))
		require.Equal(t, other.Tokens[i], reference.Best(y))
		x, y = reference.Decode(t, a, one.Tokens[i]), reference.Decode(t, b, other.Tokens[i])
	}
}
