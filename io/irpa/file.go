package irpa

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/internal/filemap"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// File is an open archive.
type File struct {
	m *filemap.File
	a *archive
}

// Open maps and checks the archive at path. Data is not read.
func Open(path string) (*File, error) {
	m, err := filemap.Open(path)
	if err != nil {
		return nil, err
	}
	a, err := parse(m.Bytes())
	if err != nil {
		m.Close()
		return nil, errs.WithFile(err, path)
	}
	return &File{m: m, a: a}, nil
}

// Entries lists the parameters in the order of the table.
func (f *File) Entries() []Entry { return slices.Clone(f.a.entries) }

// Entry finds a parameter by its name.
func (f *File) Entry(name string) (Entry, bool) {
	i, ok := f.a.byName[name]
	if !ok {
		return Entry{}, false
	}
	return f.a.entries[i], true
}

// Metadata gives the opaque bytes that lie beside a parameter, none for most;
// they are a part of the mapping and valid until Close.
func (f *File) Metadata(e Entry) []byte {
	return f.a.b[e.metadata.off:e.metadata.end():e.metadata.end()]
}

// Buffer gives the bytes of a parameter: a window for a datum, a generator for
// a splat. An external entry has none here.
func (f *File) Buffer(name string) (tensor.Buffer, error) {
	e, ok := f.Entry(name)
	switch {
	case !ok:
		return nil, errs.New(CodeMissing, "no parameter of this name").In(f.m.Path()).On(name).
			Hint("list the names with: skainet inspect FILE")
	case e.Type == External:
		return nil, errs.New(CodeExternal, "the bytes lie in another file, %q", e.Path).In(f.m.Path()).On(name).
			Hint("pack the weights into one archive with: skainet pack")
	case e.Type == Splat:
		return &splat{name: name, pattern: e.Pattern, n: e.Length}, nil
	}
	return f.m.Window(e.Offset, e.Length), nil
}

// Path gives the file's path as it was opened.
func (f *File) Path() string { return f.m.Path() }

// Size gives the length of the file.
func (f *File) Size() int64 { return f.m.Size() }

// Close ends the mapping and every window over it.
func (f *File) Close() error { return f.m.Close() }

// splat is a buffer whose bytes are made when asked for.
type splat struct {
	name    string
	pattern []byte
	n       int64
	mu      sync.Mutex
	closed  bool
}

func (s *splat) Len() int64 { return s.n }

func (s *splat) Bytes() ([]byte, error) {
	r, err := s.Reader()
	if err != nil {
		return nil, err
	}
	if s.n > MaxExpand {
		return nil, errs.New(CodeLimit, "a splat of %d bytes is not expanded in memory, the limit is %d", s.n, MaxExpand).On(s.name)
	}
	b := make([]byte, s.n)
	_, err = io.ReadFull(r, b)
	return b, err
}

func (s *splat) View(f func(b []byte) error) error {
	b, err := s.Bytes()
	if err != nil {
		return err
	}
	return f(b)
}

func (s *splat) Reader() (io.Reader, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errs.New(tensor.CodeClosed, "the tensor's buffer was closed").On(s.name)
	}
	// A block of whole patterns, so that a read is one copy.
	block := bytes.Repeat(s.pattern, fileAlign/len(s.pattern))
	return io.LimitReader(&repeat{block: block}, s.n), nil
}

func (s *splat) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// repeat gives its block over and over.
type repeat struct {
	block []byte
	at    int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	return n, nil
}
