package ctranslate2

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// cursor reads fields in order. Every read says what it is for, so that a file
// that ends too early names the field it ends in. Faults go to the list; an
// error is one after which reading cannot go on.
type cursor struct {
	b      []byte
	off    int64
	node   string // the variable being read, for errors
	faults *errs.Faults
	bad    bool // the entry being read has a fault
}

func (c *cursor) fail(code errs.Code, at int64, what string, args ...any) *errs.Error {
	return errs.New(code, what, args...).At(at).On(c.node)
}

// note records a fault after which reading goes on where all are listed.
func (c *cursor) note(err *errs.Error) error {
	c.bad = true
	return c.faults.Add(err)
}

// stop records a fault after which nothing can be read.
func (c *cursor) stop(err *errs.Error) error {
	c.faults.Add(err)
	return err
}

// take returns the next n bytes without a copy.
func (c *cursor) take(n int64, what string) ([]byte, error) {
	left := int64(len(c.b)) - c.off
	if n > left {
		return nil, c.stop(c.fail(CodeTruncated, c.off, "%s takes %d bytes, the file has %d left", what, n, left).
			Hint("the file was cut short; fetch it again"))
	}
	b := c.b[c.off : c.off+n]
	c.off += n
	return b, nil
}

func (c *cursor) u8(what string) (uint8, error) {
	b, err := c.take(1, what)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

func (c *cursor) u32(what string) (uint32, error) {
	b, err := c.take(4, what)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

// count reads how many entries follow.
func (c *cursor) count(what string, limit uint32) (uint32, error) {
	at := c.off
	n, err := c.u32("the number of " + what)
	if err == nil && n > limit {
		err = c.stop(c.fail(CodeLimit, at, "%d %s, the limit is %d", n, what, limit))
	}
	return n, err
}

// str reads a name; one with a fault is "".
func (c *cursor) str(what string) (string, error) {
	at := c.off
	b, err := c.take(2, "the length of "+what)
	if err != nil {
		return "", err
	}
	n := int64(binary.LittleEndian.Uint16(b))
	if n == 0 {
		return "", c.note(c.fail(CodeString, at, "%s has length 0, without room for its final NUL", what))
	}
	if n-1 > MaxName {
		if err := c.note(c.fail(CodeLimit, at, "%s has %d bytes, the limit is %d", what, n-1, MaxName)); err != nil {
			return "", err
		}
		_, err := c.take(n, what)
		return "", err
	}
	if b, err = c.take(n, what); err != nil {
		return "", err
	}
	if fault := c.checkString(b, at, what); fault != nil {
		return "", c.note(fault)
	}
	return string(b[:n-1]), nil
}

// checkString checks a text with its final NUL; its length lies at byte at.
func (c *cursor) checkString(b []byte, at int64, what string) *errs.Error {
	n := len(b) - 1
	if b[n] != 0 {
		return c.fail(CodeString, c.off-1, "%s does not end with NUL but with %#02x", what, b[n])
	}
	if i := bytes.IndexByte(b[:n], 0); i >= 0 {
		return c.fail(CodeString, at+2+int64(i), "%s has a NUL inside", what)
	}
	if n == 0 {
		return c.fail(CodeString, at, "%s is empty", what)
	}
	if !utf8.Valid(b[:n]) {
		return c.fail(CodeString, at+2, "%s is not UTF-8: %q", what, b[:n])
	}
	return nil
}
