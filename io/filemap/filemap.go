// Package filemap maps a file into memory for readers that look at a few
// places of a large file and hand out windows of it.
//
// Use of the mapping is counted: it is unmapped when the file was closed and
// nobody holds it any more. A View holds it until its function returns, a
// window whose Bytes were given out until the window is closed.
//
// WebAssembly has no mappings: there a file of up to MaxRead bytes is read into memory
// when it is opened.
//
// # Errors
//
// Of internal/regular, also for a file that is too large to be read. Use of a file or a window after Close is TENSOR_CLOSED. A file that was
// cut short after Open is TENSOR_BAD_SIZE with the length that it has now: from
// a Reader, and from View in place of the fault of the memory system (SIGBUS),
// of which a program dies that touches the mapping in any other way.
//
// # Determinism
//
// The bytes are the file's; nothing is cached.
package filemap

import (
	"io"
	"os"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/hugepages"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
)

// MaxRead is the size of the largest file that is read where files cannot be mapped: the
// memory of WebAssembly ends at 4 GiB, and with it the program.
const MaxRead = 2 << 30

// File is an open mapping. Its methods may be called from several goroutines.
type File struct {
	path string
	f    *os.File
	m    []byte // nil for an empty file, which cannot be mapped
	size int64

	mu     sync.Mutex
	users  int
	closed bool
}

// Open maps the whole file read-only.
func Open(path string) (*File, error) {
	f, st, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	file := &File{path: path, f: f, size: st.Size()}
	if file.size > 0 {
		if file.m, err = mapped(f, path, file.size); err != nil {
			f.Close()
			return nil, err
		}
		// The file may have changed between Stat and Map.
		file.size = int64(len(file.m))
		hugepages.Advise(file.m)
	}
	return file, nil
}

// Path returns the path as the caller named it.
func (f *File) Path() string { return f.path }

// Size returns the file's length when it was opened.
func (f *File) Size() int64 { return f.size }

// View calls fn with all bytes of the file and keeps them mapped until fn
// returns. A file that was cut short meanwhile gives TENSOR_BAD_SIZE, whatever
// fn gave. fn must neither keep nor write the bytes, nor read them from another
// goroutine, unless through a View of that goroutine's own.
func (f *File) View(fn func(b []byte) error) error {
	return f.view(0, f.size, fn)
}

// Close closes the file. The mapping ends now, or with the last of its users; a
// second call does nothing.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	return f.end()
}

// acquire counts a user of the mapping and of the open file.
func (f *File) acquire() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return isClosed(f.path)
	}
	f.users++
	return nil
}

func (f *File) release() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.users--
	return f.end()
}

// end unmaps what was closed and is not used any more; mu is held.
func (f *File) end() error {
	if !f.closed || f.users > 0 {
		return nil
	}
	var err error
	if f.m != nil {
		err = unmap(f.m)
		f.m = nil
	}
	if e := f.f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return regular.Failed(f.path, err)
	}
	return nil
}

// Window makes a buffer over n bytes from offset on. Its Bytes are the mapping
// itself; its Reader reads the file, so that a file cut short meanwhile is an
// error and not a fault. The caller has checked the range.
func (f *File) Window(offset, n int64) tensor.Buffer {
	return &window{file: f, offset: offset, n: n}
}

// Ranger is what windows implement beside tensor.Buffer, for copies that the
// operating system does by itself: the open file and the range of its bytes.
// The file stays open until release is called, which must be done once. It must
// be read by ReadAt or a system call with an offset only.
type Ranger interface {
	FileRange() (f *os.File, offset, n int64, release func(), err error)
}

type window struct {
	file      *File
	offset, n int64

	mu     sync.Mutex
	held   bool // Bytes were given out
	closed bool
}

func (w *window) Len() int64 { return w.n }

// acquire is acquire of the file for a window that is open.
func (w *window) acquire() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return isClosed(w.file.path)
	}
	return w.file.acquire()
}

func (w *window) Bytes() ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, isClosed(w.file.path)
	}
	if err := w.file.acquire(); err != nil {
		return nil, err
	}
	if w.held { // one hold is enough
		if err := w.file.release(); err != nil {
			return nil, err
		}
	}
	w.held = true
	return w.file.m[w.offset : w.offset+w.n : w.offset+w.n], nil
}

func (w *window) View(fn func(b []byte) error) error {
	if err := w.acquire(); err != nil {
		return err
	}
	err := w.file.view(w.offset, w.n, fn)
	if e := w.file.release(); err == nil {
		err = e
	}
	return err
}

func (w *window) Reader() (io.Reader, error) {
	if err := w.acquire(); err != nil {
		return nil, err
	}
	if err := w.file.release(); err != nil {
		return nil, err
	}
	return &reader{w: w, at: w.offset}, nil
}

func (w *window) FileRange() (f *os.File, offset, n int64, release func(), err error) {
	if err := w.acquire(); err != nil {
		return nil, 0, 0, nil, err
	}
	return w.file.f, w.offset, w.n, sync.OnceFunc(func() { _ = w.file.release() }), nil
}

func (w *window) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if !w.held {
		return nil
	}
	w.held = false
	return w.file.release()
}

func isClosed(path string) error {
	return errs.New(tensor.CodeClosed, "the tensor's buffer was closed").In(path).
		Hint("keep the file open while its tensors are used")
}
