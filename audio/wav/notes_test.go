package wav

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// A writer that streams cannot correct its first guess of the sizes. The file ends where
// it ends, and the clip says so; a file whose sizes agree was cut off.
func TestSizesThatWereNeverCorrected(t *testing.T) {
	samples := le(int16(16384), int16(-32768), int16(0))
	want := []float32{0.5, -1, 0}
	data := func(size u32) []byte { return le(fmt16(), "data", size, samples) }
	long := func(riff, size uint64, more ...byte) []byte {
		return le("RF64", u32(0xFFFFFFFF), "WAVE", "ds64", u32(28), riff, size, uint64(3), u32(0), data(0xFFFFFFFF), more)
	}
	for name, file := range map[string][]byte{
		"RIFF 0":                     le(riff(0), data(2_000_000_000)),
		"RIFF of the header alone":   le(riff(36), data(2_000_000_000)),
		"RIFF too small":             le(riff(1000), data(2_000_000_000)),
		"RIFF of a pipe":             le(riff(0xFFFFFFFF), data(2_000_000_000)),
		"RIFF of a pipe, few bytes":  le(riff(0x7FFFF024), data(8)),
		"more frames than a clip's":  le(riff(0), "fmt ", u32(16), u16(1), u16(1), u32(16000), u32(16000), u16(1), u16(8), "data", u32(0x7FFFEFFF), []byte{192, 0, 128}),
		"RF64, no RIFF size":         long(0, 2_000_000_000),
		"RF64, RIFF size of nothing": long(72, 2_000_000_000),
	} {
		clip, err := Decode(bytes.NewReader(file))
		require.NoError(t, err, name)
		require.Equal(t, want, clip.Samples, name)
		require.Len(t, clip.Notes, 1, name)
		require.Contains(t, clip.Notes[0], "the header was never finished", name)
	}
	for name, file := range map[string][]byte{
		"cut":                 le(riff(42+6), data(12)),
		"cut, 2 GB":           le(riff(2_000_000_036), data(2_000_000_000)),
		"cut, tags behind":    le(riff(42+6+12), data(12)),
		"RF64, cut":           long(2_000_000_072, 2_000_000_000),
		"RF64, cut by a byte": long(72+8, 8),
	} {
		_, err := Decode(bytes.NewReader(file))
		require.Equal(t, CodeTruncated, errs.CodeOf(err), name)
	}
	for name, file := range map[string][]byte{
		"no guess":            le(riff(0), data(6)),
		"no guess, tags":      le(riff(0), data(6), "LIST", u32(4), "INFO"),
		"ffmpeg to a pipe":    le(riff(0xFFFFFFFF), data(0xFFFFFFFF)),
		"RF64 to a pipe":      long(0, 0),
		"RF64, tags":          long(90, 6, le("LIST", u32(4), "INFO")...),
		"RIFF larger by 8":    le(riff(50), data(6)),
		"really as it should": pcm(),
	} {
		clip, err := Decode(bytes.NewReader(file))
		require.NoError(t, err, name)
		require.Equal(t, want, clip.Samples, name)
		require.Empty(t, clip.Notes, name)
	}
}

// Channels of opposite phase average to silence, which is no fault of the speaker.
func TestChannelsThatCancel(t *testing.T) {
	stereo := func(right func(i int, left float64) float64) *Clip {
		var data []any
		for i := range 4000 {
			left := 0.5 * math.Sin(float64(i)/7) * math.Sin(float64(i*i%1013))
			data = append(data, int16(left*32767), int16(right(i, left)*32767))
		}
		body := le(data...)
		file := le(riff(u32(36+len(body))), "fmt ", u32(16), u16(1), u16(2), u32(16000), u32(64000), u16(4), u16(16), "data", u32(len(body)), body)
		clip, err := Decode(bytes.NewReader(file))
		require.NoError(t, err)
		return clip
	}
	for name, right := range map[string]func(i int, left float64) float64{
		"opposite":         func(_ int, left float64) float64 { return -left },
		"opposite, louder": func(_ int, left float64) float64 { return -1.02 * left },
	} {
		clip := stereo(right)
		require.Len(t, clip.Notes, 1, name)
		require.Contains(t, clip.Notes[0], "cancel each other out", name)
	}
	for name, right := range map[string]func(i int, left float64) float64{
		"same":    func(_ int, left float64) float64 { return left },
		"one":     func(int, float64) float64 { return 0 },
		"other":   func(i int, _ float64) float64 { return 0.3 * math.Cos(float64(i*i%997)) },
		"half":    func(_ int, left float64) float64 { return -0.5 * left },
		"delayed": func(i int, _ float64) float64 { return 0.5 * math.Sin(float64(i-40)/7) },
	} {
		require.Empty(t, stereo(right).Notes, name)
	}
}
