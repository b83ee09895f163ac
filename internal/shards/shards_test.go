package shards

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStale(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"m.irpa", "m-00001-of-00002.irpa", "m-00002-of-00002.irpa", "m-00001-of-00003.irpa",
		"m.safetensors.index.json", "m.safetensors", "m-00001-of-00001.safetensors",
		"mm-00001-of-00003.irpa", "m-1-of-3.irpa", "m-00001-of-00003.irpa.bak", "m-00001-of-00003.gguf", "m.json",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "m-00002-of-00003.irpa"), 0o755))
	require.NoError(t, os.Symlink("m.irpa", filepath.Join(dir, "m-00003-of-00003.irpa")))
	tests := []struct {
		name           string
		written, stale []string
	}{
		{"fewer shards", []string{"m-00001-of-00002.irpa", "m-00002-of-00002.irpa"}, []string{"m-00001-of-00003.irpa", "m.irpa"}},
		{"one file", []string{"m.irpa"}, []string{"m-00001-of-00002.irpa", "m-00001-of-00003.irpa", "m-00002-of-00002.irpa"}},
		{"an index", []string{"m.safetensors.index.json", "m-00001-of-00001.safetensors"}, []string{"m.safetensors"}},
		{"no index", []string{"m.safetensors"}, []string{"m-00001-of-00001.safetensors", "m.safetensors.index.json"}},
		{"another name", []string{"n.irpa"}, nil},
		{"nothing", nil, nil},
		{"no folder", []string{"none/m.irpa"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := func(names []string) (paths []string) {
				for _, name := range names {
					paths = append(paths, filepath.Join(dir, name))
				}
				return paths
			}
			require.Equal(t, in(tt.stale), Stale(in(tt.written)...))
		})
	}
}

func TestMissing(t *testing.T) {
	for _, tt := range []struct {
		name           string
		paths, missing []string
	}{
		{"one of three", []string{"d/m-00002-of-00003.irpa"}, []string{"d/m-00001-of-00003.irpa", "d/m-00003-of-00003.irpa"}},
		{"all", []string{"m-00002-of-00002.irpa", "m-00001-of-00002.irpa"}, nil},
		{"two sets", []string{"m-00001-of-00002.irpa", "l-00002-of-00002.irpa", "m-00001-of-00001.gguf"}, []string{"l-00001-of-00002.irpa", "m-00002-of-00002.irpa"}},
		{"two sizes", []string{"m-00001-of-00002.irpa", "m-00001-of-00001.irpa"}, []string{"m-00002-of-00002.irpa"}},
		{"another folder", []string{"a/m-00001-of-00002.irpa", "b/m-00002-of-00002.irpa"}, []string{"a/m-00002-of-00002.irpa", "b/m-00001-of-00002.irpa"}},
		{"no parts", []string{"m.irpa", "m-1-of-3.irpa", "m-00001-of-00000.irpa"}, nil},
		{"nothing", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.missing, Missing(tt.paths...)) })
	}
}
