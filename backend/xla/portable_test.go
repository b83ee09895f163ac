package xla

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// A portable file is written without a plugin, always with the same bytes, and has what
// Open compiles.
func TestPortable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "counting.xla")
	o := Options{Graph: counting(t), Sizes: []map[string]int64{{"n": 4}}, Level: "debug", Plugin: "none.so"}
	require.NoError(t, WritePortable(path, o))
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, WritePortable(path, o))
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.True(t, IsFile(path))
	c, err := ReadContract(path)
	require.NoError(t, err)
	require.Equal(t, "counting", c.Name)

	for want, change := range map[string]func(m *manifest){
		"the part other is missing": func(m *manifest) { m.Graph = "other" },
		"the level is none":         func(m *manifest) { m.Level = "best" },
		"not that of the graph":     func(m *manifest) { m.Contract.Name = "other" },
		"and programs of it":        func(m *manifest) { m.Programs = []member{{Entry: "step"}} },
		"does not say what compi":   func(m *manifest) { m.Graph = "" },
	} {
		_, err := ReadContract(changed(t, path, change))
		require.Equal(t, pjrt.CodeProgram, errs.CodeOf(err), "%s: %v", want, err)
		require.ErrorContains(t, err, want)
	}
	bad := filepath.Join(t.TempDir(), "bad.xla")
	o.Level = "best"
	require.Equal(t, xlatext.CodeLevel, errs.CodeOf(WritePortable(bad, o)))
	require.Equal(t, pjrt.CodeProgram, errs.CodeOf(WritePortable(bad, Options{})))
	require.NoFileExists(t, bad)

	xlatest.Plugin(t)
	kept, err := cache.Open(t.TempDir())
	require.NoError(t, err)
	var compiled []string
	open := Options{Program: path, Archives: map[string][]string{"model": {weights(t, 2)}}, Cache: kept, Compiling: func(entry string, sizes map[string]int64) func() {
		compiled = append(compiled, entry+Spelled(sizes))
		return nil
	}}
	for range 2 { // the second time from the cache
		x, err := Open(context.Background(), open)
		require.NoError(t, err)
		require.Equal(t, []float32{5, 5}, call(t, x, "step", vector(t, 16, 1)))
		require.Equal(t, []float32{7, 7}, call(t, x, "step", vector(t, 16, 1)))
		require.Equal(t, []float32{6, 6, 6, 6}, call(t, x, "twice", vector(t, 4, 3)))
		require.Equal(t, []float32{6, 6, 6, 6, 6}, call(t, x, "twice", vector(t, 5, 3)), "a size that it does not name")
		require.NoError(t, x.Close())
	}
	require.Equal(t, []string{"step", "twicen=4", "twicen=5"}, compiled)
}
