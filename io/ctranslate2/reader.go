package ctranslate2

import (
	"encoding/binary"
	"strconv"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// variable is one entry of the file, its data at offset.
type variable struct {
	spec   tensor.Spec
	offset int64
}

// parsed is a whole file without its data.
type parsed struct {
	index *tensor.Index
	vars  map[string]variable // tensors only, under their own names
	order []variable          // settings too, in the order of the file

	header  Header
	version uint32
}

// Sniff reports whether a file that begins with head may be of this format: it
// begins with a small number and a short name that ends in NUL. Versions that
// Open refuses are recognised too, so that the refusal can name the version.
func Sniff(head []byte) bool {
	if len(head) < 8 {
		return false
	}
	v, n := binary.LittleEndian.Uint32(head), int(binary.LittleEndian.Uint16(head[4:]))
	if v < 2 || v > 99 || n < 2 || n > 64 || len(head) < 6+n || head[6+n-1] != 0 {
		return false
	}
	for _, b := range head[6 : 6+n-1] {
		if b <= ' ' || b > '~' {
			return false
		}
	}
	return true
}

// parse checks b. Its faults go to the list; the error is the one after which
// it did not go on.
func parse(b []byte, faults *errs.Faults) (*parsed, error) {
	c := &cursor{b: b, faults: faults}
	version, err := c.u32("the binary version")
	if err != nil {
		return nil, err
	}
	if version < minVersion || version > maxVersion {
		return nil, c.stop(c.fail(CodeVersion, 0, "binary version %d, versions %d to %d are supported", version, minVersion, maxVersion).
			Hint("convert the model again with a current CTranslate2"))
	}
	spec, err := c.str("the name of the spec")
	if err != nil {
		return nil, err
	}
	revision, err := c.u32("the revision")
	if err != nil {
		return nil, err
	}
	p := &parsed{
		index: &tensor.Index{
			Format: Format,
			Metadata: map[string]string{
				"spec":           spec,
				"binary_version": strconv.FormatUint(uint64(version), 10),
				"revision":       strconv.FormatUint(uint64(revision), 10),
			},
			Scalars: map[string]int64{},
			Aliases: map[string]string{},
			Tensors: []tensor.Spec{},
		},
		vars:    map[string]variable{},
		header:  Header{Spec: spec, Revision: revision},
		version: version,
	}
	n, err := c.count("variables", MaxVariables)
	if err != nil {
		return nil, err
	}
	for range n {
		if err := p.variable(c); err != nil {
			return nil, err
		}
	}
	c.node = ""
	if err := p.aliases(c); err != nil {
		return nil, err
	}
	if left := int64(len(b)) - c.off; left != 0 {
		err := c.note(c.fail(CodeTrailing, c.off, "%d bytes follow the last alias", left).
			Hint("the file changed after it was written; fetch it again"))
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// variable reads one variable; one with a fault is not kept.
func (p *parsed) variable(c *cursor) error {
	at := c.off
	c.node, c.bad = "", false
	name, err := c.str("the name of a variable")
	if err != nil {
		return err
	}
	c.node = name
	if p.has(name) {
		if err := c.note(c.fail(CodeDuplicate, at, "two variables have this name")); err != nil {
			return err
		}
	}
	typ, err := c.typ(p.version)
	if err != nil {
		return err
	}
	at = c.off
	count, err := c.u32("the length of the data")
	if err != nil {
		return err
	}
	n := int64(count)
	if p.version == widthVersion { // elements, not bytes
		n *= int64(typ.DType.Bits() / 8)
	}
	if !c.bad { // else the type may be unknown
		if err := checkLength(c, at, typ, n); err != nil {
			return err
		}
	}
	offset := c.off
	data, err := c.take(n, "the data")
	if err != nil || c.bad {
		return err
	}
	s := tensor.Spec{Name: name, DType: typ.DType, Shape: typ.Shape, Encoding: quant.Dense, Bytes: n}
	p.order = append(p.order, variable{spec: s, offset: offset})
	if typ.Shape.Rank() == 0 && typ.DType.IsInt() {
		p.index.Scalars[name] = integer(data)
		return nil
	}
	p.index.Tensors = append(p.index.Tensors, s)
	p.vars[name] = variable{spec: s, offset: offset}
	return nil
}

// typ reads rank, sizes and element type.
func (c *cursor) typ(version uint32) (tensor.Type, error) {
	at := c.off
	rank, err := c.u8("the rank")
	if err != nil {
		return tensor.Type{}, err
	}
	if rank > MaxRank {
		if err := c.note(c.fail(CodeLimit, at, "rank %d, the limit is %d", rank, MaxRank)); err != nil {
			return tensor.Type{}, err
		}
	}
	dims := make(shape.Shape, rank)
	for i := range dims {
		n, err := c.u32("a size")
		if err != nil {
			return tensor.Type{}, err
		}
		dims[i].Size = int64(n)
	}
	at = c.off
	id, err := c.u8("the element type")
	if err != nil {
		return tensor.Type{}, err
	}
	if version == widthVersion {
		if d, ok := widths[id]; ok {
			return tensor.Type{DType: d, Shape: dims}, nil
		}
		// The width is needed to find the end of the data.
		return tensor.Type{}, c.stop(c.fail(CodeDType, at, "elements of %d bytes, version %d has 1, 2 and 4", id, version))
	}
	if int(id) >= len(types) {
		return tensor.Type{Shape: dims}, c.note(c.fail(CodeDType, at, "element type %d, types 0 to %d are known", id, len(types)-1))
	}
	return tensor.Type{DType: types[id], Shape: dims}, nil
}

func checkLength(c *cursor, at int64, typ tensor.Type, n int64) error {
	want, err := typ.Bytes()
	if err != nil {
		return c.note(errs.Wrap(CodeOverflow, err, "the shape is too large").At(at).On(c.node))
	}
	if n != want {
		return c.note(c.fail(CodeLength, at, "%d bytes stored, %s takes %d", n, typ, want))
	}
	return nil
}

// integer widens a signed integer of 1, 2 or 4 bytes.
func integer(b []byte) int64 {
	switch len(b) {
	case dtype.I8.Bits() / 8:
		return int64(int8(b[0]))
	case dtype.I16.Bits() / 8:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	default:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
}

func (p *parsed) has(name string) bool {
	_, tensor := p.vars[name]
	_, scalar := p.index.Scalars[name]
	return tensor || scalar
}
