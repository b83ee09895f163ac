package weights

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/badfiles"
	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
	"github.com/skainet-dev/skainet-go/internal/filemap"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// write gives the file a name that says nothing of its format.
func write(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.gguf")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func TestOpensByContent(t *testing.T) {
	f, err := Open(write(t, badfiles.CT2Good()))
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, "ctranslate2", f.Format())
	require.Nil(t, f.Archive())
	x, err := f.Index()
	require.NoError(t, err)
	require.Len(t, x.Tensors, 2)
	require.EqualValues(t, len(badfiles.CT2Good()), f.Size())
	b, err := f.Tensor("w2")
	require.NoError(t, err)
	require.EqualValues(t, 8, b.Len())
	at, err := f.Offset("w2")
	require.NoError(t, err)
	require.EqualValues(t, 37, at)

	a, err := Open(write(t, badfiles.IRPAGood()))
	require.NoError(t, err)
	defer a.Close()
	require.Equal(t, "irpa", a.Format())
	require.Len(t, a.Archive().Entries(), 4)
	_, err = a.Index()
	require.Equal(t, CodeNoIndex, errs.CodeOf(err))
	b, err = a.Tensor("s")
	require.NoError(t, err)
	require.EqualValues(t, 8, b.Len())
	at, err = a.Offset("w")
	require.NoError(t, err)
	require.EqualValues(t, 512, at)
	_, err = a.Offset("x")
	require.Equal(t, irpa.CodeExternal, errs.CodeOf(err))
}

func TestForeignFiles(t *testing.T) {
	tests := []struct{ name, head, says string }{
		{"empty", "", "the file is empty"},
		{"short", "\x06\x00\x00", `begins with "\x06\x00\x00"`},
		{"program", "PK\x03\x04-\x00\x00\x00\x00\x00\x00\x00!\x00W\x9d\x93J\xff\xff\xff\xff\xff\xff\xff\xff\x09\x00\x19\x00module.fb", "a compiled IREE program"},
		{"bare program", "|-\x00\x00\x08\x00\x00\x00IREE\xee\xd2\xff\xff0\x00", "a compiled IREE program"},
		{"zip", "PK\x03\x04\x14\x00", "a zip archive"},
		{"contract", "{\n \"schema\": 1", "JSON text"},
		{"text", "hello, world", `begins with "hello, world"`},
		{"long", "a file whose first line is long", `begins with "a file whose fir"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, []byte(tt.head))
			_, err := Open(path)
			require.Equal(t, CodeUnknown, errs.CodeOf(err))
			for _, says := range []string{path, tt.says, "irpa, gguf, ctranslate2, safetensors"} {
				require.ErrorContains(t, err, says)
			}
		})
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		_, err := Open(path)
		require.Equal(t, filemap.CodeOpen, errs.CodeOf(err), path)
	}
}

// A malformed file of a known format gives the error of its format, or, where
// its first bytes are too damaged to say, that of no known format.
func TestBadFilesThroughTheFrontDoor(t *testing.T) {
	for _, tt := range append(badfiles.CT2(), badfiles.IRPA()...) {
		_, err := Open(write(t, tt.Data))
		if code := errs.CodeOf(err); code != CodeUnknown {
			require.Equal(t, tt.Code, code, tt.Name)
		} else {
			require.Contains(t, []string{"header_cut_in_magic", "header_magic", "header_ends_in_spec", "header_spec_not_ended", "header_spec_empty", "header_spec_length_zero"}, tt.Name)
		}
	}
}

func TestVerifyListsFaults(t *testing.T) {
	faults, err := Verify(write(t, badfiles.CT2Good()))
	require.NoError(t, err)
	require.Empty(t, faults)
	for _, tt := range badfiles.IRPA() {
		faults, err := Verify(write(t, tt.Data))
		if errs.CodeOf(err) == CodeUnknown {
			continue // its first bytes are at fault
		}
		require.NoError(t, err, tt.Name)
		require.NotEmpty(t, faults, tt.Name)
		require.Equal(t, tt.Code, errs.CodeOf(faults[0]), tt.Name)
	}
	_, err = Verify(filepath.Join(t.TempDir(), "none"))
	require.Equal(t, filemap.CodeOpen, errs.CodeOf(err))
}
