package ctranslate2

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Header is the part of a file before its variables, and its aliases.
type Header struct {
	Spec     string // WhisperSpec, ...
	Revision uint32
	Aliases  []Alias // in the order of the table
}

// Item is a variable to write: a tensor, or a setting, which is an integer of
// rank 0. Open is called once, when the variable is written, and must yield exactly
// Bytes bytes; a buffer's Reader method does. A variable of no bytes needs no
// Open.
type Item struct {
	tensor.Spec
	Open func() (io.Reader, error)
}

// Encode streams a file of binary version 6. Everything but the data is checked
// before the first byte, with the codes that a reader would give.
func Encode(w io.Writer, h Header, items []Item) error {
	size, err := check(h, items)
	if err != nil {
		return err
	}
	if r, ok := w.(atomicfile.Reserver); ok {
		if err := r.Reserve(size); err != nil {
			return err
		}
	}
	if _, err := w.Write(head(h, len(items))); err != nil {
		return err
	}
	for _, item := range items {
		b, err := variableHead(item.Spec)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		if err := copyItem(w, item); err != nil {
			return err
		}
	}
	_, err = w.Write(tail(h))
	return err
}

// check finds what a reader would find, in a file whose variables have no
// elements, and returns the length of the real one.
func check(h Header, items []Item) (size int64, err error) {
	if err := checkNames(h, items); err != nil {
		return 0, err
	}
	text, end := head(h, len(items)), tail(h)
	size = int64(len(text) + len(end))
	for _, item := range items {
		b, err := variableHead(item.Spec)
		if err != nil {
			return 0, err
		}
		size += int64(len(b)) + item.Bytes
		empty := item.Spec
		empty.Shape, empty.Bytes = shape.Of(0), 0
		if b, err = variableHead(empty); err != nil {
			return 0, err
		}
		text = append(text, b...)
	}
	_, err = parse(append(text, end...), new(errs.Faults))
	return size, err
}

// head is everything before the variables.
func head(h Header, variables int) []byte {
	b := binary.LittleEndian.AppendUint32(nil, maxVersion)
	b = appendString(b, h.Spec)
	b = binary.LittleEndian.AppendUint32(b, h.Revision)
	return binary.LittleEndian.AppendUint32(b, uint32(variables))
}

// variableHead is everything of a variable before its data.
func variableHead(s tensor.Spec) ([]byte, error) {
	id, fault := typeID(s.DType)
	if fault != nil {
		return nil, fault.On(s.Name)
	}
	want, err := s.Type().Bytes()
	if err != nil || want != s.Bytes {
		return nil, errs.Wrap(CodeLength, err, "%s stored in %d bytes", s.Type(), s.Bytes).On(s.Name)
	}
	if s.Bytes > math.MaxUint32 || s.Shape.Rank() > MaxRank {
		return nil, errs.New(CodeLimit, "%s does not fit the format, which has %d dimensions and 4 GiB for a variable", s.Type(), MaxRank).On(s.Name)
	}
	b := appendString(nil, s.Name)
	b = append(b, byte(s.Shape.Rank()))
	for _, n := range s.Shape.Sizes() {
		if n > math.MaxUint32 {
			return nil, errs.New(CodeLimit, "%s does not fit the format, whose sizes have 32 bits", s.Type()).On(s.Name)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, id)
	return binary.LittleEndian.AppendUint32(b, uint32(s.Bytes)), nil
}

// tail is everything after the variables.
func tail(h Header) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(h.Aliases)))
	for _, a := range h.Aliases {
		b = appendString(b, a.Name)
		b = appendString(b, a.Variable)
	}
	return b
}

// copyItem writes the data of a variable, which must be as long as promised.
func copyItem(w io.Writer, item Item) error {
	if item.Bytes == 0 && item.Open == nil {
		return nil
	}
	r, err := item.Open()
	if err != nil {
		return err
	}
	// A window knows its length and may copy without calling Read.
	if k, ok := r.(interface {
		io.WriterTo
		Remaining() int64
	}); ok && k.Remaining() == item.Bytes {
		n, err := k.WriteTo(w)
		if err == nil && n != item.Bytes {
			err = errs.New(CodeLength, "the source gave %d of %d bytes", n, item.Bytes).On(item.Name)
		}
		return err
	}
	n, err := io.Copy(struct{ io.Writer }{w}, io.LimitReader(r, item.Bytes))
	if err != nil {
		return err
	}
	if n < item.Bytes {
		return errs.New(CodeLength, "the source ended after %d of %d bytes", n, item.Bytes).On(item.Name)
	}
	if n, _ := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return errs.New(CodeLength, "the source has more than the %d bytes promised", item.Bytes).On(item.Name)
	}
	return nil
}

// checkNames refuses what would not fit its field; every other fault of a name
// is found by reading the text back.
func checkNames(h Header, items []Item) error {
	if len(items) > MaxVariables || len(h.Aliases) > MaxAliases {
		return errs.New(CodeLimit, "%d variables and %d aliases, the limits are %d and %d", len(items), len(h.Aliases), MaxVariables, MaxAliases)
	}
	names := []string{h.Spec}
	for _, item := range items {
		names = append(names, item.Name)
	}
	for _, a := range h.Aliases {
		names = append(names, a.Name, a.Variable)
	}
	for _, name := range names {
		if len(name) > MaxName {
			return errs.New(CodeLimit, "the name %.32q... has %d bytes, the limit is %d", name, len(name), MaxName)
		}
	}
	return nil
}

func appendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(len(s)+1))
	b = append(b, s...)
	return append(b, 0)
}
