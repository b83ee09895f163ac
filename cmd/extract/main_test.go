package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/gguf"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a.gguf"), filepath.Join(dir, "b.gguf")
	_, err := gguf.Write(from, []gguf.Pair{
		{Key: "general.architecture", Value: "small"}, {Key: "small.size", Value: uint32(1)}, {Key: "tokenizer.ggml.model", Value: "gpt2"},
	}, nil, gguf.Options{})
	require.NoError(t, err)
	var stderr bytes.Buffer
	require.Zero(t, command.Run(context.Background(), newCommand(), []string{"--weights", from, "--output", to}, io.Discard, &stderr), stderr.String())
	f, err := gguf.Open(to)
	require.NoError(t, err)
	defer f.Close()
	require.Len(t, f.Pairs(), 2)

	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "extract: USAGE: required flag(s) \"output\", \"weights\" not set"},
		{[]string{"--weights", from}, 2, "extract: USAGE"},
		{[]string{"x"}, 2, "extract: USAGE"},
		{[]string{"--weights", to + "x", "--output", to}, 1, "extract: FILE_OPEN: " + to + "x"},
	} {
		stderr.Reset()
		require.Equal(t, tt.status, command.Run(context.Background(), newCommand(), tt.args, io.Discard, &stderr))
		require.Contains(t, stderr.String(), tt.want)
	}
}
