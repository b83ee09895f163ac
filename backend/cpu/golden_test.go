package cpu

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// The oracle is NumPy: testdata/gen_NAME.py made NAME.json and names the
// versions in it.
//
//go:embed testdata/*.json
var opsJSON embed.FS

type opCase struct {
	Op     string
	Attrs  map[string]json.RawMessage
	In     []string
	Out    string
	Params string
	ULPs   float64
	Abs    float64
}

func parseType(t *testing.T, text string) tensor.Type {
	name, rest, ok := strings.Cut(text, "[")
	require.True(t, ok, text)
	d, err := dtype.Parse(name)
	require.NoError(t, err)
	s, err := shape.Parse(strings.TrimSuffix(rest, "]"))
	require.NoError(t, err)
	return tensor.Type{DType: d, Shape: s}
}

func parseTensor(t *testing.T, text string) tensor.Value {
	head, data, ok := strings.Cut(text, " ")
	require.True(t, ok, text)
	b, err := base64.StdEncoding.DecodeString(data)
	require.NoError(t, err)
	v := tensor.Value{Type: parseType(t, head), Bytes: b}
	require.NoError(t, v.Check())
	return v
}

func (c opCase) attrs(t *testing.T, o *op.Op) op.Attrs {
	attrs := op.Attrs{}
	for _, a := range o.Attributes {
		raw, ok := c.Attrs[a.Name]
		if !ok {
			continue
		}
		decode := func(v any) { require.NoError(t, json.Unmarshal(raw, v)) }
		switch a.Kind {
		case op.KindInt:
			attrs[a.Name] = read[int64](decode)
		case op.KindInts, op.KindDims:
			attrs[a.Name] = read[[]int64](decode)
		case op.KindFloat:
			attrs[a.Name] = read[float64](decode)
		case op.KindBool:
			attrs[a.Name] = read[bool](decode)
		case op.KindString:
			attrs[a.Name] = read[string](decode)
		case op.KindDType:
			attrs[a.Name] = read[dtype.DType](decode)
		case op.KindType:
			attrs[a.Name] = parseType(t, read[string](decode))
		case op.KindValue:
			attrs[a.Name] = parseTensor(t, read[string](decode))
		}
	}
	return attrs
}

func read[T any](decode func(any)) T {
	var v T
	decode(&v)
	return v
}

func (c opCase) run(t *testing.T) (got, want tensor.Value) {
	o, err := op.Lookup(c.Op)
	require.NoError(t, err)
	b := &dag.Block{}
	var args []tensor.Value
	for _, text := range c.In {
		v := parseTensor(t, text)
		args = append(args, v)
		b.AddArg(v.Type)
	}
	n, err := b.Add(c.Op, "case/"+c.Op, c.attrs(t, o), b.Args...)
	require.NoError(t, err)
	b.Results = n.Outputs
	x := load(t, graphOf(b), func(scope, key string) (tensor.Value, error) { return parseTensor(t, c.Params), nil })
	out, err := x.Call(context.Background(), "main", args...)
	require.NoError(t, err)
	require.Len(t, out, 1)
	require.NoError(t, out[0].Check())
	return out[0], parseTensor(t, c.Out)
}

func readCases(t *testing.T) []opCase {
	names, err := fs.Glob(opsJSON, "testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	var all []opCase
	for _, name := range names {
		var file struct {
			Origin string
			Cases  []opCase
		}
		data, err := opsJSON.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &file), name)
		require.Contains(t, file.Origin, "NumPy", name)
		require.NotEmpty(t, file.Cases, name)
		all = append(all, file.Cases...)
	}
	return all
}

// Data movement, integers and operations that IEEE 754 rounds correctly must agree bit
// for bit; functions are computed in float64 on both sides and may differ by the units
// in the last place that the case states; sums are in another order than NumPy's, so
// the case states Higham's bound.
func TestOpsAgainstNumPy(t *testing.T) {
	for i, c := range readCases(t) {
		t.Run(fmt.Sprintf("%s/%d", c.Op, i), func(t *testing.T) {
			got, want := c.run(t)
			requireClose(t, want, got, c.ULPs, c.Abs)
		})
	}
}

func TestOpsDoNotDependOnProcessors(t *testing.T) {
	for i, c := range readCases(t) {
		got := atProcessors(4, func() tensor.Value { v, _ := c.run(t); return v })
		want := atProcessors(1, func() tensor.Value { v, _ := c.run(t); return v })
		require.True(t, bytes.Equal(want.Bytes, got.Bytes), "case %d, %s", i, c.Op)
	}
}

func atProcessors[T any](n int, f func() T) T {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	return f()
}

func TestEveryOperationHasCases(t *testing.T) {
	n := map[string]int{"state": 1, "while": 1, "cond": 1, "call": 1} // in control_test.go
	n["convolution"] = 1                                              // in composite_test.go
	n["dim_size"] = 1                                                 // in dynamic_test.go
	for _, name := range []string{"dequantize_blocks", "dequant_take", "dequant_matmul"} {
		n[name] = 1 // in blocks_test.go
	}
	for _, c := range readCases(t) {
		n[c.Op]++
	}
	base := 0
	for _, o := range op.All() {
		if o.IsComposite() {
			continue // in composite_test.go
		}
		base++
		require.NotNil(t, kernels[o.ID], "%s has no kernel", o.Name)
		require.Positive(t, n[o.Name], "%s has no case", o.Name)
	}
	for i, k := range kernels {
		if k != nil {
			base--
		}
		require.False(t, k != nil && op.Of(op.ID(i)).IsComposite(), "a composite operation has a kernel")
	}
	require.Zero(t, base)
}

func requireClose(t *testing.T, want, got tensor.Value, ulps, abs float64) {
	t.Helper()
	require.True(t, want.Type.Equal(got.Type), "%s, want %s", got.Type, want.Type)
	d := want.Type.DType
	if !d.IsFloat() {
		require.Equal(t, want.Bytes, got.Bytes)
		return
	}
	w, g := floats(want), floats(got)
	for i := range w {
		switch {
		case w[i] != w[i] || g[i] != g[i]:
			require.Equal(t, w[i] != w[i], g[i] != g[i], "element %d: %v, want %v", i, g[i], w[i])
		case w[i] == g[i]:
			require.Equal(t, math.Signbit(w[i]), math.Signbit(g[i]), "element %d: sign of %v", i, g[i])
		default:
			require.LessOrEqual(t, math.Abs(w[i]-g[i]), abs+ulps*ulp(w[i], d), "element %d: %v, want %v", i, g[i], w[i])
		}
	}
}

// floats widens a float tensor exactly.
func floats(v tensor.Value) []float64 {
	n, _ := v.Type.Shape.Elements()
	out := make([]float64, n)
	switch a := fromValue(v).data.(type) {
	case vec[float32]:
		for i, x := range a {
			out[i] = float64(x)
		}
	case vec[float64]:
		copy(out, a)
	}
	return out
}

// ulp is the distance between neighbours of x in type d.
func ulp(x float64, d dtype.DType) float64 {
	least := map[dtype.DType]int{dtype.F16: -24, dtype.BF16: -133, dtype.F32: -149, dtype.F64: -1074}[d]
	_, exp := math.Frexp(x)
	return math.Ldexp(1, max(exp-d.Significand(), least))
}

// graphOf makes a module with one entry point main.
func graphOf(b *dag.Block, writes ...dag.Write) *dag.Graph {
	f := &dag.Func{Name: "main", Entry: true, Body: b, Writes: writes}
	for i := range b.Args {
		f.Args = append(f.Args, fmt.Sprintf("a%d", i))
	}
	for i := range b.Results {
		f.Results = append(f.Results, fmt.Sprintf("r%d", i))
	}
	return &dag.Graph{Name: "test", Funcs: []*dag.Func{f}}
}

func contractOf(g *dag.Graph) *contract.Contract {
	c := &contract.Contract{Schema: contract.Schema, Name: g.Name}
	for _, f := range g.Funcs {
		if !f.Entry {
			continue
		}
		e := contract.Entry{Name: f.Name}
		for i, v := range f.Body.Args {
			e.Args = append(e.Args, contract.Named{Name: f.Args[i], DType: v.Type.DType, Shape: v.Type.Shape})
		}
		for i, v := range f.Body.Results {
			e.Results = append(e.Results, contract.Named{Name: f.Results[i], DType: v.Type.DType, Shape: v.Type.Shape})
		}
		c.Entries = append(c.Entries, e)
	}
	return c
}

func noParams(scope, key string) (tensor.Value, error) {
	return tensor.Value{}, fmt.Errorf("no parameter %q", key)
}

func load(t *testing.T, g *dag.Graph, p Params) *executable {
	t.Helper()
	x, err := Load(g, contractOf(g), p)
	require.NoError(t, err)
	return x.(*executable)
}
