package ctranslate2

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	"github.com/skainet-dev/skainet-go/test/badfiles/badtest"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
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

var write = badtest.File

// read is parse with the first fault.
func read(b []byte) (*parsed, error) { return parse(b, new(errs.Faults)) }

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

func spec(name string, d dtype.DType, n int64, sizes ...int64) tensor.Spec {
	return tensor.Spec{Name: name, DType: d, Shape: shape.Of(sizes...), Encoding: quant.Dense, Bytes: n}
}

func TestReadBack(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Write(&b, small(t)))
	require.True(t, Sniff(b.Bytes()))
	f, err := Open(write(t, b.Bytes()))
	require.NoError(t, err)
	defer f.Close()

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
		path, at, err := f.Place(name)
		require.NoError(t, err, name)
		require.Equal(t, f.Path(), path)
		require.Equal(t, data, string(b.Bytes()[at:at+int64(len(data))]), name)
	}
	for _, name := range []string{"none", "flag", ""} {
		_, err = f.Tensor(name)
		require.Equal(t, CodeMissing, errs.CodeOf(err), name)
		_, _, err = f.Place(name)
		require.Equal(t, CodeMissing, errs.CodeOf(err), name)
	}
}

// The layout is checked against a file written out field by field, in
// the three versions that share it.
func TestEveryVersionReadsAlike(t *testing.T) {
	for version := byte(4); version <= 6; version++ {
		good := badfiles.CT2Good()
		good[0] = version
		p, err := read(good)
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(int(version)), p.index.Metadata["binary_version"])
		require.Equal(t, map[string]string{"w2": "w"}, p.index.Aliases)
		require.Len(t, p.index.Tensors, 2)
		require.EqualValues(t, 37, p.vars["w"].offset, "23 bytes of head, 4 of name, 1 + 4 of shape, 1 of type, 4 of length")
	}
}

func TestBadFiles(t *testing.T) {
	badtest.Run(t, badfiles.CT2(), badtest.Readers{Parse: parses, Open: opens, Verify: Verify})
}

// Every proper prefix of a file is refused, and never as anything but cut short.
func TestEveryPrefixIsTruncated(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Write(&b, small(t)))
	badtest.Prefixes(t, b.Bytes(), b.Len(), CodeTruncated, parses)
	old, err := os.ReadFile("testdata/golden/v3.bin")
	require.NoError(t, err)
	badtest.Prefixes(t, old, len(old), CodeTruncated, parses)
}

// A check goes on after a fault wherever the end of the entry is known.
func TestVerifyListsEveryFault(t *testing.T) {
	faults, err := Verify(write(t, badfiles.CT2ManyFaults()))
	require.NoError(t, err)
	type found struct {
		Code   errs.Code
		Offset int64
	}
	var got []found
	for _, err := range faults {
		var e *errs.Error
		require.ErrorAs(t, err, &e)
		got = append(got, found{e.Code, e.Offset})
	}
	want := []found{
		{CodeString, 23},     // the first variable has no name
		{CodeLimit, 44},      // rank 9
		{CodeDType, 81},      // type 6
		{CodeLength, 96},     // 5 bytes for f32[1]
		{CodeDuplicate, 123}, // the name of the one before
		{CodeOverflow, 159},  // a shape that wraps
		{CodeDuplicate, 191}, // an alias with the name of a variable
		{CodeAlias, 167},     // to nothing
		{CodeAlias, 175},     // in a circle
		{CodeAlias, 183},
		{CodeTrailing, 207},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	faults, err = Verify(write(t, badfiles.CT2Good()))
	require.NoError(t, err)
	require.Empty(t, faults)
	_, err = Verify(filepath.Join(t.TempDir(), "none"))
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
}

// A long chain of aliases that leads nowhere costs no more than one that ends.
func TestChainsThatLeadNowhere(t *testing.T) {
	faults := errs.Gather(filemap.MaxFaults)
	_, err := parse(badfiles.CT2Chain(MaxAliases), faults)
	require.Error(t, err, "the list is full")
	require.Len(t, faults.List(), filemap.MaxFaults)
	require.Equal(t, CodeAlias, errs.CodeOf(faults.List()[0]))
}

func TestSniffLeavesOtherFormatsAlone(t *testing.T) {
	for _, head := range []string{"", "\x06\x00\x00\x00", "GGUF\x03\x00\x00\x00abcdefgh", "IRPA\x00\x00\x00\x00aaaa", "PK\x03\x04\x0a\x00\x00\x00", "\x06\x00\x00\x00\x04\x00a b\x00"} {
		require.False(t, Sniff([]byte(head)), "%q", head)
	}
	require.False(t, Sniff([]byte("\x01\x00\x00\x00\x04\x00abc\x00")), "version 1 has no spec name")
	require.True(t, Sniff([]byte("\x03\x00\x00\x00\x04\x00abc\x00")), "an old version gets its own error")
}
