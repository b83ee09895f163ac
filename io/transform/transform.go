package transform

import (
	"io"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Storage is how the elements of a tensor are stored. Blocks have the logical
// type f32.
type Storage struct {
	DType    dtype.DType    `json:"dtype"`
	Encoding quant.Encoding `json:"encoding"`
}

// StorageOf returns the storage of a tensor of a file.
func StorageOf(s tensor.Spec) Storage { return Storage{s.DType, s.Encoding.Stored()} }

// String returns the type of dense elements, else the encoding: f16, Q4_K.
func (s Storage) String() string {
	if s.Encoding.IsDense() {
		return s.DType.String()
	}
	return s.Encoding.String()
}

// ParseStorage parses the result of String.
func ParseStorage(name string) (Storage, error) {
	if d, err := dtype.Parse(name); err == nil {
		return Storage{DType: d, Encoding: quant.Dense}, nil
	}
	e, err := quant.Parse(name)
	if err != nil || e.IsDense() || e.IsOpaque() {
		return Storage{}, errs.New(quant.CodeUnknown, "%q is neither an element type nor an encoding that can be written", name).
			Hint("use one such as f32, f16, bf16, Q8_0, Q4_0, Q4_K or Q4_K/planar")
	}
	return Storage{DType: dtype.F32, Encoding: e}, nil
}

// Bytes returns the stored length of a tensor of shape s; PACK_BAD_ROW where a row
// is not a whole number of blocks. Opaque storage has no size of its own.
func (s Storage) Bytes(sh shape.Shape) (int64, error) {
	if s.Encoding.IsDense() {
		return tensor.Type{DType: s.DType, Shape: sh}.Bytes()
	}
	n, err := sh.Elements()
	if err != nil {
		return 0, err
	}
	cols := columns(sh)
	bytes, err := s.Encoding.SizeRows(n/max(cols, 1), cols)
	if err != nil {
		return 0, errs.Wrap(CodeRow, err, "rows of %d elements do not fit %s", cols, s.Encoding)
	}
	return bytes, nil
}

// columns returns the elements of a row; a scalar is a row of one.
func columns(sh shape.Shape) int64 {
	if len(sh) == 0 {
		return 1
	}
	return sh[len(sh)-1].Size
}

// Kind is what a transform does.
type Kind string

// The kinds; see the package.
const (
	Copy       Kind = "copy"
	Widen      Kind = "widen"
	Narrow     Kind = "narrow"
	Dequantise Kind = "dequantise"
	Quantise   Kind = "quantise"
	Requantise Kind = "requantise"
	Codes      Kind = "codes"
	Repack     Kind = "repack"
)

// Options configures how a transform runs; the zero value is a good default.
type Options struct {
	// Workers is how many chunks are computed in parallel; less than 1 means
	// one per core.
	Workers int
	// AllowOverflow lets finite elements become infinite; they are counted.
	AllowOverflow bool
	// File is the path that errors name, if any.
	File string
}

// Transform converts a tensor from one storage to another.
type Transform struct {
	Kind  Kind
	Exact bool // no value changes
	From  tensor.Spec
	To    tensor.Spec

	options Options
	steps   steps
	unit    int64 // elements that are changed together: blocks of both sides, or a row
	units   int64 // of a chunk
}

// New finds the way from what a file stores to another storage.
func New(from tensor.Spec, to Storage, o Options) (*Transform, error) {
	from.Encoding, to.Encoding = from.Encoding.Stored(), to.Encoding.Stored()
	t := &Transform{From: from, To: from, options: o, Kind: Copy, Exact: true}
	t.To.DType, t.To.Encoding = to.DType, to.Encoding
	if from.Encoding.IsOpaque() {
		if StorageOf(from) == to {
			return t, nil
		}
		return nil, t.find(to)
	}
	have, err := StorageOf(from).Bytes(from.Shape)
	if err != nil {
		return nil, t.named(err)
	}
	if have != from.Bytes {
		return nil, errs.New(CodeLength, "the file has %d bytes for %s (%s), which takes %d", from.Bytes, from.Type(), from.Encoding, have).In(o.File).On(from.Name)
	}
	if StorageOf(from) == to {
		return t, nil
	}
	if err := t.find(to); err != nil {
		return nil, err
	}
	if t.To.Bytes, err = to.Bytes(from.Shape); err != nil {
		return nil, t.named(err)
	}
	return t, t.cut()
}

// Fits reports whether a storage is for tensors of this shape, whatever their elements
// are: dense elements for any, blocks for matrices whose rows are whole blocks and not
// too long.
func Fits(s tensor.Spec, to Storage) bool {
	if to.Encoding.IsDense() {
		return true
	}
	if s.Shape.Rank() < 2 {
		return false
	}
	_, err := New(s, to, Options{})
	return errs.CodeOf(err) != CodeRow
}

// chunkElements is the size of a chunk, rounded to whole units.
const chunkElements = 1 << 17

// maxRow is the longest row that is repacked, since a row is changed at once.
const maxRow = 1 << 20

// maxWhole is the largest tensor of an encoding that stores something once for
// the tensor, since that is changed at once.
const maxWhole = 1 << 26

// cut chooses units and chunks.
func (t *Transform) cut() error {
	_, fromPlanar := t.From.Encoding.Blocks()
	_, toPlanar := t.To.Encoding.Blocks()
	t.unit = lcm(blockElements(t.From.Encoding), blockElements(t.To.Encoding))
	if fromPlanar || toPlanar {
		t.unit = max(columns(t.From.Shape), 1)
		if t.unit > maxRow {
			return errs.New(CodeRow, "a row of %d elements is too long to repack, the limit is %d", t.unit, maxRow).In(t.options.File).On(t.From.Name)
		}
	}
	if t.whole(t.From.Encoding) || t.whole(t.To.Encoding) {
		t.unit, _ = t.From.Shape.Elements() // New has seen it
		if t.unit = max(t.unit, 1); t.unit > maxWhole {
			return errs.New(CodeRow, "a tensor of %d elements is too large to change at once, as %s and %s need; the limit is %d",
				t.unit, StorageOf(t.From), StorageOf(t.To), maxWhole).In(t.options.File).On(t.From.Name)
		}
	}
	t.units = max(chunkElements/t.unit, 1)
	return nil
}

// whole reports whether the stored bytes of a tensor are not those of its units one
// after the other: the encoding keeps something once for the tensor, or after
// it for each row, or lets a byte hold the end of one row and the start of the
// next.
func (t *Transform) whole(e quant.Encoding) bool {
	if e.IsDense() {
		return false
	}
	n, err := e.Size(0)
	all, _ := t.From.Shape.Elements() // New has seen it
	return err != nil || n > 0 || all%t.unit != 0
}

func blockElements(e quant.Encoding) int64 {
	if b, ok := e.Block(); ok {
		return b.Elements
	}
	return 1
}

func lcm(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// Open starts a stream of the transformed bytes of b, which holds the tensor
// that was passed to New. Reading to the end returns the errors of the package. A
// stream that is not read to the end needs no Close.
func (t *Transform) Open(b tensor.Buffer) (*Stream, error) {
	if b.Len() != t.From.Bytes {
		return nil, errs.New(CodeLength, "the buffer has %d bytes, the tensor %d", b.Len(), t.From.Bytes).In(t.options.File).On(t.From.Name)
	}
	r, err := b.Reader()
	if err != nil {
		return nil, err
	}
	if t.Kind == Codes {
		if t.From.DType.Bits() == 4 {
			r = &halves{r: r, signed: t.To.DType.IsSigned()}
		}
		return &Stream{t: t, left: t.To.Bytes, copied: io.LimitReader(r, t.To.Bytes)}, nil
	}
	if t.Kind == Copy {
		return &Stream{t: t, left: t.To.Bytes, copied: io.LimitReader(r, t.From.Bytes)}, nil
	}
	return t.stream(r), nil
}
