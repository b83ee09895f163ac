// Package wav decodes WAVE files to mono float32 samples.
//
// Supported: RIFF and RF64; integer PCM of 1 to 32 bits, IEEE float of 32 and 64
// bits, A-law and mu-law, each plain or inside WAVE_FORMAT_EXTENSIBLE; 1 to 256
// channels, which are averaged; 1 Hz to 1 MHz. The reader is our own: the Go
// libraries at hand (go-audio/wav, beep/wav) decode integers only, believe the
// lengths in the header, and refuse or misread files that were written to a
// pipe. Sources: Microsoft's "Multiple Channel Audio Data and WAVE Files",
// EBU Tech 3306 (RF64), ITU-T G.711.
//
// # Errors
//
// WAV_NOT_RIFF (no RIFF header), WAV_TRUNCATED (the file ends inside a header or
// before the declared samples do), WAV_CHUNK (chunks out of order, or a chunk
// too small or too large for its kind), WAV_FORMAT (an unsupported codec,
// or a format chunk that contradicts itself), WAV_TOO_LONG (over MaxFrames),
// WAV_NOT_FINITE (a NaN or an infinity among float samples), WAV_READ (the file
// could not be read). All but the last name a byte offset.
//
// # Determinism
//
// Samples depend only on the bytes; the channels are summed in file order in
// float64.
//
// # Untrusted input
//
// Memory follows the bytes really read, never a length field: reads are of at
// most 64 KiB. A data length of 0xFFFFFFFF, or of 0x7FFFF000 and more, or of 0 in
// a header that was never finished, means "until the end of the file", as
// programs write it that stream into a pipe. Any other length in such a header, whose
// RIFF length cannot hold it, is a bound: the end of the file may come before, and
// Clip.Notes says so. A last frame that is cut off is dropped.
// Limits: MaxChannels channels, MaxRate Hz, MaxFrames frames, format chunk of 64 KiB.
package wav

import (
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/errs"
)

// Limits on what a file may hold.
const (
	MaxChannels = 256       // channels in one frame
	MaxRate     = 1_000_000 // frames per second
	MaxFrames   = 1 << 30   // frames in one clip: 4 GiB of float32, 18.6 h at 16 kHz
)

// The closed list of error codes.
const (
	CodeNotRIFF   errs.Code = "WAV_NOT_RIFF"   // smallest input: the empty file
	CodeTruncated errs.Code = "WAV_TRUNCATED"  // smallest input: "RIFF"
	CodeChunk     errs.Code = "WAV_CHUNK"      // smallest input: a RIFF header, then a data chunk
	CodeFormat    errs.Code = "WAV_FORMAT"     // smallest input: a format chunk of zero channels
	CodeTooLong   errs.Code = "WAV_TOO_LONG"   // smallest input: 1 GiB of 8-bit samples and one more
	CodeNotFinite errs.Code = "WAV_NOT_FINITE" // smallest input: one float sample that is a NaN
	CodeRead      errs.Code = "WAV_READ"       // smallest input: a path that does not exist
)

// Clip is a decoded file.
type Clip struct {
	Samples  []float32 // [frames], mono, full scale is -1 to 1
	Rate     int       // frames per second
	Channels int       // channels the file had
	Encoding string    // what the file held, as "s16", "u8", "f32", "alaw"
	Notes    []string  // what a user should know of the file
}

// Seconds returns the length of the clip.
func (c *Clip) Seconds() float64 { return float64(len(c.Samples)) / float64(c.Rate) }

// DecodeFile reads the file at path; its errors name that path.
func DecodeFile(path string) (*Clip, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot open the clip").In(path)
	}
	defer f.Close()
	clip, err := Decode(f)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	return clip, nil
}

// Decode reads one WAVE file from r, up to the end of its data chunk.
func Decode(r io.Reader) (*Clip, error) {
	s := &stream{r: r}
	data, err := s.findData()
	if err != nil {
		return nil, err
	}
	mono, err := s.frames(data)
	if err != nil {
		return nil, err
	}
	return &Clip{
		Samples: mono, Rate: data.format.rate, Channels: data.format.channels, Encoding: data.format.name(), Notes: data.notes,
	}, nil
}
