package safetensors

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func item(name string, typ tensor.Type, b []byte) Item {
	return Item{Spec: tensor.Spec{Name: name, DType: typ.DType, Shape: typ.Shape}, Data: tensor.Owned(b)}
}

func u8(name string, n int64) Item { return item(name, tensor.TypeOf(dtype.U8, n), make([]byte, n)) }

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// fake is a buffer of any length, whose reader gives something else.
type fake struct {
	tensor.Buffer
	n   int64
	r   io.Reader
	err error
}

func (f fake) Len() int64                 { return f.n }
func (f fake) Reader() (io.Reader, error) { return f.r, f.err }

func TestWhatCannotBeWritten(t *testing.T) {
	one := tensor.TypeOf(dtype.U8, 1)
	huge := func(d dtype.DType, sizes ...int64) []Item {
		return []Item{{Spec: tensor.Spec{Name: "a", DType: d, Shape: shape.Of(sizes...)}, Data: fake{n: math.MaxInt64 / 2}}}
	}
	many := make([]Item, MaxTensors+1)
	tests := []struct {
		name     string
		items    []Item
		metadata map[string]string
		code     errs.Code
	}{
		{"empty name", []Item{u8("", 1)}, nil, CodeName},
		{"NUL in a name", []Item{u8("a\x00", 1)}, nil, CodeName},
		{"name that is not UTF-8", []Item{u8("\xff", 1)}, nil, CodeName},
		{"name of the metadata", []Item{u8("__metadata__", 1)}, nil, CodeName},
		{"long name", []Item{u8(strings.Repeat("n", MaxName+1), 1)}, nil, CodeLimit},
		{"two of a name", []Item{u8("a", 1), u8("b", 1), u8("a", 2)}, nil, CodeDuplicateName},
		{"type of 4-bit integers", []Item{item("a", tensor.TypeOf(dtype.I4, 2), []byte{0})}, nil, CodeNoDType},
		{"no type", []Item{item("a", tensor.TypeOf(dtype.Invalid, 2), []byte{0, 0})}, nil, CodeNoDType},
		{"blocks", []Item{{Spec: tensor.Spec{Name: "a", DType: dtype.F32, Shape: shape.Of(32), Encoding: "Q8_0"}, Data: tensor.Owned(make([]byte, 34))}}, nil, CodeNoDType},
		{"opaque", []Item{{Spec: tensor.Spec{Name: "a", DType: dtype.F32, Encoding: quant.Opaque("X")}, Data: tensor.Owned([]byte{0})}}, nil, CodeNoDType},
		{"half a byte", []Item{item("a", tensor.TypeOf(dtype.F4E2M1FN, 3), []byte{0, 0})}, nil, CodeLength},
		{"bytes that are too few", []Item{item("a", tensor.TypeOf(dtype.F32, 3), make([]byte, 11))}, nil, CodeLength},
		{"no bytes", []Item{{Spec: tensor.Spec{Name: "a", DType: dtype.U8}}}, nil, CodeLength},
		{"rank", []Item{{Spec: tensor.Spec{Name: "a", DType: dtype.U8, Shape: ones(MaxRank + 1)}, Data: tensor.Owned([]byte{0})}}, nil, CodeLimit},
		{"size that is not known", []Item{item("a", tensor.TypeOf(dtype.U8, shape.Dynamic), []byte{0})}, nil, CodeOverflow},
		{"product", huge(dtype.U8, 1<<40, 1<<40), nil, CodeOverflow},
		{"bits", huge(dtype.U8, math.MaxInt64/8+1), nil, CodeOverflow},
		{"all above the total", []Item{wide("a"), wide("b"), wide("c"), wide("d"), wide("e")}, nil, CodeLimit},
		{"tensors", many, nil, CodeLimit},
		{"metadata that is not UTF-8", nil, map[string]string{"a": "\xff"}, CodeName},
		{"long key", nil, map[string]string{strings.Repeat("k", MaxName+1): ""}, CodeLimit},
		{"header above the limit", []Item{item("a", one, []byte{0})}, map[string]string{"a": strings.Repeat("x", MaxHeader)}, CodeLimit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			err := Write(filepath.Join(dir, "x"), tt.items, tt.metadata)
			require.Equal(t, tt.code, errs.CodeOf(err), err)
			require.ErrorContains(t, err, filepath.Join(dir, "x"))
			requireEmpty(t, dir)
		})
	}
}

// wide is an item of 2^59 bytes.
func wide(name string) Item {
	return Item{Spec: tensor.Spec{Name: name, DType: dtype.U8, Shape: shape.Of(1 << 59)}, Data: fake{n: 1 << 59}}
}

func requireEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A source that fails or ends leaves the old file, and nothing else.
func TestFailureLeavesTheOldFile(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		data fake
		code errs.Code
	}{
		{fake{n: 4, r: strings.NewReader("123")}, CodeLength},
		{fake{n: 4, err: errs.New(tensor.CodeClosed, "closed")}, tensor.CodeClosed},
		{fake{n: 4, r: io.MultiReader(strings.NewReader("12"), failing{broken})}, atomicfile.CodeWrite},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "model"+IndexSuffix)
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
		bad := Item{Spec: tensor.Spec{Name: "b", DType: dtype.U8, Shape: shape.Of(4)}, Data: tt.data}
		err := Write(path, []Item{u8("a", 1), bad}, nil)
		require.Equal(t, tt.code, errs.CodeOf(err), err)
		require.ErrorContains(t, err, path)
		_, err = WriteSet(path, []Item{u8("a", 1), bad}, nil, 1)
		require.Error(t, err)
		require.Equal(t, "old", string(readFile(t, path)))
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 1)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestWriteSet(t *testing.T) {
	items := []Item{u8("c", 3), u8("a", 4), u8("huge", 9), u8("none", 0), u8("d", 7), u8("b", 1)}
	for i := range items {
		b, err := items[i].Data.Bytes()
		require.NoError(t, err)
		for k := range b {
			b[k] = items[i].Name[0] + byte(k)
		}
	}
	path := filepath.Join(t.TempDir(), "m"+IndexSuffix)
	paths, err := WriteSet(path, items, map[string]string{"format": "pt"}, 7)
	require.NoError(t, err)
	var names []string
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	require.Equal(t, []string{"m-00001-of-00004.safetensors", "m-00002-of-00004.safetensors", "m-00003-of-00004.safetensors", "m-00004-of-00004.safetensors"}, names)
	require.Equal(t, `{
  "metadata": {
    "total_size": 24
  },
  "weight_map": {
    "a": "m-00001-of-00004.safetensors",
    "b": "m-00004-of-00004.safetensors",
    "c": "m-00001-of-00004.safetensors",
    "d": "m-00003-of-00004.safetensors",
    "huge": "m-00002-of-00004.safetensors",
    "none": "m-00002-of-00004.safetensors"
  }
}
`, string(readFile(t, path)))
	require.True(t, SniffIndex(readFile(t, path)))
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, paths, f.Paths())
	require.Equal(t, map[string]string{"format": "pt", "total_size": "24"}, f.Metadata())
	got := map[string]string{}
	for _, x := range f.Tensors() {
		got[x.Name] = bytesOf(t, f, x.Name)
	}
	if diff := cmp.Diff(map[string]string{"a": "abcd", "b": "b", "c": "cde", "d": "defghij", "huge": "hijklmnop", "none": ""}, got); diff != "" {
		t.Error(diff)
	}
	faults, err := Verify(path)
	require.NoError(t, err)
	require.Empty(t, faults)
}

func TestWriteSetOptions(t *testing.T) {
	dir := t.TempDir()
	for name, limit := range map[string]int64{"m.json": 1, IndexSuffix: 1, "m" + IndexSuffix: 0, "m:x" + IndexSuffix: 1} {
		_, err := WriteSet(filepath.Join(dir, name), []Item{u8("a", 1)}, nil, limit)
		require.Contains(t, []errs.Code{CodeOption, CodeShard}, errs.CodeOf(err), name)
	}
	many := make([]Item, MaxShards+1)
	for i := range many {
		many[i] = u8(strings.Repeat("x", i%500)+string(rune('a'+i/500)), 1)
	}
	_, err := WriteSet(filepath.Join(dir, "m"+IndexSuffix), many, nil, 1)
	require.Equal(t, CodeLimit, errs.CodeOf(err), err)
	requireEmpty(t, dir)

	path := filepath.Join(dir, "none"+IndexSuffix)
	paths, err := WriteSet(path, nil, nil, 1)
	require.NoError(t, err)
	require.Empty(t, paths)
	require.NoError(t, openClose(path))
}

// The same bytes each time; without metadata there is no member of that name.
func TestWriteIsDeterministic(t *testing.T) {
	metadata := map[string]string{}
	for _, k := range []string{"z", "a", "é", "\x1f", "m"} {
		metadata[k] = k
	}
	var first []byte
	for range 20 {
		var b bytes.Buffer
		require.NoError(t, Encode(&b, []Item{u8("b", 2), u8("a", 1)}, metadata))
		if first == nil {
			first = b.Bytes()
		}
		require.Equal(t, first, b.Bytes())
	}
	require.Contains(t, string(first), `{"__metadata__":{"\u001f":"\u001f","a":"a","m":"m","z":"z","é":"é"},"a":`)
	var b bytes.Buffer
	require.NoError(t, Encode(&b, nil, nil))
	require.Equal(t, "\x38\x00\x00\x00\x00\x00\x00\x00{}"+strings.Repeat(" ", 54), b.String())
}
