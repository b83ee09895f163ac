package fromonnx

import (
	"errors"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// blame is what an error says of sizes: names in those that it speaks of, and pairs that
// differ, of which it may be about one.
type blame struct {
	names    []string
	likely   int // so many names, the first ones, are those of formulas
	pairs    [][2]shape.Dim
	said     [2]shape.Dim // the pair that it is about
	elements bool         // whether it is about numbers of elements
}

// add adds the names of a size.
func (b *blame) add(d shape.Dim) {
	for _, name := range d.Names() {
		if !slices.Contains(b.names, name) {
			b.names = append(b.names, name)
		}
	}
}

// blamed returns what an error says of sizes, or nil.
func (s *session) blamed(err error) *blame {
	for ; err != nil; err = errors.Unwrap(err) {
		if known, ok := err.(*errs.Error); ok { //nolint:errorlint // each error of the chain by itself
			if b := s.blames[known]; b != nil {
				return b
			}
		}
	}
	return nil
}

// disputed returns the sizes about which an error of shape inference may be.
func (e *env) disputed(err *errs.Error, n *onnx.Node) *blame {
	b := &blame{elements: err.Do == op.MakeElementsEqual}
	var seen []shape.Shape
	for _, name := range n.Inputs {
		if v := e.find(name); v != nil {
			seen = append(seen, dims(v))
		}
	}
	for i, s := range seen {
		for _, o := range seen[:i] {
			for k := range min(len(s), len(o)) {
				x, y := o[len(o)-1-k], s[len(s)-1-k]
				if !x.Same(y) && !(x.IsStatic() && y.IsStatic()) && x != shape.N(1) && y != shape.N(1) {
					b.pairs = append(b.pairs, [2]shape.Dim{x, y})
					if err.Do == op.MakeEqual(x, y) || err.Do == op.MakeEqual(y, x) {
						b.said = [2]shape.Dim{x, y}
					}
					b.add(x)
					b.add(y)
				}
			}
		}
	}
	for _, plain := range []bool{false, true} {
		for _, s := range seen {
			for _, d := range slices.Backward(s) {
				if d.IsName() == plain {
					b.add(d)
				}
			}
		}
		if !plain {
			b.likely = len(b.names)
		}
	}
	return b
}

// undecidedBy notes that an error of the op package, or of what a node may take, is about the
// sizes of its operands: a Squeeze of all sizes of 1 leaves other ranks where one is open.
func (e *env) undecidedBy(err *errs.Error, n *onnx.Node) {
	if err.Code == op.CodeShape || err.Code == op.CodeAttribute || err.Code == CodeNode && !e.sizeless[err] {
		e.blames[err] = e.disputed(err, n)
	}
}
