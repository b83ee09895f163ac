package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// randomCalls makes calls of operations with operands and attributes that are
// often, but not always, valid.
type randomCalls struct{ *rand.Rand }

var randomNames = []string{"n", "n", "m", "n+1", "2*n", "n*m", "n/2+1", "n+m", "2*n-1"}

func (r randomCalls) shape() shape.Shape {
	s := make(shape.Shape, r.IntN(5))
	for i := range s {
		if s[i] = shape.N(r.Int64N(5)); r.IntN(2) == 0 {
			s[i] = shape.Named(randomNames[r.IntN(len(randomNames))])
		}
	}
	return s
}

// operand returns a shape that may be compatible with base.
func (r randomCalls) operand(base shape.Shape) shape.Shape {
	switch r.IntN(7) {
	case 0:
		return r.shape()
	case 1:
		return base[max(len(base)-1, 0):]
	case 2:
		return nil
	case 3:
		s := append(shape.Shape{}, base...)
		if len(s) > 0 {
			s[r.IntN(len(s))] = shape.N(1)
		}
		return s
	}
	return base
}

func (r randomCalls) attribute(a op.Attribute, base shape.Shape) any {
	small := func() int64 { return r.Int64N(6) - 1 }
	switch a.Kind {
	case op.KindInt:
		return small()
	case op.KindInts:
		v := []int64{}
		for _, p := range r.Perm([]int{len(base), max(len(base)-2, 0), 1, r.IntN(3)}[r.IntN(4)]) {
			if a.Name != "permutation" && r.IntN(2) == 0 {
				p = int(small())
			}
			v = append(v, int64(p))
		}
		return v
	case op.KindFloat:
		return float64(small())
	case op.KindBool:
		return r.IntN(2) == 0
	case op.KindString:
		words := []string{op.Reflect, op.Edge, op.Wrap, op.Symmetric, op.LT, op.ScatterAdd, op.Linear, op.Cubic, op.CRD}
		return words[r.IntN(len(words))]
	case op.KindDType:
		return dtype.F32
	case op.KindType:
		return tensor.Type{DType: dtype.I32, Shape: r.shape()}
	case op.KindDims:
		if r.IntN(4) == 0 {
			return r.shape()
		}
		s := append(shape.Shape{}, base...)
		for i := range s {
			if r.IntN(4) == 0 {
				s[i] = shape.N(int64(r.IntN(2)))
			}
		}
		return s
	}
	return nil
}

// call makes operands and attributes; the first argument of the block declares the
// names.
func (r randomCalls) call(o *op.Op) (*dag.Block, op.Attrs) {
	b, attrs, base := &dag.Block{}, op.Attrs{}, r.shape()
	b.AddArg(tensor.Type{DType: dtype.Bool, Shape: shape.Shape{shape.Named("n"), shape.Named("m")}})
	for _, p := range o.Operands {
		d := dtype.F32
		for _, other := range []dtype.DType{dtype.I32, dtype.Bool} {
			if !p.Class.Has(d) {
				d = other
			}
		}
		count := 1
		if p.Variadic {
			count = r.IntN(4)
		}
		for range count {
			b.AddArg(tensor.Type{DType: d, Shape: r.operand(base)})
		}
	}
	for _, a := range o.Attributes {
		if a.Default == nil || r.IntN(3) == 0 {
			attrs[a.Name] = r.attribute(a, base)
		}
	}
	return b, attrs
}

// argument holds integers, so that sums in any order are exact.
func (r randomCalls) argument(t *testing.T, typ tensor.Type) tensor.Value {
	a := zeros(typ)
	switch v := a.data.(type) {
	case vec[float32]:
		for i := range v {
			v[i] = float32(r.IntN(7) - 2)
		}
	case vec[int32]:
		for i := range v {
			v[i] = int32(r.IntN(7) - 2)
		}
	case vec[boolean]:
		for i := range v {
			v[i] = boolean(r.IntN(2))
		}
	default:
		t.Fatal(typ)
	}
	return a.value()
}

// Random calls of every operation with named sizes: what the shape rules accept, a call
// computes, for any sizes; and its types and elements are those of the same node built
// with static sizes. Sums are of integers; values computed from their quotients may
// differ in the last places, where a cumulative product or a mean is computed in
// another way.
func TestRandomDynamicCalls(t *testing.T) {
	const seed = 20
	t.Logf("seed %d", seed)
	r := randomCalls{rand.New(rand.NewPCG(seed, 1))}
	ran := map[string]int{}
	all := op.All()
	for i := range 60000 {
		o := all[r.IntN(len(all))]
		if o.Family == op.Control || o.Name == "state" || o.Name == "parameter" || ran[o.Name] == 10 {
			continue
		}
		b, attrs := r.call(o)
		n, err := b.Add(o.Name, "random", attrs, b.Args[1:]...)
		if err != nil || len(n.Outputs) == 0 {
			continue
		}
		b.Results = n.Outputs
		sizes := map[string]int64{"n": 1 + r.Int64N(4), "m": 1 + r.Int64N(4)}
		what := fmt.Sprintf("%d: %s %v of %v for %v", i, o.Name, attrs, n.Inputs, sizes)
		g := graphOf(b)
		require.NoError(t, dag.Verify(g), what)
		fixed := &dag.Block{}
		var args []tensor.Value
		for _, v := range b.Args {
			s, err := v.Type.Shape.Bind(sizes)
			require.NoError(t, err, what)
			args = append(args, r.argument(t, tensor.Type{DType: v.Type.DType, Shape: s}))
			fixed.AddArg(args[len(args)-1].Type)
		}
		got, err := load(t, g, noParams).Call(context.Background(), "main", args...)
		require.NoError(t, err, what)
		m, err := fixed.Add(o.Name, "random", bound(t, attrs, sizes), fixed.Args[1:]...)
		if o.Name == "reduce_variance" && err != nil {
			continue // a correction larger than the number of elements, as its doc says
		}
		require.NoError(t, err, what)
		fixed.Results = m.Outputs
		want, err := load(t, graphOf(fixed), noParams).Call(context.Background(), "main", args...)
		require.NoError(t, err, what)
		for j := range want {
			requireClose(t, want[j], got[j], 4, 1e-6)
		}
		ran[o.Name]++
	}
	total := 0
	for _, n := range ran {
		total += n
	}
	t.Logf("%d calls of %d operations", total, len(ran))
	require.Greater(t, len(ran), 120)
	require.Greater(t, total, 1000)
}

// bound returns attributes with sizes in place of names.
func bound(t *testing.T, attrs op.Attrs, sizes map[string]int64) op.Attrs {
	out := op.Attrs{}
	for name, v := range attrs {
		switch v := v.(type) {
		case shape.Shape:
			s, err := v.Bind(sizes)
			require.NoError(t, err)
			out[name] = s
		case tensor.Type:
			s, err := v.Shape.Bind(sizes)
			require.NoError(t, err)
			out[name] = tensor.Type{DType: v.DType, Shape: s}
		default:
			out[name] = v
		}
	}
	return out
}
