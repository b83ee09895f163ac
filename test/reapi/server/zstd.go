package server

import (
	"context"
	"errors"
	"io"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/klauspost/compress/zstd"
	"google.golang.org/grpc/status"

	"github.com/skainet-dev/skainet-go/errs"
)

// Limits of compressed transfers: the window that a sender may ask for, which is
// memory, and how many bytes may come for a blob. What does not compress grows by
// three bytes in each 128 KiB and a few for each frame; empty frames could come
// without end.
const (
	maxWindow = 16 << 20
	frames    = 1 << 16
)

// How many compressed transfers go on at a time, each of which may hold a window,
// and how long others wait for one to end.
const (
	maxCoders = 16
	coderWait = 20 * time.Second
)

// coder waits for a place among the compressed transfers, and returns what leaves it.
func (s *Server) coder(ctx context.Context) (func(), error) {
	if s.coders.TryAcquire(1) {
		return func() { s.coders.Release(1) }, nil
	}
	wait, cancel := context.WithTimeout(ctx, s.coderWait)
	defer cancel()
	if err := s.coders.Acquire(wait, 1); err == nil {
		return func() { s.coders.Release(1) }, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	return nil, errs.New(CodeBusy, "%d compressed transfers went on for %s", maxCoders, s.coderWait).
		Hint("send fewer blobs at a time, end those that are begun, or leave out the compression")
}

func maxCompressed(d *re.Digest) int64 { return d.SizeBytes + d.SizeBytes/64 + frames }

// reader returns the bytes that a client compressed. The store reads no more of
// them than the blob has.
func (s *Server) reader(ctx context.Context, c re.Compressor_Value, in io.Reader, d *re.Digest) (io.ReadCloser, error) {
	switch c {
	case re.Compressor_IDENTITY:
		return io.NopCloser(in), nil
	case re.Compressor_ZSTD:
		leave, err := s.coder(ctx)
		if err != nil {
			return nil, err
		}
		z, err := zstd.NewReader(&bounded{in: in, left: maxCompressed(d)},
			zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			leave()
			return nil, compressed(err)
		}
		return unzip{z, leave}, nil
	}
	return nil, errs.New(CodeCompressed, "the blob is compressed by %v", c).Hint("use zstd, or none")
}

func compressed(err error) error {
	return errs.Wrap(CodeCompressed, err, "the blob is not sound zstd").Hint("compress it again, with a window of up to %d bytes", maxWindow)
}

// unzip turns what the decoder finds into coded errors, and leaves those of the
// stream as they are.
type unzip struct {
	*zstd.Decoder
	leave func()
}

func (u unzip) Read(p []byte) (int, error) {
	n, err := u.Decoder.Read(p)
	var s *streamError
	switch {
	case err == nil, errors.Is(err, io.EOF):
	case errors.As(err, &s):
		err = s.error
	default:
		err = compressed(err)
	}
	return n, err
}

func (u unzip) Close() error {
	u.Decoder.Close()
	u.leave()
	return nil
}

// bounded reads up to a number of bytes. Its errors are streamErrors.
type bounded struct {
	in   io.Reader
	left int64
}

type streamError struct{ error }

func (s *streamError) Unwrap() error { return s.error }

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, &streamError{errs.New(CodeCompressed, "there are more bytes than zstd makes of the blob").Hint("compress it again")}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = &streamError{err}
	}
	return n, err
}

// writer compresses what is written to it; Close ends the frame.
func (s *Server) writer(ctx context.Context, c re.Compressor_Value, out io.Writer) (io.WriteCloser, error) {
	if c != re.Compressor_ZSTD {
		return plain{out}, nil
	}
	leave, err := s.coder(ctx)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		leave()
		return nil, compressed(err)
	}
	return zip{z, leave}, nil
}

type zip struct {
	*zstd.Encoder
	leave func()
}

func (z zip) Close() error {
	defer z.leave()
	return z.Encoder.Close()
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }
