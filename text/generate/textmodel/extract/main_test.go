package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
	"github.com/skainet-dev/skainet-go/io/gguf"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a.gguf"), filepath.Join(dir, "b.gguf")
	_, err := gguf.Write(from, []gguf.Pair{
		{Key: "general.architecture", Value: "small"}, {Key: "small.size", Value: uint32(1)}, {Key: "tokenizer.ggml.model", Value: "gpt2"},
	}, nil, gguf.Options{})
	require.NoError(t, err)
	var stderr bytes.Buffer
	require.Zero(t, run([]string{"--weights", from, "--output", to}, &stderr), stderr.String())
	f, err := gguf.Open(to)
	require.NoError(t, err)
	defer f.Close()
	require.Len(t, f.Pairs(), 2)

	for _, args := range [][]string{nil, {"--weights", from}, {"--weights", to + "x", "--output", to}, {"x"}} {
		stderr.Reset()
		require.Equal(t, 1, run(args, &stderr))
		require.Contains(t, stderr.String(), "extract: ")
	}
}
