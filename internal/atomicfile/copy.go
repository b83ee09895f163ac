package atomicfile

import (
	"errors"
	"io"
	"os"
	"sync"
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
	// buffers is how many of them there are: one is filled while another is
	// written, which takes half as long as one after the other.
	buffers = 4
	// blockSize is what a file system can share between two files.
	blockSize = 4 << 10
	// writeBack is how much gathers before the disk is told to begin, so that
	// the sync at the end finds little to do.
	writeBack = 8 << 20
)

// writer is what a callback gets: buffers, which a goroutine writes to the file
// in their order. It is for one goroutine.
type writer struct {
	s    *sink
	at   int64  // bytes taken, of which the last are in b
	b    []byte // the buffer that is filled
	made int    // buffers
	idle chan []byte
	full chan []byte
	wait sync.WaitGroup // for what is in full or being written
	mu   sync.Mutex
	err  error // of the first write that failed; nothing is written after it
}

func newWriter(f *os.File, sync bool) *writer {
	return &writer{s: &sink{f: f, sync: sync}, idle: make(chan []byte, buffers), full: make(chan []byte, buffers)}
}

func (w *writer) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		room, err := w.room()
		if err != nil {
			return n, err
		}
		k := copy(room, p)
		w.took(k)
		n, p = n+k, p[k:]
	}
	return n, nil
}

func (w *writer) Reserve(n int64) error { return bare(reserve(w.s.f, n)) }

// CopyRange asks the system to share whole blocks between the files where both
// places are multiples of the block and the file system can. Elsewhere large
// reads into the buffers and writes from them, at the same time, take half as
// long as copy_file_range (measured on ext4, Linux 6.18).
func (w *writer) CopyRange(from *os.File, offset, n int64) (done int64, err error) {
	if n >= bufferSize && w.at%blockSize == 0 && offset%blockSize == 0 {
		if done, err = w.share(from, offset, n-n%blockSize); err != nil {
			return done, err
		}
	}
	for done < n {
		room, err := w.room()
		if err != nil {
			return done, err
		}
		k, err := from.ReadAt(room[:min(int64(len(room)), n-done)], offset+done)
		w.took(k)
		done += int64(k)
		if errors.Is(err, io.EOF) {
			return done, nil
		}
		if err != nil {
			return done, bare(err)
		}
	}
	return done, nil
}

// share lets the files have n bytes in common, all or none.
func (w *writer) share(from *os.File, offset, n int64) (int64, error) {
	if w.s.alone {
		return 0, nil
	}
	if err := w.drain(); err != nil {
		return 0, err
	}
	if err := shareRange(w.s.f, from, w.at, offset, n); err != nil {
		w.s.alone = errors.Is(err, errAlone)
		return 0, nil // the reads will say what it is
	}
	if _, err := w.s.f.Seek(w.at+n, io.SeekStart); err != nil {
		return 0, bare(err)
	}
	w.at += n
	w.s.wrote(n)
	return n, nil
}

// room is the free part of the buffer that is filled, never empty.
func (w *writer) room() ([]byte, error) {
	if w.b == nil {
		select {
		case w.b = <-w.idle:
		default:
			if w.made == buffers {
				w.b = <-w.idle
				break
			}
			if w.made++; w.made == 1 {
				go w.run()
			}
			w.b = make([]byte, 0, bufferSize)
		}
		if err := w.failed(); err != nil {
			return nil, err
		}
	}
	return w.b[len(w.b):cap(w.b)], nil
}

// took says that n bytes of room are used.
func (w *writer) took(n int) {
	w.at += int64(n)
	w.b = w.b[:len(w.b)+n]
	if len(w.b) == cap(w.b) {
		w.pass()
	}
}

// pass hands the buffer over to be written.
func (w *writer) pass() {
	if len(w.b) > 0 {
		w.wait.Add(1)
		w.full <- w.b
		w.b = nil
	}
}

// run writes what is passed to it, until finish.
func (w *writer) run() {
	for b := range w.full {
		if w.failed() == nil {
			if _, err := w.s.Write(b); err != nil {
				w.mu.Lock()
				w.err = err
				w.mu.Unlock()
			}
		}
		w.idle <- b[:0]
		w.wait.Done()
	}
}

func (w *writer) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// drain waits until all is written.
func (w *writer) drain() error {
	w.pass()
	w.wait.Wait()
	return w.failed()
}

// finish writes what the buffers hold; the writer is then at its end. It is to
// be called after a failure too.
func (w *writer) finish() error {
	err := w.drain()
	close(w.full)
	return err
}

// sink is the file behind the buffers. It keeps the file's name, which says
// nothing to a user, out of the errors that a callback sees and may wrap.
type sink struct {
	f     *os.File
	sync  bool
	alone bool  // the file system shares nothing with the source
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
