//go:build integration

// Package e2e tests SmolLM2-135M with its real weights against other
// implementations: NumPy in f32 and llama.cpp on the same weights in f32
// (models/gemma3/testdata/gen_reference.py).
package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/models/llama"
	"github.com/skainet-dev/skainet-go/test/reference"
)

// check compares the logits of a long text, fed in chunks, and the answer to
// every prompt.
func check(t *testing.T, x backend.Executable) {
	t.Helper()
	// "The capital of France is": " Paris", according to llama.cpp.
	require.EqualValues(t, 7042, reference.Best(reference.Prefill(t, x, []int32{504, 3575, 282, 4649, 314}, 0)))
	f := reference.Read(t, reference.Path(t, "REFERENCE"))
	f.Chunks(t, x)
	f.Continue(t, x, f.Greedy...)
	f.Generate(t, x, f.Greedy[0])
}

func TestCPUBackend(t *testing.T) { check(t, reference.OnCPU(t, "llama", llama.Model)) }

func TestProgram(t *testing.T) { check(t, reference.Program(t, "PROGRAM_CPU", "local-task", 2)) }
