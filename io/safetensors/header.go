package safetensors

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Info describes a tensor of a file.
type Info struct {
	tensor.Spec
	DTypeName string // as the file spells it: F32, F8_E4M3, ...
	Offset    int64  // of the data in its file

	shard int   // of a set; 0 in a single file
	field int64 // of data_offsets, for errors
	typed int64 // of dtype, for errors
	begin int64 // data_offsets
	end   int64
}

// header is a checked file without its data.
type header struct {
	metadata map[string]string
	tensors  []Info // by offset
	data     int64  // offset of the data

	verify  bool // types that are not known are faults
	partial bool // a tensor could not be read, which is a fault
}

// Sniff reports whether a file that begins with head is a single file: a length
// within the limit, then the beginning of a JSON object.
func Sniff(head []byte) bool {
	if len(head) < lengthSize+1 || head[lengthSize] != '{' {
		return false
	}
	n := binary.LittleEndian.Uint64(head)
	return n >= uint64(len("{}")) && n <= MaxHeader
}

// parse reads the header of the file b.
func parse(b []byte, faults *errs.Faults) (*header, error) { return parseHeader(b, faults, false) }

func parseHeader(b []byte, faults *errs.Faults, verify bool) (*header, error) {
	text, err := headerText(b)
	if err != nil {
		faults.Add(err)
		return nil, err
	}
	h := &header{data: lengthSize + int64(len(text)), verify: verify}
	r := newReader(text, lengthSize, faults)
	_, err = r.object("the header", CodeDuplicateName, func(name string, at int64, twice bool) error {
		if name == metadataKey {
			return h.readMetadata(r, twice)
		}
		r.node = name
		err := h.tensor(r, name, at, int64(len(b))-h.data)
		r.node = ""
		return err
	})
	if err != nil {
		return nil, err
	}
	end := r.d.InputOffset()
	for i, c := range text[end:] {
		if c != ' ' {
			err := fail(CodeHeader, lengthSize+end+int64(i), "%#02x follows the JSON text of the header, where only spaces may", c)
			if err := faults.Add(err); err != nil {
				return nil, err
			}
			break
		}
	}
	return h, h.tile(int64(len(b)), faults)
}

// headerText checks the length and returns the JSON text with its padding.
func headerText(b []byte) ([]byte, error) {
	have := int64(len(b))
	if have < lengthSize {
		return nil, fail(CodeTruncated, have, "the length of the header takes %d bytes, the file has %d", lengthSize, have).
			Hint("the file was cut short; fetch it again")
	}
	n := binary.LittleEndian.Uint64(b)
	switch {
	case n > MaxHeader:
		return nil, fail(CodeLimit, 0, "a header of %d bytes, the limit is %d", n, MaxHeader).
			Hint("check that this is a safetensors file")
	case int64(n) > have-lengthSize:
		return nil, fail(CodeTruncated, 0, "a header of %d bytes, the file has %d left", n, have-lengthSize).
			Hint("the file was cut short; fetch it again")
	case n == 0:
		return nil, fail(CodeHeader, 0, "the header is empty, a file without tensors has {}")
	case b[lengthSize] != '{':
		return nil, fail(CodeHeader, lengthSize, "the header begins with %q, not with {", b[lengthSize:lengthSize+min(n, 8)])
	}
	return b[lengthSize : lengthSize+n : lengthSize+n], nil
}

// readMetadata reads the member __metadata__, an object of strings.
func (h *header) readMetadata(r *reader, twice bool) error {
	r.node = metadataKey
	defer func() { r.node = "" }()
	m := map[string]string{}
	ok, err := r.object("the metadata", CodeDuplicateKey, func(name string, _ int64, twice bool) error {
		s, ok, err := r.str("a value of the metadata")
		if ok && !twice {
			m[name] = s
		}
		return err
	})
	if ok && !twice {
		h.metadata = m
	}
	return err
}

// tensor reads one tensor; have is the length of the data.
func (h *header) tensor(r *reader, name string, at, have int64) error {
	if len(h.tensors) == MaxTensors {
		err := fail(CodeLimit, at, "more than %d tensors, which is the limit", MaxTensors)
		r.add(err)
		return err
	}
	if err := checkName(name); err != nil {
		if err := r.add(err.At(at)); err != nil {
			return err
		}
	}
	t := Info{Spec: tensor.Spec{Name: name, Encoding: quant.Dense}}
	var shapeAt int64
	var typed, shaped, placed bool
	start := r.at()
	ok, err := r.object("a tensor", CodeDuplicateKey, func(field string, at int64, twice bool) (err error) {
		value := r.at()
		switch {
		case twice:
			return r.skip()
		case field == "dtype":
			t.typed = value
			t.DTypeName, typed, err = r.str("dtype")
		case field == "shape":
			shapeAt = value
			t.Shape, shaped, err = readShape(r)
		case field == "data_offsets":
			t.field = value
			placed, err = t.offsets(r)
		default:
			if err := r.add(fail(CodeUnknownField, at, "a tensor has no field %q", clip(field)).
				Hint("a tensor has dtype, shape and data_offsets")); err != nil {
				return err
			}
			return r.skip()
		}
		return err
	})
	if !ok {
		h.partial = true
		return err
	}
	for _, f := range []struct {
		name string
		at   int64
	}{{"dtype", t.typed}, {"shape", shapeAt}, {"data_offsets", t.field}} {
		if f.at == 0 {
			if err := r.add(fail(CodeMissingField, start, "the field %s is missing", f.name)); err != nil {
				return err
			}
		}
	}
	if !typed || !shaped || !placed {
		h.partial = true
		return nil
	}
	if err := t.size(r, h, shapeAt, have); err != nil {
		return err
	}
	h.tensors = append(h.tensors, t)
	return nil
}

// checkName returns an error if a tensor's name is invalid.
func checkName(name string) *errs.Error {
	switch {
	case name == "":
		return errs.New(CodeName, "a tensor's name is empty")
	case strings.ContainsRune(name, 0):
		return errs.New(CodeName, "a tensor's name has a NUL inside: %q", clip(name))
	}
	return nil
}

// readShape reads the list of sizes.
func readShape(r *reader) (s shape.Shape, ok bool, err error) {
	at, good := r.at(), true
	ok, err = r.list("shape", func(i int) error {
		if i == MaxRank {
			if err := r.add(fail(CodeLimit, at, "more than %d dimensions, which is the limit", MaxRank)); err != nil {
				return err
			}
			good = false
		}
		if i >= MaxRank {
			return r.skip()
		}
		n, ok, err := r.size("a size")
		s = append(s, shape.Dim{Size: n})
		good = good && ok
		return err
	})
	return s, ok && good, err
}

// offsets reads data_offsets.
func (t *Info) offsets(r *reader) (ok bool, err error) {
	at, good, n := r.at(), true, 0
	ok, err = r.list("data_offsets", func(i int) error {
		n++
		if i >= 2 {
			return r.skip()
		}
		v, ok, err := r.size("an offset")
		t.begin, t.end = t.end, v
		good = good && ok
		return err
	})
	if !ok || !good {
		return false, err
	}
	switch {
	case n != 2:
		return false, r.add(fail(CodeOffsets, at, "data_offsets has %d numbers, want 2", n))
	case t.begin > t.end:
		return false, r.add(fail(CodeOffsets, at, "the data begins at %d and ends at %d", t.begin, t.end))
	}
	return true, nil
}

// size checks the length of the data against the type and the file.
func (t *Info) size(r *reader, h *header, shapeAt, have int64) error {
	t.Bytes, t.Offset = t.end-t.begin, h.data+t.begin
	if t.end > have {
		err := fail(CodeTruncated, t.field, "the data ends at %d, the file has %d bytes of data", t.end, have).
			Hint("the file was cut short; fetch it again")
		if err := r.add(err); err != nil {
			return err
		}
	}
	d, known := byName(t.DTypeName)
	if !known {
		// Its elements have a size that is not known: the length is not checked.
		t.DType, t.Encoding = dtype.F32, quant.Opaque(t.DTypeName)
		if h.verify {
			err := fail(CodeUnknownDType, t.typed, "the element type %q is not known", clip(t.DTypeName)).
				Hint("its bytes are copied unchanged; no program here can compute with them; known are %s", typeNames())
			if err := r.add(err); err != nil {
				return err
			}
		}
		if _, err := t.Shape.Elements(); err != nil {
			return r.add(errs.Wrap(CodeOverflow, err, "the shape is too large").At(shapeAt))
		}
		return nil
	}
	t.DType = d
	want, err := t.Type().Bytes()
	if err != nil {
		return r.add(errs.Wrap(CodeOverflow, err, "the shape is too large").At(shapeAt))
	}
	// The product was checked by Bytes.
	if n, _ := t.Shape.Elements(); d.Bits()%8 != 0 && n*int64(d.Bits())%8 != 0 {
		return r.add(fail(CodeLength, shapeAt, "%s has %d bits, which is not a whole number of bytes", t.Type(), n*int64(d.Bits())))
	}
	if t.Bytes != want {
		return r.add(fail(CodeLength, t.field, "%d bytes stored, %s takes %d", t.Bytes, t.Type(), want))
	}
	return nil
}

// isIndex reports whether the file b is an index and not a single file, whose first
// bytes are a length: no length within the limit has eight bytes that are not 0.
func isIndex(b []byte) bool {
	head := b[:min(len(b), lengthSize)]
	return bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("{")) && bytes.IndexByte(head, 0) < 0
}
