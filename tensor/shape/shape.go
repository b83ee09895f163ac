// Package shape describes the sizes of tensors, static or dynamic.
//
// A dynamic dimension may carry a name; two dynamic dimensions are the same
// size exactly when their names are equal and not empty. Names are sizes that a
// call gives ("batch") and what arithmetic makes of them ("past+seq"): see Named.
//
// # Errors
//
// Parse and Elements return SHAPE_BAD, SHAPE_DYNAMIC or SHAPE_OVERFLOW.
//
// # Determinism
//
// All functions are pure.
package shape

import (
	"math"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Dynamic is the Size of a dimension known only at run time.
const Dynamic = -1

// Codes of this package.
const (
	CodeBad      errs.Code = "SHAPE_BAD"
	CodeDynamic  errs.Code = "SHAPE_DYNAMIC"
	CodeOverflow errs.Code = "SHAPE_OVERFLOW"
)

// Dim is one dimension: a static Size >= 0, or Dynamic with an optional Name.
type Dim struct {
	Size int64
	Name string
}

// Shape is a list of dimensions, outermost first. A nil Shape is a scalar.
type Shape []Dim

// Of returns a static shape; a size of Dynamic is an unnamed dynamic dimension.
func Of(sizes ...int64) Shape {
	s := make(Shape, len(sizes))
	for i, n := range sizes {
		s[i].Size = n
	}
	return s
}

// Rank returns the number of dimensions.
func (s Shape) Rank() int { return len(s) }

// IsStatic reports whether every size is known.
func (s Shape) IsStatic() bool {
	for _, d := range s {
		if d.Size == Dynamic {
			return false
		}
	}
	return true
}

// Equal reports whether both shapes have the same sizes and dynamic names.
func (s Shape) Equal(o Shape) bool {
	if len(s) != len(o) {
		return false
	}
	for i := range s {
		if s[i] != o[i] {
			return false
		}
	}
	return true
}

// Sizes returns the sizes; a dynamic one is Dynamic.
func (s Shape) Sizes() []int64 {
	sizes := make([]int64, len(s))
	for i, d := range s {
		sizes[i] = d.Size
	}
	return sizes
}

// Elements returns the number of elements of a static shape. The product is
// checked: a shape whose product wraps is an error, not a small number.
func (s Shape) Elements() (int64, error) {
	n := int64(1)
	for _, d := range s {
		switch {
		case d.Size == Dynamic:
			return 0, errs.New(CodeDynamic, "shape %s has no fixed number of elements", s).
				Hint("give the dimension a size before this point")
		case d.Size < 0:
			return 0, errs.New(CodeBad, "shape %s has a negative size", s)
		case d.Size != 0 && n > math.MaxInt64/d.Size:
			return 0, errs.New(CodeOverflow, "shape %s has more than 2^63 elements", s)
		}
		n *= d.Size
	}
	return n, nil
}

// String returns "1x80x3000", "?x4", "batch?x4", or "scalar".
func (s Shape) String() string {
	if len(s) == 0 {
		return "scalar"
	}
	parts := make([]string, len(s))
	for i, d := range s {
		if d.Size == Dynamic {
			parts[i] = d.Name + "?"
		} else {
			parts[i] = strconv.FormatInt(d.Size, 10)
		}
	}
	return strings.Join(parts, "x")
}

// Parse reads what String writes.
func Parse(text string) (Shape, error) {
	if text == "scalar" {
		return Shape{}, nil
	}
	var s Shape
	for rest, more := text, true; more; {
		// A size ends at an x, a name, which may hold one, at its question mark.
		part, after, found := strings.Cut(rest, "x")
		n, err := strconv.ParseInt(part, 10, 64)
		if err == nil && n >= 0 {
			s, rest, more = append(s, Dim{Size: n}), after, found
			continue
		}
		name, after, isName := strings.Cut(rest, "?")
		d, ok := readName(name)
		if rest, more = strings.CutPrefix(after, "x"); !isName || !ok || !more && after != "" {
			return nil, errs.New(CodeBad, "%q is not a valid dimension of the shape %q", part, text).
				Hint("write sizes separated by x, such as 1x80x3000 or ?x4")
		}
		s = append(s, d)
	}
	return s, nil
}

// readName reads the name of a dynamic dimension, which may be empty.
func readName(name string) (Dim, bool) {
	if name == "" {
		return Dim{Size: Dynamic}, true
	}
	d := Named(name)
	return d, d.Size == Dynamic && d.Name != ""
}

// MarshalJSON returns a list of numbers, with "?" or "name?" for a dynamic one.
func (s Shape) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, d := range s {
		if i > 0 {
			b = append(b, ',')
		}
		if d.Size == Dynamic {
			b = strconv.AppendQuote(b, d.Name+"?")
		} else {
			b = strconv.AppendInt(b, d.Size, 10)
		}
	}
	return append(b, ']'), nil
}
