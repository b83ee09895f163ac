package cas

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/stretchr/testify/require"
)

func staged(t *testing.T) (*Store, string, Stamp) {
	s, root := store(t)
	_, err := s.Put(strings.NewReader("abc"), abc)
	require.NoError(t, err)
	path := filepath.Join(root, "link")
	require.NoError(t, s.Link(abc, path))
	stamp, err := Stat(path)
	require.NoError(t, err)
	time.Sleep(Tick)
	return s, path, stamp
}

// put writes over a file in place, and returns its time and mode.
func put(t *testing.T, path, text string) {
	require.NoError(t, os.Chmod(path, 0o755))
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, seal(f))
}

// Whatever is done through a link is seen at the blob's place.
func TestChanged(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(t *testing.T, path string)
		want bool
	}{
		"nothing":            {func(*testing.T, string) {}, false},
		"removed":            {func(t *testing.T, p string) { require.NoError(t, os.Remove(p)) }, false},
		"renamed":            {func(t *testing.T, p string) { require.NoError(t, os.Rename(p, p+"2")) }, false},
		"linked":             {func(t *testing.T, p string) { require.NoError(t, os.Link(p, p+"2")) }, false},
		"the same bytes":     {func(t *testing.T, p string) { put(t, p, "abc") }, false},
		"other bytes":        {func(t *testing.T, p string) { put(t, p, "abd") }, true},
		"renamed, written":   {func(t *testing.T, p string) { require.NoError(t, os.Rename(p, p+"2")); put(t, p+"2", "abd") }, true},
		"longer":             {func(t *testing.T, p string) { put(t, p, "abcd") }, true},
		"its mode":           {func(t *testing.T, p string) { require.NoError(t, os.Chmod(p, 0)) }, true},
		"its time":           {func(t *testing.T, p string) { require.NoError(t, os.Chtimes(p, time.Now(), time.Now())) }, true},
		"replaced":           {func(t *testing.T, p string) { require.NoError(t, os.Remove(p)); write(t, p) }, false},
		"replaced by a link": {func(t *testing.T, p string) { require.NoError(t, os.Remove(p)); require.NoError(t, os.Symlink("x", p)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, path, stamp := staged(t)
			c.do(t, path)
			changed, err := s.Changed(abc, path, stamp)
			require.NoError(t, err)
			require.Equal(t, c.want, changed)
			require.Equal(t, !c.want, s.Has(abc))
			if !c.want {
				b, err := s.Bytes(abc)
				require.NoError(t, err)
				require.Equal(t, "abc", string(b))
			}
			_, err = s.Put(strings.NewReader("abc"), abc)
			require.NoError(t, err, "it can be sent again")
			require.True(t, s.Has(abc))
		})
	}
}

func write(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte("abd"), 0o600)) }

// A blob that came anew since is kept, whatever was done to the one before.
func TestChangedAndSentAgain(t *testing.T) {
	s, path, stamp := staged(t)
	_, err := s.Put(strings.NewReader("abc"), abc)
	require.NoError(t, err)
	put(t, path, "abd")
	changed, err := s.Changed(abc, path, stamp)
	require.NoError(t, err)
	require.True(t, changed)
	b, err := s.Bytes(abc)
	require.NoError(t, err)
	require.Equal(t, "abc", string(b))
}

// What writes after all that looked has gone leaves no blob.
func TestLateWrites(t *testing.T) {
	s, path, _ := staged(t)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil { // but root may write anyway
		require.NoError(t, os.Chmod(path, 0o755))
		f, err = os.OpenFile(path, os.O_WRONLY, 0)
		require.NoError(t, err)
		require.NoError(t, os.Chmod(path, sealedMode))
	}
	require.True(t, s.Has(abc))
	_, err = f.WriteString("abd")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.False(t, s.Has(abc))
	_, err = s.Open(abc)
	code(t, CodeNoBlob, err)
	require.Error(t, s.Link(abc, path+"2"))
}

// The empty file is nobody's blob, and yet an input.
func TestChangedEmpty(t *testing.T) {
	s, root := store(t)
	d, path := &re.Digest{Hash: nothing}, filepath.Join(root, "empty")
	require.NoError(t, s.Link(d, path))
	stamp, err := Stat(path)
	require.NoError(t, err)
	changed, err := s.Changed(d, path, stamp)
	require.NoError(t, err)
	require.False(t, changed)
	require.NoError(t, os.Chmod(path, 0o755))
	changed, err = s.Changed(d, path, stamp)
	require.NoError(t, err)
	require.True(t, changed)
	_, err = Stat(path + "2")
	code(t, CodeState, err)
}
