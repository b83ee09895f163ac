package safetensors

import (
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Item is a tensor to write: its name, element type and shape, and its bytes,
// which are read once, when the tensor is written. Encoding must be dense, and Bytes
// is ignored. A tensor of no elements needs no Data.
type Item struct {
	tensor.Spec
	Data tensor.Buffer
}

// Encode streams a single file; it holds the header in memory and no data.
func Encode(w io.Writer, items []Item, metadata map[string]string) error {
	p, err := plan(items, metadata)
	if err != nil {
		return err
	}
	if d, ok := w.(atomicfile.Reserver); ok {
		if err := d.Reserve(int64(len(p.head)) + p.data); err != nil {
			return err
		}
	}
	if _, err := w.Write(p.head); err != nil {
		return err
	}
	for _, item := range p.items {
		if err := copyItem(w, item); err != nil {
			return err
		}
	}
	return nil
}

// copyItem copies the bytes of an item: by the system where they are a range of
// a file and w can, else through its reader.
func copyItem(w io.Writer, item Item) error {
	if item.Bytes == 0 {
		return nil
	}
	n, err := copyBytes(w, item)
	if err == nil && n < item.Bytes {
		err = errs.New(CodeLength, "the source ended after %d of %d bytes", n, item.Bytes).On(item.Name)
	}
	return err
}

func copyBytes(w io.Writer, item Item) (int64, error) {
	to, ok := w.(atomicfile.RangeCopier)
	from, isRange := item.Data.(filemap.Ranger)
	if ok && isRange {
		f, offset, n, release, err := from.FileRange()
		if err != nil {
			return 0, err
		}
		defer release()
		return to.CopyRange(f, offset, min(n, item.Bytes))
	}
	r, err := item.Data.Reader()
	if err != nil {
		return 0, err
	}
	return io.Copy(w, io.LimitReader(r, item.Bytes))
}

// layout is a file to be written.
type layout struct {
	head  []byte // length and header
	items []Item // by place
	data  int64  // bytes of all items
}

// plan lays out a file: the last element type of the format first, which is by
// decreasing alignment, then by name. The data starts at a multiple of 64 and
// every tensor at a multiple of the size of its elements.
func plan(items []Item, metadata map[string]string) (*layout, error) {
	items, err := checked(items)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(rank(b.DType), rank(a.DType)), cmp.Compare(a.Name, b.Name))
	})
	p := &layout{items: items}
	text := []byte{'{'}
	if metadata != nil {
		text = quote(text, metadataKey)
		if text, err = appendMap(append(text, ':'), metadata); err != nil {
			return nil, err
		}
	}
	for _, item := range items {
		if len(text) > 1 {
			text = append(text, ',')
		}
		end := p.data + item.Bytes
		text = appendItem(text, item, p.data, end)
		p.data = end
		if len(text) > MaxHeader {
			break
		}
	}
	text = append(text, '}')
	for (lengthSize+len(text))%dataAlign != 0 {
		text = append(text, ' ')
	}
	if len(text) > MaxHeader {
		return nil, errs.New(CodeLimit, "the header would have more than %d bytes", MaxHeader).
			Hint("write a set of smaller files")
	}
	p.head = append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	return p, nil
}

// appendItem appends the member of a tensor.
func appendItem(text []byte, item Item, begin, end int64) []byte {
	text = quote(text, item.Name)
	text = append(text, `:{"dtype":"`...)
	text = append(text, types[rank(item.DType)].name...)
	text = append(text, `","shape":[`...)
	for i, d := range item.Shape {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, d.Size, 10)
	}
	text = append(text, `],"data_offsets":[`...)
	text = strconv.AppendInt(text, begin, 10)
	text = append(text, ',')
	text = strconv.AppendInt(text, end, 10)
	return append(text, "]}"...)
}

// appendMap appends an object of strings, by name.
func appendMap(text []byte, m map[string]string) ([]byte, error) {
	keys := make([]string, 0, len(m))
	for k, v := range m {
		if !utf8.ValidString(k) || !utf8.ValidString(v) {
			return nil, errs.New(CodeName, "the metadata %q: %q is not UTF-8", clip(k), clip(v))
		}
		if len(k) > MaxName {
			return nil, errs.New(CodeLimit, "a key of the metadata has %d bytes, the limit is %d", len(k), MaxName).On(clip(k))
		}
		keys = append(keys, k)
	}
	slices.Sort(keys)
	text = append(text, '{')
	for i, k := range keys {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(quote(text, k), ':')
		text = quote(text, m[k])
	}
	return append(text, '}'), nil
}

// quote appends s, which is UTF-8, as a JSON string.
func quote(text []byte, s string) []byte {
	text, _ = jsontext.AppendQuote(text, s) // fails for what is not UTF-8 only
	return text
}

// maxTotal bounds the sum of all data, so that no offset wraps.
const maxTotal = math.MaxInt64 / 4

// checked returns the items with their lengths set.
func checked(items []Item) ([]Item, error) {
	if len(items) > MaxTensors {
		return nil, errs.New(CodeLimit, "%d tensors, the limit is %d", len(items), MaxTensors)
	}
	items = slices.Clone(items)
	names := make(map[string]bool, len(items))
	var sum int64
	for i := range items {
		item := &items[i]
		if err := item.check(); err != nil {
			return nil, err.On(item.Name)
		}
		if names[item.Name] {
			return nil, errs.New(CodeDuplicateName, "two tensors have this name").On(item.Name)
		}
		names[item.Name] = true
		if sum += item.Bytes; sum > maxTotal {
			return nil, errs.New(CodeLimit, "the tensors would have more than 2^61 bytes").On(item.Name)
		}
	}
	return items, nil
}

// check checks an item and sets its length.
func (item *Item) check() *errs.Error {
	if err := checkName(item.Name); err != nil {
		return err
	}
	switch {
	case item.Name == metadataKey:
		return errs.New(CodeName, "the format keeps this name for its metadata")
	case len(item.Name) > MaxName:
		return errs.New(CodeLimit, "a name of %d bytes, the limit is %d", len(item.Name), MaxName)
	case !utf8.ValidString(item.Name):
		return errs.New(CodeName, "a tensor's name is not UTF-8")
	case !item.Encoding.IsDense():
		return errs.New(CodeNoDType, "the format has no tensors of encoding %s", item.Encoding).
			Hint("dequantise the tensor first")
	case rank(item.DType) < 0:
		return errs.New(CodeNoDType, "the format has no element type %s", item.DType).
			Hint("convert the tensor to one of %s", typeNames())
	case len(item.Shape) > MaxRank:
		return errs.New(CodeLimit, "%d dimensions, the limit is %d", len(item.Shape), MaxRank)
	}
	n, err := item.Type().Bytes()
	if err != nil {
		return errs.Wrap(CodeOverflow, err, "the shape has no size")
	}
	elements, _ := item.Shape.Elements()
	switch bits := int64(item.DType.Bits()); {
	case bits%8 != 0 && elements*bits%8 != 0:
		return errs.New(CodeLength, "%s has %d bits, which is not a whole number of bytes", item.Type(), elements*bits)
	case n > 0 && item.Data == nil:
		return errs.New(CodeLength, "%s without its bytes", item.Type())
	case n > 0 && item.Data.Len() != n:
		return errs.New(CodeLength, "%d bytes given for %s, which takes %d", item.Data.Len(), item.Type(), n)
	}
	item.Bytes = n
	return nil
}
