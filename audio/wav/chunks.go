package wav

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/skainet-dev/skainet-go/errs"
)

const (
	unknownSize  = 0xFFFFFFFF // "not known" in RF64, and what ffmpeg writes to a pipe
	streamedSize = 0x7FFFF000 // sox and arecord write about 2 GiB to a pipe
	maxFmtChunk  = 64 << 10
	fmtHint      = "the file is damaged or not a WAVE file; convert it, for example with: ffmpeg -i IN -ar 16000 -ac 1 OUT.wav"
	shortHint    = "the file was cut off; copy or record it again"
)

// stream reads forward and knows the byte offset, so that a pipe works too.
type stream struct {
	r   io.Reader
	off int64
}

// dataChunk is the place where the samples start.
type dataChunk struct {
	format  format
	size    int64 // bytes; -1 means until the end of the file
	claimed int64 // size as declared, for the message
	bound   bool  // the file may end before size
	notes   []string
}

// full fills buf; its error says what was being read when the file ended.
func (s *stream) full(buf []byte, what string) error {
	n, err := io.ReadFull(s.r, buf)
	at := s.off
	s.off += int64(n)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errs.New(CodeTruncated, "the file ends in %s: %d of %d bytes", what, n, len(buf)).At(at).Hint(shortHint)
	}
	return errs.Wrap(CodeRead, err, "cannot read %s", what).At(at)
}

// skip passes over n bytes.
func (s *stream) skip(n int64, what string) error {
	got, err := io.CopyN(io.Discard, s.r, n)
	at := s.off
	s.off += got
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return errs.New(CodeTruncated, "the file ends in %s: %d of %d bytes", what, got, n).At(at).Hint(shortHint)
	}
	return errs.Wrap(CodeRead, err, "cannot read %s", what).At(at)
}

// header reads the 12 bytes in front of the chunks and returns the RIFF size.
func (s *stream) header() (riffSize uint32, rf64 bool, err error) {
	var h [12]byte
	n, err := io.ReadFull(s.r, h[:])
	s.off = int64(n)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, false, errs.Wrap(CodeRead, err, "cannot read the header").At(0)
	}
	id := string(h[:min(n, 4)])
	switch {
	case id == "RIFX":
		return 0, false, errs.New(CodeNotRIFF, "big-endian WAVE (RIFX) is not supported").At(0).Hint(fmtHint)
	case id != "RIFF" && id != "RF64":
		return 0, false, errs.New(CodeNotRIFF, "no RIFF header: the file starts with %q", id).At(0).Hint(fmtHint)
	case n < len(h):
		return 0, false, errs.New(CodeTruncated, "the file ends in the RIFF header: %d of 12 bytes", n).At(0).Hint(shortHint)
	case string(h[8:]) != "WAVE":
		return 0, false, errs.New(CodeNotRIFF, "a RIFF file of kind %q, not \"WAVE\"", h[8:]).At(8).Hint(fmtHint)
	}
	return binary.LittleEndian.Uint32(h[4:]), id == "RF64", nil
}

// findData walks the chunks up to the first data chunk.
func (s *stream) findData() (*dataChunk, error) {
	riffSize, rf64, err := s.header()
	if err != nil {
		return nil, err
	}
	var f *format
	riff, size64 := int64(riffSize), int64(-1)
	for {
		at := s.off
		var h [8]byte
		if err := s.full(h[:], "a chunk header before any data chunk"); err != nil {
			return nil, err
		}
		id, size := string(h[:4]), binary.LittleEndian.Uint32(h[4:])
		switch {
		case id == "fmt " && f != nil:
			return nil, errs.New(CodeChunk, "a second format chunk").At(at).Hint(fmtHint)
		case id == "fmt ":
			if f, err = s.formatChunk(size); err != nil {
				return nil, err
			}
		case id == "ds64" && rf64 && size64 < 0:
			if riff, size64, err = s.ds64(size); err != nil {
				return nil, err
			}
		case id == "data" && f == nil:
			return nil, errs.New(CodeChunk, "the data chunk comes before the format chunk").At(at).Hint(fmtHint)
		case id == "data":
			return s.dataSize(*f, size, size64, riff), nil
		default:
			if err := s.skip(int64(size), "a chunk before the sample data"); err != nil {
				return nil, err
			}
		}
		if size%2 == 1 {
			if err := s.skip(1, "a pad byte"); err != nil {
				return nil, err
			}
		}
	}
}

// dataSize determines how many bytes belong to the data chunk.
func (s *stream) dataSize(f format, size uint32, size64, riff int64) *dataChunk {
	d := &dataChunk{format: f, size: int64(size), claimed: int64(size)}
	long := size64 >= 0
	if long && size == unknownSize {
		d.size, d.claimed = size64, size64
	}
	// A writer that could not seek back leaves its first guess in both sizes; a file
	// that was cut off has sizes that agree.
	unfinished := riff == 0 || riff >= streamedSize && !long || riff+8 < s.off+d.size || riff+8 <= s.off
	switch {
	case !long && size >= streamedSize, d.size == 0 && unfinished:
		d.size = -1
	default:
		d.bound = unfinished
	}
	return d
}

// ds64 reads RF64's 64-bit sizes: of the file and of the data chunk.
func (s *stream) ds64(size uint32) (riff, data int64, err error) {
	at := s.off
	if size < 16 {
		return 0, 0, errs.New(CodeChunk, "a ds64 chunk of %d bytes; it takes at least 16", size).At(at).Hint(fmtHint)
	}
	var b [16]byte
	if err := s.full(b[:], "the ds64 chunk"); err != nil {
		return 0, 0, err
	}
	n := binary.LittleEndian.Uint64(b[8:])
	if n > 1<<62 {
		return 0, 0, errs.New(CodeChunk, "ds64 claims %d bytes of samples", n).At(at + 8).Hint(fmtHint)
	}
	riff = int64(min(binary.LittleEndian.Uint64(b[:]), 1<<62))
	return riff, int64(n), s.skip(int64(size)-16, "the ds64 chunk")
}

// formatChunk reads the format chunk's bytes and parses them.
func (s *stream) formatChunk(size uint32) (*format, error) {
	at := s.off
	if size < 16 || size > maxFmtChunk {
		return nil, errs.New(CodeChunk, "a format chunk of %d bytes; it takes 16 to %d", size, maxFmtChunk).At(at).Hint(fmtHint)
	}
	b := make([]byte, size) // at most 64 KiB
	if err := s.full(b, "the format chunk"); err != nil {
		return nil, err
	}
	return parseFormat(b, at)
}
