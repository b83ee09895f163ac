package wav

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
)

// readSize is the largest read.
const readSize = 64 << 10

// frames reads the samples of d and averages the channels.
func (s *stream) frames(d *dataChunk) ([]float32, error) {
	frame := d.format.channels * d.format.width // at most 2048
	buf := make([]byte, readSize/frame*frame)
	start := s.off
	var mono []float32
	var e energies
	left := d.size
	if left/int64(frame) > MaxFrames && !d.bound {
		return nil, tooLong(s.off)
	}
	for left != 0 {
		want := int64(len(buf))
		if left > 0 {
			want = min(want, left)
		}
		n, err := io.ReadFull(s.r, buf[:want])
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errs.Wrap(CodeRead, err, "cannot read the samples").At(s.off)
		}
		whole := n / frame
		if len(mono)+whole > MaxFrames {
			return nil, tooLong(s.off)
		}
		var bad int
		if mono, bad = d.format.average(mono, buf[:whole*frame], &e); bad >= 0 {
			return nil, errs.New(CodeNotFinite, "a sample is not a finite float32 number").At(s.off + int64(bad)).Hint(fmtHint)
		}
		s.off += int64(n)
		if left > 0 {
			left -= int64(n)
		}
		if err == nil {
			continue
		}
		if left < 0 {
			break // until the end of the file
		}
		if d.bound {
			d.notes = append(d.notes, fmt.Sprintf("the header was never finished: it claims %d bytes of samples, but the file ends after %d, which are used", d.claimed, s.off-start))
			break
		}
		return nil, errs.New(CodeTruncated, "the file ends after %d of %d bytes of samples",
			s.off-start, d.claimed).At(s.off).Hint(shortHint)
	}
	if e.mixed < e.channels/cancelled {
		d.notes = append(d.notes, "the channels cancel each other out: little or nothing is left of their average; use one of them, for example with: ffmpeg -i IN.wav -af pan='mono|c0=c0' OUT.wav")
	}
	return mono, nil
}

// energies are the sums of squares of the average and of a channel, on average.
type energies struct{ mixed, channels float64 }

// cancelled is how many times more energy channels have than their average if they are
// taken to cancel each other. Independent noise in n channels has n times as much, and
// there are at most MaxChannels.
const cancelled = 4 * MaxChannels

func tooLong(at int64) error {
	return errs.New(CodeTooLong, "more than %d frames", MaxFrames).At(at).Hint("split the file")
}

// average appends one sample per frame of raw, which holds whole frames. bad is the
// byte offset in raw of a frame with a sample that is not finite, or -1.
func (f format) average(mono []float32, raw []byte, e *energies) (out []float32, bad int) {
	decode := f.decoder()
	frame := f.channels * f.width
	for at := 0; at < len(raw); at += frame {
		sum, squares := 0.0, 0.0
		for c := at; c < at+frame; c += f.width {
			x := decode(raw[c : c+f.width])
			sum += x
			squares += x * x
		}
		v := float32(sum / float64(f.channels))
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return mono, at
		}
		mono = append(mono, v)
		e.mixed += float64(v) * float64(v)
		e.channels += squares / float64(f.channels)
	}
	return mono, -1
}

// decoder returns the function from the bytes of one sample to its value, full
// scale being -1 to 1. Odd bit counts sit in the high bits of their bytes, so the
// width alone decides the scale.
func (f format) decoder() func([]byte) float64 {
	le := binary.LittleEndian
	switch {
	case f.tag == tagALaw:
		return func(b []byte) float64 { return aLaw[b[0]] }
	case f.tag == tagMuLaw:
		return func(b []byte) float64 { return muLaw[b[0]] }
	case f.tag == tagFloat && f.width == 4:
		return func(b []byte) float64 { return float64(math.Float32frombits(le.Uint32(b))) }
	case f.tag == tagFloat:
		return func(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }
	case f.width == 1: // 8 bits and fewer are unsigned
		return func(b []byte) float64 { return float64(int(b[0])-128) / (1 << 7) }
	case f.width == 2:
		return func(b []byte) float64 { return float64(int16(le.Uint16(b))) / (1 << 15) }
	case f.width == 3:
		return func(b []byte) float64 {
			return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)>>8) / (1 << 23)
		}
	}
	return func(b []byte) float64 { return float64(int32(le.Uint32(b))) / (1 << 31) }
}

// aLaw and muLaw are the expansions of ITU-T G.711, scaled to -1 to 1.
var aLaw, muLaw = g711()

func g711() (a, mu [256]float64) {
	for i := range 256 {
		a[i] = expandALaw(byte(i)) / (1 << 15)
		mu[i] = expandMuLaw(byte(i)) / (1 << 15)
	}
	return a, mu
}

// expandALaw returns the 16-bit value: even bits inverted, the top bit set for
// positive, three bits of exponent, four of mantissa with a half step added.
func expandALaw(b byte) float64 {
	b ^= 0x55
	exp, v := uint(b>>4&7), int(b&15)<<4+8
	if exp > 0 {
		v = (v + 0x100) << (exp - 1)
	}
	if b&0x80 == 0 {
		v = -v
	}
	return float64(v)
}

// expandMuLaw returns the 16-bit value: all bits inverted, the top bit set for
// negative, and a bias of 0x84 that makes the segments meet.
func expandMuLaw(b byte) float64 {
	b = ^b
	v := (int(b&15)<<3+0x84)<<uint(b>>4&7) - 0x84
	if b&0x80 != 0 {
		v = -v
	}
	return float64(v)
}
