package wav

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codec tags of the format chunk.
const (
	tagPCM        = 0x0001
	tagFloat      = 0x0003
	tagALaw       = 0x0006
	tagMuLaw      = 0x0007
	tagExtensible = 0xFFFE
)

// subFormatTail is the fixed part of a sub-format GUID whose first two bytes are
// a codec tag.
var subFormatTail = []byte{0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71}

// format is a checked format chunk.
type format struct {
	tag      uint16
	channels int
	rate     int
	bits     int // meaningful bits of a sample
	width    int // bytes of a sample in the file
}

// name returns the encoding as ffmpeg and sox spell it.
func (f format) name() string {
	switch {
	case f.tag == tagALaw:
		return "alaw"
	case f.tag == tagMuLaw:
		return "ulaw"
	case f.tag == tagFloat:
		return fmt.Sprintf("f%d", f.bits)
	case f.width == 1:
		return "u8"
	}
	return fmt.Sprintf("s%d", f.width*8)
}

// parseFormat checks b, the body of a format chunk of at least 16 bytes that
// starts at offset at.
func parseFormat(b []byte, at int64) (*format, error) {
	le := binary.LittleEndian
	bad := func(off int64, what string, args ...any) error {
		return errs.New(CodeFormat, what, args...).At(at + off).Hint(fmtHint)
	}
	f := &format{tag: le.Uint16(b), channels: int(le.Uint16(b[2:])), bits: int(le.Uint16(b[14:]))}
	rate, align := le.Uint32(b[4:]), int(le.Uint16(b[12:]))
	if f.tag == tagExtensible {
		switch {
		case len(b) < 40:
			return nil, bad(0, "an extensible format chunk of %d bytes; it takes 40", len(b))
		case !bytes.Equal(b[26:40], subFormatTail):
			return nil, bad(24, "the sub-format %x is not supported", b[24:40])
		}
		f.tag = le.Uint16(b[24:])
	}
	switch {
	case f.channels == 0:
		return nil, bad(2, "no channels")
	case f.channels > MaxChannels:
		return nil, bad(2, "%d channels; at most %d are supported", f.channels, MaxChannels)
	case rate == 0 || rate > MaxRate:
		return nil, bad(4, "a sample rate of %d Hz; 1 to %d are supported", rate, MaxRate)
	}
	f.rate = int(rate)
	f.width = (f.bits + 7) / 8
	switch f.tag {
	case tagPCM:
		if f.bits < 1 || f.bits > 32 {
			return nil, bad(14, "integer samples of %d bits; 1 to 32 are supported", f.bits)
		}
	case tagFloat:
		if f.bits != 32 && f.bits != 64 {
			return nil, bad(14, "float samples of %d bits; 32 and 64 are supported", f.bits)
		}
	case tagALaw, tagMuLaw:
		if f.bits != 8 {
			return nil, bad(14, "G.711 samples of %d bits; they have 8", f.bits)
		}
	default:
		return nil, bad(0, "the codec 0x%04X is not supported; PCM, float, A-law and mu-law are", f.tag)
	}
	if align != f.channels*f.width {
		return nil, bad(12, "frames of %d bytes, but %d channels of %d bits take %d", align, f.channels, f.bits, f.channels*f.width)
	}
	return f, nil
}
