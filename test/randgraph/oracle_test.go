package randgraph

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// capture returns the graph of a function of leaves.
func capture(t *testing.T, leaves []tensor.Value, build func(in []T) T) *dag.Graph {
	t.Helper()
	g, err := lang.CaptureWith("test", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			var in []T
			for i, v := range leaves {
				in = append(in, f.Input("x"+decimal(i), v.Type.DType, v.Type.Shape.Sizes()...))
			}
			f.Output("y", build(in))
		})
	})
	require.NoError(t, err)
	return g
}

// evaluated returns the worlds of a function of leaves.
func evaluated(t *testing.T, leaves []tensor.Value, build func(in []T) T) []tensor.Value {
	t.Helper()
	var args [][]tensor.Value
	for _, v := range leaves {
		args = append(args, same(v))
	}
	out, err := (&oracle{r: newRand(1)}).entry(capture(t, leaves, build), args)
	require.NoError(t, err)
	return out[0]
}

func vector(d dtype.DType, xs ...float64) tensor.Value {
	return valueOf(tensor.TypeOf(d, int64(len(xs))), xs)
}

func TestWhatIsExact(t *testing.T) {
	third := vector(dtype.F32, 1.0/3, 2, 0.1)
	whole := vector(dtype.F32, 3, -5, 0.25)
	sum := func(x T) T { return x.Sum(false, 0) }
	for name, c := range map[string]struct {
		in    []tensor.Value
		build func(in []T) T
		exact bool
	}{
		"a minimum":                   {[]tensor.Value{third, whole}, func(in []T) T { return in[0].Min(in[1]) }, true},
		"integers":                    {[]tensor.Value{vector(dtype.I8, 100, 100)}, func(in []T) T { return sum(in[0]) }, true},
		"a sum of quarters":           {[]tensor.Value{whole}, func(in []T) T { return sum(in[0]) }, true},
		"a sum of any":                {[]tensor.Value{third}, func(in []T) T { return sum(in[0]) }, false},
		"a difference of quarters":    {[]tensor.Value{whole, vector(dtype.F32, 0.5, 8, -7)}, func(in []T) T { return in[0].Sub(in[1]) }, true},
		"a sum too long for the type": {[]tensor.Value{vector(dtype.F16, 2048, 2, -1)}, func(in []T) T { return sum(in[0]) }, false},
		"a product of quarters":       {[]tensor.Value{whole, whole}, func(in []T) T { return in[0].Mul(in[1]) }, true},
		"a square of any":             {[]tensor.Value{third}, func(in []T) T { return in[0].Square() }, false},
		"a square of quarters":        {[]tensor.Value{whole}, func(in []T) T { return in[0].Square() }, true},
		"a quotient without rest":     {[]tensor.Value{whole, vector(dtype.F32, 2, 2, 2)}, func(in []T) T { return in[0].Div(in[1]) }, true},
		"a quotient with one":         {[]tensor.Value{whole, third}, func(in []T) T { return in[0].Div(in[1]) }, false},
		"a function":                  {[]tensor.Value{whole}, func(in []T) T { return in[0].Exp() }, false},
		"a conversion that fits":      {[]tensor.Value{whole}, func(in []T) T { return in[0].Convert(dtype.BF16) }, true},
		"a conversion that rounds":    {[]tensor.Value{third}, func(in []T) T { return in[0].Convert(dtype.BF16) }, false},
		"additions into places":       {[]tensor.Value{whole, vector(dtype.I32, 1, 1), vector(dtype.F32, 2, 3)}, func(in []T) T { return in[0].Scatter("add", in[1], in[2]) }, true},
		"multiplications into places": {[]tensor.Value{whole, vector(dtype.I32, 1, 1), vector(dtype.F32, 2, 3)}, func(in []T) T { return in[0].Scatter("mul", in[1], in[2]) }, false},
		"a choice of inexact values":  {[]tensor.Value{third, third}, func(in []T) T { return in[0].Mul(in[1]).Max(in[0]) }, false},
	} {
		w := evaluated(t, c.in, c.build)
		require.Len(t, w, worlds, name)
		require.Equal(t, c.exact, equal(w), name)
	}
}

// 2 2 is exactly 4 in the reference; below it floor is 3, which the worlds show.
func TestEdgesAreSeen(t *testing.T) {
	x := vector(dtype.F32, 2, 1.0/3)
	require.False(t, acceptable(evaluated(t, []tensor.Value{x}, func(in []T) T { return in[0].Square().Floor() }), false))
	require.True(t, acceptable(evaluated(t, []tensor.Value{x}, func(in []T) T { return in[0].Square().AddScalar(0.25).Floor() }), false))
	// The difference of values that differ only by rounding is nothing but rounding.
	y := evaluated(t, []tensor.Value{x}, func(in []T) T { return in[0].Square().Sub(in[0].Mul(in[0])) })
	require.False(t, acceptable(y, false))
	require.False(t, acceptable(evaluated(t, []tensor.Value{x}, func(in []T) T { return in[0].Square().Log().Log() }), false), "NaN")
	require.False(t, acceptable(evaluated(t, []tensor.Value{vector(dtype.F32, 1e5, 1)}, func(in []T) T { return in[0].Square() }), false), "large")
	_, err := decide(evaluated(t, []tensor.Value{vector(dtype.F32, 2)}, func(in []T) T {
		x := in[0].Exp().Log()
		return x.Greater(in[0]).Reshape()
	}))
	require.Equal(t, codeEdge, errs.CodeOf(err))
}

// What a class states of NaN, infinities and large numbers is compared, and nothing else
// is taken.
func TestSpecialNumbers(t *testing.T) {
	nan, inf, top := math.NaN(), math.Inf(1), float64(math.MaxFloat32)
	x, y := vector(dtype.F32, nan, inf, 1.0/3, top), vector(dtype.F32, 1, -inf, 2, 1)
	unsure := vector(dtype.F32, inf, -inf, 0.5, 1)
	for name, c := range map[string]struct {
		in    []tensor.Value
		build func(in []T) T
		want  bool
	}{
		"the larger one":              {[]tensor.Value{x, y}, func(in []T) T { return in[0].Max(in[1]) }, true},
		"of integers":                 {[]tensor.Value{x}, func(in []T) T { return in[0].Convert(dtype.I8) }, true},
		"a sum of two":                {[]tensor.Value{vector(dtype.F32, nan, inf, 1.0/3), vector(dtype.F32, 1, -inf, 2)}, func(in []T) T { return in[0].Add(in[1]) }, true},
		"a large one that is rounded": {[]tensor.Value{x, vector(dtype.F32, 1, 1, 1, 1e30)}, func(in []T) T { return in[0].Sub(in[1]) }, false},
		"a sum of many":               {[]tensor.Value{unsure}, func(in []T) T { return in[0].Sum(false, 0) }, true},
		"a sum of large ones":         {[]tensor.Value{x}, func(in []T) T { return in[0].Sum(false, 0) }, false},
		"a function":                  {[]tensor.Value{unsure}, func(in []T) T { return in[0].Exp() }, false},
		"a product of many":           {[]tensor.Value{unsure}, func(in []T) T { return in[0].Prod(false, 0) }, false},
		"one of functions":            {[]tensor.Value{unsure}, func(in []T) T { return in[0].Softplus() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			types, args := []tensor.Type{}, [][]tensor.Value{}
			for _, v := range c.in {
				types, args = append(types, v.Type), append(args, same(v))
			}
			g := &gen{oracle: &oracle{r: newRand(1)}, special: true}
			out := g.worlds(capture(t, c.in, c.build), types, args)
			require.Equal(t, c.want, out != nil)
			if c.want {
				require.Nil(t, differs(out[0][0], out[0]))
				require.NotNil(t, differs(valueOf(out[0][0].Type, make([]float64, len(numbers(out[0][0])))), out[0]))
			}
		})
	}
}

func TestTolerance(t *testing.T) {
	x := vector(dtype.F32, 1.0/3, 0.7, 12.3, 0)
	w := evaluated(t, []tensor.Value{x, x}, func(in []T) T { return in[0].Mul(in[1]).Add(in[0]) })
	by := func(relative float64) tensor.Value {
		xs := numbers(w[0])
		for i := range xs {
			xs[i] *= 1 + relative
		}
		return valueOf(w[0].Type, xs)
	}
	unit := math.Ldexp(1, -23)
	require.Nil(t, differs(w[0], w))
	require.Nil(t, differs(by(2*unit), w))
	require.Nil(t, differs(by(-2*unit), w))
	d := differs(by(100*unit), w)
	require.NotNil(t, d)
	require.Equal(t, 0, d.element)

	exact := same(vector(dtype.F16, 1, 2))
	require.Nil(t, differs(vector(dtype.F16, 1, 2), exact))
	require.Equal(t, 1, differs(vector(dtype.F16, 1, 2.002), exact).element)
	require.NotNil(t, differs(vector(dtype.F16, 1, math.NaN()), exact))
	integers := same(vector(dtype.I64, 7, 8, 9))
	require.Nil(t, differs(vector(dtype.I64, 7, 8, 9), integers))
	require.Equal(t, 2, differs(vector(dtype.I64, 7, 8, 10), integers).element)
}

func TestGrain(t *testing.T) {
	require.Equal(t, -2, grain(vector(dtype.F32, 4, 0.75, 0)))
	require.Equal(t, 3, grain(vector(dtype.F64, 8, 24)))
	require.Equal(t, 64, grain(vector(dtype.F64, 0)))
}
