//go:build integration

package interop

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/gguf"
)

// TestGGUFWritten has gguf-py's reader read what our writer writes: all types of
// values and tensors, in both byte orders, versions and other alignments.
func TestGGUFWritten(t *testing.T) {
	dir := t.TempDir()
	var made map[string]ggufFile
	python(t, &made, "write", dir)
	for _, c := range []struct {
		source string
		o      gguf.Options
	}{
		{"values.gguf", gguf.Options{}},
		{"nested.gguf", gguf.Options{BeyondGGML: true}},
		{"tensors.gguf", gguf.Options{}},
		{"nothing.gguf", gguf.Options{}},
		{"legal.gguf", gguf.Options{}},
		{"tensors.gguf", gguf.Options{Alignment: 4096}},
		{"values.gguf", gguf.Options{Version: 2}},
		{"values.gguf", gguf.Options{BigEndian: true}},
		{"big.gguf", gguf.Options{BigEndian: true}},
		{"big.gguf", gguf.Options{}},
		{"aligned64.gguf", gguf.Options{Alignment: 64}},
	} {
		t.Run(fmt.Sprintf("%s %+v", c.source, c.o), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ours.gguf")
			copyGGUF(t, filepath.Join(dir, c.source), path, c.o)
			agree(t, path)
			// The same as what the package wrote, but for what was asked for.
			want, got := made[c.source], ours(t, path)
			for _, f := range []*ggufFile{&want, &got} {
				f.Version, f.Big, f.Alignment = 0, false, 0
				var fields []ggufField
				for _, x := range f.Fields {
					if x.Key != "general.alignment" {
						fields = append(fields, x)
					}
				}
				f.Fields = fields
				for i := range f.Tensors {
					f.Tensors[i].Offset = 0
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// copyGGUF has our writer write what our reader reads.
func copyGGUF(t *testing.T, from, to string, o gguf.Options) {
	t.Helper()
	f, err := gguf.Open(from)
	require.NoError(t, err)
	defer f.Close()
	var items []gguf.Item
	for _, x := range f.Tensors() {
		b, err := f.Tensor(x.Name)
		require.NoError(t, err)
		items = append(items, gguf.Item{Spec: x.Spec, Open: b.Reader})
	}
	paths, err := gguf.Write(to, f.Pairs(), items, o)
	require.NoError(t, err)
	require.Equal(t, []string{to}, paths)
}

// TestGGUFParts has gguf-py read the parts of a model that our writer splits.
func TestGGUFParts(t *testing.T) {
	dir := t.TempDir()
	var made map[string]ggufFile
	python(t, &made, "write", dir)
	f, err := gguf.Open(filepath.Join(dir, "tensors.gguf"))
	require.NoError(t, err)
	defer f.Close()
	var items []gguf.Item
	for _, x := range f.Tensors() {
		b, err := f.Tensor(x.Name)
		require.NoError(t, err)
		items = append(items, gguf.Item{Spec: x.Spec, Open: b.Reader})
	}
	paths, err := gguf.Write(filepath.Join(dir, "parts.gguf"), f.Pairs(), items, gguf.Options{PartBytes: 4096})
	require.NoError(t, err)
	require.Greater(t, len(paths), 3)
	var got []ggufTensor
	for _, path := range paths {
		var part ggufFile
		python(t, &part, "read", path)
		got = append(got, part.Tensors...)
	}
	for i := range got {
		got[i].Offset = 0
	}
	if diff := cmp.Diff(made["tensors.gguf"].Tensors, got); diff != "" {
		t.Error(diff)
	}
}

// TestGemmaCopied has our writer copy 270M weights with 262144 tokens: a model is
// laid out as llama.cpp's writer does it, to the byte.
func TestGemmaCopied(t *testing.T) {
	source, path := runfile(t, "GEMMA"), filepath.Join(t.TempDir(), "ours.gguf")
	copyGGUF(t, source, path, gguf.Options{})
	require.True(t, bytes.Equal(read(t, source), read(t, path)), "other bytes")
}
