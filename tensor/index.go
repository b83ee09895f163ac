package tensor

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/jsonlimit"
)

// Codes of the index.
const (
	CodeIndexBad     errs.Code = "INDEX_BAD"
	CodeIndexMissing errs.Code = "INDEX_MISSING_TENSOR"
)

// Limits on the document of an index: the number of values, some eight per tensor, and
// the depth of their nesting, of which Marshal needs 4.
const (
	MaxIndexValues  = 1 << 21
	maxIndexNesting = 16
)

// Index is what a model is built from: the names, types and encodings of the
// tensors in a weight file, and its small integers, but no weight value. Two
// files whose tensors differ only in their values have equal indexes.
type Index struct {
	Format   string            `json:"format"`             // ctranslate2, irpa, ...
	Metadata map[string]string `json:"metadata,omitempty"` // from the header
	Scalars  map[string]int64  `json:"scalars,omitempty"`  // rank-0 integers, which hold a model's settings
	// Lists are settings with a number for each layer.
	Lists   map[string][]float64 `json:"lists,omitempty"`
	Aliases map[string]string    `json:"aliases,omitempty"` // other name -> tensor name
	Tensors []Spec               `json:"tensors"`           // in file order

	byName map[string]int
}

// Lookup finds a tensor by its name or one of its aliases.
func (x *Index) Lookup(name string) (Spec, error) {
	if x.byName == nil {
		x.byName = make(map[string]int, len(x.Tensors))
		for i, t := range x.Tensors {
			x.byName[t.Name] = i
		}
	}
	if i, ok := x.byName[name]; ok {
		return x.Tensors[i], nil
	}
	if target, ok := x.Aliases[name]; ok {
		if i, ok := x.byName[target]; ok {
			return x.Tensors[i], nil
		}
	}
	return Spec{}, x.missing(name)
}

// Marshal returns the index as stable JSON with one trailing newline.
func (x *Index) Marshal() ([]byte, error) {
	b, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		return nil, errs.Wrap(CodeIndexBad, err, "cannot encode the index")
	}
	return append(b, '\n'), nil
}

// ParseIndex reads what Marshal writes and checks that names are unique.
func ParseIndex(data []byte) (*Index, error) {
	if at := jsonlimit.Exceeds(data, maxIndexNesting, MaxIndexValues); at >= 0 {
		return nil, errs.New(CodeIndexBad, "more than %d values, or nested more than %d deep", MaxIndexValues, maxIndexNesting).At(int64(at)).
			Hint("make one with: skainet inspect --index FILE")
	}
	var x Index
	if err := json.Unmarshal(data, &x); err != nil {
		return nil, errs.Wrap(CodeIndexBad, err, "not a weights index").Hint("make one with: skainet inspect --index FILE")
	}
	names := make([]string, len(x.Tensors))
	for i, t := range x.Tensors {
		names[i] = t.Name
		if !t.DType.Valid() || t.Bytes < 0 {
			return nil, errs.New(CodeIndexBad, "tensor has element type %s and %d bytes", t.DType, t.Bytes).On(fmt.Sprintf("tensors[%d]", i))
		}
	}
	sort.Strings(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return nil, errs.New(CodeIndexBad, "two tensors have the same name").On(names[i])
		}
	}
	return &x, nil
}
