package weights

import "slices"

// Reads returns the files that are read with the file: itself, the other shards of its
// set, and those in which its tensors lie.
func (f *File) Reads() []string {
	all := []string{f.path}
	if s, ok := f.source.(interface{ Paths() []string }); ok {
		all = append(all, s.Paths()...)
	}
	return all
}

// Reads returns the files at paths, and what is read with each of them that is a weight
// file. No output of a command that reads them may replace any.
func Reads(paths ...string) []string {
	all := slices.Clone(paths)
	for _, path := range paths {
		if path == "" {
			continue
		}
		f, err := Open(path)
		if err != nil {
			continue // the command says what is wrong with it
		}
		all = append(all, f.Reads()...)
		f.Close()
	}
	return all
}
