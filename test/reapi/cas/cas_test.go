package cas

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// abc is the example of FIPS 180-2, appendix B.1.
var abc = &re.Digest{Hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", SizeBytes: 3}

func store(t *testing.T) (*Store, string) {
	root := t.TempDir()
	s, err := Open(root)
	require.NoError(t, err)
	return s, root
}

func code(t *testing.T, want errs.Code, err error) {
	t.Helper()
	require.Equal(t, want, errs.CodeOf(err), "%v", err)
}

func TestBlob(t *testing.T) {
	s, root := store(t)
	require.False(t, s.Has(abc))
	d, err := s.Put(iotest.OneByteReader(strings.NewReader("abc")), nil)
	require.NoError(t, err)
	require.True(t, proto.Equal(abc, d))
	require.True(t, s.Has(abc))
	again, err := s.PutBytes([]byte("abc"))
	require.NoError(t, err)
	require.True(t, proto.Equal(abc, again))

	b, err := s.Bytes(abc)
	require.NoError(t, err)
	require.Equal(t, "abc", string(b))

	link := filepath.Join(root, "link")
	require.NoError(t, s.Link(abc, link))
	b, err = os.ReadFile(link)
	require.NoError(t, err)
	require.Equal(t, "abc", string(b))
	info, err := os.Stat(link)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o555), info.Mode())

	s.Drop(abc)
	require.False(t, s.Has(abc))
}

// The empty blob need not be sent before it is used.
func TestEmptyBlob(t *testing.T) {
	s, root := store(t)
	d := &re.Digest{Hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}
	require.True(t, s.Has(d))
	b, err := s.Bytes(d)
	require.NoError(t, err)
	require.Empty(t, b)
	path := filepath.Join(root, "empty")
	require.NoError(t, s.Link(d, path))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Size())
	code(t, CodeState, s.Link(d, path))
}

func TestMessage(t *testing.T) {
	s, _ := store(t)
	want := &re.Command{Arguments: []string{"a", "b"}}
	d, err := s.PutMessage(want)
	require.NoError(t, err)
	got := &re.Command{}
	require.NoError(t, s.Message(d, got))
	require.True(t, proto.Equal(want, got))

	_, err = s.PutMessage(&re.Command{Arguments: []string{"\xff"}})
	code(t, CodeMessage, err)
	_, err = s.Put(strings.NewReader("abc"), abc)
	require.NoError(t, err)
	code(t, CodeMessage, s.Message(abc, got))
	code(t, CodeNoBlob, s.Message(&re.Digest{Hash: strings.Repeat("0", 64), SizeBytes: 3}, got))
}

// A rejected upload leaves nothing.
func TestRefused(t *testing.T) {
	s, root := store(t)
	broken := errors.New("the stream broke")
	for name, c := range map[string]struct {
		in   io.Reader
		want *re.Digest
		code errs.Code
	}{
		"other bytes":  {strings.NewReader("abd"), abc, CodeDigest},
		"fewer":        {strings.NewReader("ab"), abc, CodeDigest},
		"more":         {io.MultiReader(strings.NewReader("abc"), endless{}), abc, CodeDigest},
		"a path":       {strings.NewReader(""), &re.Digest{Hash: "../../../../etc/passwd"}, CodeDigest},
		"another hash": {strings.NewReader(""), &re.Digest{Hash: strings.Repeat("A", 64)}, CodeDigest},
		"too large":    {endless{}, &re.Digest{Hash: abc.Hash, SizeBytes: MaxBlob + 1}, CodeLimit},
		"a length":     {strings.NewReader(""), &re.Digest{Hash: abc.Hash, SizeBytes: -1}, CodeDigest},
		"broken":       {io.MultiReader(strings.NewReader("a"), iotest.ErrReader(broken)), abc, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Put(c.in, c.want)
			require.Error(t, err)
			code(t, c.code, err)
			if c.code == "" {
				require.ErrorIs(t, err, broken)
			}
			require.False(t, s.Has(c.want))
			for _, dir := range []string{"cas", "uploads"} {
				entries, err := os.ReadDir(filepath.Join(root, dir))
				require.NoError(t, err)
				require.Empty(t, entries)
			}
		})
	}
	code(t, CodeDigest, s.Link(&re.Digest{Hash: "x"}, filepath.Join(root, "link")))
	code(t, CodeNoBlob, s.Link(abc, filepath.Join(root, "link")))
	_, err := s.Open(&re.Digest{Hash: "x"})
	code(t, CodeDigest, err)
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestLongMessage(t *testing.T) {
	s, _ := store(t)
	d, err := s.Put(io.LimitReader(endless{}, MaxMessage+1), nil)
	require.NoError(t, err)
	_, err = s.Bytes(d)
	code(t, CodeLimit, err)
	r, err := s.Open(d)
	require.NoError(t, err)
	defer r.Close()
	n, err := io.Copy(io.Discard, r)
	require.NoError(t, err)
	require.Equal(t, d.SizeBytes, n)
}

// A digest whose length is not its blob's names no blob.
func TestLyingDigests(t *testing.T) {
	s, root := store(t)
	_, err := s.Put(strings.NewReader("abc"), abc)
	require.NoError(t, err)
	for _, c := range []struct {
		digest *re.Digest
		code   errs.Code
	}{
		{nil, CodeDigest},
		{&re.Digest{}, CodeDigest},
		{&re.Digest{Hash: abc.Hash}, CodeDigest},
		{&re.Digest{Hash: nothing, SizeBytes: 1}, CodeDigest},
		{&re.Digest{Hash: abc.Hash, SizeBytes: -3}, CodeDigest},
		{&re.Digest{Hash: abc.Hash, SizeBytes: 2}, CodeNoBlob},
		{&re.Digest{Hash: abc.Hash, SizeBytes: 4}, CodeNoBlob},
		{&re.Digest{Hash: abc.Hash, SizeBytes: MaxMessage + 1}, CodeLimit},
		{&re.Digest{Hash: abc.Hash, SizeBytes: MaxBlob + 1}, CodeLimit},
	} {
		require.False(t, s.Has(c.digest))
		_, err := s.Bytes(c.digest)
		code(t, c.code, err)
		path := filepath.Join(root, "link")
		if err = s.Link(c.digest, path); c.digest.GetSizeBytes() != MaxMessage+1 {
			code(t, c.code, err)
		}
		require.NoFileExists(t, path)
		s.Drop(c.digest)
	}
	require.ErrorContains(t, Check(&re.Digest{Hash: abc.Hash, SizeBytes: MaxBlob + 1}), "8589934592")
}

// An upload without a digest ends at the limit.
func TestEndlessBlob(t *testing.T) {
	s, root := store(t)
	s.limit = 1 << 20
	_, err := s.Put(endless{}, nil)
	code(t, CodeLimit, err)
	for _, dir := range []string{"cas", "uploads"} {
		entries, err := os.ReadDir(filepath.Join(root, dir))
		require.NoError(t, err)
		require.Empty(t, entries)
	}
	_, err = s.Put(io.LimitReader(endless{}, s.limit), nil)
	require.NoError(t, err)
}

func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err := Open(file)
	code(t, CodeState, err)

	s, root := store(t)
	require.NoError(t, os.RemoveAll(filepath.Join(root, "uploads")))
	_, err = s.Put(bytes.NewReader([]byte("abc")), abc)
	code(t, CodeState, err)
}
