package ctranslate2

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// cursor reads fields in order. Every read says what it is for, so that a file
// that ends too early names the field it ends in.
type cursor struct {
	b    []byte
	off  int64
	node string // the variable being read, for errors
}

func (c *cursor) fail(code errs.Code, at int64, what string, args ...any) *errs.Error {
	return errs.New(code, what, args...).At(at).On(c.node)
}

// take gives the next n bytes without a copy.
func (c *cursor) take(n int64, what string) ([]byte, error) {
	left := int64(len(c.b)) - c.off
	if n > left {
		return nil, c.fail(CodeTruncated, c.off, "%s takes %d bytes, the file has %d left", what, n, left).
			Hint("the file was cut short; fetch it again")
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

// str reads a name; it must not be empty.
func (c *cursor) str(what string) (string, error) {
	at := c.off
	b, err := c.take(2, "the length of "+what)
	if err != nil {
		return "", err
	}
	n := int64(binary.LittleEndian.Uint16(b))
	if n == 0 {
		return "", c.fail(CodeString, at, "%s has length 0, without room for its final NUL", what)
	}
	if n-1 > MaxName {
		return "", c.fail(CodeLimit, at, "%s has %d bytes, the limit is %d", what, n-1, MaxName)
	}
	if b, err = c.take(n, what); err != nil {
		return "", err
	}
	if b[n-1] != 0 {
		return "", c.fail(CodeString, c.off-1, "%s does not end with NUL but with %#02x", what, b[n-1])
	}
	b = b[:n-1]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return "", c.fail(CodeString, at+2+int64(i), "%s has a NUL inside", what)
	}
	if len(b) == 0 {
		return "", c.fail(CodeString, at, "%s is empty", what)
	}
	if !utf8.Valid(b) {
		return "", c.fail(CodeString, at+2, "%s is not UTF-8: %q", what, b)
	}
	return string(b), nil
}
