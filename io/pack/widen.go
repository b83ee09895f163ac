package pack

import (
	"encoding/binary"
	"io"
	"math"
)

// chunk is how many source bytes are converted at a time.
const chunk = 64 << 10

// widen reads 16-bit floats and gives them as f32, little endian.
type widen struct {
	r    io.Reader
	conv func(uint16) float32
	in   []byte
	out  []byte // converted, not yet given
	buf  []byte
	err  error // of the source, given when out is empty
}

func (w *widen) Read(p []byte) (int, error) {
	for len(w.out) == 0 {
		if err := w.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	return n, nil
}

func (w *widen) fill() error {
	if w.err != nil {
		return w.err
	}
	if w.in == nil {
		w.in, w.buf = make([]byte, chunk), make([]byte, 0, 2*chunk)
	}
	n, err := io.ReadFull(w.r, w.in)
	switch {
	case err == io.ErrUnexpectedEOF && n%2 == 0:
		err = io.EOF // the last chunk is rarely a full one
	case n == 0 && err != nil:
		return err
	}
	w.err = err
	w.out = w.buf
	for i := 0; i+1 < n; i += 2 {
		v := w.conv(binary.LittleEndian.Uint16(w.in[i:]))
		w.out = binary.LittleEndian.AppendUint32(w.out, math.Float32bits(v))
	}
	return nil
}
