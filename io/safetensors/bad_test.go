package safetensors

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	"github.com/skainet-dev/skainet-go/test/badfiles/badtest"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func parseBytes(b []byte) error {
	_, err := parse(b, new(errs.Faults))
	return err
}

func openClose(path string) error {
	f, err := Open(path)
	if err == nil {
		return f.Close()
	}
	return err
}

func TestBadFiles(t *testing.T) {
	badtest.Run(t, badfiles.Safetensors(), badtest.Readers{Parse: parseBytes, Open: openClose, Verify: Verify})
}

// Every proper prefix is refused as cut short.
func TestEveryPrefixIsTruncated(t *testing.T) {
	good := badfiles.SafetensorsGood()
	require.NoError(t, parseBytes(good))
	badtest.Prefixes(t, good, len(good), CodeTruncated, parseBytes)
}

// set makes a folder of the shards and an index.
func set(t *testing.T, index []byte, shards map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range shards {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	path := filepath.Join(dir, "model.safetensors.index.json")
	require.NoError(t, os.WriteFile(path, index, 0o644))
	return path
}

func TestBadIndexes(t *testing.T) {
	cases := badfiles.SafetensorsIndex()
	require.GreaterOrEqual(t, len(cases), 40)
	seen := map[string]bool{}
	for _, c := range cases {
		require.False(t, seen[c.Name], c.Name)
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			path := set(t, c.Data, badfiles.SafetensorsShards())
			at := path
			if c.Shard != "" {
				at = filepath.Join(filepath.Dir(path), c.Shard)
			}
			is := func(err error) {
				t.Helper()
				var e *errs.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.Code, e.Code, err)
				require.True(t, e.HasOffset, err)
				require.Equal(t, c.Offset, e.Offset, err)
				require.Equal(t, at, e.File, err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, err := Open(path)
			runtime.ReadMemStats(&after)
			require.Nil(t, f)
			is(err)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10+32*len(c.Data)), "bytes to refuse %d", len(c.Data))

			faults, err := Verify(path)
			require.NoError(t, err)
			require.NotEmpty(t, faults)
			is(faults[0])
			for _, err := range faults {
				var e *errs.Error
				require.ErrorAs(t, err, &e)
				require.NotEmpty(t, e.File, err)
			}
		})
	}
}
