package gguf

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

func TestValuesOfAnotherType(t *testing.T) {
	f := openFile(t, goldenPath("little"))
	use := map[string]func(v Value) error{
		"text":  func(v Value) error { _, err := v.Text(); return err },
		"int":   func(v Value) error { _, err := v.Int(); return err },
		"float": func(v Value) error { _, err := v.Float(); return err },
		"bool":  func(v Value) error { _, err := v.Bool(); return err },
		"array": func(v Value) error { _, err := v.Array(); return err },
	}
	takes := map[string]string{"one.string": "text", "one.u8": "int", "one.i64": "int", "one.f32": "float", "one.f64": "float", "one.true": "bool", "many.u8": "array", "one.u64": ""}
	for key, name := range takes {
		v, err := f.Require(key)
		require.NoError(t, err)
		for as, call := range use {
			want := CodeWrongType
			if as == name {
				want = ""
			}
			err := call(v)
			require.Equal(t, want, errs.CodeOf(err), "%s as %s", key, as)
			if err != nil {
				require.ErrorContains(t, err, goldenPath("little")+": byte ")
				require.ErrorContains(t, err, ": "+key+": ")
			}
		}
	}
	_, err := f.Require("no.key")
	require.Equal(t, CodeMissingKey, errs.CodeOf(err))
	_, ok := f.Get("no.key")
	require.False(t, ok)
}

func firstError[T any](walk func(func(T, error) bool)) (err error) {
	walk(func(_ T, e error) bool { err = e; return e == nil })
	return err
}

func TestArraysOfAnotherType(t *testing.T) {
	f := openFile(t, goldenPath("little"))
	use := map[string]func(a Array) error{
		"strings":  func(a Array) error { return firstError(a.Strings()) },
		"ints":     func(a Array) error { return firstError(a.Ints()) },
		"uints":    func(a Array) error { return firstError(a.Uints()) },
		"floats":   func(a Array) error { return firstError(a.Floats()) },
		"float32s": func(a Array) error { return firstError(a.Float32s()) },
		"bools":    func(a Array) error { return firstError(a.Bools()) },
		"arrays":   func(a Array) error { return firstError(a.Arrays()) },
	}
	takes := map[string]string{"many.string": "strings", "many.i16": "ints", "many.f32": "floats float32s", "many.f64": "floats", "many.bool": "bools", "many.array": "arrays", "many.u64": "uints"}
	for key, names := range takes {
		v, err := f.Require(key)
		require.NoError(t, err)
		a, err := v.Array()
		require.NoError(t, err)
		require.Positive(t, a.Len())
		for as, call := range use {
			want := CodeWrongType
			if names != "" && strings.Contains(" "+names+" ", " "+as+" ") {
				want = ""
			}
			require.Equal(t, want, errs.CodeOf(call(a)), "%s as %s", key, as)
		}
	}
}

func TestSummaries(t *testing.T) {
	path := write(t, []Pair{
		{"a", float32(1e-6)}, {"b", 1e100}, {"c", uint64(1 << 63)}, {"d", int8(-1)}, {"e", true},
		{"f", "text"}, {"g", strings.Repeat("x", maxShown)}, {"h", strings.Repeat("x", maxShown+1)}, {"i", []float64{}},
	}, nil, Options{})
	f := openFile(t, path)
	want := []string{"1e-06", "1e+100", "9223372036854775808", "-1", "true", "text", strings.Repeat("x", maxShown), "string of 65537 bytes", "f64[0]"}
	for i, v := range f.Values() {
		got, err := v.Summary()
		require.NoError(t, err)
		require.Equal(t, want[i], got, v.Key())
	}
	x := f.Index()
	require.Equal(t, map[string]int64{"d": -1, "e": 1}, x.Scalars)
	require.Equal(t, "9223372036854775808", x.Metadata["c"])
}

// The index has the short lists of numbers, which settings of each layer are.
func TestLists(t *testing.T) {
	f := openFile(t, write(t, []Pair{
		{"a.sizes", []int32{1, 0, 3}}, {"b", []float32{0.5, -2}}, {"c", []float32{1, float32(math.Inf(1))}}, {"d", []string{"x"}},
		{"e", make([]uint8, maxLayers)}, {"f", make([]uint8, maxLayers+1)}, {"g", []float64{}}, {"h", []bool{true, false}}, {"tokenizer.ggml.scores", []float32{1}},
	}, nil, Options{}))
	want := map[string][]float64{"a.sizes": {1, 0, 3}, "b": {0.5, -2}, "e": make([]float64, maxLayers), "h": {1, 0}}
	require.Equal(t, want, f.Index().Lists)
}

// Unsigned integers of every width, up to the largest, in both byte orders.
func TestUints(t *testing.T) {
	for _, big := range []bool{false, true} {
		f := openFile(t, write(t, []Pair{
			{"8", []uint8{0, 255}}, {"16", []uint16{1, 1<<16 - 1}}, {"32", []uint32{2, 1<<32 - 1}}, {"64", []uint64{3, 1 << 63, 1<<64 - 1}},
		}, nil, Options{BigEndian: big}))
		want := [][]uint64{{0, 255}, {1, 1<<16 - 1}, {2, 1<<32 - 1}, {3, 1 << 63, 1<<64 - 1}}
		for i, v := range f.Values() {
			a, err := v.Array()
			require.NoError(t, err)
			got, err := Collect(a.Uints())
			require.NoError(t, err)
			require.Equal(t, want[i], got, v.Key())
		}
	}
}

// Strings of any length come out whole, wherever the pieces end, and a walk may
// stop anywhere.
func TestLongArrays(t *testing.T) {
	var texts []string
	for i := range 30 {
		texts = append(texts, strings.Repeat(string(rune('a'+i%26)), i*i*i*7), "", "x")
	}
	texts = append(texts, strings.Repeat("y", piece-8), strings.Repeat("z", piece-7), strings.Repeat("w", 3*piece))
	floats := make([]float32, 3*piece/4+5)
	for i := range floats {
		floats[i] = float32(i)
	}
	for _, big := range []bool{false, true} {
		path := write(t, []Pair{{"texts", texts}, {"floats", floats}}, nil, Options{BigEndian: big})
		f := openFile(t, path)
		v, err := f.Require("texts")
		require.NoError(t, err)
		a, err := v.Array()
		require.NoError(t, err)
		got, err := Collect(a.Strings())
		require.NoError(t, err)
		require.Equal(t, texts, got)
		v, err = f.Require("floats")
		require.NoError(t, err)
		b, err := v.Array()
		require.NoError(t, err)
		numbers, err := Collect(b.Float32s())
		require.NoError(t, err)
		require.Equal(t, floats, numbers)

		n := 0
		for _, err := range a.Strings() {
			require.NoError(t, err)
			if n++; n == 40 {
				break
			}
		}
		for _, err := range b.Floats() {
			require.NoError(t, err)
			if n++; n == 50 {
				break
			}
		}
		require.Equal(t, 50, n)
	}
}

// What was parsed once is not trusted a second time.
func TestFilesThatChangeOrClose(t *testing.T) {
	pairs := []Pair{{"s", []string{"ab", "cd"}}, {"n", Nested{[]string{"x"}, []int8{1, 2}}}, {"t", "text"}}
	path := write(t, pairs, nil, Options{BeyondGGML: true})
	f, err := Open(path)
	require.NoError(t, err)
	arrays := map[string]Array{}
	for _, key := range []string{"s", "n"} {
		v, err := f.Require(key)
		require.NoError(t, err)
		arrays[key], err = v.Array()
		require.NoError(t, err)
	}
	edit(t, path, arrays["s"].at+10, 200) // the second string is longer than the array
	err = firstError(arrays["s"].Strings())
	require.Equal(t, CodeTruncated, errs.CodeOf(err))
	edit(t, path, arrays["s"].at+10, binary.LittleEndian.AppendUint64(nil, 1<<63)...)
	require.Equal(t, CodeTruncated, errs.CodeOf(firstError(arrays["s"].Strings())))
	edit(t, path, arrays["s"].at, binary.LittleEndian.AppendUint64(nil, 9)...) // the first takes the bytes of the second
	require.Equal(t, CodeTruncated, errs.CodeOf(firstError(arrays["s"].Strings())))
	edit(t, path, arrays["n"].at, 77)
	err = firstError(arrays["n"].Arrays())
	require.Equal(t, CodeType, errs.CodeOf(err))
	require.ErrorContains(t, err, path+": byte ")
	_, err = Write(path+".copy", f.Pairs(), nil, Options{BigEndian: true, BeyondGGML: true})
	require.Error(t, err)
	_, err = os.Stat(path + ".copy")
	require.ErrorIs(t, err, os.ErrNotExist)

	text, err := f.Require("t")
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, 10))
	_, err = text.Text()
	require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err))
	require.Equal(t, "unreadable: TENSOR_BAD_SIZE", f.Index().Metadata["t"])
	require.NoError(t, f.Close())
	_, err = text.Text()
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(firstError(arrays["s"].Strings())))
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(firstError(arrays["n"].Arrays())))
}
