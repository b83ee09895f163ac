// Package filemap maps a file into memory for readers that look at a few
// places of a large file and hand out windows of it.
//
// # Errors
//
// FILE_OPEN wraps what the operating system said and names the file; a folder,
// a device and a pipe are refused before they are opened, which could wait for
// ever. Use of a window after Close is TENSOR_CLOSED, and
// a window whose file was cut short after Open is TENSOR_BAD_SIZE.
//
// # Determinism
//
// The bytes are the file's; nothing is cached.
package filemap

import (
	"io"
	"os"
	"sync"

	"github.com/edsrzf/mmap-go"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// CodeOpen is the code of a file that cannot be opened or mapped.
const CodeOpen errs.Code = "FILE_OPEN"

// File is an open mapping. Its methods may be called from several goroutines.
type File struct {
	path string
	f    *os.File
	m    mmap.MMap // nil for an empty file, which cannot be mapped
	size int64

	mu     sync.RWMutex
	closed bool
}

// Open maps the whole file read-only.
func Open(path string) (*File, error) {
	f, st, err := open(path)
	if err != nil {
		return nil, err
	}
	file := &File{path: path, f: f, size: st.Size()}
	if file.size > 0 {
		if file.m, err = mmap.Map(f, mmap.RDONLY, 0); err != nil {
			f.Close()
			return nil, failed(path, err)
		}
		// The file may have changed between Stat and Map.
		file.size = int64(len(file.m))
	}
	return file, nil
}

// Path gives the path as the caller named it.
func (f *File) Path() string { return f.path }

// Size gives the file's length when it was opened.
func (f *File) Size() int64 { return f.size }

// Bytes gives the mapping; it is valid until Close and must not be written.
func (f *File) Bytes() []byte { return f.m }

// Close unmaps and closes the file. A second call does nothing.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	var err error
	if f.m != nil {
		err = f.m.Unmap()
	}
	if e := f.f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return failed(f.path, err)
	}
	return nil
}

// Window makes a buffer over n bytes from offset on. Its Bytes are the mapping
// itself; its Reader reads the file, so that a file cut short meanwhile is an
// error and not a fault of the memory system. The caller has checked the range.
func (f *File) Window(offset, n int64) tensor.Buffer {
	return &window{file: f, offset: offset, n: n}
}

type window struct {
	file      *File
	offset, n int64
	mu        sync.Mutex
	closed    bool
}

func (w *window) Len() int64 { return w.n }

func (w *window) open() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.file.mu.RLock()
	defer w.file.mu.RUnlock()
	if w.closed || w.file.closed {
		return errs.New(tensor.CodeClosed, "the tensor's buffer was closed").In(w.file.path).
			Hint("keep the file open while its tensors are used")
	}
	return nil
}

func (w *window) Bytes() ([]byte, error) {
	if err := w.open(); err != nil {
		return nil, err
	}
	return w.file.m[w.offset : w.offset+w.n : w.offset+w.n], nil
}

func (w *window) View(f func(b []byte) error) error {
	b, err := w.Bytes()
	if err != nil {
		return err
	}
	return f(b)
}

func (w *window) Reader() (io.Reader, error) {
	if err := w.open(); err != nil {
		return nil, err
	}
	return &reader{w: w, r: io.NewSectionReader(w.file.f, w.offset, w.n)}, nil
}

func (w *window) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	return nil
}

// reader turns an early end into an error: the length was known at Open.
type reader struct {
	w    *window
	r    io.Reader
	read int64
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.read += int64(n)
	if err == io.EOF && r.read < r.w.n {
		return n, errs.Wrap(tensor.CodeBadSize, io.ErrUnexpectedEOF, "read %d of %d bytes", r.read, r.w.n).
			In(r.w.file.path).At(r.w.offset + r.read).
			Hint("the file was cut short after it was opened; fetch it again")
	}
	return n, err
}

func failed(path string, err error) error {
	return errs.Wrap(CodeOpen, err, "cannot open the file").In(path).
		Hint("check the name and the permissions")
}
