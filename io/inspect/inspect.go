// Package inspect says what a weight file or a parameter archive holds: its settings,
// its tensors with their places, and what the encodings take of it.
//
// # Errors
//
// Those of the file's format. A setting that cannot be read is not one: its value says
// so.
//
// # Determinism
//
// The listing depends on the file alone; what is listed has the order of the file, and
// encodings come by size.
package inspect

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Listing is what a file holds; its JSON form is stable.
type Listing struct {
	Format    string            `json:"format"`
	Size      int64             `json:"size"`
	Metadata  []Setting         `json:"metadata,omitempty"`
	Scalars   map[string]int64  `json:"scalars,omitempty"`
	Aliases   map[string]string `json:"aliases,omitempty"`
	Encodings []Share           `json:"encodings,omitempty"` // if the file stores types
	Tensors   []Tensor          `json:"tensors"`
}

// Tensor is a tensor, or an entry of an archive, which has a kind and, where the
// archive says nothing of it, no type and no shape.
type Tensor struct {
	Name     string `json:"name"`
	Kind     string `json:"kind,omitempty"`
	DType    string `json:"dtype,omitempty"`
	Shape    string `json:"shape,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Bytes    int64  `json:"bytes"`
	Offset   *int64 `json:"offset,omitempty"` // in the file, or in Path
	Pattern  string `json:"pattern,omitempty"`
	Path     string `json:"path,omitempty"` // of another file that holds the bytes
	elements int64
}

// Share is what the tensors of one encoding, or of one element type among the
// dense ones, add up to.
type Share struct {
	Encoding string `json:"encoding"`
	DType    string `json:"dtype,omitempty"`
	Tensors  int    `json:"tensors"`
	Elements int64  `json:"elements,omitempty"`
	Bytes    int64  `json:"bytes"`
}

// Of returns the listing of w, of the tensors only those whose names keep takes.
func Of(w *weights.File, keep func(name string) bool) (*Listing, error) {
	l := &Listing{Format: w.Format(), Size: w.Size(), Tensors: []Tensor{}}
	x, err := w.Index()
	switch {
	case err == nil:
		err = l.index(w, x, keep)
	case w.Archive() != nil:
		err = nil
		for _, e := range w.Archive().Entries() {
			l.add(entryRow(e), keep)
		}
	}
	if err != nil {
		return nil, err
	}
	l.Metadata = Settings(w)
	l.Encodings = shares(l.Tensors)
	return l, nil
}

// index adds the tensors of a file that stores types.
func (l *Listing) index(w *weights.File, x *tensor.Index, keep func(name string) bool) error {
	l.Aliases = x.Aliases
	if !w.HasTypedSettings() {
		l.Scalars = x.Scalars
	}
	for _, t := range x.Tensors {
		r := Tensor{Name: t.Name}
		if a := w.Archive(); a != nil {
			e, _ := a.Entry(t.Name)
			r = entryRow(e)
		} else {
			path, at, err := w.Place(t.Name)
			if err != nil && errs.CodeOf(err) != gguf.CodeBigEndian { // big-endian tensors are decoded as they are read
				return err
			}
			if path != "" { // a pattern has no offset
				r.Offset = &at
			}
			if path != w.Path() {
				r.Path = path
			}
		}
		r.DType, r.Shape, r.Encoding, r.Bytes = t.DType.String(), t.Shape.String(), t.Encoding.String(), t.Bytes
		var err error
		if r.elements, err = t.Shape.Elements(); err != nil {
			return err
		}
		l.add(r, keep)
	}
	return nil
}

func (l *Listing) add(r Tensor, keep func(name string) bool) {
	if keep(r.Name) {
		l.Tensors = append(l.Tensors, r)
	}
}

func entryRow(e irpa.Entry) Tensor {
	r := Tensor{Name: e.Name, Kind: e.Type.String(), Bytes: e.Length, Path: e.Path, Pattern: hex.EncodeToString(e.Pattern)}
	if e.Type != irpa.Splat {
		r.Offset = &e.Offset
	}
	return r
}

// shares returns the totals by encoding, the largest first; none for an
// archive that stores no types.
func shares(rows []Tensor) []Share {
	if !slices.ContainsFunc(rows, func(r Tensor) bool { return r.DType != "" }) {
		return nil
	}
	type key struct{ encoding, dtype string }
	at := map[key]int{}
	var list []Share
	for _, r := range rows {
		k := key{r.Encoding, r.DType}
		if r.DType == "" {
			k.encoding = "unknown"
		}
		i, ok := at[k]
		if !ok {
			i = len(list)
			at[k] = i
			list = append(list, Share{Encoding: k.encoding, DType: k.dtype})
		}
		list[i].Tensors++
		list[i].Elements = sum(list[i].Elements, r.elements)
		list[i].Bytes = sum(list[i].Bytes, r.Bytes)
	}
	slices.SortFunc(list, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Encoding, b.Encoding), cmp.Compare(a.DType, b.DType))
	})
	return list
}

// Name returns the encoding, or the element type of dense tensors.
func (s Share) Name() string {
	if s.Encoding == quant.Dense.String() {
		return s.DType
	}
	return s.Encoding
}

// Bytes returns what the listed tensors take together; at most 2^63-1, since an archive
// may claim as it likes for what it does not hold.
func (l *Listing) Bytes() (total int64) {
	for _, r := range l.Tensors {
		total = sum(total, r.Bytes)
	}
	return total
}

func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
