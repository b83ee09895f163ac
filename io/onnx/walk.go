package onnx

import (
	"encoding/binary"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/errs"
)

// walk copies a message without the elements of its tensors and without what the schema
// lacks, and adds the places of what it copies. On the way it checks all that a decoder
// of protobuf would make memory of.
type walk struct {
	b    []byte // the whole file
	copy bool   // whether out is written; the first walk only counts its size
	size int
	out  []byte

	messages, nodes, tensors int
}

// skim reads the message that b is. The elements of its tensors stay where they are.
func skim(b []byte, m proto.Message) error {
	if int64(len(b)) > MaxMessage {
		return fail(CodeLimit, 0, "the file has %d bytes, a message of protobuf at most %d", len(b), int64(MaxMessage)).
			Hint("keep the tensors in a file of external data")
	}
	first := &walk{b: b}
	if err := first.message(layoutFor(m), 0, len(b), 0); err != nil {
		return err
	}
	w := &walk{b: b, copy: true, out: make([]byte, 0, first.size)}
	if err := w.message(layoutFor(m), 0, len(b), 0); err != nil { // the file was changed meanwhile
		return err
	}
	// It drops protobuf's error text, which intentionally varies between builds.
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(w.out, m); err != nil {
		return fail(CodeWire, 0, "the bytes are not a protobuf message %s", m.ProtoReflect().Descriptor().Name())
	}
	return nil
}

// message copies the fields of b[at:end].
func (w *walk) message(l *layout, at, end, depth int) error {
	if err := w.count(l, at, end, depth); err != nil {
		return err
	}
	first, seen := at, [len(l.fields)]bool{}
	var elements data
	for at < end {
		start := at
		number, wire, next, err := w.tag(l, at, end)
		if err != nil {
			return err
		}
		from, to, err := w.value(l, number, wire, next, end)
		if err != nil {
			return err
		}
		at = to
		f := l.field(number)
		if f == nil {
			continue
		}
		if wire != f.wire && !(wire == protowire.BytesType && f.packable()) {
			return fail(CodeWire, int64(start), "field %s of %s has wire type %d, not %d", f.name, l.name, wire, f.wire)
		}
		if seen[number] && !f.repeated {
			return fail(CodeWire, int64(start), "field %s of %s is there twice", f.name, l.name)
		}
		seen[number] = true
		switch {
		case f.data:
			if err := elements.add(w.b, number, f, wire, from, to); err != nil {
				return err
			}
			continue
		case f.message != nil:
			err = w.nested(f.message, number, from, to, depth)
		case wire == protowire.BytesType:
			err = w.bytes(l, f, number, from, to)
		default:
			w.put(w.b[start:to])
		}
		if err != nil {
			return err
		}
	}
	if l.places {
		w.number(numberAt, first)
	}
	return w.tensor(l, elements, first, end)
}

// count compares what there is so far with the limits.
func (w *walk) count(l *layout, at, end, depth int) error {
	w.messages++
	switch l.name {
	case "NodeProto":
		w.nodes++
	case "TensorProto":
		w.tensors++
	}
	switch {
	case at == end && needs[l.name].code != "":
		return fail(needs[l.name].code, int64(at), "an empty %s, which has not even %s", l.name, needs[l.name].field)
	case depth > maxNesting:
		return fail(CodeWire, int64(at), "messages nest more than %d deep, graphs more than %d", maxNesting, deepest)
	case w.nodes > MaxNodes:
		return fail(CodeLimit, int64(at), "more than %d nodes", MaxNodes)
	case w.tensors > MaxTensors:
		return fail(CodeLimit, int64(at), "more than %d tensors", MaxTensors)
	case w.messages > MaxMessages:
		return fail(CodeLimit, int64(at), "more than %d messages", MaxMessages)
	}
	return nil
}

// needs are messages that are nothing without a field, which an empty one does not have:
// two bytes of a file that would become some hundred of memory.
var needs = map[string]struct {
	code  errs.Code
	field string
}{
	"NodeProto": {CodeNode, "an operator"}, "AttributeProto": {CodeName, "a name"}, "ValueInfoProto": {CodeName, "a name"},
	"FunctionProto": {CodeName, "a name"}, "TensorProto": {CodeTensor, "a type"},
}

// tag reads the number and the wire type of a field.
func (w *walk) tag(l *layout, at, end int) (protowire.Number, protowire.Type, int, error) {
	v, n := protowire.ConsumeVarint(w.b[at:end])
	if n < 0 {
		return 0, 0, 0, w.short(at, end, "the tag of a field of %s", l.name)
	}
	number, wire := protowire.DecodeTag(v)
	if number < protowire.MinValidNumber || number > protowire.MaxValidNumber || v>>32 != 0 {
		return 0, 0, 0, fail(CodeWire, int64(at), "no field of a message %s begins so", l.name).
			Hint("the file is damaged, or no ONNX model")
	}
	return number, wire, at + n, nil
}

// value returns where the value of a field begins, for bytes behind their length, and
// where it ends.
func (w *walk) value(l *layout, number protowire.Number, wire protowire.Type, at, end int) (from, to int, err error) {
	name := func() string {
		if f := l.field(number); f != nil {
			return f.name
		}
		return "unknown"
	}
	fixed := func(n int) (int, int, error) {
		if n > end-at {
			return 0, 0, w.short(at, end, "field %s of %s", name(), l.name)
		}
		return at, at + n, nil
	}
	switch wire {
	case protowire.VarintType:
		_, n := protowire.ConsumeVarint(w.b[at:end])
		if n < 0 {
			return 0, 0, w.short(at, end, "field %s of %s", name(), l.name)
		}
		return at, at + n, nil
	case protowire.Fixed32Type:
		return fixed(4)
	case protowire.Fixed64Type:
		return fixed(8)
	case protowire.BytesType:
		size, n := protowire.ConsumeVarint(w.b[at:end])
		if n < 0 {
			return 0, 0, w.short(at, end, "the length of field %s of %s", name(), l.name)
		}
		if rest := end - at - n; size > uint64(rest) {
			code, what := CodeLength, "its message"
			if end == len(w.b) {
				code, what = CodeTruncated, "the file"
			}
			return 0, 0, fail(code, int64(at), "field %s of %s has %d bytes, %s has %d more", name(), l.name, size, what, rest).
				Hint("the file was cut short or damaged; fetch it again")
		}
		return at + n, at + n + int(size), nil
	}
	return 0, 0, fail(CodeWire, int64(at), "a field of %s has wire type %d, which ONNX does not use", l.name, wire).
		Hint("the file is damaged, or no ONNX model")
}

// short is the error of a number that ends neither before its message nor after 10 bytes.
func (w *walk) short(at, end int, what string, args ...any) error {
	code, rest := CodeWire, end-at
	if end == len(w.b) && rest < binary.MaxVarintLen64 {
		code = CodeTruncated
	}
	return fail(code, int64(at), what+" does not end", args...)
}

// nested copies a message behind a length that is known afterwards: a varint may have
// more bytes than it needs.
func (w *walk) nested(l *layout, number protowire.Number, from, to, depth int) error {
	w.tagged(number, protowire.BytesType)
	at := len(w.out)
	w.put([]byte{0x80, 0x80, 0x80, 0x80, 0})
	if err := w.message(l, from, to, depth+1); err != nil || !w.copy {
		return err
	}
	size := len(w.out) - at - 5
	for i := range 5 {
		w.out[at+i] |= byte(size>>(7*i)) & 0x7f
	}
	return nil
}

// bytes copies text, bytes or packed numbers.
func (w *walk) bytes(l *layout, f *field, number protowire.Number, from, to int) error {
	b := w.b[from:to]
	switch {
	case f.text && !utf8.Valid(b):
		return fail(CodeName, int64(from), "field %s of %s is not UTF-8", f.name, l.name)
	case f.text && !f.free && len(b) > MaxName:
		return fail(CodeLimit, int64(from), "field %s of %s has %d bytes, the limit is %d", f.name, l.name, len(b), MaxName)
	case f.packable():
		if _, err := packed(w.b, f, from, to); err != nil {
			return err
		}
	}
	w.tagged(number, protowire.BytesType)
	w.varint(uint64(len(b)))
	w.put(b)
	return nil
}

// packed counts the elements of a packed field.
func packed(b []byte, f *field, from, to int) (int64, error) {
	width := 0
	switch f.wire {
	case protowire.Fixed32Type:
		width = 4
	case protowire.Fixed64Type:
		width = 8
	}
	if width > 0 {
		if (to-from)%width != 0 {
			return 0, fail(CodeWire, int64(from), "field %s has %d bytes, no multiple of %d", f.name, to-from, width)
		}
		return int64((to - from) / width), nil
	}
	count, last := int64(0), from // where the next number begins
	for at := from; at < to; at++ {
		if tenth := at-last == binary.MaxVarintLen64-1; tenth && b[at] > 1 { // more than 64 bits
			break
		}
		if b[at] < 0x80 {
			count++
			last = at + 1
		}
	}
	if last != to {
		return 0, fail(CodeWire, int64(last), "a number of field %s does not end", f.name)
	}
	return count, nil
}

// put, varint, tagged and number add to what is written, or to its size.
func (w *walk) put(b []byte) {
	if w.copy {
		w.out = append(w.out, b...)
	}
	w.size += len(b)
}

func (w *walk) varint(v uint64) {
	if w.copy {
		w.out = protowire.AppendVarint(w.out, v)
	}
	w.size += protowire.SizeVarint(v)
}

func (w *walk) tagged(n protowire.Number, t protowire.Type) { w.varint(protowire.EncodeTag(n, t)) }

func (w *walk) number(n protowire.Number, v int) {
	w.tagged(n, protowire.VarintType)
	w.varint(uint64(v))
}
