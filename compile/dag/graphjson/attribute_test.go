package graphjson

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Each kind of the table has a representation here: a kind that is added there fails
// this test until it has one.
func TestEveryKindHasAForm(t *testing.T) {
	examples := map[op.Kind][]any{
		op.KindInt:    {int64(0), int64(math.MinInt64), int64(math.MaxInt64)},
		op.KindInts:   {[]int64{}, []int64{-1, math.MaxInt64}},
		op.KindFloat:  {0.1, math.MaxFloat64, 5e-324, math.Inf(1), -3.0},
		op.KindBool:   {true, false},
		op.KindString: {"", "a\u2028\"\x00"},
		op.KindDType:  {dtype.BF16, dtype.U4},
		op.KindValue:  {tensor.Value{Type: tensor.TypeOf(dtype.I4, 3), Bytes: []byte{0x21, 0x03}}, tensor.Value{Type: tensor.TypeOf(dtype.F32, 0), Bytes: []byte{}}},
		op.KindType:   {tensor.TypeOf(dtype.F16, 2, 0)},
		op.KindDims:   {[]int64{2, 0}, shape.Shape{shape.Named("past+seq"), shape.N(4)}},
	}
	for k, list := range examples {
		for _, v := range list {
			raw, err := encode(v)
			require.NoError(t, err)
			got, err := decode(k, place{raw: raw}, "a", "p")
			require.NoError(t, err)
			if diff := cmp.Diff(v, got); diff != "" {
				t.Error(k, diff)
			}
		}
	}
	for _, o := range op.All() {
		for _, a := range o.Attributes {
			require.NotEmpty(t, examples[a.Kind], "%s.%s is %s, which has no example", o.Name, a.Name, a.Kind)
		}
	}
	_, err := decode(op.Kind(200), place{}, "a", "p")
	require.Equal(t, CodeAttribute, errs.CodeOf(err))
	require.Contains(t, err.Error(), "kind 200")
}

// Shape rules of the table do not panic as far as we know; one that does is an
// error of the document's reader.
func TestPanicOfAShapeRule(t *testing.T) {
	doc := `{"schema":1,"name":"m","states":[],"functions":[{"name":"f","entry":true,"args":[{"name":"x","id":0,"dtype":"f32","shape":[]}],` +
		`"nodes":[{"op":"exp","path":"here","inputs":[0],"outputs":[{"id":1}]}],"results":[],"writes":[]}]}`
	_, err := parse([]byte(doc), func(*dag.Block, dag.Origin, string, op.Attrs, ...*dag.Value) (*dag.Node, error) {
		panic("out of range")
	})
	require.Equal(t, CodeRule, errs.CodeOf(err))
	require.ErrorContains(t, err, fmt.Sprintf("byte %d: here: the shape rule of exp failed: out of range", strings.Index(doc, `{"op"`)))
	_, err = parse([]byte(doc), (*dag.Block).AddAt)
	require.NoError(t, err)
}
