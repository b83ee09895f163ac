package irpa

import (
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
)

func spec(name string, d dtype.DType, e quant.Encoding, n int64, sizes ...int64) tensor.Spec {
	return tensor.Spec{Name: name, DType: d, Shape: shape.Of(sizes...), Encoding: e, Bytes: n}
}

func described(t *testing.T, s tensor.Spec) Item {
	t.Helper()
	item := Bytes(s.Name, make([]byte, s.Bytes))
	var err error
	item.Metadata, err = Describe(s)
	require.NoError(t, err)
	return item
}

func TestDescribedEntriesMakeAnIndex(t *testing.T) {
	specs := []tensor.Spec{
		spec("scalar", dtype.F32, quant.Dense, 4),
		spec("m", dtype.BF16, quant.Dense, 12, 2, 3),
		spec("none", dtype.I8, quant.Dense, 0, 3, 0),
		spec("q", dtype.F32, "Q4_K", 288, 2, 256),
		spec("o", dtype.F32, quant.Opaque("<TQ&4>"), 5, 7),
		spec("splat", dtype.F32, quant.Dense, 8, 2),
	}
	var items []Item
	for _, s := range specs {
		items = append(items, described(t, s))
	}
	items[5].Open, items[5].Pattern = nil, []byte{1, 2, 3, 4}
	path := filepath.Join(t.TempDir(), "m.irpa")
	require.NoError(t, Write(path, items))
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	if diff := cmp.Diff(&tensor.Index{Format: "irpa", Tensors: specs}, f.Index(), cmpopts.IgnoreUnexported(tensor.Index{})); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{
		"scalar": `{"skainet":1,"dtype":"f32","shape":[],"encoding":"dense"}`,
		"q":      `{"skainet":1,"dtype":"f32","shape":[2,256],"encoding":"Q4_K"}`,
		"o":      `{"skainet":1,"dtype":"f32","shape":[7],"encoding":"opaque/<TQ&4>"}`,
	} {
		got, err := f.Metadata(name)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	_, err = f.Metadata("absent")
	require.Equal(t, CodeMissing, errs.CodeOf(err))
}

// Other programs may keep there what they like.
func TestOtherMetadataIsLeftAlone(t *testing.T) {
	a, b, c := Bytes("a", []byte("12")), Bytes("b", []byte("3")), described(t, spec("c", dtype.I8, quant.Dense, 1))
	a.Metadata = []byte(`{"type":"DenseTensor"}`)
	path := filepath.Join(t.TempDir(), "m.irpa")
	require.NoError(t, Write(path, []Item{a, b, c}))
	f, err := Open(path)
	require.NoError(t, err)
	for name, want := range map[string]string{"a": `{"type":"DenseTensor"}`, "b": ""} {
		e, ok := f.Entry(name)
		require.True(t, ok)
		require.Nil(t, e.Spec)
		got, err := f.Metadata(name)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	e, _ := f.Entry("c")
	require.Equal(t, spec("c", dtype.I8, quant.Dense, 1), *e.Spec)
	require.Nil(t, f.Index(), "not all are described")
	require.NoError(t, f.Close())
	_, err = f.Metadata("a")
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
}

// Without metadata nothing changes: the bytes are IREE's.
func TestDescriptionsOnlyAddBytes(t *testing.T) {
	s := spec("w", dtype.F32, quant.Dense, 8, 2)
	dir := t.TempDir()
	bare, full := filepath.Join(dir, "bare"), filepath.Join(dir, "full")
	require.NoError(t, Write(bare, []Item{Bytes("w", make([]byte, 8))}))
	require.NoError(t, Write(full, []Item{described(t, s)}))
	x, err := os.ReadFile(bare)
	require.NoError(t, err)
	y, err := os.ReadFile(full)
	require.NoError(t, err)
	require.NotContains(t, string(x), "skainet")
	require.Contains(t, string(y), `w{"skainet":1,`)
}

func TestDescribeRefuses(t *testing.T) {
	tests := []struct {
		name string
		spec tensor.Spec
		code errs.Code
	}{
		{"length", spec("w", dtype.F32, quant.Dense, 7, 2), CodeMetadata},
		{"no dtype", spec("w", dtype.Invalid, quant.Dense, 0, 2), CodeMetadata},
		{"rank", spec("w", dtype.I8, quant.Dense, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), CodeMetadata},
		{"dynamic", spec("w", dtype.I8, quant.Dense, 1, shape.Dynamic), CodeMetadata},
		{"bits wrap", spec("w", dtype.F64, quant.Dense, 1, 1<<62), CodeMetadata},
		{"part of a block", spec("w", dtype.F32, "Q8_0", 34, 31), CodeMetadata},
		{"unknown encoding", spec("w", dtype.F32, "Q9", 34, 32), CodeMetadata},
		{"long name of an encoding", spec("w", dtype.F32, quant.Opaque(strings.Repeat("x", 1024)), 34, 32), CodeLimit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Describe(tt.spec)
			require.Equal(t, tt.code, errs.CodeOf(err), err)
			require.ErrorContains(t, err, "w: ")
		})
	}
}
