package gguf

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// The files are gguf-py's output; testdata/golden/make.py has the same values.

func goldenPath(name string) string { return filepath.Join("testdata/golden", name+".gguf") }

// goldenPairs is the metadata of little.gguf and big.gguf.
func goldenPairs() []Pair {
	return []Pair{
		{"general.architecture", "test"},
		{"one.u8", uint8(200)}, {"many.u8", []uint8{200, 1, 0}},
		{"one.i8", int8(-100)}, {"many.i8", []int8{-100, 1, 0}},
		{"one.u16", uint16(60000)}, {"many.u16", []uint16{60000, 1, 0}},
		{"one.i16", int16(-30000)}, {"many.i16", []int16{-30000, 1, 0}},
		{"one.u32", uint32(4000000000)}, {"many.u32", []uint32{4000000000, 1, 0}},
		{"one.i32", int32(-2000000000)}, {"many.i32", []int32{-2000000000, 1, 0}},
		{"one.u64", uint64(math.MaxUint64)}, {"many.u64", []uint64{math.MaxUint64, 1, 0}},
		{"one.i64", int64(-1 << 62)}, {"many.i64", []int64{-1 << 62, 1, 0}},
		{"one.f32", float32(0.1)}, {"many.f32", []float32{0.1, 1, 0}},
		{"one.f64", 0.1}, {"many.f64", []float64{0.1, 1, 0}},
		{"one.true", true},
		{"one.false", false},
		{"one.string", "käse"},
		{"many.bool", []bool{true, false, true}},
		{"many.string", []string{"a", "", "käse"}},
		{"many.array", Nested{[]int32{1, 2}, []int32{-3}}},
		{"many.array_of_string", Nested{[]string{"x"}, []string{"y", "zz"}}},
		{"tokenizer.ggml.tokens", []string{"<s>", "\xff\xfe", "▁the"}},
	}
}

func ramp[T int8 | int16 | int32 | int64 | float32 | float64](t *testing.T, name string, from, n int, sizes ...int64) Item {
	data := make([]T, n)
	for i := range data {
		data[i] = T(from + i)
	}
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return item(name, v.Type, quant.Dense, v.Bytes)
}

func item(name string, typ tensor.Type, e quant.Encoding, b []byte) Item {
	return Item{
		Spec: tensor.Spec{Name: name, DType: typ.DType, Shape: typ.Shape, Encoding: e, Bytes: int64(len(b))},
		Open: func() (io.Reader, error) { return bytes.NewReader(b), nil },
	}
}

// goldenItems are the dense tensors of the golden files, little endian.
func goldenItems(t *testing.T) []Item {
	var half []byte
	for i := range 12 {
		half = binary.LittleEndian.AppendUint16(half, tensor.F32ToF16(float32(i-6)))
	}
	return []Item{
		ramp[float32](t, "t.float32", -6, 12, 3, 4),
		item("t.float16", tensor.TypeOf(dtype.F16, 3, 4), quant.Dense, half),
		ramp[float64](t, "t.float64", -6, 12, 3, 4),
		ramp[int8](t, "t.int8", -6, 12, 3, 4),
		ramp[int16](t, "t.int16", -6, 12, 3, 4),
		ramp[int32](t, "t.int32", -6, 12, 3, 4),
		ramp[int64](t, "t.int64", -6, 12, 3, 4),
		ramp[float32](t, "t.four", 0, 16, 2, 1, 4, 2),
		item("t.empty", tensor.TypeOf(dtype.F32, 3, 0), quant.Dense, nil),
	}
}

func TestEveryTypeOfGGUFPy(t *testing.T) {
	for _, order := range []string{"little", "big"} {
		t.Run(order, func(t *testing.T) {
			f, err := Open(goldenPath(order))
			require.NoError(t, err)
			defer f.Close()
			require.Equal(t, 3, f.Version())
			require.Equal(t, order == "big", f.BigEndian())
			var got []Pair
			for _, v := range f.Values() {
				got = append(got, Pair{v.Key(), anyValue(t, v)})
			}
			if diff := cmp.Diff(goldenPairs(), got); diff != "" {
				t.Error(diff)
			}
			hasItems(t, f, goldenItems(t))

			var encodings []string
			for _, info := range f.Tensors()[9:] {
				require.Equal(t, "2x64", info.Shape.String())
				encodings = append(encodings, info.DType.String()+" "+info.Encoding.String())
			}
			want := []string{"bf16 dense", "f32 Q4_0", "f32 Q8_0", "f32 MXFP4"}
			if order == "big" {
				want = []string{"bf16 opaque/big-endian-BF16", "f32 opaque/big-endian-Q4_0", "f32 opaque/big-endian-Q8_0", "f32 MXFP4"}
			}
			require.Equal(t, want, encodings)
			faults, err := Verify(goldenPath(order))
			require.NoError(t, err)
			require.Len(t, faults, 2) // arrays of arrays, which gguf-py writes and ggml refuses
			for i, key := range []string{"many.array", "many.array_of_string"} {
				require.ErrorContains(t, faults[i], key+": an array of arrays")
				require.Equal(t, CodeGGML, errs.CodeOf(faults[i]))
			}
		})
	}
}

// The writer gives gguf-py's bytes, from Go values and from an open file.
func TestByteEqualToGGUFPy(t *testing.T) {
	little, err := Open(goldenPath("little"))
	require.NoError(t, err)
	defer little.Close()
	aligned, err := Open(goldenPath("aligned"))
	require.NoError(t, err)
	defer aligned.Close()
	require.EqualValues(t, 64, aligned.Alignment())
	big, err := Open(goldenPath("big"))
	require.NoError(t, err)
	defer big.Close()

	dense := goldenItems(t)
	tests := []struct {
		golden string
		pairs  []Pair
		items  []Item
		o      Options
	}{
		{"nothing", goldenPairs()[:1], nil, Options{}},
		{"aligned", goldenPairs()[:1], dense, Options{Alignment: 64}},
		{"aligned", aligned.Pairs(), copies(t, aligned), Options{Alignment: 64}},
		{"little", goldenPairs(), append(dense, copies(t, little)[9:]...), Options{Version: 3}},
		{"little", little.Pairs(), copies(t, little), Options{}},
		{"little", big.Pairs(), copies(t, little), Options{}},
		{"big", goldenPairs(), append(dense, copies(t, big)[9:]...), Options{BigEndian: true}},
		{"big", big.Pairs(), copies(t, big), Options{BigEndian: true}},
		{"big", little.Pairs(), copies(t, big), Options{BigEndian: true}},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			want, err := os.ReadFile(goldenPath(tt.golden))
			require.NoError(t, err)
			path := filepath.Join(t.TempDir(), "out.gguf")
			tt.o.BeyondGGML = true // there are arrays of arrays
			paths, err := Write(path, tt.pairs, tt.items, tt.o)
			require.NoError(t, err)
			require.Equal(t, []string{path}, paths)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			var stream bytes.Buffer
			require.NoError(t, Encode(&stream, tt.pairs, tt.items, tt.o))
			require.True(t, bytes.Equal(want, stream.Bytes()))
		})
	}
}

func TestSplitByteEqualToGGUFPy(t *testing.T) {
	first := PartPath("testdata/golden/split", 0, 7)
	f, err := Open(first)
	require.NoError(t, err)
	defer f.Close()
	hasItems(t, f, goldenItems(t))
	dir := t.TempDir()
	paths, err := Write(filepath.Join(dir, "split.gguf"), f.Pairs(), copies(t, f), Options{PartBytes: 200})
	require.NoError(t, err)
	require.Len(t, paths, 7)
	for i, path := range paths {
		require.Equal(t, filepath.Join(dir, filepath.Base(f.Paths()[i])), path)
		want, err := os.ReadFile(f.Paths()[i])
		require.NoError(t, err)
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(path, diff)
		}
	}
	// Any part opens all, with the metadata of the first.
	g, err := Open(paths[4])
	require.NoError(t, err)
	defer g.Close()
	require.Equal(t, paths, g.Paths())
	require.Equal(t, paths[4], g.Path())
	require.Equal(t, f.Index(), g.Index())
	require.Equal(t, f.Size(), g.Size())
	path, offset, err := g.Place("t.int64")
	require.NoError(t, err)
	info, err := g.Info("t.int64")
	require.NoError(t, err)
	require.Equal(t, paths[info.Part], path)
	require.Equal(t, info.Offset, offset)
	require.Positive(t, info.Part)
}

func TestBigEndianBytesLieNowhere(t *testing.T) {
	f, err := Open(goldenPath("big"))
	require.NoError(t, err)
	defer f.Close()
	_, _, err = f.Place("t.float32")
	require.Equal(t, CodeBigEndian, errs.CodeOf(err))
	for _, name := range []string{"t.int8", "t.Q4_0", "t.MXFP4"} {
		path, offset, err := f.Place(name)
		require.NoError(t, err)
		require.Equal(t, goldenPath("big"), path)
		require.Positive(t, offset)
	}
	b, err := f.Tensor("t.int64")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for _, use := range []func() error{
		func() error { _, err := b.Bytes(); return err },
		func() error { _, err := b.Reader(); return err },
		func() error { return b.View(func([]byte) error { return nil }) },
	} {
		require.Equal(t, tensor.CodeClosed, errs.CodeOf(use()))
	}
}
