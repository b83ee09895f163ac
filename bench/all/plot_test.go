package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
)

// drawnFiles returns what is in a folder.
func drawnFiles(t *testing.T, folder string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(folder)
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range list {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		require.NoError(t, err)
		files[f.Name()] = string(data)
	}
	return files
}

// The same figures are the same bytes, whether they were measured or read; others are others.
func TestPlotsAreDeterministic(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "new", "folder"), t.TempDir()
	require.NoError(t, plots(first, sample()))
	path := filepath.Join(t.TempDir(), "figures.json")
	require.NoError(t, sample().Write(path))
	var out, bad bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"--from=" + path, "--plots=" + second}, &out, &bad), bad.String())
	files := drawnFiles(t, first)
	require.Equal(t, files, drawnFiles(t, second))
	require.Len(t, files, 3)

	other := sample()
	other.Rows[0].Rounds = figures.Once([]float64{0.5, 1, 2})
	require.NoError(t, plots(second, other))
	changed := drawnFiles(t, second)
	require.NotEqual(t, files["zoo-1.svg"], changed["zoo-1.svg"])
	require.Equal(t, files["ops-1.svg"], changed["ops-1.svg"])
}

// A plot is well-formed XML with the cases, the engines and the figures, of bars that are cut too.
func TestPlot(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, plots(folder, sample()))
	files := drawnFiles(t, folder)
	for name, texts := range map[string][]string{
		"zoo-1.svg":  {"zoo, 1 thread: Some CPU", "silero", "bge-small f32", "cpu_x86_64_v3 to ort", "1.50", "1.20"},
		"text-2.svg": {"text, 2 threads: Some CPU", "gemma3_270m decode 64", "ours-v3 to llama.cpp", "ours-go to llama.cpp", "1.35"},
		"ops-1.svg":  {"matmul", "ours to gonum", "8.00, cut", "0.90"},
	} {
		d := xml.NewDecoder(bytes.NewReader([]byte(files[name])))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, name)
		}
		for _, text := range texts {
			require.Contains(t, files[name], text, name)
		}
	}
}
