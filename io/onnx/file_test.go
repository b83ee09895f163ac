package onnx_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

// pair is an entry of external_data.
func pair(key, value string) []byte { return Field(13, Message(Field(1, key), Field(2, value))) }

// outside is a tensor of four bytes whose elements lie in another file.
func outside(name string, pairs ...[]byte) []byte {
	return Message(Field(1, int64(4)), Field(2, int64(3)), Field(8, name), Field(14, int64(1)), Message(pairs...))
}

func initializers(tensors ...[]byte) []byte {
	graph := []byte{}
	for _, t := range tensors {
		graph = append(graph, Field(5, t)...)
	}
	return Message(Field(1, int64(9)), Field(8, Field(2, int64(18))), Field(7, graph))
}

// in writes a model, and the files of its folder, and returns its path.
func in(t *testing.T, model []byte, others map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	require.NoError(t, os.WriteFile(path, model, 0o644))
	for name, text := range others {
		other := filepath.Join(filepath.Dir(path), name)
		require.NoError(t, os.MkdirAll(filepath.Dir(other), 0o755))
		require.NoError(t, os.WriteFile(other, []byte(text), 0o644))
	}
	return path
}

func TestFile(t *testing.T) {
	model := initializers(
		Tensor("raw", 3, []byte("data"), 2, 2),
		Message(Field(1, int64(1)), Field(2, int64(1)), Field(4, []byte{0, 0, 128, 63}), Field(8, "packed")),
		Message(Field(1, int64(2)), Field(2, int64(1)), Field(4, uint32(0x3f800000)), Field(4, []byte{0, 0, 0, 64}), Field(8, "loose")),
		Message(Field(1, int64(3)), Field(2, int64(16)), Field(5, []byte{0x80, 0x7f, 1, 2}), Field(8, "bf16")),
		Message(Field(1, int64(3)), Field(2, int64(22)), Field(5, []byte{0xff, 1, 2}), Field(8, "i4")),
		Message(Field(1, int64(5)), Field(2, int64(27)), Field(5, []byte{1, 2, 3, 4, 63}), Field(8, "f6")),
		Message(Field(1, int64(1)), Field(2, int64(14)), Field(4, []byte{0, 0, 128, 63, 0, 0, 0, 64}), Field(8, "c64")),
		Tensor("c128", 15, make([]byte, 16), 1), Tensor("u2", 25, []byte{3}, 2),
		Message(Field(1, int64(1)), Field(2, int64(8)), Field(6, "text"), Field(8, "strings")),
		Tensor("none", 1, nil, 0),
		outside("away", pair("location", "sub/w.bin"), pair("offset", "2"), pair("length", "4"), pair("checksum", "?")),
		outside("rest", pair("location", "sub/../sub/w.bin")),
	)
	path := in(t, model, map[string]string{"sub/w.bin": "abcdefgh"})
	f, err := onnx.Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.EqualValues(t, len(model)+8, f.Size())
	require.Equal(t, path, f.Path())
	require.EqualValues(t, 9, f.Model().IRVersion)

	spec := func(name string, d dtype.DType, bytes int64, sizes ...int64) tensor.Spec {
		return tensor.Spec{Name: name, DType: d, Shape: shape.Of(sizes...), Encoding: quant.Dense, Bytes: bytes}
	}
	opaque := func(s tensor.Spec, name string) tensor.Spec { s.Encoding = quant.Opaque(name); return s }
	require.Empty(t, cmp.Diff(&tensor.Index{Format: "onnx", Tensors: []tensor.Spec{
		spec("raw", dtype.I8, 4, 2, 2), spec("packed", dtype.F32, 4, 1), spec("loose", dtype.F32, 8, 2), spec("bf16", dtype.BF16, 6, 3),
		spec("i4", dtype.I4, 2, 3), spec("f6", dtype.F6E2M3FN, 4, 5), spec("c64", dtype.C64, 8, 1),
		opaque(spec("c128", dtype.F32, 16, 1), "onnx-complex128"), opaque(spec("u2", dtype.F32, 1, 2), "onnx-uint2"),
		spec("none", dtype.F32, 0, 0), spec("away", dtype.I8, 4, 4), spec("rest", dtype.I8, 4, 4),
	}}, f.Index(), cmp.AllowUnexported(tensor.Index{})))

	for _, tt := range []struct {
		name, file, want string
		window           bool
	}{
		{"raw", path, "data", true}, {"packed", path, "\x00\x00\x80\x3f", true}, {"loose", "", "\x00\x00\x80\x3f\x00\x00\x00\x40", false},
		{"bf16", "", "\x80\x3f\x01\x00\x02\x00", false}, {"c64", path, "\x00\x00\x80\x3f\x00\x00\x00\x40", true},
		{"f6", "", "\x81\x30\x10\x3f", false}, {"none", path, "", true}, {"away", filepath.Join(filepath.Dir(path), "sub/w.bin"), "cdef", true},
		{"rest", filepath.Join(filepath.Dir(path), "sub/w.bin"), "abcd", true},
	} {
		b, err := f.Tensor(tt.name)
		require.NoError(t, err)
		require.EqualValues(t, len(tt.want), b.Len(), tt.name)
		data, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, tt.want, string(data), tt.name)
		r, err := b.Reader()
		require.NoError(t, err)
		data, err = io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, tt.want, string(data), tt.name)
		file, at, err := f.Place(tt.name)
		require.NoError(t, err)
		require.Equal(t, tt.file, file, tt.name)
		if tt.window {
			all, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(all[at:at+int64(len(tt.want))]))
		}
		require.NoError(t, b.Close())
		_, err = b.Bytes()
		require.Equal(t, tensor.CodeClosed, errs.CodeOf(err), tt.name)
	}
	v, err := f.Model().Graph.Initializers[11].Value()
	require.NoError(t, err)
	require.Equal(t, "cdef", string(v.Bytes))
	for name, what := range map[string]string{"strings": "no tensor", "nothing": "no tensor"} {
		_, err = f.Tensor(name)
		require.Equal(t, onnx.CodeMissingTensor, errs.CodeOf(err))
		require.ErrorContains(t, err, what)
	}
	_, err = f.Model().Graph.Initializers[7].Type()
	require.ErrorContains(t, err, "complex128")
	faults, err := onnx.Verify(path)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// A file that is cut short after it was opened, and one that was closed, are errors.
func TestFileThatChanges(t *testing.T) {
	loose := Message(Field(1, int64(2)), Field(2, int64(7)), Field(7, []byte{1, 2}), Field(8, "loose"))
	path := in(t, initializers(loose, Tensor("raw", 3, make([]byte, 1<<16), 1<<16)), nil)
	f, err := onnx.Open(path)
	require.NoError(t, err)
	stored := f.Model().Graph.Initializers
	require.NoError(t, os.Truncate(path, 8))
	for i, name := range []string{"loose", "raw"} {
		b, err := f.Tensor(name)
		require.NoError(t, err)
		require.Equal(t, tensor.CodeBadSize, errs.CodeOf(b.View(func(b []byte) error { return nil })), name)
		_, err = stored[i].Value()
		require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err), name)
	}
	require.NoError(t, f.Close())
	for i := range stored {
		_, err = stored[i].Value()
		require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
	}
}

func TestExternalData(t *testing.T) {
	for name, tt := range map[string]struct {
		pairs []byte
		code  errs.Code
	}{
		"absolute":     {pair("location", "/etc/passwd"), onnx.CodeExternal},
		"up":           {pair("location", "../w.bin"), onnx.CodeExternal},
		"up inside":    {pair("location", "sub/../../w.bin"), onnx.CodeExternal},
		"backslash":    {pair("location", `..\w.bin`), onnx.CodeExternal},
		"drive":        {pair("location", "C:w.bin"), onnx.CodeExternal},
		"no path":      {pair("offset", "1"), onnx.CodeExternal},
		"link out":     {pair("location", "link"), onnx.CodeExternal},
		"folder out":   {pair("location", "out/w.bin"), onnx.CodeExternal},
		"no number":    {Message(pair("location", "w.bin"), pair("offset", "1x")), onnx.CodeExternal},
		"negative":     {Message(pair("location", "w.bin"), pair("length", "-1")), onnx.CodeExternal},
		"wraps":        {Message(pair("location", "w.bin"), pair("offset", "9223372036854775807")), onnx.CodeExternal},
		"too far":      {Message(pair("location", "w.bin"), pair("offset", "5")), onnx.CodeExternal},
		"other length": {Message(pair("location", "w.bin"), pair("length", "5")), onnx.CodeExternal},
		"missing":      {pair("location", "none.bin"), onnx.CodeMissingData},
		"folder":       {pair("location", "."), onnx.CodeMissingData},
	} {
		t.Run(name, func(t *testing.T) {
			path := in(t, initializers(outside("w", tt.pairs)), map[string]string{"w.bin": "abcdefgh"})
			other := in(t, nil, map[string]string{"w.bin": "abcdefgh"})
			require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(other), "w.bin"), filepath.Join(filepath.Dir(path), "link")))
			require.NoError(t, os.Symlink(filepath.Dir(other), filepath.Join(filepath.Dir(path), "out")))
			_, err := onnx.Open(path)
			require.Equal(t, tt.code, errs.CodeOf(err), err)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, ": w: ")
			faults, err := onnx.Verify(path)
			require.NoError(t, err)
			require.Len(t, faults, 1)
		})
	}
	m, err := onnx.ParseModel(initializers(outside("w", pair("location", "w.bin"))))
	require.NoError(t, err)
	_, err = m.Graph.Initializers[0].Value()
	require.Equal(t, onnx.CodeExternal, errs.CodeOf(err))
	require.ErrorContains(t, err, "by its path")
}

// Build tools link each input into a folder of their own.
func TestLinkedModel(t *testing.T) {
	path := in(t, initializers(outside("w", pair("location", "w.bin"))), map[string]string{"w.bin": "abcd"})
	folder := t.TempDir()
	for _, name := range []string{"model.onnx", "w.bin"} {
		require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(path), name), filepath.Join(folder, name)))
	}
	f, err := onnx.Open(filepath.Join(folder, "model.onnx"))
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestWhatCannotBeOpened(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		_, err := onnx.Open(path)
		require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
		_, err = onnx.Verify(path)
		require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
	}
}
