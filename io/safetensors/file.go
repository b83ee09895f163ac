package safetensors

import (
	"path/filepath"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
)

// File is an open file, or an open set.
type File struct {
	path     string
	index    int64 // length of the index; 0 for a single file
	shards   []*shard
	metadata map[string]string
	tensors  []Info
	byName   map[string]int
}

// shard is a mapped file.
type shard struct {
	m *filemap.File
	*header
}

// Open maps and checks the file at path, or the index at path and all shards
// that it names. Tensor data is not read.
func Open(path string) (*File, error) {
	f, err := open(path, new(errs.Faults), false)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Verify lists what is wrong with the file at path, or with the index at path
// and its shards: every fault for which Open would refuse it, and element types
// that are not known, which Open lets pass. The error is that of a file that
// cannot be opened.
func Verify(path string) ([]error, error) {
	faults := errs.Gather(filemap.MaxFaults)
	f, err := open(path, faults, true)
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

// either is the content of a file: a single file or an index.
type either struct {
	single *header
	set    *weightMap
}

func open(path string, faults *errs.Faults, verify bool) (*File, error) {
	m, e, err := filemap.Parse(path, func(b []byte) (e either, err error) {
		if isIndex(b) {
			e.set, err = parseIndex(b, faults)
		} else {
			e.single, err = parseHeader(b, faults, verify)
		}
		return e, err
	})
	named(faults, path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path}
	if e.single != nil {
		f.shards = []*shard{{m, e.single}}
		f.metadata = e.single.metadata
		f.list()
		return f, nil
	}
	f.index = m.Size()
	err = m.Close() // nothing of the text is needed any more
	if err == nil {
		err = f.join(e.set, faults, verify)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// named returns the faults that name no file yet the one they are of.
func named(faults *errs.Faults, path string) {
	for _, fault := range faults.List() {
		errs.WithFile(fault, path)
	}
}

// list gathers the tensors of all shards.
func (f *File) list() {
	n := 0
	for _, s := range f.shards {
		n += len(s.tensors)
	}
	f.byName = make(map[string]int, n)
	f.tensors = make([]Info, 0, n)
	for i, s := range f.shards {
		for _, t := range s.tensors {
			if _, twice := f.byName[t.Name]; twice {
				continue // a fault already
			}
			t.shard = i
			f.byName[t.Name] = len(f.tensors)
			f.tensors = append(f.tensors, t)
		}
	}
}

// Path returns the path as it was opened.
func (f *File) Path() string { return f.path }

// Paths returns the files that hold tensors, in order.
func (f *File) Paths() []string {
	var paths []string
	for _, s := range f.shards {
		paths = append(paths, s.m.Path())
	}
	return paths
}

// Size returns the length of the file, of a set that of the index and all shards.
func (f *File) Size() int64 {
	n := f.index
	for _, s := range f.shards {
		n += s.m.Size()
	}
	return n
}

// Metadata returns the strings of __metadata__. Those of a set are what its shards
// agree on, and the strings, numbers and bools of the index's own, which go
// first. The caller must not change it.
func (f *File) Metadata() map[string]string { return f.metadata }

// Tensors lists the tensors by their place, shard after shard.
func (f *File) Tensors() []Info { return slices.Clone(f.tensors) }

// Info finds a tensor.
func (f *File) Info(name string) (Info, error) {
	i, ok := f.byName[name]
	if !ok {
		return Info{}, errs.New(CodeMissingTensor, "no tensor of this name (%d others)", len(f.tensors)).In(f.path).On(name).
			Hint("list the names with: skainet inspect FILE")
	}
	return f.tensors[i], nil
}

// Tensor returns a window over the bytes of a tensor.
func (f *File) Tensor(name string) (tensor.Buffer, error) {
	t, err := f.Info(name)
	if err != nil {
		return nil, err
	}
	return f.shards[t.shard].m.Window(t.Offset, t.Bytes), nil
}

// Place returns the file and the offset at which the bytes of a tensor lie.
func (f *File) Place(name string) (path string, offset int64, err error) {
	t, err := f.Info(name)
	if err != nil {
		return "", 0, err
	}
	return f.shards[t.shard].m.Path(), t.Offset, nil
}

// Index returns what a model is built from.
func (f *File) Index() *tensor.Index {
	x := &tensor.Index{Format: Format, Metadata: f.metadata, Tensors: []tensor.Spec{}}
	for _, t := range f.tensors {
		x.Tensors = append(x.Tensors, t.Spec)
	}
	return x
}

// Close closes all files. Windows that are in use stay until they are closed.
func (f *File) Close() error {
	var first error
	for _, s := range f.shards {
		if err := s.m.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// beside returns the path of a shard.
func (f *File) beside(name string) string { return filepath.Join(filepath.Dir(f.path), name) }
