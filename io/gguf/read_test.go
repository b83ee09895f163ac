package gguf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	"github.com/skainet-dev/skainet-go/test/badfiles/badtest"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestBadFiles(t *testing.T) {
	badtest.Run(t, badfiles.GGUF(), badtest.Readers{
		Parse:  parseBytes,
		Verify: Verify,
		Open: func(path string) error {
			f, err := Open(path)
			if err == nil {
				require.NoError(t, f.Close())
			}
			return err
		},
	})
}

func TestIndex(t *testing.T) {
	f := openFile(t, badtest.File(t, badfiles.GGUFGood()))
	want := &tensor.Index{
		Format: Format,
		Metadata: map[string]string{
			"general.architecture": "test", "test.flags": "bool[2]", "test.sizes": "f32[2]",
			"tokenizer.ggml.tokens": "string[2]",
		},
		Scalars: map[string]int64{"general.alignment": 32, "test.flag": 1},
		Tensors: []tensor.Spec{
			{Name: "a", DType: dtype.F32, Shape: shape.Of(4), Encoding: quant.Dense, Bytes: 16},
			{Name: "q", DType: dtype.F32, Shape: shape.Of(2, 32), Encoding: "Q4_0", Bytes: 36},
			{Name: "s", DType: dtype.I32, Shape: shape.Of(), Encoding: quant.Dense, Bytes: 4},
			{Name: "z", DType: dtype.F16, Shape: shape.Of(3, 0), Encoding: quant.Dense, Bytes: 0},
		},
	}
	got := f.Index()
	if diff := cmp.Diff(want.Tensors, got.Tensors); diff != "" {
		t.Error(diff)
	}
	require.Equal(t, want.Metadata, got.Metadata)
	require.Equal(t, want.Scalars, got.Scalars)
	require.Equal(t, want.Format, got.Format)
	for name, want := range map[string]string{"a": string(bytes.Repeat([]byte{7}, 16)), "q": string(bytes.Repeat([]byte{8}, 36)), "s": "\x01\x02\x03\x04", "z": ""} {
		b, err := f.Tensor(name)
		require.NoError(t, err)
		require.Equal(t, want, readAll(t, b))
		require.NoError(t, b.Close())
	}
	_, err := f.Tensor("q2")
	require.Equal(t, CodeMissingTensor, errs.CodeOf(err))
	_, _, err = f.Place("q2")
	require.Equal(t, CodeMissingTensor, errs.CodeOf(err))
}

// Unusual but unambiguous input is accepted.
func TestUnusualFiles(t *testing.T) {
	good := badfiles.GGUFGood()
	version2 := bytes.Clone(good)
	version2[4] = 2
	le := binary.LittleEndian
	head := func(tensors, pairs uint64, rest string) []byte {
		return append(le.AppendUint64(le.AppendUint64([]byte("GGUF\x03\x00\x00\x00"), tensors), pairs), rest...)
	}
	var twoEmpty []byte
	for _, name := range "vw" {
		twoEmpty = append(le.AppendUint64(twoEmpty, 1), byte(name), 1, 0, 0, 0)
		twoEmpty = le.AppendUint64(le.AppendUint32(le.AppendUint64(twoEmpty, 0), 0), 0)
	}
	tests := []struct {
		name    string
		data    []byte
		tensors int
	}{
		{"version 2", version2, 4},
		{"no padding after the last bytes", good[:len(good)-28], 4},
		{"some of the padding", good[:len(good)-3], 4},
		{"nothing at all", head(0, 0, ""), 0},
		{"nothing at all, padded", head(0, 0, strings.Repeat("\x00", 8)), 0},
		{"an empty array of strings", head(0, 1, "\x03\x00\x00\x00\x00\x00\x00\x00a.b\x09\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 0},
		{"an empty string", head(0, 1, "\x03\x00\x00\x00\x00\x00\x00\x00a.b\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 0},
		{"tensors of no bytes, no padding", head(2, 0, string(twoEmpty)), 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := badtest.File(t, tt.data)
			f := openFile(t, path)
			require.Len(t, f.Tensors(), tt.tensors)
			for _, info := range f.Tensors() {
				b, err := f.Tensor(info.Name)
				require.NoError(t, err)
				require.Len(t, readAll(t, b), int(info.Bytes))
			}
			faults, err := Verify(path)
			require.NoError(t, err)
			require.Empty(t, faults)
		})
	}
}

// Every prefix that cuts more than the last padding is refused.
func TestEveryPrefixIsRefused(t *testing.T) {
	good := badfiles.GGUFGood()
	badtest.Prefixes(t, good, len(good)-28, CodeTruncated, parseBytes)
	for _, order := range []string{"little", "big"} {
		b, err := os.ReadFile(goldenPath(order))
		require.NoError(t, err)
		badtest.Prefixes(t, b, len(b)-32, CodeTruncated, parseBytes)
	}
}

// A type that is not known keeps its bytes up to the next tensor or the end.
func TestUnknownTypes(t *testing.T) {
	items := []Item{
		ramp[int8](t, "a", 0, 4, 4),
		item("u", tensor.TypeOf(dtype.F32, 7, 3), quant.Opaque("ggml-99"), bytes.Repeat([]byte{1}, 64)),
		ramp[int8](t, "b", 0, 4, 4),
		item("v", tensor.TypeOf(dtype.F32, 5), quant.Opaque("ggml-4294967295"), bytes.Repeat([]byte{2}, 32)),
	}
	path := write(t, nil, items, Options{})
	f := openFile(t, path)
	hasItems(t, f, items)
	faults, err := Verify(path)
	require.NoError(t, err)
	var names []string
	for _, err := range faults {
		require.Equal(t, CodeUnknownType, errs.CodeOf(err))
		var e *errs.Error
		require.ErrorAs(t, err, &e)
		names = append(names, e.Node)
	}
	require.Equal(t, []string{"u", "v"}, names)
}

// The files are sparse and nearly all holes.
func TestLimits(t *testing.T) {
	head := func(elem Type, n, first uint64) []byte {
		r := newRaw(t, 0, 1)
		r.text("a.b")
		if n > 0 {
			r.number(4, uint64(ArrayType))
			r.number(4, uint64(elem))
			r.number(8, n)
		} else {
			r.number(4, uint64(String))
		}
		r.number(8, first)
		return r.b
	}
	tests := []struct {
		name string
		head []byte
		code errs.Code
		at   int64
	}{
		{"elements", head(U8, MaxElements+1, 0), CodeLimit, 24 + 11 + 8},
		{"strings", head(String, MaxElements+1, 0), CodeLimit, 24 + 11 + 8},
		{"a string", head(0, 0, MaxString+1), CodeLimit, 24 + 11 + 4},
		{"a string of an array", head(String, 2, MaxString+1), CodeLimit, 24 + 11 + 16},
		{"as many elements as may be", head(U8, MaxElements, 0), CodeTrailing, align(24+11+16+MaxElements, 32)},
		{"as long a string as may be", head(0, 0, MaxString), CodeTrailing, align(24+11+12+MaxString, 32)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := badtest.File(t, tt.head)
			require.NoError(t, os.Truncate(path, 1<<40))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Open(path)
			runtime.ReadMemStats(&after)
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, tt.code, e.Code, err)
			require.Equal(t, tt.at, e.Offset, err)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10))
		})
	}
}

// The table is gguf-py's, but for Q8_1, which it takes to have two f32 in front;
// ggml's struct has two f16 there. No model is stored so.
func TestTensorTypes(t *testing.T) {
	table, err := os.ReadFile("testdata/golden/types.txt")
	require.NoError(t, err)
	known := map[uint32]bool{}
	for line := range strings.Lines(string(table)) {
		var number uint32
		var name string
		var elements, size int64
		_, err := fmt.Sscan(line, &number, &name, &elements, &size)
		require.NoError(t, err)
		known[number] = true
		if name == "Q8_1" {
			require.EqualValues(t, 40, size)
			size = 36
		}
		l := layoutOf(number, false)
		require.Equal(t, elements, l.elements, name)
		require.Equal(t, size, l.bytes, name)
		if !l.encoding.IsDense() {
			require.Equal(t, name, string(l.encoding))
		} else {
			require.Equal(t, strings.ToLower(name), l.dtype.String())
		}
		back, err := numberOf(tensor.Spec{DType: l.dtype, Encoding: l.encoding}, false)
		require.NoError(t, err)
		require.Equal(t, number, back)
	}
	require.Len(t, known, 34)
	for number := range uint32(50) {
		require.Equal(t, known[number], layoutOf(number, false).bytes > 0, "type %d", number)
	}
}

// The file is sparse.
func TestLargerThan4GiB(t *testing.T) {
	const elements = 5<<30/4 + 3
	head := ggufBytes(t, 2)
	le := binary.LittleEndian
	for i, n := range []uint64{elements, 9} {
		head = append(le.AppendUint64(head, 1), "vw"[i])
		head = le.AppendUint64(le.AppendUint32(head, 1), n)
		head = le.AppendUint64(le.AppendUint32(head, 0), uint64(i)*uint64(align(elements*4, 32)))
	}
	data := align(int64(len(head)), 32)
	path := filepath.Join(t.TempDir(), "large.gguf")
	require.NoError(t, os.WriteFile(path, head, 0o644))
	second := data + align(elements*4, 32)
	require.NoError(t, os.Truncate(path, second+36))
	edit(t, path, data+elements*4-1, 7)
	edit(t, path, second, 1, 2, 3)

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := openFile(t, path)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10))
	b, err := f.Tensor("v")
	require.NoError(t, err)
	require.EqualValues(t, elements*4, b.Len())
	require.NoError(t, b.View(func(b []byte) error {
		require.Equal(t, []byte{0, 0, 7}, b[elements*4-3:])
		return nil
	}))
	b, err = f.Tensor("w")
	require.NoError(t, err)
	require.Equal(t, "\x01\x02\x03", readAll(t, b)[:3])
	_, offset, err := f.Place("w")
	require.NoError(t, err)
	require.Equal(t, second, offset)
}

// ggufBytes is the start of a little-endian file of n tensors and no pair.
func ggufBytes(t *testing.T, n uint64) []byte {
	t.Helper()
	b := binary.LittleEndian.AppendUint64([]byte("GGUF\x03\x00\x00\x00"), n)
	return binary.LittleEndian.AppendUint64(b, 0)
}
