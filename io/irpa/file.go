package irpa

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
)

// File is an open archive. Its methods may be called from several goroutines.
type File struct {
	m     *filemap.File
	a     *archive
	index *tensor.Index
	other others
}

// Options configures how an archive is read.
type Options struct {
	// AnyPath follows the path of an external entry even outside the archive's
	// folder. Use it only for archives that are trusted like programs.
	AnyPath bool
}

// Open maps and checks the archive at path. Data is not read.
func Open(path string) (*File, error) { return OpenWith(path, Options{}) }

// OpenWith is Open with options.
func OpenWith(path string, o Options) (*File, error) {
	m, a, err := filemap.Parse(path, func(b []byte) (*archive, error) { return parse(b, new(errs.Faults)) })
	if err != nil {
		return nil, err
	}
	return &File{m: m, a: a, index: index(a.entries), other: others{anyPath: o.AnyPath}}, nil
}

// Verify lists every fault of the archive at path, up to filemap.MaxFaults. The
// error is that of a file that cannot be opened. Other files that external
// entries name are not looked at.
func Verify(path string) ([]error, error) {
	return filemap.Check(path, func(b []byte, faults *errs.Faults) { _, _ = parse(b, faults) })
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

// Index returns the index of an archive whose entries all say what they are, nil
// for any other. The caller must not change it.
func (f *File) Index() *tensor.Index { return f.index }

// Metadata returns the metadata bytes of a parameter; most have none.
func (f *File) Metadata(name string) ([]byte, error) {
	e, err := f.find(name)
	if err != nil {
		return nil, err
	}
	var b []byte
	err = f.m.View(func(all []byte) error {
		b = bytes.Clone(all[e.metadata.off:e.metadata.end()])
		return nil
	})
	return b, err
}

// Tensor returns the bytes of a parameter: a window for a datum and for an
// external entry, a generator for a splat.
func (f *File) Tensor(name string) (tensor.Buffer, error) {
	e, err := f.find(name)
	if err != nil {
		return nil, err
	}
	switch e.Type {
	case Splat:
		return Repeat(name, e.Pattern, e.Length), nil
	case External:
		m, err := f.external(e)
		if err != nil {
			return nil, err
		}
		return m.Window(e.Offset, e.Length), nil
	}
	return f.m.Window(e.Offset, e.Length), nil
}

// Place returns the file that holds the bytes of a parameter and where they begin
// in it. A splat has no place: its path is "".
func (f *File) Place(name string) (path string, offset int64, err error) {
	e, err := f.find(name)
	if err != nil {
		return "", 0, err
	}
	switch e.Type {
	case Splat:
		return "", 0, nil
	case External:
		m, err := f.external(e)
		if err != nil {
			return "", 0, err
		}
		return m.Path(), e.Offset, nil
	}
	return f.m.Path(), e.Offset, nil
}

func (f *File) find(name string) (Entry, error) {
	e, ok := f.Entry(name)
	if !ok {
		return Entry{}, errs.New(CodeMissing, "no parameter of this name").In(f.m.Path()).On(name).
			Hint("list the names with: skainet inspect FILE")
	}
	return e, nil
}

// Path returns the file's path as it was opened.
func (f *File) Path() string { return f.m.Path() }

// Size returns the length of the file.
func (f *File) Size() int64 { return f.m.Size() }

// Close closes the archive and the files that its external entries named.
func (f *File) Close() error { return errors.Join(f.m.Close(), f.other.close()) }

// Repeat returns a buffer of n bytes that repeat a pattern, as Tensor does for a
// splat. name is used in errors.
func Repeat(name string, pattern []byte, n int64) tensor.Buffer {
	return &splat{name: name, pattern: pattern, n: n}
}

// splat is a buffer whose bytes are generated on demand.
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

// repeat reads its block over and over.
type repeat struct {
	block []byte
	at    int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	return n, nil
}
