package cli

import (
	"cmp"
	"encoding/hex"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// listing is what inspect shows of a file; its JSON form is stable.
type listing struct {
	Format    string            `json:"format"`
	Size      int64             `json:"size"`
	Metadata  []setting         `json:"metadata,omitempty"`
	Scalars   map[string]int64  `json:"scalars,omitempty"`
	Aliases   map[string]string `json:"aliases,omitempty"`
	Encodings []share           `json:"encodings,omitempty"` // where the file stores types
	Tensors   []row             `json:"tensors"`
}

// row is a tensor, or an entry of an archive, which has a kind and, where the
// archive says nothing of it, no type and no shape.
type row struct {
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

// share is what the tensors of one encoding, or of one element type among the
// dense ones, add up to.
type share struct {
	Encoding string `json:"encoding"`
	DType    string `json:"dtype,omitempty"`
	Tensors  int    `json:"tensors"`
	Elements int64  `json:"elements,omitempty"`
	Bytes    int64  `json:"bytes"`
}

// list returns what inspect shows of w, of the tensors only those that only takes.
func list(w *weights.File, only names) (*listing, error) {
	l := &listing{Format: w.Format(), Size: w.Size(), Tensors: []row{}}
	x, err := w.Index()
	switch {
	case err == nil:
		err = l.index(w, x, only)
	case w.Archive() != nil:
		err = nil
		for _, e := range w.Archive().Entries() {
			l.add(entryRow(e), only)
		}
	}
	if err != nil {
		return nil, err
	}
	l.Metadata = settings(w)
	l.Encodings = shares(l.Tensors)
	return l, nil
}

// index takes the tensors of a file that stores types.
func (l *listing) index(w *weights.File, x *tensor.Index, only names) error {
	l.Aliases = x.Aliases
	if !w.HasTypedSettings() {
		l.Scalars = x.Scalars
	}
	for _, t := range x.Tensors {
		r := row{Name: t.Name}
		if a := w.Archive(); a != nil {
			e, _ := a.Entry(t.Name)
			r = entryRow(e)
		} else {
			path, at, err := w.Place(t.Name)
			if err != nil && errs.CodeOf(err) != gguf.CodeBigEndian { // which is decoded as it is read
				return err
			}
			if path != "" { // a pattern lies nowhere
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
		l.add(r, only)
	}
	return nil
}

func (l *listing) add(r row, only names) {
	if only.match(r.Name) {
		l.Tensors = append(l.Tensors, r)
	}
}

func entryRow(e irpa.Entry) row {
	r := row{Name: e.Name, Kind: e.Type.String(), Bytes: e.Length, Path: e.Path, Pattern: hex.EncodeToString(e.Pattern)}
	if e.Type != irpa.Splat {
		r.Offset = &e.Offset
	}
	return r
}

// shares adds tensors up by encoding, the largest first; none for an archive
// that stores no type at all.
func shares(rows []row) []share {
	if !slices.ContainsFunc(rows, func(r row) bool { return r.DType != "" }) {
		return nil
	}
	type key struct{ encoding, dtype string }
	at := map[key]int{}
	var list []share
	for _, r := range rows {
		k := key{r.Encoding, r.DType}
		if r.DType == "" {
			k.encoding = "unknown"
		}
		i, ok := at[k]
		if !ok {
			i = len(list)
			at[k] = i
			list = append(list, share{Encoding: k.encoding, DType: k.dtype})
		}
		list[i].Tensors++
		list[i].Elements = sum(list[i].Elements, r.elements)
		list[i].Bytes = sum(list[i].Bytes, r.Bytes)
	}
	slices.SortFunc(list, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Encoding, b.Encoding), cmp.Compare(a.DType, b.DType))
	})
	return list
}

// name is how a share is called in a table: a dense one by its element type.
func (s share) name() string {
	if s.Encoding == quant.Dense.String() {
		return s.DType
	}
	return s.Encoding
}
