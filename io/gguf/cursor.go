package gguf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

func fail(code errs.Code, at int64, what string, args ...any) *errs.Error {
	return errs.New(code, what, args...).At(at)
}

// cursor walks over the bytes of a file.
type cursor struct {
	b    []byte
	at   int64
	base int64 // of b in the file, for errors
	big  bool

	faults *errs.Faults
	node   string // the key or tensor that a fault is of
}

// fault records a fault after which the walk may go on, if Faults says so.
func (c *cursor) fault(err *errs.Error) error {
	if err.Node == "" {
		err.Node = c.node
	}
	return c.faults.Add(err)
}

func (c *cursor) left() int64 { return int64(len(c.b)) - c.at }

// need checks that n more bytes are there.
func (c *cursor) need(n int64, what string) error {
	if c.left() < n {
		return fail(CodeTruncated, c.base+c.at, "%s takes %d bytes, the file has %d left", what, n, c.left()).
			Hint("the file was cut short; fetch it again")
	}
	return nil
}

func (c *cursor) u32(what string) (uint32, error) {
	if err := c.need(4, what); err != nil {
		return 0, err
	}
	v := c.bits(c.at, 4)
	c.at += 4
	return uint32(v), nil
}

func (c *cursor) u64(what string) (uint64, error) {
	if err := c.need(8, what); err != nil {
		return 0, err
	}
	v := c.bits(c.at, 8)
	c.at += 8
	return v, nil
}

// bits returns the number of n bytes at byte at, which are there.
func (c *cursor) bits(at, n int64) uint64 {
	b := c.b[at : at+n]
	switch n {
	case 1:
		return uint64(b[0])
	case 2:
		if c.big {
			return uint64(binary.BigEndian.Uint16(b))
		}
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		if c.big {
			return uint64(binary.BigEndian.Uint32(b))
		}
		return uint64(binary.LittleEndian.Uint32(b))
	}
	if c.big {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// str steps over a length and as many bytes, and returns the bytes.
func (c *cursor) str(what string, limit int64) ([]byte, error) {
	at := c.at
	n, err := c.u64("the length of " + what)
	if err != nil {
		return nil, err
	}
	if n > uint64(c.left()) {
		return nil, fail(CodeTruncated, c.base+at, "%s has %d bytes, the file has %d left", what, n, c.left()).
			Hint("the file was cut short or is damaged; fetch it again")
	}
	if n > uint64(limit) {
		return nil, fail(CodeLimit, c.base+at, "%s has %d bytes, the limit is %d", what, n, limit)
	}
	s := c.b[c.at : c.at+int64(n)]
	c.at += int64(n)
	return s, nil
}

// strings steps over n strings; it is the loop that a large vocabulary meets.
func (c *cursor) strings(n uint64) error {
	if !c.big {
		// The same as str, without a call per string.
		for b, at := c.b, c.at; n > 0; n-- {
			if int64(len(b))-at < 8 {
				break
			}
			k := binary.LittleEndian.Uint64(b[at:])
			if k > MaxString || int64(k) > int64(len(b))-at-8 {
				break
			}
			at += 8 + int64(k)
			c.at = at
		}
	}
	for ; n > 0; n-- {
		if _, err := c.str("a string of the array", MaxString); err != nil {
			return err
		}
	}
	return nil
}

// array steps over an array, which begins with the type of its elements, and
// returns that type and the number of elements. level counts from 1.
func (c *cursor) array(level int) (Type, uint64, error) {
	at := c.at
	raw, err := c.u32("the element type of an array")
	if err != nil {
		return 0, 0, err
	}
	t := Type(raw)
	if !t.valid() {
		return 0, 0, fail(CodeType, c.base+at, "element type %d, types 0 to %d are known", raw, len(types)-1)
	}
	if t == ArrayType && level == maxNesting {
		return 0, 0, fail(CodeLimit, c.base+at, "arrays are nested %d levels deep, the limit is %d", level+1, maxNesting)
	}
	at = c.at
	n, err := c.u64("the length of an array")
	if err != nil {
		return 0, 0, err
	}
	least := t.size()
	switch t {
	case String:
		least = 8
	case ArrayType:
		least = 12
	}
	if n > uint64(c.left()/least) {
		return 0, 0, fail(CodeTruncated, c.base+at, "%d elements take at least %d bytes each, the file has %d left", n, least, c.left()).
			Hint("the file was cut short or is damaged; fetch it again")
	}
	if n > MaxElements {
		return 0, 0, fail(CodeLimit, c.base+at, "an array of %d elements, the limit is %d", n, MaxElements)
	}
	switch t {
	case String:
		return t, n, c.strings(n)
	case ArrayType:
		for range n {
			if _, _, err := c.array(level + 1); err != nil {
				return 0, 0, err
			}
		}
		return t, n, nil
	}
	start := c.at
	c.at += int64(n) * t.size()
	if t == Bool {
		for i, v := range c.b[start:c.at] {
			if v > 1 {
				if err := c.fault(fail(CodeValue, c.base+start+int64(i), "a bool of %d, want 0 or 1", v)); err != nil {
					return 0, 0, err
				}
			}
		}
	}
	return t, n, nil
}

// text checks that s can be printed and compared: UTF-8 without NUL, not empty.
func text(s []byte, what string, code errs.Code) *errs.Error {
	switch {
	case len(s) == 0:
		return errs.New(code, "%s is empty", what)
	case !utf8.Valid(s):
		return errs.New(code, "%s is not UTF-8: %q", what, short(s))
	case bytes.IndexByte(s, 0) >= 0:
		return errs.New(code, "%s has a NUL inside: %q", what, short(s))
	}
	return nil
}

// short is s for an error, cut where it is long.
func short(s []byte) string {
	const most = 80
	if len(s) > most {
		return fmt.Sprintf("%s... (%d bytes)", s[:most], len(s))
	}
	return string(s)
}
