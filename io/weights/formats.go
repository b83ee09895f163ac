package weights

import (
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// GGUF returns the file of a model in format gguf, else nil.
func (f *File) GGUF() *gguf.File {
	if p, ok := f.source.(pairs); ok {
		return p.File
	}
	return nil
}

// CTranslate2 returns the file of a model in format ctranslate2, else nil.
func (f *File) CTranslate2() *ctranslate2.File {
	c, _ := f.source.(*ctranslate2.File)
	return c
}

// Archives returns the archives of a file of format irpa, several for a set of
// shards; none for any other format.
func (f *File) Archives() []*irpa.File {
	if s, ok := f.source.(*irpa.Set); ok {
		return s.Files()
	}
	return nil
}

// Splat returns the pattern that a tensor of an archive repeats, nil for a tensor
// whose bytes are stored.
func (f *File) Splat(name string) []byte {
	for _, a := range f.Archives() {
		if e, ok := a.Entry(name); ok {
			return e.Pattern
		}
	}
	return nil
}

// verifyArchive checks an archive, or all of a set.
func verifyArchive(path string) ([]error, error) {
	faults, err := irpa.Verify(path)
	if err != nil {
		return nil, err
	}
	paths, err := irpa.Shards(path)
	if err != nil {
		return append(faults, err), nil
	}
	for _, other := range paths {
		if other == path {
			continue
		}
		more, err := irpa.Verify(other)
		if err != nil {
			more = []error{err} // that shard is at fault, not the command line
		}
		faults = append(faults, more...)
	}
	if len(faults) == 0 {
		set, err := irpa.OpenSet(path)
		if err != nil {
			return []error{err}, nil //nolint:nilerr // a fault of the file: shards that do not belong together
		}
		return nil, set.Close()
	}
	return faults[:min(len(faults), filemap.MaxFaults)], nil
}
