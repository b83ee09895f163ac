package program

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/generatetest"
)

// Nothing stays of parts that cannot be opened.
func TestEmbeddedMistakes(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	good, err := generatetest.New(t).Document.Marshal()
	require.NoError(t, err)
	p := Parts{
		Programs: []Compiled{{Device: "local-task", File: "p.vmfb"}}, Contract: "c.json", Library: "l.so",
		Embedded: fstest.MapFS{"p.vmfb": {Data: []byte("x")}, "l.so": {Data: []byte("no library")}},
	}
	for _, c := range []struct {
		add  string
		data []byte
		code errs.Code
		in   string
	}{
		{"", nil, CodeRunfiles, "c.json"},
		{"c.json", good, "IREE_LOAD", "l.so"},
	} {
		if c.add != "" {
			p.Embedded.(fstest.MapFS)[c.add] = &fstest.MapFile{Data: c.data}
		}
		_, err := p.Open(Options{})
		require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, c.in)
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, left)
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "none"))
	_, err = p.Open(Options{})
	require.Equal(t, CodeExtract, errs.CodeOf(err))
}

// alone is a program with one session; shared one with more.
type (
	alone  struct{ *generatetest.Program }
	shared struct{ *generatetest.Program }
)

func (s shared) Session(map[string][]string) (backend.Executable, error) { return s, nil }

// The files of a program that reads them at each call stay until its last session is closed.
func TestExtracted(t *testing.T) {
	removed := 0
	first := &extracted{Executable: shared{generatetest.New(t)}, users: new(atomic.Int32), remove: func() { removed++ }}
	first.users.Store(1)
	require.False(t, backend.KeepsState(first))
	second, err := first.Session(nil)
	require.NoError(t, err)
	require.False(t, backend.KeepsState(second))
	require.NoError(t, first.Close())
	require.NoError(t, first.Close())
	require.Zero(t, removed)
	require.NoError(t, second.Close())
	require.Equal(t, 1, removed)
	_, err = (&extracted{Executable: alone{generatetest.New(t)}}).Session(nil)
	require.Equal(t, CodeDevice, errs.CodeOf(err))
}
