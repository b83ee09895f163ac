package npy

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// file builds a version 1.0 file from a header text and data.
func file(head string, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint16([]byte(magic+"\x01\x00"), uint16(len(head)))
	return append(append(b, head...), data...)
}

func TestRoundTripEveryType(t *testing.T) {
	for _, d := range dtype.All() {
		if d.NumPy() == "" {
			continue
		}
		t.Run(d.String(), func(t *testing.T) {
			v, err := tensor.Zero(tensor.TypeOf(d, 2, 3))
			require.NoError(t, err)
			for i := range v.Bytes {
				v.Bytes[i] = byte(i % 2)
			}
			path := filepath.Join(t.TempDir(), "x.npy")
			require.NoError(t, WriteFile(path, v))
			got, err := ReadFile(path)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(v, got))
		})
	}
}

// The wanted bytes are what numpy.save wrote (NumPy 2.4.6) for
// np.array([1.5], 'f4'), np.array(7, 'i4') and np.zeros((2, 0), 'f2'); the last is a header that crosses 128 bytes only
// through the room for growth: np.zeros((1, 0, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10), 'u1').
func TestWriteIsWhatNumPySaves(t *testing.T) {
	for _, c := range []struct {
		head string
		typ  tensor.Type
		data []byte
	}{
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", tensor.TypeOf(dtype.F32, 1), []byte{0, 0, 0xc0, 0x3f}},
		{"{'descr': '<i4', 'fortran_order': False, 'shape': (), }", tensor.TypeOf(dtype.I32), []byte{7, 0, 0, 0}},
		{"{'descr': '<f2', 'fortran_order': False, 'shape': (2, 0), }", tensor.TypeOf(dtype.F16, 2, 0), nil},
		{"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 0, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10), }", tensor.TypeOf(dtype.U8, 1, 0, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10), nil},
	} {
		var b bytes.Buffer
		require.NoError(t, Write(&b, tensor.Value{Type: c.typ, Bytes: c.data}))
		total := 117
		if len(c.head) > 80 {
			total += 64
		}
		want := file(c.head+strings.Repeat(" ", total-len(c.head))+"\n", c.data...)
		require.Empty(t, cmp.Diff(want, b.Bytes()))
		require.Zero(t, (b.Len()-len(c.data))%64)
	}
}

func TestReadAccepts(t *testing.T) {
	v2 := append([]byte(magic+"\x02\x00"), binary.LittleEndian.AppendUint32(nil, 57)...)
	v2 = append(v2, "{'descr': '<i2', 'fortran_order': False, 'shape': (1,), }\x05\x01"...)
	for name, b := range map[string][]byte{
		"version 2":           v2,
		"big endian":          file("{'descr': '>i2', 'fortran_order': False, 'shape': (1,), }", 1, 5),
		"other order of keys": file(`{"shape": (1,), 'fortran_order': False, 'descr': '<i2'}`, 5, 1),
		"Fortran, one dim":    file("{'descr': '<i2', 'fortran_order': True, 'shape': (1,)}  \n", 5, 1),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(bytes.NewReader(b))
			require.NoError(t, err)
			want, err := tensor.Of([]int16{0x105}, 1)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(want, got))
		})
	}
}

func TestReadRefuses(t *testing.T) {
	const ok = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"
	for name, c := range map[string]struct {
		file []byte
		code errs.Code
	}{
		"empty":            {nil, CodeMagic},
		"magic_zip":        {[]byte("PK\x03\x04aaaaaaaaaaaaaaaaaa"), CodeMagic},
		"version_3":        {[]byte(magic + "\x03\x00\x00\x00\x00\x00"), CodeHeader},
		"version_2_cut":    {[]byte(magic + "\x02\x00\x00\x00"), CodeHeader},
		"version_2_huge":   {[]byte(magic + "\x02\x00\xff\xff\xff\xff"), CodeHeader},
		"header_cut":       {file(ok)[:30], CodeHeader},
		"header_no_dict":   {file("[1]"), CodeHeader},
		"header_twice":     {file("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}"), CodeHeader},
		"header_lacks":     {file("{'descr': '<f4', 'shape': ()}"), CodeHeader},
		"header_other_key": {file("{'colour': '<f4'}"), CodeHeader},
		"header_tail":      {file(ok + "x"), CodeHeader},
		"header_unended":   {file("{'descr': '<f4"), CodeHeader},
		"header_no_comma":  {file("{'descr': '<f4' 'shape': ()}"), CodeHeader},
		"header_bool":      {file("{'fortran_order': 0}"), CodeHeader},
		"shape_negative":   {file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }"), CodeHeader},
		"shape_no_tuple":   {file("{'descr': '<f4', 'fortran_order': False, 'shape': (1), }", 0, 0, 0, 0), CodeHeader},
		"shape_overflow":   {file("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 3), }"), CodeHeader},
		"shape_too_big":    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }"), CodeHeader},
		"shape_rank_33":    {file("{'shape': (" + strings.Repeat("1,", 33) + ")}"), CodeHeader},
		"shape_lies":       {file("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }", 1, 2), CodeSize},
		"data_short":       {file(ok, 1, 2, 3), CodeSize},
		"data_long":        {file(ok, 1, 2, 3, 4, 5), CodeSize},
		"data_bool_two":    {file("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", 1, 2), CodeSize},
		"order_fortran":    {file("{'descr': '<f4', 'fortran_order': True, 'shape': (1,1), }", 1, 2, 3, 4), CodeOrder},
		"dtype_object":     {file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"), CodeDType},
		"dtype_complex":    {file("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }"), CodeDType},
		"dtype_order":      {file("{'descr': '|f4', 'fortran_order': False, 'shape': (1,), }", 1, 2, 3, 4), CodeDType},
		"dtype_empty":      {file("{'descr': '', 'fortran_order': False, 'shape': (1,), }"), CodeDType},
		"dtype_fields":     {file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"), CodeHeader},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(bytes.NewReader(c.file))
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			path := filepath.Join(t.TempDir(), "bad.npy")
			require.NoError(t, os.WriteFile(path, c.file, 0o644))
			_, err = ReadFile(path)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestFaultsOfFiles(t *testing.T) {
	_, err := ReadFile(filepath.Join(t.TempDir(), "none.npy"))
	require.Equal(t, CodeOpen, errs.CodeOf(err))
	_, err = ReadFile(t.TempDir())
	require.ErrorContains(t, err, "not a regular file but a folder")
	require.Equal(t, CodeOpen, errs.CodeOf(err))
	v, err := tensor.Zero(tensor.TypeOf(dtype.BF16, 2))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "x.npy")
	require.Equal(t, CodeDType, errs.CodeOf(WriteFile(path, v)))
	require.NoFileExists(t, path)
}

func FuzzRead(f *testing.F) {
	f.Add(file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 1, 2, 3, 4))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Read(bytes.NewReader(b))
		if err != nil {
			require.NotEmpty(t, errs.CodeOf(err))
			return
		}
		// What was read can be written and is the same again.
		var out bytes.Buffer
		require.NoError(t, Write(&out, v))
		again, err := Read(&out)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(v, again))
	})
}
