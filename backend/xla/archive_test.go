package xla

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/errs"
)

// zipped returns a ZIP of parts, by the pairs of name and contents.
func zipped(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		require.NoError(t, store(z, pairs[i], []byte(pairs[i+1])))
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// overlapping returns a ZIP whose directory has n names of the one part that it has.
func overlapping(t *testing.T, n, size int) []byte {
	t.Helper()
	b := zipped(t, manifestName, string(make([]byte, size)))
	begin := bytes.LastIndex(b, []byte("PK\x01\x02")) // the directory's entry, and its end
	end := bytes.LastIndex(b, []byte("PK\x05\x06"))
	entry, tail := b[begin:end], bytes.Clone(b[end:])
	out := bytes.Clone(b[:begin])
	for i := range n {
		one := bytes.Clone(entry)
		copy(one[46:], fmt.Sprintf("%013d", i)) // the name
		out = append(out, one...)
	}
	binary.LittleEndian.PutUint16(tail[8:], uint16(n))
	binary.LittleEndian.PutUint16(tail[10:], uint16(n))
	binary.LittleEndian.PutUint32(tail[12:], uint32(n*len(entry)))
	return append(out, tail...)
}

// Parts that overlap, that are there twice, compressed or longer than the file are refused
// before any of them is read, and a file that is cut short is still known as one.
func TestBadArchives(t *testing.T) {
	var deflated bytes.Buffer
	z := zip.NewWriter(&deflated)
	w, err := z.Create(manifestName)
	require.NoError(t, err)
	_, err = w.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	good := zipped(t, manifestName, "{}", "0000", "a program")
	damagedPart := bytes.Clone(good)
	damagedPart[nameAt+len(manifestName)] ^= 1
	for name, c := range map[string]struct {
		file []byte
		want string
		at   int64 // of the byte that is named, -1 for none
	}{
		"overlap":    {overlapping(t, 100, 1<<16), "parts overlap", -1},
		"twice":      {zipped(t, manifestName, "{}", manifestName, "{}"), "is there twice", -1},
		"compressed": {deflated.Bytes(), "is compressed", -1},
		"damaged":    {damagedPart, "the part manifest.json is damaged", int64(nameAt + len(manifestName))},
		"half":       {good[:len(good)/2], "cut short", int64(len(good) / 2)},
		"last byte":  {good[:len(good)-1], "cut short", int64(len(good) - 1)},
		"head":       {good[:10], "cut short", 10},
		"empty":      {nil, "cut short", 0},
		"no program": {good, "has schema 0", -1},
		"other":      {zipped(t, "other", "{}"), "manifest.json is missing", -1},
	} {
		path := filepath.Join(t.TempDir(), "bad.xla")
		require.NoError(t, os.WriteFile(path, c.file, 0o600))
		require.Equal(t, name != "other", IsFile(path), name)
		_, err := ReadContract(path)
		require.Equal(t, pjrt.CodeProgram, errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, c.want, name)
		if c.at >= 0 {
			require.ErrorContains(t, err, fmt.Sprintf("byte %d", c.at), name)
		}
	}
	for name, is := range map[string]bool{"a.xla": false, "short": false, "pk": false} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, map[string][]byte{"a.xla": []byte("GGUF"), "short": good[:10], "pk": []byte("PK\x03\x04 and so on, with no manifest in it at all")}[name], 0o600))
		require.Equal(t, is, IsFile(path), name)
	}
	require.False(t, IsFile(filepath.Join(t.TempDir(), "none.xla")))
}
