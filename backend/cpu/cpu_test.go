package cpu

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func one32(t *testing.T, f func(b builder) *dag.Value) *dag.Graph {
	b := newBuilder(t)
	b.Results = []*dag.Value{f(b)}
	return graphOf(b.Block)
}

func TestLoadRefuses(t *testing.T) {
	good := func(t *testing.T) *dag.Graph {
		return one32(t, func(b builder) *dag.Value { return b.node("negate", nil, b.AddArg(i32)) })
	}
	reads := func(t *testing.T) *dag.Graph {
		return one32(t, func(b builder) *dag.Value {
			return b.node("parameter", op.Attrs{"type": tensor.TypeOf(dtype.F32, 2), "key": "w"})
		})
	}
	gives := func(v tensor.Value) Params {
		return func(scope, key string) (tensor.Value, error) { return v, nil }
	}
	tests := []struct {
		name     string
		graph    func(t *testing.T) *dag.Graph
		contract func(c *contract.Contract) *contract.Contract
		params   Params
		code     errs.Code
		says     string
	}{
		{"an invalid graph", func(t *testing.T) *dag.Graph { g := good(t); g.Name = "not a name"; return g }, nil, noParams, "DAG_NAME", "not a name"},
		{"no contract", good, func(*contract.Contract) *contract.Contract { return nil }, noParams, CodeContract, "test"},
		{"a contract with another entry point", good, func(c *contract.Contract) *contract.Contract { c.Entries[0].Name = "other"; return c }, noParams, CodeContract, "other"},
		{"a contract with other arguments", good, func(c *contract.Contract) *contract.Contract { c.Entries[0].Args[0].DType = dtype.I8; return c }, noParams, CodeContract, "main"},
		{"a contract with fewer results", good, func(c *contract.Contract) *contract.Contract { c.Entries[0].Results = nil; return c }, noParams, CodeContract, "main"},
		{"a packed value", func(t *testing.T) *dag.Graph {
			return one32(t, func(b builder) *dag.Value {
				return b.node("constant", op.Attrs{"value": tensor.Value{Type: tensor.TypeOf(dtype.I4, 2), Bytes: []byte{0x21}}})
			})
		}, nil, noParams, CodeDType, "test/constant"},
		{"a packed argument", func(t *testing.T) *dag.Graph {
			return one32(t, func(b builder) *dag.Value { return b.AddArg(tensor.TypeOf(dtype.U4, 2)) })
		}, nil, noParams, "DAG_TYPES", "main"},
		{"a value of a terabyte", func(t *testing.T) *dag.Graph {
			return one32(t, func(b builder) *dag.Value { return b.AddArg(tensor.TypeOf(dtype.F32, 1<<38)) })
		}, nil, noParams, CodeGraph, "1099511627776 bytes"},
		{"a missing parameter", reads, nil, noParams, CodeParameter, `"w"`},
		{"a parameter of another shape", reads, nil, gives(tensor.Value{Type: tensor.TypeOf(dtype.F32, 1), Bytes: make([]byte, 4)}), CodeParameter, "f32[1]"},
		{"a parameter with too few bytes", reads, nil, gives(tensor.Value{Type: tensor.TypeOf(dtype.F32, 2), Bytes: make([]byte, 7)}), CodeParameter, "7 bytes"},
		{"a panic in the parameter source", reads, nil, func(string, string) (tensor.Value, error) { panic("boom") }, CodeInternal, "boom"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := tt.graph(t)
			c := contractOf(g)
			if tt.contract != nil {
				c = tt.contract(c)
			}
			x, err := Load(g, c, tt.params)
			require.Nil(t, x)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.Contains(t, err.Error(), tt.says)
		})
	}
}

func TestCallRefuses(t *testing.T) {
	x := load(t, counter(t), noParams)
	_, err := x.Call(context.Background(), "nothing")
	require.Equal(t, errs.Code("CONTRACT_NO_ENTRY"), errs.CodeOf(err))
	_, err = x.Call(context.Background(), "main")
	require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err))
	f, err := tensor.Of([]float32{1})
	require.NoError(t, err)
	_, err = x.Call(context.Background(), "main", f)
	require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err))
	require.Equal(t, "test", x.Contract().Name)
	require.NoError(t, x.Close())
	_, err = x.Call(context.Background(), "main", scalars(t, 1)...)
	require.Equal(t, CodeClosed, errs.CodeOf(err))
}

// A panic, even in a worker, becomes an error that names the node; the program remains usable.
func TestAPanicStaysInside(t *testing.T) {
	x := load(t, counter(t), noParams)
	defer func(k kernel) { kernels[id.Add] = k }(kernels[id.Add])
	add := kernels[id.Add]
	for name, bad := range map[string]func(){
		"caller": func() { panic("boom") },
		"worker": func() {
			atProcessors(4, func() int {
				parallel(8, func(i int) {
					if i == 5 {
						panic(errors.New("boom"))
					}
				})
				return 0
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			kernels[id.Add] = func(*frame, *dag.Node, []array) ([]array, error) { bad(); return nil, nil }
			_, err := x.Call(context.Background(), "main", scalars(t, 1)...)
			require.Equal(t, CodeInternal, errs.CodeOf(err))
			require.Contains(t, err.Error(), "test/add: add")
			require.Contains(t, err.Error(), "boom")
			kernels[id.Add] = add
			require.Equal(t, []int32{5}, callInts(t, x, "main", 0))
		})
	}
}

// The blocks and ranges of large tensors: a product whose sums are exact in f32,
// and moves of more than one range, at several processor counts. The wanted
// values follow from the formula of the elements.
func TestLargeTensorsAreDividedWithoutGaps(t *testing.T) {
	const m, n, k = 131, 519, 37
	a, b := make(vec[float32], 2*m*k), make(vec[float32], 2*n*k)
	for i := range a {
		a[i] = float32(i % 11)
	}
	for i := range b {
		b[i] = float32(i%7) - 3
	}
	for _, p := range []int{1, 3, 4} {
		got := atProcessors(p, func() storage { return a.gemm(b, 2, m, n, k) }).(vec[float32])
		for i := range got {
			batch, r, c := i/(m*n), i/n%m, i%n
			var want float32
			for j := range k {
				want += a[(batch*m+r)*k+j] * b[(batch*n+c)*k+j]
			}
			require.Equal(t, want, got[i], "element %d at %d processors", i, p)
		}
		x := array{tensor.TypeOf(dtype.F32, 3, 129, 257), make(vec[float32], 3*129*257)}
		for i := range x.data.len() {
			x.data.(vec[float32])[i] = float32(i)
		}
		turned := atProcessors(p, func() storage { return permuted(x, []int{2, 0, 1}) }).(vec[float32])
		for i, v := range turned {
			c, a, b := i/(3*129), i/129%3, i%129
			require.Equal(t, float32((a*129+b)*257+c), v, "element %d at %d processors", i, p)
		}
	}
}

// Integer results that NumPy leaves undefined; the package doc states them.
func TestStatedIntegerCorners(t *testing.T) {
	x, zero := vec[int32]{7, -7, -1 << 31}, vec[int32]{0, 0, -1}
	require.Equal(t, vec[int32]{-1, -1, -1 << 31}, x.binary(id.Divide, zero))
	require.Equal(t, vec[uint8]{255}, vec[uint8]{3}.binary(id.Divide, vec[uint8]{0}))
	nan := vec[float32]{float32(floatNaN), 3e9, -3e9, 127.9, -128.9, -0.9}
	require.Equal(t, vec[int32]{0, 1<<31 - 1, -1 << 31, 127, -128, 0}, nan.convert(dtype.F32, dtype.I32))
	require.Equal(t, vec[int8]{0, 127, -128, 127, -128, 0}, nan.convert(dtype.F32, dtype.I8))
	require.Equal(t, vec[uint16]{0, 65535, 0, 127, 0, 0}, nan.convert(dtype.F32, dtype.U16))
	edge := vec[float64]{1 << 63, 1 << 64, -1 << 63, -1 << 64}
	require.Equal(t, vec[int64]{1<<63 - 1, 1<<63 - 1, -1 << 63, -1 << 63}, edge.convert(dtype.F64, dtype.I64))
	require.Equal(t, vec[uint64]{1 << 63, 1<<64 - 1, 0, 0}, edge.convert(dtype.F64, dtype.U64))
}

var floatNaN = func() float64 { z := 0.0; return z / z }()

// A double just above a tie of the narrow type rounds up, though the f32 in
// between would have been the tie.
func TestNarrowingRoundsOnce(t *testing.T) {
	x := vec[float64]{1 + 1.0/2048, 1 + 1.0/2048 + 1.0/(1<<40), -1e300, 1e-300}
	h := roundToDType(array{tensor.TypeOf(dtype.F16, 4), x.convert(dtype.F64, dtype.F16)})
	require.Equal(t, []byte{0x00, 0x3c, 0x01, 0x3c, 0x00, 0xfc, 0x00, 0x00}, h.value().Bytes)
	y := vec[float64]{1 + 1.0/256, 1 + 1.0/256 + 1.0/(1<<40)}
	b := roundToDType(array{tensor.TypeOf(dtype.BF16, 2), y.convert(dtype.F64, dtype.BF16)})
	require.Equal(t, []byte{0x80, 0x3f, 0x81, 0x3f}, b.value().Bytes)
}
