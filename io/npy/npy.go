// Package npy reads and writes NumPy's .npy files, versions 1.0 and 2.0, and .npz.
//
// Every element type of tensor/dtype that NumPy has is covered: bool, i8 to i64,
// u8 to u64, f16, f32, f64. The layout is described in NumPy's
// numpy.lib.format.
//
// # Errors
//
// NPY_BAD_MAGIC, NPY_BAD_HEADER, NPY_DTYPE, NPY_ORDER (Fortran order), NPY_SIZE
// (data shorter or longer than the shape says), each with the byte offset;
// NPZ_BAD_ARCHIVE for a .npz that is not one.
//
// # Determinism
//
// Write writes the bytes that numpy.save writes for the same array.
//
// # Untrusted input
//
// A header is at most 64 KiB, a rank at most 32. Data is read in pieces of
// 1 MiB, so a false shape costs no more memory than the file has bytes,
// plus one piece. A .npz has at most 65536 arrays of 4 GiB in all.
package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodeMagic  errs.Code = "NPY_BAD_MAGIC"  // smallest input: the empty file
	CodeHeader errs.Code = "NPY_BAD_HEADER" // smallest input: the magic and version 3
	CodeDType  errs.Code = "NPY_DTYPE"      // smallest input: a header with the descr "c8"
	CodeOrder  errs.Code = "NPY_ORDER"      // smallest input: a header with fortran_order True
	CodeSize   errs.Code = "NPY_SIZE"       // smallest input: a shape of (1,) and no data
	CodeOpen   errs.Code = "FILE_OPEN"      // smallest input: a path that does not exist
)

// The limits.
const (
	MaxHeader = 64 << 10
	MaxRank   = 32
	piece     = 1 << 20
)

const magic = "\x93NUMPY"

// ReadFile reads the array in a regular file.
func ReadFile(path string) (tensor.Value, error) {
	f, err := openFile(path)
	if err != nil {
		return tensor.Value{}, err
	}
	defer f.Close()
	v, err := Read(f)
	return v, errs.WithFile(err, path)
}

// TypeOf reads the type of the array in a regular file, and none of its elements.
func TypeOf(path string) (tensor.Type, error) {
	f, err := openFile(path)
	if err != nil {
		return tensor.Type{}, err
	}
	defer f.Close()
	h, _, err := readHeader(f)
	if err != nil {
		return tensor.Type{}, errs.WithFile(err, path)
	}
	t, err := h.tensorType()
	return t, errs.WithFile(err, path)
}

func openFile(path string) (*os.File, error) {
	// Before it is opened: opening a pipe would wait for a writer.
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, errs.New(CodeOpen, "not a regular file but %s", atomicfile.Kind(st.Mode())).In(path).Hint("name the file itself")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(CodeOpen, err, "cannot open the file").In(path).Hint("check the path")
	}
	return f, nil
}

// Read reads one array, which must be all of r.
func Read(r io.Reader) (tensor.Value, error) {
	h, dataAt, err := readHeader(r)
	if err != nil {
		return tensor.Value{}, err
	}
	typ, err := h.tensorType()
	if err != nil {
		return tensor.Value{}, err
	}
	n, err := typ.Bytes()
	if err != nil {
		return tensor.Value{}, errs.Wrap(CodeHeader, err, "the shape is too large").At(10)
	}
	data, err := readExactly(r, n, dataAt)
	if err != nil {
		return tensor.Value{}, err
	}
	if h.swapped {
		swap(data, typ.DType.Bits()/8)
	}
	if typ.DType == dtype.Bool {
		for i, b := range data {
			if b > 1 {
				return tensor.Value{}, errs.New(CodeSize, "a bool holds %d", b).At(dataAt + int64(i)).
					Hint("save the array again with numpy.save")
			}
		}
	}
	return tensor.Value{Type: typ, Bytes: data}, nil
}

func readHeader(r io.Reader) (header, int64, error) {
	var start [12]byte
	if n, err := io.ReadFull(r, start[:10]); err != nil || string(start[:6]) != magic {
		return header{}, 0, errs.New(CodeMagic, "not a .npy file (%d of 10 bytes read)", n).At(0).
			Hint("save the array with numpy.save; a .npz holds several arrays")
	}
	length, at := int64(binary.LittleEndian.Uint16(start[8:])), int64(10)
	switch {
	case start[6] == 1 && start[7] == 0:
	case start[6] == 2 && start[7] == 0:
		if _, err := io.ReadFull(r, start[10:]); err != nil {
			return header{}, 0, errs.New(CodeHeader, "the file ends in the header's length").At(10)
		}
		length, at = int64(binary.LittleEndian.Uint32(start[8:])), 12
	default:
		return header{}, 0, errs.New(CodeHeader, "format version %d.%d; 1.0 and 2.0 are supported", start[6], start[7]).At(6).
			Hint("save the array again without structured types")
	}
	if length > MaxHeader {
		return header{}, 0, errs.New(CodeHeader, "a header of %d bytes, the limit is %d", length, MaxHeader).At(8)
	}
	text := make([]byte, length)
	if n, err := io.ReadFull(r, text); err != nil {
		return header{}, 0, errs.New(CodeHeader, "the file ends in the header, after %d of %d bytes", n, length).At(at + int64(n))
	}
	h, err := parseHeader(string(text), at)
	return h, at + length, err
}

func readExactly(r io.Reader, n, at int64) ([]byte, error) {
	data := make([]byte, 0, min(n, piece))
	for int64(len(data)) < n {
		want := int(min(n-int64(len(data)), piece))
		have := len(data)
		data = append(data, make([]byte, want)...)
		got, err := io.ReadFull(r, data[have:])
		if err != nil {
			return nil, errs.New(CodeSize, "the data ends after %d of %d bytes", have+got, n).At(at + int64(have+got)).
				Hint("the file was cut short; save or fetch it again")
		}
	}
	var extra [1]byte
	if k, err := io.ReadFull(r, extra[:]); k != 0 || err != io.EOF {
		return nil, errs.New(CodeSize, "more bytes than the %d that the shape needs", n).At(at + n).
			Hint("the header does not belong to this data")
	}
	return data, nil
}

func swap(b []byte, width int) {
	for ; len(b) >= width; b = b[width:] {
		for i, j := 0, width-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}

// WriteFile writes v to path; no partial file is left.
func WriteFile(path string, v tensor.Value) error {
	return errs.WithFile(atomicfile.Write(path, func(w io.Writer) error { return Write(w, v) }), path)
}

// Write writes v as version 1.0.
func Write(w io.Writer, v tensor.Value) error {
	if err := v.Check(); err != nil {
		return err
	}
	descr, err := descrOf(v.Type.DType)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, tuple(v.Type.Shape))
	// NumPy leaves room for the first size to grow to 21 digits, and the data
	// starts at a multiple of 64 bytes, after a line feed.
	if sizes := v.Type.Shape.Sizes(); len(sizes) > 0 {
		text += strings.Repeat(" ", 21-len(strconv.FormatInt(sizes[0], 10)))
	}
	pad := 64 - (10+len(text)+1)%64
	text += strings.Repeat(" ", pad%64) + "\n"
	if len(text) > 0xffff {
		return errs.New(CodeHeader, "a shape of %d dimensions does not fit", v.Type.Shape.Rank())
	}
	start := binary.LittleEndian.AppendUint16([]byte(magic+"\x01\x00"), uint16(len(text)))
	for _, part := range [][]byte{start, []byte(text), v.Bytes} {
		if _, err := w.Write(part); err != nil {
			return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the array")
		}
	}
	return nil
}

func descrOf(d dtype.DType) (string, error) {
	name := d.NumPy()
	if name == "" {
		return "", errs.New(CodeDType, "NumPy has no element type %s", d).
			Hint("convert the tensor to f32 first")
	}
	if d.Bits() == 8 {
		return "|" + name, nil
	}
	return "<" + name, nil
}

func tuple(s shape.Shape) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, n := range s.Sizes() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	if len(s) == 1 {
		b.WriteByte(',')
	}
	b.WriteByte(')')
	return b.String()
}
