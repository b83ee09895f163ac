package irpa

import (
	"errors"
	"path/filepath"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
)

// others are the files that external entries named, each opened once.
type others struct {
	anyPath bool

	mu     sync.Mutex
	files  map[string]*filemap.File
	closed bool
}

func (o *others) open(path string) (*filemap.File, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, errs.New(tensor.CodeClosed, "the archive was closed").Hint("keep the file open while its tensors are used")
	}
	if m := o.files[path]; m != nil {
		return m, nil
	}
	m, err := filemap.Open(path)
	if err != nil {
		return nil, err
	}
	if o.files == nil {
		o.files = map[string]*filemap.File{}
	}
	o.files[path] = m
	return m, nil
}

func (o *others) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	var all []error
	for _, m := range o.files {
		all = append(all, m.Close())
	}
	return errors.Join(all...)
}

// external opens the file of an external entry and checks the entry's range.
func (f *File) external(e Entry) (*filemap.File, error) {
	path := filepath.FromSlash(e.Path)
	if !f.other.anyPath && !filepath.IsLocal(path) {
		return nil, errs.New(CodeExternal, "the bytes are in another file, %q, which is not below the archive's folder", e.Path).
			In(f.Path()).On(e.Name).Hint("pack the weights into one archive with: skainet pack")
	}
	path = f.beside(e)
	m, err := f.other.open(path)
	if errs.CodeOf(err) == tensor.CodeClosed {
		return nil, errs.WithFile(err, f.Path())
	} else if err != nil {
		return nil, errs.Wrap(CodeExternal, err, "the bytes are in another file, %q", e.Path).In(f.Path()).On(e.Name).
			Hint("keep that file beside the archive, or pack the weights into one archive with: skainet pack")
	}
	if end := e.Offset + e.Length; end > m.Size() {
		return nil, fail(CodeRange, e.field+16, "the external range ends at %d, %s has %d bytes", end, path, m.Size()).
			In(f.Path()).On(e.Name)
	}
	return m, nil
}

// beside returns the path of the file in which an external entry lies.
func (f *File) beside(e Entry) string {
	path := filepath.FromSlash(e.Path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(f.Path()), path)
	}
	return path
}
