package atomicfile

import (
	"bufio"
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
	bufferSize = 1 << 20
	// A smaller range goes through the buffer, together with its neighbours.
	minCopy = 64 << 10
	// copyChunk is one request to the system. Larger ones were slower: their
	// pages leave the processor's caches between reading and writing.
	copyChunk = 1 << 20
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

func (w *writer) CopyRange(from *os.File, offset, n int64) (int64, error) {
	var done int64
	if n >= minCopy {
		if err := w.b.Flush(); err != nil {
			return 0, err
		}
		for done < n {
			k, err := copyRange(w.s.f, from, offset+done, min(n-done, copyChunk))
			w.s.wrote(k)
			done += k
			if err == errNoCopy || err == nil && k == 0 {
				break // an ordinary copy knows whether the file ends here
			}
			if err != nil {
				return done, bare(err)
			}
		}
	}
	k, err := io.CopyBuffer(struct{ io.Writer }{w.b}, io.NewSectionReader(from, offset+done, n-done), make([]byte, min(n-done+1, bufferSize)))
	return done + k, bare(err)
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
