package gguf

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"

	"github.com/skainet-dev/skainet-go/errs"
)

// maxTotal bounds the sum of all data, so that no offset wraps.
const maxTotal = math.MaxInt64 / 4

func (o *Options) check() error {
	if o.Version == 0 {
		o.Version = 3
	}
	if o.Alignment == 0 {
		o.Alignment = defaultAlignment
	}
	switch a := o.Alignment; {
	case o.Version != 2 && o.Version != 3:
		return errs.New(CodeOption, "version %d, versions 2 and 3 can be written", o.Version)
	case a < MinAlignment || a > MaxAlignment || a&(a-1) != 0:
		return errs.New(CodeOption, "an alignment of %d, want a power of two from %d to %d", a, MinAlignment, MaxAlignment)
	case o.PartBytes < 0:
		return errs.New(CodeOption, "parts of %d bytes", o.PartBytes)
	}
	return nil
}

// plan assigns the items to files. The heads have passed the reader's own checks.
func plan(pairs []Pair, items []Item, o Options) ([]*output, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	numbers := make([]uint32, len(items))
	var parts [][]int // the items of each
	var total, held int64
	for i, item := range items {
		var err error
		if numbers[i], err = checkItem(item, o.BigEndian); err != nil {
			return nil, err
		}
		if total += align(item.Bytes, o.Alignment); total > maxTotal {
			return nil, errs.New(CodeLimit, "the model would have more than 2^61 bytes").On(item.Name)
		}
		if len(parts) == 0 || o.PartBytes > 0 && held > 0 && held+item.Bytes > o.PartBytes {
			parts, held = append(parts, nil), 0
		}
		held += item.Bytes
		parts[len(parts)-1] = append(parts[len(parts)-1], i)
	}
	if len(parts) == 0 {
		parts = [][]int{nil}
	}
	if len(parts) > math.MaxUint16 {
		return nil, errs.New(CodeLimit, "%d parts, the limit is %d", len(parts), math.MaxUint16).Hint("ask for larger parts")
	}
	for _, p := range pairs {
		if reserved(p.Key) {
			return nil, errs.New(CodeReserved, "the writer sets this key itself").On(p.Key).Hint("leave it out; see Options")
		}
	}
	var outputs []*output
	for i, part := range parts {
		own := []Pair{}
		if i == 0 {
			own = append(own, pairs...)
		}
		if o.Alignment != defaultAlignment {
			own = append(own, Pair{keyAlignment, uint32(o.Alignment)})
		}
		if len(parts) > 1 {
			own = append(own, Pair{keySplitNo, uint16(i)}, Pair{keySplitCount, uint16(len(parts))}, Pair{keySplitTensors, int32(len(items))})
		}
		out, err := planPart(own, items, numbers, part, o)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, out)
	}
	if err := unique(items); err != nil {
		return nil, err
	}
	if !o.BeyondGGML {
		if err := withinGGML(pairs, items); err != nil {
			return nil, err
		}
	}
	return outputs, nil
}

// withinGGML returns an error for what ggml's reader would refuse.
func withinGGML(pairs []Pair, items []Item) error {
	for _, item := range items {
		if err := longName(item.Name); err != nil {
			return err
		}
	}
	for _, p := range pairs {
		_, nested := p.Value.(Nested)
		if v, ok := p.Value.(Value); nested || ok && v.nested() {
			return nestedArray(p.Key)
		}
	}
	return nil
}

// longName returns the error for a name that is too long for ggml, or nil.
func longName(name string) *errs.Error {
	if len(name) <= ggmlName {
		return nil
	}
	return errs.New(CodeGGML, "the name has %d bytes; ggml reads at most %d", len(name), ggmlName).On(name).
		Hint("give the tensor a shorter name; llama.cpp and other programs with ggml refuse the whole file")
}

func nestedArray(key string) *errs.Error {
	return errs.New(CodeGGML, "an array of arrays, which ggml does not read").On(key).
		Hint("leave the key out, or flatten it; llama.cpp and other programs with ggml refuse the whole file")
}

// unique checks the names over all parts; the reader's checks see one part.
func unique(items []Item) error {
	seen := make(map[string]bool, len(items))
	for _, item := range items {
		if seen[item.Name] {
			return errs.New(CodeDuplicateName, "two tensors have this name").On(item.Name)
		}
		seen[item.Name] = true
	}
	return nil
}

// checkItem returns the type number of an item, and compares its length with what
// shape and type need, if their product does not overflow; the rest is left to the
// reader's checks.
func checkItem(item Item, big bool) (uint32, error) {
	number, err := numberOf(item.Spec, big)
	if err != nil {
		return 0, err
	}
	elements, err := item.Shape.Elements()
	if err != nil {
		return 0, on(err, item.Name)
	}
	if item.Bytes < 0 || item.Bytes > maxTotal {
		return 0, errs.New(CodeLength, "a length of %d bytes", item.Bytes).On(item.Name)
	}
	l := layoutOf(number, big)
	hi, want := bits.Mul64(uint64(elements/l.elements), uint64(l.bytes))
	if l.bytes > 0 && elements%l.elements == 0 && hi == 0 && want != uint64(item.Bytes) {
		return 0, errs.New(CodeLength, "%d bytes, %s takes %d", item.Bytes, item.Type(), want).On(item.Name)
	}
	if item.Open == nil && item.Bytes > 0 {
		return 0, errs.New(CodeLength, "%d bytes without a source", item.Bytes).On(item.Name)
	}
	return number, nil
}

func planPart(pairs []Pair, items []Item, numbers []uint32, part []int, o Options) (*output, error) {
	e := &encoder{order: binary.LittleEndian, big: o.BigEndian}
	if e.big {
		e.order = binary.BigEndian
	}
	e.b = append(e.b, magic...)
	e.number(4, uint64(o.Version))
	e.number(8, uint64(len(part)))
	e.number(8, uint64(len(pairs)))
	for _, p := range pairs {
		if err := e.pair(p); err != nil {
			return nil, err
		}
	}
	out := &output{align: o.Alignment}
	var offset int64
	for _, i := range part {
		item := items[i]
		e.text(item.Name)
		e.number(4, uint64(len(item.Shape)))
		for d := len(item.Shape) - 1; d >= 0; d-- {
			e.number(8, uint64(item.Shape[d].Size))
		}
		e.number(4, uint64(numbers[i]))
		e.number(8, uint64(offset))
		offset += align(item.Bytes, o.Alignment)
		out.items = append(out.items, item)
		out.swaps = append(out.swaps, layoutOf(numbers[i], o.BigEndian).swap)
	}
	out.head = append(e.b, make([]byte, align(int64(len(e.b)), o.Alignment)-int64(len(e.b)))...)
	out.size = int64(len(out.head)) + offset
	if _, err := parse(out.head, out.size, nil, new(errs.Faults)); err != nil {
		var c *errs.Error
		if errors.As(err, &c) {
			c.HasOffset = false // of a file that is not written
		}
		return nil, err
	}
	return out, nil
}
