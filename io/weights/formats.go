package weights

import (
	"github.com/skainet-dev/skainet-go/internal/filemap"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// GGUF gives the file of a model in format gguf, else nil.
func (f *File) GGUF() *gguf.File {
	if p, ok := f.source.(pairs); ok {
		return p.File
	}
	return nil
}

// openArchive opens an archive, or all of a set of shards.
func openArchive(path string) (*irpa.Set, error) { return irpa.OpenSet(path) }

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
