package gguf

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
)

// File is an open model: a file, or all parts of a split one.
type File struct {
	path  string
	parts []*part

	tensors []Info
	byName  map[string]int
}

// part is a mapped file.
type part struct {
	m *filemap.File
	*header
}

// mapped gives views of a file that is set once it is parsed.
type mapped struct{ m *filemap.File }

func (s *mapped) view(off, n int64, f func(b []byte) error) error {
	return s.m.Window(off, n).View(f)
}

func (s *mapped) path() string { return s.m.Path() }

// openPart maps and checks one file.
func openPart(path string, faults *errs.Faults) (*part, error) {
	src := new(mapped)
	m, h, err := filemap.Parse(path, func(b []byte) (*header, error) { return parse(b, int64(len(b)), src, faults) })
	for _, fault := range faults.List() {
		errs.WithFile(fault, path)
	}
	if err != nil {
		return nil, err
	}
	src.m = m
	return &part{m: m, header: h}, nil
}

// Open maps and checks the file at path and, if it is a part of a split model,
// all others. Tensor data is not read.
func Open(path string) (*File, error) {
	f, err := open(path, new(errs.Faults))
	if err != nil {
		return nil, err
	}
	return f, nil
}

func open(path string, faults *errs.Faults) (*File, error) {
	p, err := openPart(path, faults)
	if err != nil {
		return nil, err
	}
	f := &File{path: path}
	if f.parts, err = siblings(path, p, faults); err != nil {
		f.Close()
		return nil, err
	}
	if err := f.join(faults); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// join lists the tensors of all parts.
func (f *File) join(faults *errs.Faults) error {
	f.byName = make(map[string]int, len(f.parts[0].tensors))
	for i, p := range f.parts {
		for _, t := range p.tensors {
			t.Part = i
			if j, twice := f.byName[t.Name]; twice && f.tensors[j].Part != i {
				err := fail(CodeDuplicateName, t.field, "part %d has a tensor of this name too", f.tensors[j].Part+1).In(p.m.Path()).On(t.Name)
				if err := faults.Add(err); err != nil {
					return err
				}
			}
			f.byName[t.Name] = len(f.tensors)
			f.tensors = append(f.tensors, t)
		}
	}
	return nil
}

func (f *File) first() *part { return f.parts[0] }

// Path returns the path as it was opened.
func (f *File) Path() string { return f.path }

// Paths returns the files of the model, in order.
func (f *File) Paths() []string {
	var paths []string
	for _, p := range f.parts {
		paths = append(paths, p.m.Path())
	}
	return paths
}

// Size returns the length of the file, of a split model that of all parts.
func (f *File) Size() int64 {
	var n int64
	for _, p := range f.parts {
		n += p.m.Size()
	}
	return n
}

// Version returns the version of the format, 2 or 3.
func (f *File) Version() int { return int(f.first().version) }

// BigEndian reports whether the numbers in the file are big endian.
func (f *File) BigEndian() bool { return f.first().big }

// Alignment returns the alignment of the tensors in the file.
func (f *File) Alignment() int64 { return f.first().alignment }

// Tensors lists the tensors in the order of the table, part after part.
func (f *File) Tensors() []Info { return append([]Info(nil), f.tensors...) }

// Info finds a tensor's row in the table.
func (f *File) Info(name string) (Info, error) {
	i, ok := f.byName[name]
	if !ok {
		return Info{}, errs.New(CodeMissingTensor, "no tensor of this name (%d others)", len(f.tensors)).In(f.path).On(name).
			Hint("list the names with: skainet inspect FILE")
	}
	return f.tensors[i], nil
}

// Tensor returns the bytes of a tensor, little endian where the elements are
// dense: a window of the mapping, but for such elements of a big-endian file a
// buffer that decodes them as they are read.
func (f *File) Tensor(name string) (tensor.Buffer, error) {
	t, err := f.Info(name)
	if err != nil {
		return nil, err
	}
	w := f.parts[t.Part].m.Window(t.Offset, t.Bytes)
	if t.swap > 1 {
		return &swapped{w, t.swap}, nil
	}
	return w, nil
}

// Place returns the file and the offset of the bytes that Tensor returns. Dense
// elements of a big-endian file have no place, since they are decoded.
func (f *File) Place(name string) (path string, offset int64, err error) {
	t, err := f.Info(name)
	if err != nil {
		return "", 0, err
	}
	path = f.parts[t.Part].m.Path()
	if t.swap > 1 {
		return "", 0, fail(CodeBigEndian, t.Offset, "the elements are big endian").In(path).On(name).
			Hint("read the tensor's buffer, which is little endian")
	}
	return path, t.Offset, nil
}

// Index returns what a model is built from. Scalars are the integers and bools of
// the metadata (1 for true), and Lists the numbers of its short arrays but for the
// tokenizer's; Metadata holds the rest, as Value.Summary prints it, and the arrays too.
func (f *File) Index() *tensor.Index {
	x := &tensor.Index{Format: Format, Metadata: map[string]string{}, Scalars: map[string]int64{}}
	for _, v := range f.first().values {
		if n, err := v.Int(); err == nil {
			x.Scalars[v.key] = n
			continue
		}
		if b, err := v.Bool(); err == nil {
			x.Scalars[v.key] = 0
			if b {
				x.Scalars[v.key] = 1
			}
			continue
		}
		s, err := v.Summary()
		if err != nil { // the file was closed or cut short
			s = "unreadable: " + string(errs.CodeOf(err))
		}
		x.Metadata[v.key] = s
	}
	for _, v := range f.first().values {
		if list := v.layers(); list != nil {
			if x.Lists == nil {
				x.Lists = map[string][]float64{}
			}
			x.Lists[v.key] = list
		}
	}
	for _, t := range f.tensors {
		x.Tensors = append(x.Tensors, t.Spec)
	}
	return x
}

// Close closes the file, or all parts. Windows that are in use stay until they
// are closed.
func (f *File) Close() error {
	var first error
	for _, p := range f.parts {
		if err := p.m.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
