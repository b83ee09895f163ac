package lang_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The oracle is NumPy: testdata/gen_einsum.py made the file.
//
//go:embed testdata/einsum.json
var einsumJSON []byte

// sized is [sizes, elements].
type sized struct {
	Sizes []int64
	Data  []float32
}

func (s *sized) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &[]any{&s.Sizes, &s.Data}) }

func TestEinsumAgainstNumPy(t *testing.T) {
	var file struct {
		Origin string
		Cases  []struct {
			Equation string
			In       []sized
			Out      sized
		}
	}
	require.NoError(t, json.Unmarshal(einsumJSON, &file))
	require.Contains(t, file.Origin, "NumPy")
	require.NotEmpty(t, file.Cases)
	for _, c := range file.Cases {
		t.Run(c.Equation, func(t *testing.T) {
			var args []tensor.Value
			g, err := lang.Capture("m", nil, func(m *lang.Module) {
				m.Entry("main", func(f *lang.Func) {
					var in []lang.Tensor
					for i, x := range c.In {
						v, err := tensor.Of(x.Data, x.Sizes...)
						require.NoError(t, err)
						args = append(args, v)
						in = append(in, f.Input(fmt.Sprintf("x%d", i), dtype.F32, x.Sizes...))
					}
					f.Output("y", f.Einsum(c.Equation, in...))
				})
			})
			require.NoError(t, err)
			m, err := iree.Emit(g, iree.Options{})
			require.NoError(t, err)
			x, err := cpu.Load(g, m.Contract, nil)
			require.NoError(t, err)
			out, err := x.Call(context.Background(), "main", args...)
			require.NoError(t, err)
			want, err := tensor.Of(c.Out.Data, c.Out.Sizes...)
			require.NoError(t, err)
			require.True(t, want.Type.Equal(out[0].Type), "%s, want %s", out[0].Type, want.Type)
			got, err := tensor.Slice[float32](out[0])
			require.NoError(t, err)
			require.Equal(t, c.Out.Data, append([]float32{}, got...))
		})
	}
}

func TestEinsumMisuse(t *testing.T) {
	for equation, n := range map[string]int{
		"ij,jk->ik": 1, "ij": 0, "ijk->i": 1, "i->i": 1, "ij->k": 1, "ij->ii": 1, "i1->i": 1, "ij,ik->jk": 2, "......ij": 1, "i...->i": 1, "ij->i...k": 1,
	} {
		_, err := lang.Capture("m", nil, func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) {
				in := []lang.Tensor{f.Input("a", dtype.F32, 2, 3), f.Input("b", dtype.F32, 3, 4)}
				f.Output("y", f.Einsum(equation, in[:n]...))
			})
		})
		require.Equal(t, lang.CodeMisuse, errs.CodeOf(err), "%s: %v", equation, err)
		require.ErrorContains(t, err, "einsum")
	}
}
