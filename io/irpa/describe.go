package irpa

import (
	"bytes"
	"encoding/json"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// mark is how a description begins.
const mark = `{"skainet":`

// descriptionVersion is the one that is written and read.
const descriptionVersion = 1

// maxDescription bounds a description: eight dimensions take less than 200
// bytes, an encoding's name may be long.
const maxDescription = 1 << 10

// description is the metadata of an entry; the field order is the text's.
type description struct {
	Version  int            `json:"skainet"`
	DType    dtype.DType    `json:"dtype"`
	Shape    shape.Shape    `json:"shape"`
	Encoding quant.Encoding `json:"encoding"`
}

// Describe returns the metadata of an entry that holds the tensor s; see Metadata
// in the documentation of this package. It is IRPA_BAD_METADATA where the
// element type, the shape and the encoding do not give s.Bytes.
func Describe(s tensor.Spec) ([]byte, error) {
	if err := checkSpec(s); err != nil {
		return nil, err.On(s.Name)
	}
	b, err := encode(description{descriptionVersion, s.DType, s.Shape, s.Encoding.Stored()})
	if err != nil {
		return nil, err.On(s.Name)
	}
	return b, nil
}

func encode(d description) ([]byte, *errs.Error) {
	if d.Shape == nil {
		d.Shape = shape.Shape{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		return nil, errs.Wrap(CodeMetadata, err, "the description cannot be written")
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if len(text) > maxDescription {
		return nil, errs.New(CodeLimit, "a description of %d bytes, the limit is %d", len(text), maxDescription)
	}
	return text, nil
}

// checkSpec checks that the parts of s belong together.
func checkSpec(s tensor.Spec) *errs.Error {
	if !s.DType.Valid() || s.Shape.Rank() > MaxRank {
		return errs.New(CodeMetadata, "%s is described, with at most %d dimensions", s.Type(), MaxRank)
	}
	elements, err := s.Shape.Elements()
	if err != nil {
		return errs.Wrap(CodeMetadata, err, "the number of elements of the shape overflows")
	}
	var want int64
	switch {
	case s.Encoding.IsOpaque():
		return nil
	case s.Encoding.IsDense():
		want, err = s.Type().Bytes()
	default:
		want, err = s.Encoding.Size(elements)
	}
	if err != nil {
		return errs.Wrap(CodeMetadata, err, "the description has no length")
	}
	if want != s.Bytes {
		return errs.New(CodeMetadata, "%s (%s) takes %d bytes, the entry has %d", s.Type(), s.Encoding, want, s.Bytes)
	}
	return nil
}

// describe reads the description beside an entry, if there is one.
func (a *archive) describe(e *Entry, at int64) *errs.Error {
	text := a.b[e.metadata.off:e.metadata.end()]
	if !bytes.HasPrefix(text, []byte(mark)) {
		return nil
	}
	if len(text) > maxDescription {
		return fail(CodeLimit, at, "a description of %d bytes, the limit is %d", len(text), maxDescription)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return errs.Wrap(CodeMetadata, err, "the description is malformed").At(at)
	}
	if d.Version != descriptionVersion {
		return fail(CodeMetadata, at, "a description of version %d, version %d is supported", d.Version, descriptionVersion)
	}
	// There is one way to write it, so that equal archives have equal bytes and a
	// duplicate field cannot hide.
	if again, err := encode(d); err != nil {
		return err.At(at)
	} else if !bytes.Equal(again, text) {
		return fail(CodeMetadata, at, "the description is %q, its own form is %q", text, again)
	}
	s := tensor.Spec{Name: e.Name, DType: d.DType, Shape: d.Shape, Encoding: d.Encoding, Bytes: e.Length}
	if err := checkSpec(s); err != nil {
		return err.At(at)
	}
	e.Spec = &s
	return nil
}

// index returns the index of entries that all say what they are, else nil.
func index(entries []Entry) *tensor.Index {
	x := &tensor.Index{Format: Format, Tensors: make([]tensor.Spec, 0, len(entries))}
	for _, e := range entries {
		if e.Spec == nil {
			return nil
		}
		x.Tensors = append(x.Tensors, *e.Spec)
	}
	return x
}

// Fits reports whether an entry's description, which may be nil, allows that it is a
// tensor of this type, shape and encoding: one without a description may be anything.
func Fits(s *tensor.Spec, d dtype.DType, sizes shape.Shape, e quant.Encoding) bool {
	return s == nil || s.DType == d && s.Shape.Equal(sizes) && s.Encoding.Stored() == e.Stored()
}
