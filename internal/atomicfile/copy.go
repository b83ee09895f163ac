package atomicfile

import (
	"errors"
	"io"
	"os"
	"sync"
)

// RangeCopier is implemented by the writer of a callback, besides io.Writer: it appends
// n bytes of another file, starting at offset, copied by the operating system if
// possible. Fewer bytes than n without an error mean that the other file ends there.
type RangeCopier interface {
	CopyRange(from *os.File, offset, n int64) (int64, error)
}

// Reserver is implemented by the writer of a callback, besides io.Writer: it reserves n
// bytes on the disk for the file, so that a full disk is detected before anything is
// written. The file's length is not changed.
type Reserver interface {
	Reserve(n int64) error
}

const (
	// bufferSize is the length of a write. It is the fastest: larger ones leave
	// the processor's caches between reading and writing.
	bufferSize = 1 << 20
	// buffers is the number of buffers: one is filled while another is written, which
	// takes half as long as alternating.
	buffers = 4
	// blockSize is what a file system can share between two files.
	blockSize = 4 << 10
	// writeBack is how much accumulates before writeback is started, so that the sync at
	// the end has little to do.
	writeBack = 8 << 20
)

// writer is passed to a callback: buffers, which a goroutine writes to the file
// in order. It must be used by one goroutine.
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

// CopyRange asks the system to share whole blocks between the files where both offsets
// are multiples of the block size and the file system supports it. Otherwise large
// reads into the buffers and concurrent writes from them take half as long as
// copy_file_range (measured on ext4, Linux 6.18).
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

// share makes the files share n bytes, all or none.
func (w *writer) share(from *os.File, offset, n int64) (int64, error) {
	if w.s.alone {
		return 0, nil
	}
	if err := w.drain(); err != nil {
		return 0, err
	}
	if err := shareRange(w.s.f, from, w.at, offset, n); err != nil {
		w.s.alone = errors.Is(err, errAlone)
		return 0, nil // the reads will report it
	}
	if _, err := w.s.f.Seek(w.at+n, io.SeekStart); err != nil {
		return 0, bare(err)
	}
	w.at += n
	w.s.wrote(n)
	return n, nil
}

// room returns the free part of the current buffer, never empty.
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

// took marks n bytes of room as used.
func (w *writer) took(n int) {
	w.at += int64(n)
	w.b = w.b[:len(w.b)+n]
	if len(w.b) == cap(w.b) {
		w.pass()
	}
}

// pass queues the buffer for writing.
func (w *writer) pass() {
	if len(w.b) > 0 {
		w.wait.Add(1)
		w.full <- w.b
		w.b = nil
	}
}

// run writes the queued buffers, until finish.
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

// drain waits until everything is written.
func (w *writer) drain() error {
	w.pass()
	w.wait.Wait()
	return w.failed()
}

// finish writes the remaining buffers and ends the writer. It must be called after a failure
// too.
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
