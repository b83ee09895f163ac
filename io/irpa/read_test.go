package irpa

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/badfiles"
	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

func file(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.irpa")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func TestEveryKindOfEntry(t *testing.T) {
	f, err := Open(file(t, badfiles.IRPAGood()))
	require.NoError(t, err)
	defer f.Close()
	want := []Entry{
		{Name: "w", Type: Data, Length: 8, Offset: 512, Alignment: 64},
		{Name: "s", Type: Splat, Length: 8, Pattern: []byte{1, 2, 3, 4}},
		{Name: "x", Type: External, Length: 4, Offset: 16, Path: "o.bin"},
		{Name: "e", Type: Data, Length: 4, Offset: 576, Alignment: 64},
	}
	if diff := cmp.Diff(want, f.Entries(), cmpopts.IgnoreUnexported(Entry{})); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{"w": "\x01\x02\x03\x04\x05\x06\x07\x08", "s": "\x01\x02\x03\x04\x01\x02\x03\x04", "e": "\t\t\t\t"} {
		b, err := f.Buffer(name)
		require.NoError(t, err)
		got, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, want, string(got), name)
		require.EqualValues(t, len(want), b.Len())
		require.NoError(t, b.Close())
		_, err = b.Bytes()
		require.Equal(t, tensor.CodeClosed, errs.CodeOf(err), name)
	}
	_, err = f.Buffer("x")
	require.Equal(t, CodeExternal, errs.CodeOf(err))
	_, err = f.Buffer("q")
	require.Equal(t, CodeMissing, errs.CodeOf(err))
}

func TestBadFiles(t *testing.T) {
	cases := badfiles.IRPA()
	require.GreaterOrEqual(t, len(cases), 25)
	for _, tt := range cases {
		t.Run(tt.Name, func(t *testing.T) {
			path := file(t, tt.Data)
			f, err := Open(path)
			require.Nil(t, f)
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, tt.Code, e.Code, err)
			require.Equal(t, path, e.File)
			require.True(t, e.HasOffset, err)
			require.Equal(t, tt.Offset, e.Offset, err)
		})
	}
}

// What is unusual but means one thing only is read.
func TestUnusualFiles(t *testing.T) {
	good := badfiles.IRPAGood()
	le := binary.LittleEndian
	with := func(at int, v uint64) []byte {
		b := bytes.Clone(good)
		le.PutUint64(b[at:], v)
		return b
	}
	skipped := bytes.Clone(good) // the first entry becomes a gap of 60 bytes, so the next would start at 160
	le.PutUint64(skipped[32:], 1)
	le.PutUint64(skipped[48:], 60)
	le.PutUint64(skipped[96:], 60)
	le.PutUint32(skipped[104:], 0)
	tests := []struct {
		name    string
		data    []byte
		entries int
	}{
		{"no padding at the end", good[:580], 4},
		{"alignment zero", with(96+52, 0), 4},
		{"alignment one", with(96+52, 1), 4},
		{"datum of no bytes", with(96+68, 0), 4},
		{"splat of no bytes", with(176+60, 0), 4},
		{"skip entry", skipped, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := parse(tt.data)
			require.NoError(t, err)
			require.Len(t, a.entries, tt.entries)
		})
	}
}

// Every proper prefix that cuts a segment is refused.
func TestEveryPrefixIsRefused(t *testing.T) {
	good := badfiles.IRPAGood()
	for n := range 580 {
		_, err := parse(good[:n])
		require.Equal(t, CodeTruncated, errs.CodeOf(err), "%d bytes: %v", n, err)
	}
}

// A length that lies must not become an allocation.
func TestLyingLengthsDoNotAllocate(t *testing.T) {
	for _, tt := range badfiles.IRPA() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parse(tt.Data)
		runtime.ReadMemStats(&after)
		require.Error(t, err, tt.Name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10), tt.Name)
	}
}

// A splat may claim any length; it costs memory only when it is expanded.
func TestHugeSplatIsNotExpanded(t *testing.T) {
	b := badfiles.IRPAGood()
	binary.LittleEndian.PutUint64(b[176+60:], 1<<62)
	f, err := Open(file(t, b))
	require.NoError(t, err)
	defer f.Close()
	s, err := f.Buffer("s")
	require.NoError(t, err)
	_, err = s.Bytes()
	require.Equal(t, CodeLimit, errs.CodeOf(err))
	r, err := s.Reader()
	require.NoError(t, err)
	head := make([]byte, 9999)
	n, err := r.Read(head[:5])
	require.NoError(t, err)
	require.Equal(t, 5, n)
	for at := 5; at < len(head); at += n {
		n, err = r.Read(head[at:])
		require.NoError(t, err)
	}
	for i, c := range head {
		require.EqualValues(t, i%4+1, c)
	}
}
