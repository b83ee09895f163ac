package onnx

import (
	"bytes"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// File is an open model: the mapped file, and those of its external data.
type File struct {
	path    string
	m       *filemap.File
	data    files
	model   *Model
	tensors []*Tensor // with a key, in the order of the file
	byKey   map[string]*Tensor
}

// Open maps and checks the file at path, and all files of external data that it names.
// Tensor data is not read.
func Open(path string) (*File, error) {
	f, err := open(path, new(errs.Faults))
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Verify lists what is wrong with the file at path: every fault for which Open would
// refuse it. The error is that of a file that cannot be opened.
func Verify(path string) ([]error, error) {
	faults := errs.Gather(filemap.MaxFaults)
	f, err := open(path, faults)
	if err == nil {
		return faults.List(), f.Close()
	}
	if errs.CodeOf(err) == regular.CodeOpen {
		return nil, err
	}
	if !slices.Contains(faults.List(), err) { // cut short meanwhile
		faults.Add(err)
	}
	return faults.List(), nil
}

func open(path string, faults *errs.Faults) (*File, error) {
	in := new(contents)
	f := &File{path: path, data: files{model: path, open: map[string]*contents{}}, byKey: map[string]*Tensor{}}
	var err error
	f.m, f.model, err = filemap.Parse(path, func(b []byte) (*Model, error) { return parse(b, in, faults) })
	if err == nil {
		in.m = f.m
		err = f.list(faults)
	}
	for _, fault := range faults.List() {
		errs.WithFile(fault, path)
	}
	if err != nil {
		if f.m != nil {
			f.Close()
		}
		return nil, errs.WithFile(err, path)
	}
	return f, nil
}

// list gathers the tensors, and finds those in other files.
func (f *File) list(faults *errs.Faults) error {
	var first error
	f.model.each(func(t *Tensor) {
		if t.External != nil && t.External.Location != "" && first == nil {
			first = faults.Add(f.data.place(t))
		}
		if t.Number == typeString {
			return
		}
		f.tensors = append(f.tensors, t)
		f.byKey[t.Key] = t
	})
	return first
}

// Model returns the graph. The caller must not change it.
func (f *File) Model() *Model { return f.model }

// Path returns the path as it was opened.
func (f *File) Path() string { return f.path }

// Paths returns the file and those of its external data, sorted behind it.
func (f *File) Paths() []string {
	paths := []string{f.path}
	for _, path := range slices.Sorted(maps.Keys(f.data.open)) {
		paths = append(paths, filepath.Join(filepath.Dir(f.path), path))
	}
	return paths
}

// Size returns the length of the file and of its external data.
func (f *File) Size() int64 {
	n := f.m.Size()
	for _, c := range f.data.open {
		n += c.m.Size()
	}
	return n
}

// find finds a tensor by its key.
func (f *File) find(key string) (*Tensor, error) {
	t, ok := f.byKey[key]
	if !ok {
		return nil, errs.New(CodeMissingTensor, "no tensor of this name (%d others)", len(f.tensors)).In(f.path).On(key).
			Hint("list the names with: skainet inspect FILE")
	}
	return t, nil
}

// Tensor returns the elements of the tensor with a key: a window of the mapping where
// they lie as in memory, else a buffer that decodes them when it is read.
func (f *File) Tensor(key string) (tensor.Buffer, error) {
	t, err := f.find(key)
	if err != nil {
		return nil, err
	}
	if t.window {
		return t.in.m.Window(t.from, t.to-t.from), nil
	}
	return &decoded{Buffer: t.in.m.Window(t.At, t.length), t: t}, nil
}

// Place returns the file and the offset at which the elements of a tensor lie. The path is
// "" for elements that are decoded, which lie nowhere.
func (f *File) Place(key string) (path string, offset int64, err error) {
	t, err := f.find(key)
	if err != nil || !t.window {
		return "", 0, err
	}
	return t.in.m.Path(), t.from, nil
}

// Index returns what a model is built from, by the keys of the tensors. The metadata are
// the file's metadata_props.
func (f *File) Index() *tensor.Index {
	x := &tensor.Index{Format: Format, Metadata: f.model.Metadata, Tensors: []tensor.Spec{}}
	for _, t := range f.tensors {
		s := tensor.Spec{Name: t.Key, DType: DType(t.Number), Shape: shape.Of(t.Dims...), Encoding: quant.Dense, Bytes: t.size()}
		if !s.DType.Valid() {
			s.DType, s.Encoding = dtype.F32, quant.Opaque("onnx-"+TypeName(t.Number))
		}
		x.Tensors = append(x.Tensors, s)
	}
	return x
}

// Close closes all files. Windows that are in use stay until they are closed.
func (f *File) Close() error {
	err := f.data.close()
	if e := f.m.Close(); err == nil {
		err = e
	}
	return err
}

// decoded is a buffer of elements that do not lie as in memory, over the message of their
// tensor.
type decoded struct {
	tensor.Buffer
	t *Tensor
}

func (d *decoded) Len() int64 { return d.t.size() }

func (d *decoded) Bytes() (b []byte, err error) {
	err = d.View(func(all []byte) error { b = all; return nil })
	return b, err
}

func (d *decoded) View(f func(b []byte) error) error {
	var b []byte
	if err := d.Buffer.View(func(message []byte) (err error) { b, err = d.t.decode(message); return err }); err != nil {
		return err
	}
	return f(b)
}

func (d *decoded) Reader() (io.Reader, error) {
	b, err := d.Bytes()
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(b), nil
}
