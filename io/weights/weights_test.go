package weights

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// write returns the file a name that does not tell its format.
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
	require.Empty(t, f.Archives())
	require.Nil(t, f.Splat("w"))
	require.Equal(t, []string{"binary_version", "revision", "spec", "w2 (another name of w)"}, f.Extras())
	x, err := f.Index()
	require.NoError(t, err)
	require.Len(t, x.Tensors, 2)
	require.EqualValues(t, len(badfiles.CT2Good()), f.Size())
	b, err := f.Tensor("w2")
	require.NoError(t, err)
	require.EqualValues(t, 8, b.Len())
	_, at, err := f.Place("w2")
	require.NoError(t, err)
	require.EqualValues(t, 37, at)

	a, err := Open(write(t, badfiles.IRPAGood()))
	require.NoError(t, err)
	defer a.Close()
	require.Equal(t, "irpa", a.Format())
	require.Len(t, a.Archive().Entries(), 4)
	require.Equal(t, []byte{1, 2, 3, 4}, a.Splat("s"))
	require.Nil(t, a.Splat("w"), "its bytes are stored")
	require.Nil(t, a.Splat("none"))
	require.Empty(t, a.Extras())
	_, err = a.Index()
	require.Equal(t, CodeNoIndex, errs.CodeOf(err))
	b, err = a.Tensor("s")
	require.NoError(t, err)
	require.EqualValues(t, 8, b.Len())
	_, at, err = a.Place("w")
	require.NoError(t, err)
	require.EqualValues(t, 512, at)
	_, _, err = a.Place("x")
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
			for _, says := range []string{path, tt.says, strings.Join(Formats(), ", ")} {
				require.ErrorContains(t, err, says)
			}
		})
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		_, err := Open(path)
		require.Equal(t, regular.CodeOpen, errs.CodeOf(err), path)
	}
}

// A malformed file of a known format gives the error of its format, or, where
// its first bytes are too damaged to say, that of no known format.
func TestBadFilesThroughTheFrontDoor(t *testing.T) {
	for _, corpus := range badfiles.All() {
		for _, tt := range corpus.Bad() {
			path := write(t, tt.Data)
			for name, data := range corpus.Beside {
				other := filepath.Join(filepath.Dir(path), name)
				require.NoError(t, os.MkdirAll(filepath.Dir(other), 0o755))
				require.NoError(t, os.WriteFile(other, data, 0o644))
			}
			_, err := Open(path)
			faults, verr := Verify(path)
			if errs.CodeOf(err) == CodeUnknown {
				// Or the telling part comes after the head.
				require.True(t, tt.Offset < 32 || tt.Offset > headBytes, "%s: %s", corpus.Name, tt.Name)
				require.Equal(t, CodeUnknown, errs.CodeOf(verr))
				continue
			}
			require.Equal(t, tt.Code, errs.CodeOf(err), "%s: %s", corpus.Name, tt.Name)
			require.NoError(t, verr)
			require.NotEmpty(t, faults, tt.Name)
			require.Equal(t, tt.Code, errs.CodeOf(faults[0]), "%s: %s", corpus.Name, tt.Name)
		}
	}
}

func TestVerifyOfGoodFiles(t *testing.T) {
	faults, err := Verify(write(t, badfiles.CT2Good()))
	require.NoError(t, err)
	require.Empty(t, faults)
	_, err = Verify(filepath.Join(t.TempDir(), "none"))
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
}

func TestSafetensorsAndSets(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "index")
	require.NoError(t, os.WriteFile(path, badfiles.SafetensorsIndexGood(), 0o644))
	_, err := Open(path)
	require.Equal(t, safetensors.CodeMissingShard, errs.CodeOf(err))
	for name, data := range badfiles.SafetensorsShards() {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	for _, path := range []string{path, filepath.Join(dir, "1.safetensors")} {
		f, err := Open(path)
		require.NoError(t, err)
		defer f.Close()
		require.Equal(t, "safetensors", f.Format())
		at, offset, err := f.Place("w")
		require.NoError(t, err)
		require.Equal(t, filepath.Join(dir, "1.safetensors"), at)
		require.Positive(t, offset)
	}
}

// An index is one whatever its metadata begins with, and however long it is.
func TestIndexBehindMetadata(t *testing.T) {
	shards := badfiles.SafetensorsShards()
	for _, text := range []string{
		`{"metadata":{"note":"` + strings.Repeat("n", 5000) + `"},"weight_map":{"w":"1.safetensors","b":"2.safetensors"}}`,
		strings.Repeat("\n", 5000) + string(badfiles.SafetensorsIndexGood()),
	} {
		path := write(t, []byte(text))
		for _, name := range []string{"1.safetensors", "2.safetensors"} {
			require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), name), shards[name], 0o644))
		}
		f, err := Open(path)
		require.NoError(t, err)
		x, err := f.Index()
		require.NoError(t, err)
		require.Len(t, x.Tensors, 2)
		require.NoError(t, f.Close())
		faults, err := Verify(path)
		require.NoError(t, err)
		require.Empty(t, faults)
	}
	_, err := FormatOf(write(t, []byte(`{"format":"`+strings.Repeat("n", 5000)+`"}`)))
	require.Equal(t, CodeUnknown, errs.CodeOf(err))
}

// A set of archives opens from any shard; a shard that is missing is a fault of
// the set.
func TestSetOfArchives(t *testing.T) {
	dir := t.TempDir()
	items := []irpa.Item{irpa.Bytes("a", make([]byte, 4096)), irpa.Bytes("b", make([]byte, 4096))}
	paths, err := irpa.WriteShards(filepath.Join(dir, "m.irpa"), items, 10<<10)
	require.NoError(t, err)
	require.Len(t, paths, 2)
	for _, path := range paths {
		f, err := Open(path)
		require.NoError(t, err)
		require.Nil(t, f.Archive(), "no archive alone")
		require.Len(t, f.Archives(), 2)
		for i, name := range []string{"a", "b"} {
			at, _, err := f.Place(name)
			require.NoError(t, err)
			require.Equal(t, paths[i], at)
		}
		require.NoError(t, f.Close())
		faults, err := Verify(path)
		require.NoError(t, err)
		require.Empty(t, faults)
	}
	require.NoError(t, irpa.Write(paths[1], items[:1]))
	faults, err := Verify(paths[0])
	require.NoError(t, err)
	require.Len(t, faults, 1)
	require.Equal(t, irpa.CodeDuplicate, errs.CodeOf(faults[0]))
	require.NoError(t, os.Remove(paths[1]))
	faults, err = Verify(paths[0])
	require.NoError(t, err)
	require.Len(t, faults, 1)
	require.Equal(t, regular.CodeOpen, errs.CodeOf(faults[0]))
	odd := filepath.Join(dir, "m-00003-of-00002.irpa")
	require.NoError(t, irpa.Write(odd, items))
	faults, err = Verify(odd)
	require.NoError(t, err)
	require.Equal(t, irpa.CodeShard, errs.CodeOf(faults[0]))
}
