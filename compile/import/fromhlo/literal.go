package fromhlo

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// constantOf returns a constant of the text at a position, or the parameter that it becomes.
func (im *importer) constantOf(a verify.Attr, stated verify.TreeType, pos int) *dag.Value {
	t := im.typeOf(stated)
	if a.Kind != verify.AttrDense && a.Kind != verify.AttrResource {
		im.refuse(constants.CodeConstant, "write dense<..>", "a constant without dense<..>")
	}
	word, ok, err := constants.Splat(im.tree, a, t.DType)
	if im.require(err); ok {
		return im.uniform(t, word)
	}
	if n, err := t.Bytes(); err == nil && im.o.Inline >= 0 && n > im.o.Inline && !keeps(t) {
		return im.parameter(im.keys[pos], a, t) // whatever the values are: others give the same graph
	}
	v := im.listed(a, t)
	if x, ok := same(v); ok {
		return im.uniform(t, x)
	}
	out := im.add("constant", op.Attrs{"value": v})
	im.known(out, wholes(v))
	return out
}

// keeps reports whether a constant stays in the graph whatever its size: integers that sizes
// and places may depend on, and bools, which archives do not hold.
func keeps(t tensor.Type) bool {
	n, err := t.Shape.Elements()
	return t.DType == dtype.Bool || !t.DType.IsFloat() && err == nil && n <= maxNumbers
}

// require ends the conversion with an error of reading a constant.
func (im *importer) require(err error) {
	if err != nil {
		panic(refusal{errs.WithFile(err, im.o.File)})
	}
}

// listed returns the elements of a constant that lists them.
func (im *importer) listed(a verify.Attr, t tensor.Type) tensor.Value {
	v, err := constants.Value(im.tree, a, t)
	im.require(err)
	return v
}

// parameter returns the parameter that a large constant becomes.
func (im *importer) parameter(key string, a verify.Attr, t tensor.Type) *dag.Value {
	if had, ok := im.given[key]; !ok {
		im.given[key] = t
		if a.Kind == verify.AttrResource {
			im.listed(a, t) // it must be there
		}
		im.constants = append(im.constants, Constant{key, t, im.tree, a})
	} else if !had.Equal(t) {
		im.refuse(constants.CodeConstant, hintForm, "the resource %s is %s and %s", key, had, t)
	}
	return im.add("parameter", op.Attrs{"type": t, "scope": "model", "key": key})
}

// uniform returns a tensor of one element, given by its bytes.
func (im *importer) uniform(t tensor.Type, word []byte) *dag.Value {
	x := []float64{0}
	if err := tensor.Float64s(t.DType, x, word); err != nil {
		im.refuse(constants.CodeConstant, hintForm, "%v", err)
	}
	if t.DType.IsInt() && t.DType.Bits() == 64 && math.Abs(x[0]) > 1<<53 { // a float64 may not hold it
		return im.spread(im.add("constant", op.Attrs{"value": tensor.Value{Type: tensor.TypeOf(t.DType), Bytes: word}}), t.Shape)
	}
	out := im.fill(t.DType, x[0], t.Shape...)
	if n, err := t.Shape.Elements(); err == nil && n <= maxNumbers && !t.DType.IsFloat() {
		im.known(out, slices.Repeat([]number{numberOf(int64(x[0]))}, int(n)))
	}
	return out
}

// same returns the only element of a tensor whose elements are all the same.
func same(v tensor.Value) ([]byte, bool) {
	size := v.Type.DType.Bits() / 8
	if len(v.Bytes) < size {
		return nil, false
	}
	return v.Bytes[:size], bytes.Equal(v.Bytes[size:], v.Bytes[:len(v.Bytes)-size])
}

// wholes returns the elements of a small integer or bool tensor as numbers.
func wholes(v tensor.Value) []number {
	n, err := v.Type.Shape.Elements()
	if err != nil || n > maxNumbers || v.Type.DType.IsFloat() {
		return nil
	}
	size := v.Type.DType.Bits() / 8
	out := make([]number, n)
	for i := range out {
		var word [8]byte
		copy(word[:], v.Bytes[i*size:(i+1)*size])
		x := int64(binary.LittleEndian.Uint64(word[:]))
		if v.Type.DType.IsSigned() {
			x = x << (64 - 8*size) >> (64 - 8*size)
		}
		out[i] = numberOf(x)
	}
	return out
}
