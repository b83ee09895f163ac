package nn_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Turns are those of float64 at all positions of a long context, also of frequencies
// that a table leaves as they are; others are known in f32, so that angles of p
// radians are within p 2^-22.
func TestTurnsOfLongContexts(t *testing.T) {
	const size, tokens = 128, 7
	positions := []int32{0, 1, 511, 2047, 8191, 20001, 32767}
	for _, base := range []float64{1e4, 1e6} {
		divisor := make([]float32, size/2)
		for i := range divisor {
			divisor[i] = 1
			if i >= size/4 {
				divisor[i] = 3
			}
		}
		g, err := lang.Capture("turns", nil, func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) {
				p, x := f.Input("p", dtype.I32, tokens), nn.NewFrequencies(f, base, 1, size)
				for name, x := range map[string]nn.Frequencies{"a": x, "b": x.Div(lang.Const(f, divisor, size/2))} {
					cos, sin := nn.NewRotary(p, x, false).Tables()
					f.Output("cos_"+name, cos)
					f.Output("sin_"+name, sin)
				}
			})
		})
		require.NoError(t, err)
		m, err := iree.Emit(g, iree.Options{})
		require.NoError(t, err)
		x, err := cpu.Load(g, m.Contract, nil)
		require.NoError(t, err)
		arg, err := tensor.Of(positions, tokens)
		require.NoError(t, err)
		out, err := x.Call(context.Background(), "main", arg)
		require.NoError(t, err)
		for k, r := range m.Contract.Entries[0].Results {
			for i, p := range positions {
				for j := range size / 2 {
					angle, tolerance := float64(p)*math.Pow(base, -2*float64(j)/size), 1e-6
					if r.Name[4] == 'b' && divisor[j] != 1 {
						angle /= float64(divisor[j])
						tolerance += angle / (1 << 22)
					}
					want := math.Cos(angle)
					if r.Name[:3] == "sin" {
						want = math.Sin(angle)
					}
					got := math.Float32frombits(binary.LittleEndian.Uint32(out[k].Bytes[4*(i*size/2+j):]))
					require.InDelta(t, want, float64(got), tolerance, "%s of pair %d at position %d, base %g", r.Name, j, p, base)
				}
			}
		}
	}
}
