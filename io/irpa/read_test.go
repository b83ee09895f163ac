package irpa

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	"github.com/skainet-dev/skainet-go/test/badfiles/badtest"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

var file = badtest.File

// read is parse with the first fault.
func read(b []byte) (*archive, error) { return parse(b, new(errs.Faults)) }

func parses(b []byte) error {
	_, err := read(b)
	return err
}

func opens(path string) error {
	f, err := Open(path)
	if err != nil {
		return err
	}
	return f.Close()
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
		b, err := f.Tensor(name)
		require.NoError(t, err)
		got, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, want, string(got), name)
		require.EqualValues(t, len(want), b.Len())
		require.NoError(t, b.Close())
		_, err = b.Bytes()
		require.Equal(t, tensor.CodeClosed, errs.CodeOf(err), name)
	}
	_, err = f.Tensor("x")
	require.Equal(t, CodeExternal, errs.CodeOf(err), "the other file is not there")
	_, err = f.Tensor("q")
	require.Equal(t, CodeMissing, errs.CodeOf(err))
}

func TestBadFiles(t *testing.T) {
	badtest.Run(t, badfiles.IRPA(), badtest.Readers{Parse: parses, Open: opens, Verify: Verify})
}

// Unusual but unambiguous input is accepted.
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
			a, err := read(tt.data)
			require.NoError(t, err)
			require.Len(t, a.entries, tt.entries)
		})
	}
}

// Every proper prefix that cuts a segment is refused.
func TestEveryPrefixIsRefused(t *testing.T) {
	badtest.Prefixes(t, badfiles.IRPAGood(), 580, CodeTruncated, parses)
}

// A check goes on after a fault and returns each of them, in the order of the
// file, overlaps and padding last.
func TestVerifyListsEveryFault(t *testing.T) {
	b := badfiles.IRPAGood()
	le := binary.LittleEndian
	le.PutUint64(b[24:], 1)       // flags of the header
	le.PutUint64(b[96+12:], 2)    // flags of "w"
	le.PutUint64(b[96+52:], 3)    // its alignment
	b[96+76] = 1                  // the padding after it
	le.PutUint64(b[176+60:], 7)   // the length of "s"
	le.PutUint64(b[272+20:], 100) // the name of "x"
	le.PutUint64(b[272+76:], 1<<63)
	b[4000] = 1 // the end
	faults, err := Verify(file(t, b))
	require.NoError(t, err)
	type found struct {
		Code   errs.Code
		Offset int64
		Node   string
	}
	var got []found
	for _, err := range faults {
		var e *errs.Error
		require.ErrorAs(t, err, &e)
		got = append(got, found{e.Code, e.Offset, e.Node})
	}
	want := []found{
		{CodeFlags, 24, ""}, {CodeFlags, 96 + 12, "entry 0"}, {CodeAlignment, 96 + 52, "w"}, {CodePadding, 96 + 76, ""},
		{CodeSplat, 176 + 60, "s"}, {CodeRange, 272 + 20, "entry 2"}, {CodeRange, 272 + 76, "entry 2"}, {CodePadding, 4000, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	faults, err = Verify(file(t, badfiles.IRPAGood()))
	require.NoError(t, err)
	require.Empty(t, faults)
	_, err = Verify(filepath.Join(t.TempDir(), "none"))
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
}

// A splat may claim any length; it costs memory only when it is expanded.
func TestHugeSplatIsNotExpanded(t *testing.T) {
	b := badfiles.IRPAGood()
	binary.LittleEndian.PutUint64(b[176+60:], 1<<62)
	f, err := Open(file(t, b))
	require.NoError(t, err)
	defer f.Close()
	s, err := f.Tensor("s")
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
