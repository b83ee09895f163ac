package irpa

import (
	"errors"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Set is a set of archives that are read as one.
type Set struct {
	files  []*File
	byName map[string]*File
	index  *tensor.Index
}

// OpenSet opens all shards of a set, from the path of any of them. A file that
// is not named like a shard is a set of one.
func OpenSet(path string) (*Set, error) {
	paths, err := Shards(path)
	if err != nil {
		return nil, err
	}
	s := &Set{byName: map[string]*File{}}
	for _, path := range paths {
		f, err := Open(path)
		if err == nil {
			s.files = append(s.files, f)
			err = s.add(f)
		}
		if err != nil {
			s.Close()
			return nil, err
		}
	}
	s.index = index(s.Entries())
	return s, nil
}

func (s *Set) add(f *File) error {
	for _, e := range f.a.entries {
		if o := s.byName[e.Name]; o != nil {
			return errs.New(CodeDuplicate, "%s has an entry of this name too", o.Path()).In(f.Path()).On(e.Name).
				Hint("the files do not belong together; write them again")
		}
		s.byName[e.Name] = f
	}
	return nil
}

// Files lists the archives in order.
func (s *Set) Files() []*File { return s.files }

// Paths returns the archives in order, each followed by the other files in which its
// parameters lie.
func (s *Set) Paths() []string {
	var paths []string
	for _, f := range s.files {
		paths = append(paths, f.Path())
		for _, e := range f.a.entries {
			if e.Path != "" {
				paths = append(paths, f.beside(e))
			}
		}
	}
	return paths
}

// Entries lists the parameters of all archives in order.
func (s *Set) Entries() []Entry {
	var all []Entry
	for _, f := range s.files {
		all = append(all, f.a.entries...)
	}
	return all
}

// Index returns the index of a set whose entries all say what they are, nil for
// any other. The caller must not change it.
func (s *Set) Index() *tensor.Index { return s.index }

// Tensor returns the bytes of a parameter, as File's does.
func (s *Set) Tensor(name string) (tensor.Buffer, error) { return s.of(name).Tensor(name) }

// Place returns the place of a parameter, as File's does.
func (s *Set) Place(name string) (path string, offset int64, err error) {
	return s.of(name).Place(name)
}

// of returns the archive with a parameter, or the first one, whose lookup will fail.
func (s *Set) of(name string) *File {
	if f := s.byName[name]; f != nil {
		return f
	}
	return s.files[0]
}

// Path returns the path of the first archive.
func (s *Set) Path() string { return s.files[0].Path() }

// Size returns the length of all archives together.
func (s *Set) Size() (n int64) {
	for _, f := range s.files {
		n += f.Size()
	}
	return n
}

// Close closes all archives.
func (s *Set) Close() error {
	var all []error
	for _, f := range s.files {
		all = append(all, f.Close())
	}
	return errors.Join(all...)
}
