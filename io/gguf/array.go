package gguf

import (
	"iter"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
)

// Array is a window of the file that is decoded piece by piece while it is
// iterated. Iteration ends with an error if the elements are of another type,
// the file was closed, or it was changed or truncated since it was opened.
type Array struct {
	key  string
	elem Type
	n    uint64

	field    int64
	at, size int64
	big      bool
	src      source
}

// Type returns the type of the elements.
func (a Array) Type() Type { return a.elem }

// Len returns the number of elements.
func (a Array) Len() int64 { return int64(a.n) }

// piece is how many bytes are decoded at once.
const piece = 64 << 10

func (a Array) wrong(want string) error {
	return fail(CodeWrongType, a.field, "the array is of %s, not of %s", a.elem, want).In(a.src.path()).On(a.key)
}

func (a Array) changed(at int64) error {
	return fail(CodeTruncated, at, "the array does not end where it did when the file was opened").In(a.src.path()).On(a.key).
		Hint("the file was changed meanwhile; open it again")
}

// Collect returns all elements of an iterator.
func Collect[T any](walk iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for v, err := range walk {
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// failed is an iterator that only yields an error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

// numbers iterates over elements of a fixed size.
func numbers[T any](a Array, decode func(bits uint64) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		size := a.elem.size()
		values := make([]T, 0, min(a.size, piece)/size)
		for at, end := a.at, a.at+a.size; at < end; {
			n := min(end-at, piece)
			values = values[:0]
			err := a.src.view(at, n, func(b []byte) error {
				c := cursor{b: b, big: a.big}
				for i := int64(0); i < n; i += size {
					v, err := decode(c.bits(i, size))
					if err != nil {
						return on(err, a.key)
					}
					values = append(values, v)
				}
				return nil
			})
			if err != nil {
				yield(none, err)
				return
			}
			for _, v := range values {
				if !yield(v, nil) {
					return
				}
			}
			at += n
		}
	}
}

// Ints iterates over integers of any width; a u64 of 2^63 or more is an error
// (use Uints).
func (a Array) Ints() iter.Seq2[int64, error] {
	if !a.elem.isInt() {
		return failed[int64](a.wrong("integers"))
	}
	return numbers(a, func(bits uint64) (int64, error) {
		n, ok := integer(a.elem, bits)
		if !ok {
			return 0, a.wrong("integers below 2^63")
		}
		return n, nil
	})
}

// Uints iterates over unsigned integers of any width.
func (a Array) Uints() iter.Seq2[uint64, error] {
	switch a.elem {
	case U8, U16, U32, U64:
		return numbers(a, func(bits uint64) (uint64, error) { return bits, nil })
	}
	return failed[uint64](a.wrong("unsigned integers"))
}

// Floats iterates over floats of either width.
func (a Array) Floats() iter.Seq2[float64, error] {
	switch a.elem {
	case F32:
		return numbers(a, func(bits uint64) (float64, error) { return float64(math.Float32frombits(uint32(bits))), nil })
	case F64:
		return numbers(a, func(bits uint64) (float64, error) { return math.Float64frombits(bits), nil })
	}
	return failed[float64](a.wrong("floats"))
}

// Float32s iterates over floats of 32 bits.
func (a Array) Float32s() iter.Seq2[float32, error] {
	if a.elem != F32 {
		return failed[float32](a.wrong("f32"))
	}
	return numbers(a, func(bits uint64) (float32, error) { return math.Float32frombits(uint32(bits)), nil })
}

// Bools iterates over bools.
func (a Array) Bools() iter.Seq2[bool, error] {
	if a.elem != Bool {
		return failed[bool](a.wrong("bool"))
	}
	return numbers(a, func(bits uint64) (bool, error) { return bits != 0, nil })
}

// Strings iterates over strings, which may be any bytes. Neighbours share memory.
func (a Array) Strings() iter.Seq2[string, error] {
	if a.elem != String {
		return failed[string](a.wrong("string"))
	}
	return func(yield func(string, error) bool) {
		var batch []string
		left := a.n
		for at, end := a.at, a.at+a.size; left > 0; {
			var took int64
			n := min(end-at, piece)
			read := func(b []byte) error { batch, took = a.cut(b, left, batch[:0]); return nil }
			err := a.src.view(at, n, read)
			if err == nil && len(batch) == 0 { // the next one is longer than a piece
				var size int64
				if size, err = a.lengthAt(at, end); err == nil {
					err = a.src.view(at, size, read)
				}
			}
			if err == nil && len(batch) == 0 {
				err = a.changed(at)
			}
			if err != nil {
				yield("", err)
				return
			}
			for _, s := range batch {
				if !yield(s, nil) {
					return
				}
			}
			left -= uint64(len(batch))
			at += took
		}
	}
}

// cut takes up to n whole strings from the start of b, and returns their length. They are parts of one string, so that iteration allocates once per piece.
func (a Array) cut(b []byte, n uint64, batch []string) ([]string, int64) {
	c := cursor{b: b, big: a.big}
	for c.left() >= 8 && uint64(len(batch)) < n {
		k := c.bits(c.at, 8)
		if k > uint64(c.left()-8) {
			break
		}
		c.at += 8 + int64(k)
		batch = append(batch, "") // its text is cut below
	}
	texts := string(b[:c.at])
	c.at = 0
	for i := range batch {
		k := int64(c.bits(c.at, 8))
		batch[i] = texts[c.at+8 : c.at+8+k]
		c.at += 8 + k
	}
	return batch, c.at
}

// lengthAt returns the number of bytes of the string at byte at with its length.
func (a Array) lengthAt(at, end int64) (size int64, err error) {
	if end-at < 8 {
		return 0, a.changed(at)
	}
	err = a.src.view(at, 8, func(b []byte) error {
		c := cursor{b: b, big: a.big}
		k := c.bits(0, 8)
		if k > MaxString || int64(k) > end-at-8 {
			return a.changed(at)
		}
		size = 8 + int64(k)
		return nil
	})
	return size, err
}

// Arrays iterates over the arrays of an array of arrays.
func (a Array) Arrays() iter.Seq2[Array, error] {
	if a.elem != ArrayType {
		return failed[Array](a.wrong("array"))
	}
	return func(yield func(Array, error) bool) {
		end := a.at + a.size
		for at, i := a.at, uint64(0); i < a.n; i++ {
			in := Array{key: a.key, field: at, at: at + 12, big: a.big, src: a.src}
			err := a.src.view(at, end-at, func(b []byte) error {
				c := cursor{b: b, base: at, big: a.big, faults: new(errs.Faults)}
				var err error
				in.elem, in.n, err = c.array(maxNesting)
				in.size = c.at - 12
				return errs.WithFile(on(err, a.key), a.src.path())
			})
			if !yield(in, err) || err != nil {
				return
			}
			at = in.at + in.size
		}
	}
}
