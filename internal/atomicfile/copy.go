package atomicfile

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// RangeCopier is what the writer of a callback implements beside io.Writer: n
// bytes of another file from offset on follow what was written before, copied
// by the operating system where it can. Fewer bytes than n without an error
// mean that the other file ends there.
type RangeCopier interface {
	CopyRange(from *os.File, offset, n int64) (int64, error)
}

// Reserver is what the writer of a callback implements beside io.Writer: it
// takes n bytes on the disk for the file, so that a disk that is too full is
// known before anything is written. The file is as long as what is written.
type Reserver interface {
	Reserve(n int64) error
}

const (
	// bufferSize is the length of a write. It is the fastest: larger ones leave
	// the processor's caches between reading and writing.
	bufferSize = 1 << 20
	// blockSize is what a file system can share between two files.
	blockSize = 4 << 10
	// copyChunk is one request for a copy by the system.
	copyChunk = 16 << 20
	// writeBack is how much gathers before the disk is told to begin, so that
	// the sync at the end finds little to do.
	writeBack = 8 << 20
)

// writer is what a callback gets: a buffer before the file.
type writer struct {
	s *sink
	b *bufio.Writer
}

func newWriter(f *os.File, sync bool) *writer {
	s := &sink{f: f, sync: sync}
	return &writer{s, bufio.NewWriterSize(s, bufferSize)}
}

func (w *writer) Write(p []byte) (int, error) { return w.b.Write(p) }

func (w *writer) Reserve(n int64) error { return bare(reserve(w.s.f, n)) }

// CopyRange asks the system for a copy only of whole blocks between places that
// are multiples of the block, which it may be able to share between the files.
// Elsewhere it splits every page in two, and takes half as long again as large
// reads into the buffer and writes from it (measured on ext4, Linux 6.18).
func (w *writer) CopyRange(from *os.File, offset, n int64) (done int64, err error) {
	if at := w.s.at + int64(w.b.Buffered()); n >= bufferSize && at%blockSize == 0 && offset%blockSize == 0 {
		if done, err = w.copyBlocks(from, offset, n-n%blockSize); err != nil {
			return done, err
		}
	}
	for done < n {
		if w.b.Available() == 0 {
			if err := w.b.Flush(); err != nil {
				return done, err
			}
		}
		// The place in the buffer where Write copies to, so that it has nothing to do.
		b := w.b.AvailableBuffer()
		k, err := from.ReadAt(b[:min(int64(cap(b)), n-done)], offset+done)
		if _, err := w.b.Write(b[:k]); err != nil {
			return done, err
		}
		done += int64(k)
		if err == io.EOF {
			return done, nil
		}
		if err != nil {
			return done, bare(err)
		}
	}
	return done, nil
}

// copyBlocks lets the system copy as much of n bytes as it will.
func (w *writer) copyBlocks(from *os.File, offset, n int64) (done int64, err error) {
	if err := w.b.Flush(); err != nil {
		return 0, err
	}
	for done < n {
		k, err := copyRange(w.s.f, from, offset+done, min(n-done, copyChunk))
		w.s.wrote(k)
		done += k
		if errors.Is(err, errNoCopy) || err == nil && k == 0 {
			return done, nil // the reads will say what it is
		}
		if err != nil {
			return done, bare(err)
		}
	}
	return done, nil
}

// finish writes what the buffer holds.
func (w *writer) finish() error { return w.b.Flush() }

// sink is the file behind the buffer. It keeps the file's name, which says
// nothing to a user, out of the errors that a callback sees and may wrap.
type sink struct {
	f     *os.File
	sync  bool
	at    int64 // bytes written
	begun int64 // of which the disk was told
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.f.Write(p)
	s.wrote(int64(n))
	return n, bare(err)
}

func (s *sink) wrote(n int64) {
	s.at += n
	if s.sync && s.at-s.begun >= writeBack {
		begin(s.f, s.begun, s.at-s.begun)
		s.begun = s.at
	}
}
