// Package badtest runs a corpus of malformed files against the readers of its
// format. A case passes if every reader returns the case's code and offset,
// and if rejecting it takes next to no memory, whatever the file claims.
//
// # Errors
//
// This package reports through testing only.
//
// # Determinism
//
// Cases run in the order of the corpus.
package badtest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

const (
	minCases = 40       // of a format
	maxAlloc = 64 << 10 // for rejecting a file, besides four times its length
)

// Readers are the readers of one format. Each returns only the error; the result is
// closed.
type Readers struct {
	Parse  func(b []byte) error               // over bytes
	Open   func(path string) error            // mapped
	Verify func(path string) ([]error, error) // every fault
}

// Run runs the corpus.
func Run(t *testing.T, corpus []badfiles.Case, r Readers) {
	require.GreaterOrEqual(t, len(corpus), minCases)
	seen := map[string]bool{}
	for _, c := range corpus {
		require.Regexp(t, `^[a-z0-9]+(_[a-z0-9]+)+$`, c.Name)
		require.False(t, seen[c.Name], "two cases are named %s", c.Name)
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := r.Parse(c.Data)
			runtime.ReadMemStats(&after)
			is(t, c, "", err)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(maxAlloc+4*len(c.Data)), "bytes to reject %d", len(c.Data))

			path := File(t, c.Data)
			is(t, c, path, r.Open(path))
			faults, err := r.Verify(path)
			require.NoError(t, err)
			require.NotEmpty(t, faults, "verify finds nothing")
			is(t, c, path, faults[0])
			for _, err := range faults {
				var e *errs.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, path, e.File, err)
			}
		})
	}
}

// is checks that err is what the case expects; file is "" for a parser.
func is(t *testing.T, c badfiles.Case, file string, err error) {
	t.Helper()
	var e *errs.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, c.Code, e.Code, err)
	require.Equal(t, c.Offset >= 0, e.HasOffset, err)
	if e.HasOffset {
		require.Equal(t, c.Offset, e.Offset, err)
	}
	require.Equal(t, file, e.File, err)
}

// File makes a file of bytes b in a folder of the test.
func File(t *testing.T, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, b, 0o644))
	return path
}

// Prefixes checks that each of the first n proper prefixes of a file is rejected
// with code.
func Prefixes(t *testing.T, b []byte, n int, code errs.Code, parse func(b []byte) error) {
	t.Helper()
	for i := range n {
		require.Equal(t, code, errs.CodeOf(parse(b[:i:i])), "%d bytes", i)
	}
}
