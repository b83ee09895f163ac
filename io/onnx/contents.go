package onnx

import "github.com/skainet-dev/skainet-go/io/filemap"

// contents is a file that tensors lie in: in memory, or mapped, which is known only after
// it was read.
type contents struct {
	b []byte
	m *filemap.File
}

// view calls f with n bytes.
func (c *contents) view(at, n int64, f func(b []byte) error) error {
	if c.m != nil {
		return c.m.Window(at, n).View(f)
	}
	return f(c.b[at : at+n : at+n])
}
