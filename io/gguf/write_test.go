package gguf

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestWriterRefuses(t *testing.T) {
	boom := errors.New("boom")
	source := func(n int64, data string, err error) []Item {
		return []Item{{
			Spec: tensor.Spec{Name: "w", DType: dtype.I8, Shape: shape.Of(n), Bytes: n},
			Open: func() (io.Reader, error) { return strings.NewReader(data), err },
		}}
	}
	spec := func(d dtype.DType, e quant.Encoding, n int, sizes ...int64) []Item {
		return []Item{item("w", tensor.TypeOf(d, sizes...), e, make([]byte, n))}
	}
	named := func(name string) []Item { return []Item{ramp[int8](t, name, 0, 1, 1)} }
	pair := func(key string, v any) []Pair { return []Pair{{key, v}} }
	huge := spec(dtype.I8, "", 0, maxTotal)
	huge[0].Bytes = maxTotal
	more := spec(dtype.I8, "", 0, maxTotal)
	more[0].Bytes, more[0].Name = maxTotal, "v"
	unsourced := source(4, "", nil)
	unsourced[0].Open = nil
	tests := []struct {
		name  string
		pairs []Pair
		items []Item
		o     Options
		code  errs.Code
	}{
		{"version 1", nil, nil, Options{Version: 1}, CodeOption},
		{"alignment 48", nil, nil, Options{Alignment: 48}, CodeOption},
		{"alignment 4", nil, nil, Options{Alignment: 4}, CodeOption},
		{"alignment 2^21", nil, nil, Options{Alignment: 1 << 21}, CodeOption},
		{"negative parts", nil, nil, Options{PartBytes: -1}, CodeOption},

		{"reserved alignment", pair(keyAlignment, uint32(32)), nil, Options{}, CodeReserved},
		{"reserved split", pair(keySplitNo, uint16(0)), nil, Options{}, CodeReserved},
		{"empty key", pair("", int8(1)), nil, Options{}, CodeKey},
		{"key not UTF-8", pair("\xff", int8(1)), nil, Options{}, CodeKey},
		{"long key", pair(strings.Repeat("k", MaxKey+1), int8(1)), nil, Options{}, CodeLimit},
		{"same key", []Pair{{"a", int8(1)}, {"a", int8(1)}}, nil, Options{}, CodeDuplicateKey},
		{"string not UTF-8", pair("a", "\xff"), nil, Options{}, CodeValue},
		{"known key", pair("general.architecture", uint32(1)), nil, Options{}, CodeWrongType},
		{"int", pair("a", 1), nil, Options{}, CodeType},
		{"nil", pair("a", nil), nil, Options{}, CodeType},
		{"map", pair("a", map[string]int{}), nil, Options{}, CodeType},
		{"no value", pair("a", Value{}), nil, Options{}, CodeType},
		{"scalar in an array", pair("a", Nested{int8(1)}), nil, Options{}, CodeType},
		{"value in an array", pair("a", Nested{Value{typ: U8}}), nil, Options{}, CodeWrongType},
		{"three levels", pair("a", Nested{Nested{[]int8{1}}}), nil, Options{}, CodeLimit},
		{"many keys", make([]Pair, 0), nil, Options{}, CodeLimit},

		{"empty name", nil, named(""), Options{}, CodeName},
		{"name with NUL", nil, named("a\x00"), Options{}, CodeName},
		{"long name", nil, named(strings.Repeat("n", MaxName+1)), Options{}, CodeLimit},
		{"name beyond ggml", nil, named(strings.Repeat("n", 64)), Options{}, CodeGGML},
		{"arrays beyond ggml", pair("a", Nested{[]int8{1}}), nil, Options{}, CodeGGML},
		{"same name", nil, append(named("a"), named("a")...), Options{}, CodeDuplicateName},
		{"same name in two parts", nil, append(named("a"), named("a")...), Options{PartBytes: 1}, CodeDuplicateName},
		{"five dimensions", nil, spec(dtype.I8, "", 1, 1, 1, 1, 1, 1), Options{}, CodeShape},
		{"dynamic", nil, spec(dtype.I8, "", 1, shape.Dynamic), Options{}, shape.CodeDynamic},
		{"no such dtype", nil, spec(dtype.U8, "", 1, 1), Options{}, CodeNoType},
		{"no such encoding", nil, spec(dtype.F32, quant.Opaque("x"), 1, 1), Options{}, CodeNoType},
		{"type above 32 bits", nil, spec(dtype.F32, quant.Opaque("ggml-4294967296"), 1, 1), Options{}, CodeNoType},
		{"a removed type", nil, spec(dtype.F32, quant.Opaque("ggml-4"), 1, 1), Options{}, CodeRemovedType},
		{"a type with a sign", nil, spec(dtype.F32, quant.Opaque("ggml-+99"), 1, 1), Options{}, CodeNoType},
		{"big-endian bytes in a little-endian file", nil, spec(dtype.F32, quant.Opaque("big-endian-Q4_0"), 18, 32), Options{}, CodeNoType},
		{"big-endian nothing", nil, spec(dtype.F32, quant.Opaque("big-endian-X"), 18, 32), Options{BigEndian: true}, CodeNoType},
		{"blocks in a big-endian file", nil, spec(dtype.F32, "Q4_0", 18, 32), Options{BigEndian: true}, CodeBigEndian},
		{"bf16 in a big-endian file", nil, spec(dtype.BF16, "", 4, 2), Options{BigEndian: true}, CodeBigEndian},
		{"row of 33", nil, spec(dtype.F32, "Q4_0", 18, 33), Options{}, CodeRow},
		{"row of 16", nil, spec(dtype.F32, "Q4_0", 18, 2, 16), Options{}, CodeRow},
		{"other length", nil, spec(dtype.F32, "", 5, 1), Options{}, CodeLength},
		{"other length of blocks", nil, spec(dtype.F32, "Q4_0", 17, 32), Options{}, CodeLength},
		{"negative length", nil, []Item{{Spec: tensor.Spec{Name: "w", DType: dtype.I8, Shape: shape.Of(1), Bytes: -1}}}, Options{}, CodeLength},
		{"bytes that wrap", nil, spec(dtype.F64, "", 0, math.MaxInt64), Options{}, CodeOverflow},
		{"no source", nil, unsourced, Options{}, CodeLength},
		{"sum too large", nil, append(huge, more...), Options{}, CodeLength},
		{"source short", nil, source(3, "ab", nil), Options{}, CodeLength},
		{"source long", nil, source(1, "ab", nil), Options{}, CodeLength},
		{"source fails", nil, source(1, "", boom), Options{}, atomicfile.CodeWrite},
		{"swapped source short", nil, spec(dtype.F32, "", 0, 2), Options{BigEndian: true}, CodeLength},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			switch tt.name {
			case "many keys":
				for i := range MaxKeys + 1 {
					tt.pairs = append(tt.pairs, Pair{"k" + string(rune(i+0x20000)), uint8(0)})
				}
			case "sum too large":
				for i := range tt.items {
					tt.items[i].Open = func() (io.Reader, error) { return nil, boom }
				}
				tt.code = CodeLimit
			case "swapped source short":
				tt.items[0].Bytes = 8
				tt.items[0].Open = func() (io.Reader, error) { return strings.NewReader("123456"), nil }
			}
			dir := t.TempDir()
			_, err := Write(filepath.Join(dir, "out.gguf"), tt.pairs, tt.items, tt.o)
			require.Error(t, err)
			require.Equal(t, tt.code, errs.CodeOf(err), err)
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			require.False(t, e.HasOffset, "there is no file to look into")
			if tt.code == atomicfile.CodeWrite {
				require.ErrorIs(t, err, boom)
			}
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
	require.Equal(t, CodeOption, errs.CodeOf(Encode(io.Discard, nil, nil, Options{PartBytes: 1})))
}

// A part that cannot be written leaves none.
func TestNoPartWithoutTheOthers(t *testing.T) {
	items := []Item{ramp[int8](t, "a", 0, 40, 40), ramp[int8](t, "b", 0, 40, 40)}
	items[1].Open = func() (io.Reader, error) { return strings.NewReader("short"), nil }
	dir := t.TempDir()
	_, err := Write(filepath.Join(dir, "m.gguf"), nil, items, Options{PartBytes: 40})
	require.Equal(t, CodeLength, errs.CodeOf(err))
	require.ErrorContains(t, err, "m-00002-of-00002.gguf")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestEncodeGivesTheErrorOfTheWriter(t *testing.T) {
	for _, n := range []int{0, 40} {
		r, w := io.Pipe()
		go func() { io.CopyN(io.Discard, r, int64(n)); r.Close() }()
		require.ErrorIs(t, Encode(w, nil, []Item{ramp[int8](t, "a", 0, 4, 4)}, Options{}), io.ErrClosedPipe)
	}
}

// Elements are swapped whole wherever a reader's pieces end.
func TestSwapping(t *testing.T) {
	var in, want []byte
	for i := range piece/8*3 + 5 {
		e := []byte{byte(i), byte(i >> 8), 2, 3, 4, 5, 6, 7}
		in = append(in, e...)
		want = append(want, 7, 6, 5, 4, 3, 2, byte(i>>8), byte(i))
	}
	for _, size := range []int{1, 5, 4096, piece - 1, piece, piece + 3, 2*piece + 1} {
		r := swapReader(struct{ io.Reader }{bytes.NewReader(in)}, 8)
		var got []byte
		for buf := make([]byte, size); ; {
			n, err := r.Read(buf)
			got = append(got, buf[:n]...)
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
		}
		require.True(t, bytes.Equal(want, got), "reads of %d bytes", size)
	}
}

func TestVersion2(t *testing.T) {
	items := []Item{ramp[int16](t, "a", 0, 4, 2, 2)}
	path := write(t, []Pair{{"general.architecture", "test"}}, items, Options{Version: 2, Alignment: 8})
	f := openFile(t, path)
	require.Equal(t, 2, f.Version())
	require.EqualValues(t, 8, f.Alignment())
	hasItems(t, f, items)
	require.Equal(t, f.tensors[0].Offset+8, f.Size())
}

// GGML_MAX_NAME is 64 with the NUL at its end, and gguf.cpp has no case for an array of
// arrays: what is within that is written, and Verify finds no fault in it.
func TestBeyondGGML(t *testing.T) {
	longest, long := strings.Repeat("n", 61)+"é", strings.Repeat("é", 32)
	require.Len(t, longest, 63)
	require.Len(t, long, 64)
	path := write(t, nil, []Item{ramp[int8](t, longest, 0, 4, 4)}, Options{})
	faults, err := Verify(path)
	require.NoError(t, err)
	require.Empty(t, faults)

	pairs := []Pair{{"flat", []int8{1}}, {"deep", Nested{[]int8{1}}}, {"empty", Nested{}}}
	path = write(t, pairs, []Item{ramp[int8](t, longest, 0, 4, 4), ramp[int8](t, long, 0, 4, 2, 2)}, Options{BeyondGGML: true})
	faults, err = Verify(path)
	require.NoError(t, err)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var got []string
	for i, fault := range faults {
		require.Equal(t, CodeGGML, errs.CodeOf(fault))
		var e *errs.Error
		require.ErrorAs(t, fault, &e)
		got = append(got, e.Node)
		if i == 2 { // the offset is that of the name
			require.Equal(t, long, string(data[e.Offset:e.Offset+64]))
		}
	}
	require.Equal(t, []string{"deep", "empty", long}, got)

	f := openFile(t, path)
	_, err = Write(filepath.Join(t.TempDir(), "copy.gguf"), f.Pairs(), nil, Options{})
	require.Equal(t, CodeGGML, errs.CodeOf(err))
}
