package optest

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// roundedTo rounds floats to a narrow type, so that rounding the arguments makes
// no difference.
func roundedTo(t *testing.T, d dtype.DType) func(v tensor.Value) tensor.Value {
	return func(v tensor.Value) tensor.Value {
		if v.Type.DType != dtype.F32 && v.Type.DType != dtype.F16 && v.Type.DType != dtype.BF16 {
			return v
		}
		data := make([]float32, len(v.Bytes)*8/v.Type.DType.Bits())
		require.NoError(t, tensor.Float32s(v.Type.DType, data, v.Bytes))
		small := make([]byte, 2*len(data))
		_, err := tensor.PutFloat32s(d, small, data)
		require.NoError(t, err)
		require.NoError(t, tensor.Float32s(d, data, small))
		back := tensor.Value{Type: v.Type, Bytes: make([]byte, len(v.Bytes))}
		_, err = tensor.PutFloat32s(v.Type.DType, back.Bytes, data)
		require.NoError(t, err)
		return back
	}
}

// floats returns f32, f16 or bf16 elements.
func floats(t *testing.T, v tensor.Value) []float64 {
	t.Helper()
	n, err := v.Type.Shape.Elements()
	require.NoError(t, err)
	data := make([]float32, n)
	require.NoError(t, tensor.Float32s(v.Type.DType, data, v.Bytes))
	wide := make([]float64, n)
	for i, x := range data {
		wide[i] = float64(x)
	}
	return wide
}

// roundingsOf is how many roundings of the narrow type, each of half its last
// place, a result may be off, of the largest element: what is computed between
// them is f32, and most entries round a few times on the way.
func roundingsOf(entry string) float64 {
	switch entry {
	case "loop_of_choices", "block", "step": // sixteen operations one after the other
		return 16
	case "dynamic_reduce_f32", "dynamic_reduce_f16": // the product of 48 rounded numbers
		return 48
	}
	return 3
}

// Every entry point returns what it returned in f32: equal integers and bools, floats
// within a few roundings, infinities and NaN at the same places. Arguments are
// representable in the narrow type. A second run of the pass changes nothing.
func TestNarrowKeepsEveryEntryClose(t *testing.T) {
	units := map[dtype.DType]float64{dtype.F16: 1. / (1 << 11), dtype.BF16: 1. / (1 << 8)}
	for d, unit := range units {
		for name, build := range map[string]lang.Constructor{"narrow": Model, "wide": CPUOnly, "dynamic": Dynamic} {
			t.Run(name+"/"+d.String(), func(t *testing.T) {
				g, err := lang.Capture("optest", nil, build)
				require.NoError(t, err)
				want := results(t, g, roundedTo(t, d))
				pass, err := passes.Narrow(passes.Narrowing{To: d, KeepSignature: true})
				require.NoError(t, err)
				require.NoError(t, passes.Run(g, pass))
				requireNarrow(t, g)
				got := results(t, g, roundedTo(t, d))
				delete(want, "angles_close") // which says how many bits of f32 are right
				// Rounded, other numbers are beyond the integers that they become.
				maps.DeleteFunc(want, func(entry string, _ []tensor.Value) bool { return strings.Contains(entry, "bounds_") })
				if d == dtype.F16 { // which cannot hold their sums
					delete(want, "widened_u16_f32")
					delete(want, "dynamic_widened_u8_f32")
				}
				for entry := range want {
					for i := range want[entry] {
						// A result of the other narrow type has that one's roundings too.
						own := max(unit, units[want[entry][i].Type.DType])
						requireClose(t, fmt.Sprint(entry, " ", i), want[entry][i], got[entry][i], own*roundingsOf(entry))
					}
				}
				text := emit(t, g)
				require.NoError(t, passes.Run(g, pass))
				if text != emit(t, g) {
					t.Error("a second run changes the graph")
				}
			})
		}
	}
}

func requireNarrow(t *testing.T, g *dag.Graph) {
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			switch n.Op.Name {
			case "dot_general", "convolution", "conv1d", "parameter":
				require.NotEqual(t, dtype.F32, n.Outputs[0].Type.DType, n.Path)
			}
		})
	}
}

func requireClose(t *testing.T, name string, want, got tensor.Value, tolerance float64) {
	t.Helper()
	require.True(t, want.Type.Equal(got.Type), name)
	switch want.Type.DType {
	case dtype.F32, dtype.F16, dtype.BF16:
	default:
		require.Equal(t, want.Bytes, got.Bytes, name)
		return
	}
	a, b := floats(t, want), floats(t, got)
	largest := 0.0
	for _, x := range a {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			largest = max(largest, math.Abs(x))
		}
	}
	for i := range a {
		if a[i] == b[i] || math.IsNaN(a[i]) && math.IsNaN(b[i]) {
			continue
		}
		require.LessOrEqual(t, math.Abs(a[i]-b[i]), tolerance*largest, "%s: element %d is %g, was %g", name, i, b[i], a[i])
	}
}
