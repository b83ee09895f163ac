package wav

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// CodeEncode is the code of samples that no file can hold.
const CodeEncode errs.Code = "WAV_ENCODE" // smallest input: a rate of 0

// maxEncoded is the maximum number of samples of a file, whose sizes have 32 bits.
const maxEncoded = (1<<32 - 1 - 36) / 2

// EncodeFile writes mono samples to a file of 16 bits, whole or not at all.
func EncodeFile(path string, samples []float32, rate int) error {
	return errs.WithFile(atomicfile.Write(path, func(w io.Writer) error { return Encode(w, samples, rate) }), path)
}

// Encode writes mono samples, of which full scale is 1, as a WAVE file of 16 bits.
// Louder ones are cut off; NaN is silence.
func Encode(w io.Writer, samples []float32, rate int) error {
	if rate < 1 || rate > MaxRate {
		return errs.New(CodeEncode, "a rate of %d Hz; it is 1 to %d", rate, MaxRate)
	}
	if len(samples) > maxEncoded {
		return errs.New(CodeEncode, "%d samples; a file holds at most %d", len(samples), int64(maxEncoded)).Hint("write several files")
	}
	size := uint32(2 * len(samples))
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), 36+size)
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	for _, v := range []uint16{tagPCM, 1} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(rate))
	b = binary.LittleEndian.AppendUint32(b, uint32(2*rate))
	for _, v := range []uint16{2, 16} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), size)
	for i, s := range samples {
		v := float64(s) * 32768
		if v != v {
			v = 0
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.RoundToEven(min(max(v, -32768), 32767)))))
		if len(b) >= 1<<16 || i == len(samples)-1 {
			if err := write(w, b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	return write(w, b)
}

func write(w io.Writer, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the samples")
	}
	return nil
}
