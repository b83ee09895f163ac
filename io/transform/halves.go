package transform

import "io"

// halves reads elements of 4 bits, two to a byte with the lower bits first, as one to a
// byte.
type halves struct {
	r      io.Reader
	signed bool
	rest   []byte // the elements of buf that are not read yet
	in     [512]byte
	buf    [1024]byte
}

func (h *halves) Read(p []byte) (int, error) {
	if len(h.rest) == 0 {
		n, err := h.r.Read(h.in[:])
		for i, b := range h.in[:n] {
			low, high := b&15, b>>4
			if h.signed {
				low, high = byte(int8(b<<4)>>4), byte(int8(b)>>4)
			}
			h.buf[2*i], h.buf[2*i+1] = low, high
		}
		h.rest = h.buf[:2*n]
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, h.rest)
	h.rest = h.rest[n:]
	return n, nil
}
