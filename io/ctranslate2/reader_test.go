package ctranslate2

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/badfiles"
	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

func value[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

// small is a model with one of each kind of variable.
func small(t *testing.T) Model {
	half := tensor.Value{Type: tensor.TypeOf(dtype.F16, 2), Bytes: []byte{0, 0x3c, 0, 0xc0}}
	return Model{
		Spec: "WhisperSpec", Revision: 3,
		Variables: []Variable{
			{"decoder/embeddings/weight", value(t, []int8{1, -2, 3, 4, 5, 6}, 2, 3)},
			{"decoder/embeddings/weight_scale", value(t, []float32{0.5, 2}, 2)},
			{"decoder/num_heads", value(t, []int16{-6})},
			{"decoder/scale", value(t, []float32{0.125})},
			{"encoder/empty", value(t, []float32{}, 3, 0)},
			{"encoder/é", half},
			{"flag", value(t, []int8{1})},
			{"steps", value(t, []int32{math.MinInt32})},
		},
		Aliases: []Alias{
			{"z", "y"}, // a chain, its target later in the table
			{"y", "encoder/é"},
			{"decoder/projection/weight", "decoder/embeddings/weight"},
			{"heads", "decoder/num_heads"},
		},
	}
}

func write(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.bin")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func TestReadBack(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Write(&b, small(t)))
	require.True(t, Sniff(b.Bytes()))
	f, err := Open(write(t, b.Bytes()))
	require.NoError(t, err)
	defer f.Close()

	spec := func(name string, d dtype.DType, n int64, sizes ...int64) tensor.Spec {
		return tensor.Spec{Name: name, DType: d, Shape: shape.Of(sizes...), Bytes: n}
	}
	want := &tensor.Index{
		Format:   "ctranslate2",
		Metadata: map[string]string{"spec": "WhisperSpec", "binary_version": "6", "revision": "3"},
		Scalars:  map[string]int64{"decoder/num_heads": -6, "flag": 1, "steps": math.MinInt32, "heads": -6},
		Aliases: map[string]string{
			"z": "encoder/é", "y": "encoder/é",
			"decoder/projection/weight":       "decoder/embeddings/weight",
			"decoder/projection/weight_scale": "decoder/embeddings/weight_scale",
		},
		Tensors: []tensor.Spec{
			spec("decoder/embeddings/weight", dtype.I8, 6, 2, 3),
			spec("decoder/embeddings/weight_scale", dtype.F32, 8, 2),
			spec("decoder/scale", dtype.F32, 4),
			spec("encoder/empty", dtype.F32, 0, 3, 0),
			spec("encoder/é", dtype.F16, 4, 2),
		},
	}
	if diff := cmp.Diff(want, f.Index(), cmpopts.IgnoreUnexported(tensor.Index{})); diff != "" {
		t.Error(diff)
	}
	for name, data := range map[string]string{
		"decoder/projection/weight": "\x01\xfe\x03\x04\x05\x06", "z": "\x00\x3c\x00\xc0", "encoder/empty": "",
	} {
		w, err := f.Tensor(name)
		require.NoError(t, err, name)
		got, err := w.Bytes()
		require.NoError(t, err, name)
		require.Equal(t, data, string(got), name)
		at, err := f.Offset(name)
		require.NoError(t, err, name)
		require.Equal(t, data, string(b.Bytes()[at:at+int64(len(data))]), name)
	}
	for _, name := range []string{"none", "flag", ""} {
		_, err = f.Tensor(name)
		require.Equal(t, CodeMissing, errs.CodeOf(err), name)
	}
}

// The layout is checked against a file that is spelled out field by field, in
// the three versions that share it.
func TestEveryVersionReadsAlike(t *testing.T) {
	for version := byte(4); version <= 6; version++ {
		good := badfiles.CT2Good()
		good[0] = version
		p, err := parse(good)
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(int(version)), p.index.Metadata["binary_version"])
		require.Equal(t, map[string]string{"w2": "w"}, p.index.Aliases)
		require.Len(t, p.index.Tensors, 2)
		require.EqualValues(t, 37, p.vars["w"].offset, "23 bytes of head, 4 of name, 1 + 4 of shape, 1 of type, 4 of length")
	}
}

func TestBadFiles(t *testing.T) {
	cases := badfiles.CT2()
	require.GreaterOrEqual(t, len(cases), 25)
	for _, tt := range cases {
		t.Run(tt.Name, func(t *testing.T) {
			path := write(t, tt.Data)
			f, err := Open(path)
			require.Nil(t, f)
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, tt.Code, e.Code, err)
			require.Equal(t, path, e.File)
			require.True(t, e.HasOffset)
			require.Equal(t, tt.Offset, e.Offset, err)
		})
	}
}

// Every proper prefix of a file is refused, and never as anything but cut short.
func TestEveryPrefixIsTruncated(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Write(&b, small(t)))
	for n := range b.Len() {
		_, err := parse(b.Bytes()[:n])
		require.Equal(t, CodeTruncated, errs.CodeOf(err), "%d bytes: %v", n, err)
	}
}

// A length that lies must not become an allocation: these files claim up to
// gigabytes, and refusing one may cost a few kilobytes.
func TestLyingLengthsDoNotAllocate(t *testing.T) {
	for _, tt := range badfiles.CT2() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parse(tt.Data)
		runtime.ReadMemStats(&after)
		require.Error(t, err, tt.Name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10), tt.Name)
	}
}

func TestSniffLeavesOtherFormatsAlone(t *testing.T) {
	for _, head := range []string{"", "\x06\x00\x00\x00", "GGUF\x03\x00\x00\x00abcdefgh", "IRPA\x00\x00\x00\x00aaaa", "PK\x03\x04\x0a\x00\x00\x00", "\x06\x00\x00\x00\x04\x00a b\x00"} {
		require.False(t, Sniff([]byte(head)), "%q", head)
	}
	require.False(t, Sniff([]byte("\x01\x00\x00\x00\x04\x00abc\x00")), "version 1 has no spec name")
	require.True(t, Sniff([]byte("\x03\x00\x00\x00\x04\x00abc\x00")), "an old version gets its own error")
}
