package weights

import (
	"bytes"
	"crypto/sha256"
	"fmt"
)

// Contents returns a text for the name or alias of each tensor. Two names have the
// same text only if their tensors have the same type, shape, encoding and bytes.
//
// Bytes are read to find out: the first and the last few kB of tensors of the same
// type and shape, and all bytes of those that agree in these. One that is stored as
// a repeated pattern only equals others with that pattern.
func (f *File) Contents() (map[string]string, error) {
	x, err := f.Index()
	if err != nil {
		return nil, err
	}
	groups := map[string][]string{} // names of tensors, by what they look like
	for _, s := range x.Tensors {
		key := fmt.Sprintf("%s %s %d", s.Type(), s.Encoding, s.Bytes)
		groups[key] = append(groups[key], s.Name)
	}
	likely, err := f.split(groups, ends)
	if err != nil {
		return nil, err
	}
	equal, err := f.split(likely, func(b []byte) [sha256.Size]byte { return sha256.Sum256(b) })
	if err != nil {
		return nil, err
	}
	contents := map[string]string{}
	for key, names := range equal {
		for _, n := range names {
			contents[n] = key
		}
	}
	for name := range x.Aliases {
		s, err := x.Lookup(name)
		if err != nil {
			return nil, err
		}
		contents[name] = contents[s.Name]
	}
	return contents, nil
}

// split divides groups of more than one by a hash of the bytes.
func (f *File) split(groups map[string][]string, sum func(b []byte) [sha256.Size]byte) (map[string][]string, error) {
	out := map[string][]string{}
	for key, names := range groups {
		if len(names) == 1 {
			out[key+" "+names[0]] = names
			continue
		}
		for _, n := range names {
			if pattern := f.Splat(n); pattern != nil { // of which the bytes are not to be made
				part := fmt.Sprintf("%s splat %x", key, pattern)
				out[part] = append(out[part], n)
				continue
			}
			b, err := f.Tensor(n)
			if err != nil {
				return nil, err
			}
			part := ""
			if err := b.View(func(b []byte) error { part = fmt.Sprintf("%s %x", key, sum(b)); return nil }); err != nil {
				return nil, err
			}
			out[part] = append(out[part], n)
		}
	}
	return out, nil
}

// ends hashes the first and the last bytes.
func ends(b []byte) [sha256.Size]byte {
	const some = 4 << 10
	if len(b) <= 2*some {
		return sha256.Sum256(b)
	}
	return sha256.Sum256(append(bytes.Clone(b[:some]), b[len(b)-some:]...))
}
