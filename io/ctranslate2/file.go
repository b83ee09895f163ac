package ctranslate2

import (
	"io"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// File is an open file: its index, and windows of its tensors.
type File struct {
	m *filemap.File
	p *parsed
}

// Open maps and checks the file at path. Tensor data is not read.
func Open(path string) (*File, error) {
	m, p, err := filemap.Parse(path, func(b []byte) (*parsed, error) { return parse(b, new(errs.Faults)) })
	if err != nil {
		return nil, err
	}
	return &File{m: m, p: p}, nil
}

// Verify lists every fault of the file at path, up to filemap.MaxFaults. The
// error is that of a file that cannot be opened.
func Verify(path string) ([]error, error) {
	return filemap.Check(path, func(b []byte, faults *errs.Faults) { _, _ = parse(b, faults) })
}

// Index returns the names, types and settings. The caller must not change it.
func (f *File) Index() *tensor.Index { return f.p.index }

// Header returns the name and revision of the spec and the table of aliases as the
// file has it: a target may be another alias. The caller must not change it.
func (f *File) Header() Header { return f.p.header }

// Types returns the element types that a file can have.
func Types() []dtype.DType { return slices.Clone(types[:]) }

// Items returns every variable as Encode takes it, settings too, in the order of
// the file.
func (f *File) Items() []Item {
	items := make([]Item, len(f.p.order))
	for i, v := range f.p.order {
		items[i] = Item{v.spec, func() (io.Reader, error) { return f.m.Window(v.offset, v.spec.Bytes).Reader() }}
	}
	return items
}

// Tensor returns a window over the data of a tensor, found by its name or an
// alias; the window is not a copy and is valid until Close.
func (f *File) Tensor(name string) (tensor.Buffer, error) {
	v, err := f.find(name)
	if err != nil {
		return nil, err
	}
	return f.m.Window(v.offset, v.spec.Bytes), nil
}

// Place returns the file that holds a tensor's data, which is this one, and where
// the data begins in it.
func (f *File) Place(name string) (path string, offset int64, err error) {
	v, err := f.find(name)
	if err != nil {
		return "", 0, err
	}
	return f.m.Path(), v.offset, nil
}

// Path returns the file's path as it was opened.
func (f *File) Path() string { return f.m.Path() }

// Size returns the length of the file.
func (f *File) Size() int64 { return f.m.Size() }

// Close ends the mapping and every window over it.
func (f *File) Close() error { return f.m.Close() }

func (f *File) find(name string) (variable, error) {
	if v, ok := f.p.vars[name]; ok {
		return v, nil
	}
	if v, ok := f.p.vars[f.p.index.Aliases[name]]; ok {
		return v, nil
	}
	e := errs.New(CodeMissing, "no tensor of this name").In(f.m.Path()).On(name)
	if _, ok := f.p.index.Scalars[name]; ok {
		return variable{}, e.Hint("it is a scalar of the index")
	}
	return variable{}, e.Hint("list the names with: skainet inspect FILE")
}
