package safetensors

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	"github.com/skainet-dev/skainet-go/test/badfiles/badtest"
)

func spec(name string, d dtype.DType, n int64, sizes ...int64) tensor.Spec {
	return tensor.Spec{Name: name, DType: d, Shape: shape.Of(sizes...), Encoding: quant.Dense, Bytes: n}
}

// file builds a file from a header and data.
func file(text, data string) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)
}

func bytesOf(t *testing.T, f *File, name string) string {
	t.Helper()
	b, err := f.Tensor(name)
	require.NoError(t, err)
	r, err := b.Reader()
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, b.View(func(v []byte) error {
		require.Equal(t, string(v), string(data), "a view and a reader")
		return nil
	}))
	return string(data)
}

func TestSingleFile(t *testing.T) {
	good := badfiles.SafetensorsGood()
	copy(good[len(good)-9:], "\x01\x02\x03\x04\x05\x06\x07\x08\x09")
	path := badtest.File(t, good)
	f, err := Open(path)
	require.NoError(t, err)
	want := &tensor.Index{
		Format:   "safetensors",
		Metadata: map[string]string{"format": "pt"},
		Tensors: []tensor.Spec{
			spec("w", dtype.F32, 8, 2, 1), spec("e", dtype.F16, 0, 0), spec("b", dtype.U8, 1),
		},
	}
	if diff := cmp.Diff(want, f.Index(), cmpopts.IgnoreUnexported(tensor.Index{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	text, err := f.Index().Marshal()
	require.NoError(t, err)
	_, err = tensor.ParseIndex(text)
	require.NoError(t, err)

	require.Equal(t, "\x01\x02\x03\x04\x05\x06\x07\x08", bytesOf(t, f, "w"))
	require.Equal(t, "\x09", bytesOf(t, f, "b"))
	require.Empty(t, bytesOf(t, f, "e"))
	at, offset, err := f.Place("b")
	require.NoError(t, err)
	require.Equal(t, path, at)
	require.EqualValues(t, len(good)-1, offset)
	require.Equal(t, path, f.Path())
	require.Equal(t, []string{path}, f.Paths())
	require.EqualValues(t, len(good), f.Size())

	for _, name := range []string{"", "x", "__metadata__"} {
		_, err = f.Tensor(name)
		require.Equal(t, CodeMissingTensor, errs.CodeOf(err), name)
		_, _, err = f.Place(name)
		require.Equal(t, CodeMissingTensor, errs.CodeOf(err), name)
	}
	w, err := f.Tensor("w")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = w.Bytes()
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
	faults, err := Verify(path)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// Unusual but unambiguous input is accepted.
func TestUnusualFiles(t *testing.T) {
	one := func(dtype, shape string, n int) string {
		return fmt.Sprintf(`{"a":{"dtype":%q,"shape":%s,"data_offsets":[0,%d]}}`, dtype, shape, n)
	}
	tests := []struct {
		name string
		data []byte
		want []tensor.Spec
	}{
		{"no tensor", file(`{}`, ""), nil},
		{"metadata alone", file(`{"__metadata__":{"a":"b"}}`, ""), nil},
		{"empty metadata", file(`{"__metadata__":{}}`, ""), nil},
		{"spaces behind", file(`{}      `, ""), nil},
		{"spaces inside", file("{ \t\r\n\"a\" : { \"shape\" :[ 1 ] , \"data_offsets\": [0,1],\"dtype\" :\n\"U8\"}\n}", "x"), []tensor.Spec{spec("a", dtype.U8, 1, 1)}},
		{"odd start of data", file(one("F64", "[]", 8)+" ", "12345678"), []tensor.Spec{spec("a", dtype.F64, 8)}},
		{"odd start of a tensor", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}}`, "12345"),
			[]tensor.Spec{spec("a", dtype.U8, 1, 1), spec("b", dtype.F32, 4, 1)}},
		{"order of the header", file(`{"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, "12"),
			[]tensor.Spec{spec("a", dtype.U8, 1, 1), spec("b", dtype.U8, 1, 1)}},
		{"no elements at both ends", file(`{"z":{"dtype":"F32","shape":[3,0],"data_offsets":[1,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"C64","shape":[0],"data_offsets":[0,0]}}`, "1"),
			[]tensor.Spec{spec("y", dtype.C64, 0, 0), spec("a", dtype.U8, 1, 1), spec("z", dtype.F32, 0, 3, 0)}},
		{"escapes", file(`{"\u0061\ud83d\ude00\"\\\/\b\f\n\r\t":{"\u0064type":"\u00558","shape":[],"data_offsets":[0,1]}}`, "x"),
			[]tensor.Spec{spec("a\U0001f600\"\\/\b\f\n\r\t", dtype.U8, 1)}},
		{"a name of 1024 bytes", file(strings.Replace(one("U8", "[]", 1), `"a"`, `"`+strings.Repeat("n", 1024)+`"`, 1), "x"), []tensor.Spec{spec(strings.Repeat("n", 1024), dtype.U8, 1)}},
		{"32 dimensions", file(one("U8", "[1"+strings.Repeat(",1", 31)+"]", 1), "x"), []tensor.Spec{{Name: "a", DType: dtype.U8, Shape: ones(32), Encoding: quant.Dense, Bytes: 1}}},
		{"half bytes", file(one("F4", "[3,2]", 3), "abc"), []tensor.Spec{spec("a", dtype.F4E2M1FN, 3, 3, 2)}},
		{"six bits", file(one("F6_E3M2", "[4]", 3), "abc"), []tensor.Spec{spec("a", dtype.F6E3M2FN, 3, 4)}},
		{"unknown type", file(one("F128", "[2]", 5), "abcde"), []tensor.Spec{{Name: "a", DType: dtype.F32, Shape: shape.Of(2), Encoding: quant.Opaque("F128"), Bytes: 5}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.True(t, Sniff(tt.data))
			require.False(t, SniffIndex(tt.data))
			f, err := Open(badtest.File(t, tt.data))
			require.NoError(t, err)
			defer f.Close()
			if diff := cmp.Diff(tt.want, f.Index().Tensors, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func ones(n int) shape.Shape {
	s := make(shape.Shape, n)
	for i := range s {
		s[i].Size = 1
	}
	return s
}

// A header whose text begins with a length of "{" and a line feed is not an index.
func TestLengthThatLooksLikeJSON(t *testing.T) {
	text := `{}` + strings.Repeat(" ", 0x0a7b-2)
	data := file(text, "")
	require.Equal(t, "{\n", string(data[:2]))
	f, err := Open(badtest.File(t, data))
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestSniff(t *testing.T) {
	index := badfiles.SafetensorsIndexGood()
	require.True(t, Sniff(badfiles.SafetensorsGood()[:9]))
	require.True(t, SniffIndex(index))
	require.True(t, SniffIndex([]byte("\n {\n \"weight_map\": {}")))
	require.False(t, Sniff(index))
	for _, head := range []string{
		"", "{", "{}", "GGUF\x03\x00\x00\x00{abcdefg", "IRPA\x00\x00\x00\x00{aaa", "\x06\x00\x00\x00\x00\x00\x00\x00[1]", "\x01\x00\x00\x00\x00\x00\x00\x00{",
		`{"metadata": {}, "tensors": []}`, `{"format": "irpa", "weight_map": 1}`, `["weight_map"]`, "{\"a\x00",
	} {
		require.False(t, Sniff([]byte(head)), "%q", head)
		require.False(t, SniffIndex([]byte(head)), "%q", head)
	}
}

// An index is known by its members, in any order and after any others.
func TestFindIndex(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, text := range []string{
		string(badfiles.SafetensorsIndexGood()),
		`{"metadata":{"a":"` + long + `"},"weight_map":{}}`,
		`{"metadata":{"a":[{"weight_map":1}],"b":{"c":"` + long + `"},"total_size":9}}`,
		`{"metadata":["total_size"],"weight_map":{`,
		strings.Repeat(" ", 10_000) + `{"other":1,"metadata":{},"weight_map":{"w`,
		"{\"\xff\":1,\"\xff\":1,\"weight_map\":{",
	} {
		require.True(t, FindIndex(strings.NewReader(text)), "%.100q", text)
	}
	for _, text := range []string{
		"", " ", "{", "{}", "[]", `["weight_map"]`, `{"a":{"weight_map":{}}}`, `{"weight_map":1}`, `{"weight_map":[]}`, `{"metadata":{"a":1}}`,
		`{"metadata":{"a":{"total_size":1}}}`, `{"metadata":{"a":"x`, `{"a" "weight_map":{}}`, `{"metadata":1`, `{"total_size":1}`, `{"metadata":{"a":nul},"weight_map":{}}`,
		`{"a":"` + strings.Repeat("x", MaxLook) + `","weight_map":{}}`,
	} {
		require.False(t, FindIndex(strings.NewReader(text)), "%.100q", text)
	}
}

// Verify goes on after every fault that does not end the text.
func TestVerifyListsEveryFault(t *testing.T) {
	path := badtest.File(t, file(`{"__metadata__":{"a":1,"a":"b"},`+
		`"":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},`+
		`"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4],"more":[[{}]]},`+
		`"a":{"dtype":"X","shape":[2],"data_offsets":[6,9]},`+
		`"n":7,"m":{"shape":[-1],"shape":[1],"data_offsets":[3,2]}}`+"\n", "123456789"))
	faults, err := Verify(path)
	require.NoError(t, err)
	var got []string
	for _, err := range faults {
		require.Contains(t, err.Error(), path)
		got = append(got, strings.Replace(err.Error(), path+": ", "", 1))
	}
	want := []string{
		"SAFETENSORS_BAD_TYPE: byte 29: __metadata__: a value of the metadata is a number, want a string",
		`SAFETENSORS_DUPLICATE_KEY: byte 31: __metadata__: the metadata has "a" twice`,
		"SAFETENSORS_BAD_NAME: byte 40: a tensor's name is empty",
		`SAFETENSORS_UNKNOWN_FIELD: byte 143: a: a tensor has no field "more"; a tensor has dtype, shape and data_offsets`,
		"SAFETENSORS_BAD_LENGTH: byte 137: a: 4 bytes stored, f32[2] takes 8",
		`SAFETENSORS_DUPLICATE_NAME: byte 158: the header has "a" twice`,
		`SAFETENSORS_UNKNOWN_DTYPE: byte 171: a: the element type "X" is not known; its bytes are copied unchanged; no program here can compute with them; known are ` + typeNames(),
		"SAFETENSORS_BAD_TYPE: byte 213: n: a tensor is a number, want an object",
		"SAFETENSORS_BAD_NUMBER: byte 229: m: a size is -1, want an integer from 0 to 2^63-1",
		`SAFETENSORS_DUPLICATE_KEY: byte 233: m: a tensor has "shape" twice`,
		"SAFETENSORS_BAD_OFFSETS: byte 260: m: the data begins at 3 and ends at 2",
		"SAFETENSORS_MISSING_FIELD: byte 219: m: the field dtype is missing",
		"SAFETENSORS_BAD_HEADER: byte 267: 0x0a follows the JSON text of the header, where only spaces may",
		`SAFETENSORS_OVERLAP: byte 137: a: the data begins at 0, before the end of "" at 1`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, err = Verify(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
