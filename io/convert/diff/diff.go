// Package diff compares two weight files: their names, the types of their
// tensors, and how far apart the values are.
//
// Tensors with the same name are compared. If their shapes are equal, their
// values are compared as f64, whatever the storage of either side: blocks are
// unpacked, and integers above 2^53 are rounded. Tensors with the same storage
// and the same bytes are equal without being decoded. Opaque bytes, and elements
// that are not whole bytes, are compared as bytes only.
//
// # Errors
//
// CONVERT_BAD_GLOB and CONVERT_NO_MATCH of a selection; otherwise the errors of
// reading the files.
//
// # Untrusted input
//
// A comparison holds, whatever the size of the tensors, a chunk of 2^16 elements
// of each side for each worker and one more, and what io/transform needs. Two
// splats of archives, which may claim any length in a few bytes, take the time
// of one period of their patterns: at most 16 rows, of most encodings 16 blocks.
//
// # Determinism
//
// Sums are taken over chunks of a fixed size, element after element, and then
// over the chunks in their order, so the report is the same, bit for bit, for
// any number of workers. Those of two splats are taken over one period and
// multiplied, which may round otherwise.
package diff

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/convert"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Options configures Diff.
type Options struct {
	// Select compares the tensors that match one of these globs (see convert.Rule),
	// all if there is none.
	Select []string
	// Workers is how many chunks are compared in parallel; less than 1 means
	// one per core.
	Workers int
	// Progress is called when each tensor is started, and at the end with an
	// empty name: tensors done and in all.
	Progress func(done, total int64, name string)
}

// Report is what Diff found.
type Report struct {
	OnlyA   []string `json:"only_a,omitempty"` // names, in the order of the file
	OnlyB   []string `json:"only_b,omitempty"`
	Tensors []Tensor `json:"tensors"` // those of both, in the order of a
}

// Tensor compares two tensors of one name.
type Tensor struct {
	Name  string `json:"name"`
	A     Side   `json:"a"`
	B     Side   `json:"b"`
	Equal bool   `json:"equal"` // shape, storage and bytes are
	// Distance is nil where the shapes differ or the values cannot be compared.
	Distance *Distance `json:"distance,omitempty"`
}

// Side is how one file stores a tensor.
type Side struct {
	Shape shape.Shape `json:"shape"`
	transform.Storage
	Bytes int64 `json:"bytes"`
}

// Diff compares two files.
func Diff(a, b *weights.File, o Options) (*Report, error) {
	xa, err := a.Index()
	if err != nil {
		return nil, err
	}
	xb, err := b.Index()
	if err != nil {
		return nil, err
	}
	in, err := selected(o.Select, xa, xb)
	if err != nil {
		return nil, err
	}
	other := make(map[string]tensor.Spec, len(xb.Tensors))
	for _, s := range xb.Tensors {
		other[s.Name] = s
	}
	r := &Report{Tensors: []Tensor{}}
	var both []tensor.Spec
	for _, s := range xa.Tensors {
		if _, ok := other[s.Name]; ok && in[s.Name] {
			both = append(both, s)
		} else if in[s.Name] {
			r.OnlyA = append(r.OnlyA, s.Name)
		}
		delete(in, s.Name)
	}
	for _, s := range xb.Tensors {
		if in[s.Name] {
			r.OnlyB = append(r.OnlyB, s.Name)
		}
	}
	tell := o.Progress
	if tell == nil {
		tell = func(int64, int64, string) {}
	}
	for i, s := range both {
		tell(int64(i), int64(len(both)), s.Name)
		t, err := compare(pair{sourceOf(a, s), sourceOf(b, other[s.Name]), o.Workers})
		if err != nil {
			return nil, err
		}
		r.Tensors = append(r.Tensors, t)
	}
	tell(int64(len(both)), int64(len(both)), "")
	return r, nil
}

// selected returns the names of either file that fit one of the globs.
func selected(globs []string, files ...*tensor.Index) (map[string]bool, error) {
	in := map[string]bool{}
	used := make([]bool, len(globs))
	for _, x := range files {
		for _, s := range x.Tensors {
			if len(globs) == 0 {
				in[s.Name] = true
			}
			for i, g := range globs {
				ok, err := convert.Match(g, s.Name)
				if err != nil {
					return nil, err
				}
				if ok {
					in[s.Name], used[i] = true, true
				}
			}
		}
	}
	for i, g := range globs {
		if !used[i] {
			return nil, errs.New(convert.CodeNoMatch, "no tensor of either file matches %q", g).
				Hint("list the names with: skainet inspect FILE")
		}
	}
	return in, nil
}
