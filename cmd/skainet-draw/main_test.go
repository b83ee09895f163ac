package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestRun(t *testing.T) {
	g, err := lang.Capture("line", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 2).Negate()) })
	})
	require.NoError(t, err)
	text, err := graphjson.Marshal(g)
	require.NoError(t, err)
	dir := t.TempDir()
	file, bad, out := filepath.Join(dir, "g.json"), filepath.Join(dir, "bad.json"), filepath.Join(dir, "g.svg")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	require.NoError(t, os.WriteFile(bad, []byte("{}"), 0o644))

	var stdout, stderr bytes.Buffer
	require.Zero(t, command.Run(context.Background(), newCommand(), []string{file}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "</svg>")
	require.Zero(t, command.Run(context.Background(), newCommand(), []string{file, "-o", out}, &stderr, &stderr), stderr.String())
	require.Empty(t, stderr.String())
	picture, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, stdout.String(), string(picture))

	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{1, "skainet-draw: GRAPH_FIELD: " + bad + ": byte 0: ", []string{bad, "-o", filepath.Join(dir, "none")}},
		{1, "skainet-draw: FILE_WRITE: ", []string{file, "-o", filepath.Join(file, "x")}},
		{2, "skainet-draw: USAGE: " + file + ": ", []string{file, "-o", file}},
		{2, "skainet-draw: USAGE: ", nil},
		{2, "skainet-draw: USAGE: ", []string{"--size=3", file}},
	} {
		stderr.Reset()
		require.Equal(t, c.status, command.Run(context.Background(), newCommand(), c.args, &stdout, &stderr), c.args)
		require.Regexp(t, "^"+c.want+"[^\n]+\n$", stderr.String())
	}
	require.NoFileExists(t, filepath.Join(dir, "none"))
	stderr.Reset()
	require.Equal(t, 1, command.Run(context.Background(), newCommand(), []string{file}, full{}, &stderr))
	require.Equal(t, "skainet-draw: FILE_WRITE: cannot write to the standard output: full\n", stderr.String())
}
