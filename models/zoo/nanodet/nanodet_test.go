package nanodet

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/vision/picture"
)

// program returns chosen scores and distances of each level.
type program struct {
	values map[string][]float32
	lacks  string
}

func (p program) Contract() *contract.Contract {
	e := contract.Entry{Name: "main", Args: []contract.Named{{Name: "image", DType: dtype.F32}}}
	for _, stride := range strides { // in another order than New asks
		for _, what := range []string{"distances", "scores"} {
			if name := fmt.Sprintf("%s_%d", what, stride); name != p.lacks {
				e.Results = append(e.Results, contract.Named{Name: name, DType: dtype.F32})
			}
		}
	}
	return &contract.Contract{Entries: []contract.Entry{e}}
}
func (p program) Close() error { return nil }
func (p program) Call(context.Context, string, ...tensor.Value) (out []tensor.Value, err error) {
	for _, r := range p.Contract().Entries[0].Results {
		v, err := tensor.Of(p.values[r.Name], int64(len(p.values[r.Name])))
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func empty() map[string][]float32 {
	all := map[string][]float32{}
	for _, s := range strides {
		cells := size / s * (size / s)
		all[fmt.Sprintf("scores_%d", s)], all[fmt.Sprintf("distances_%d", s)] = make([]float32, cells*80), make([]float32, cells*44)
	}
	return all
}

// A cell whose distributions have a peak gives a box of so many cells to each side.
func TestDetect(t *testing.T) {
	v := empty()
	const cell = 5*13 + 6 // row 5, column 6 of 32 pixels: the middle is at 208, 176
	v["scores_32"][cell*80+16] = 0.9
	for k, n := range []int{2, 1, 3, 4} {
		v["distances_32"][cell*44+k*11+n] = 100
	}
	v["scores_8"][7*80+2] = 0.3 // a car, under the limit
	d, err := New(program{values: v})
	require.NoError(t, err)
	found, err := d.Detect(context.Background(), picture.New(832, 416), 0.4) // a scale of a half
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "dog", Names[found[0].Class])
	require.InDelta(t, 0.9, found[0].Score, 1e-6)
	require.InDeltaSlice(t, []float64{2 * (208 - 64), 2 * (176 - 32), 2 * (208 + 96), 416}, []float64{found[0].X0, found[0].Y0, found[0].X1, found[0].Y1}, 1e-4)
	// Distances without a peak are 5 cells.
	found, err = d.Detect(context.Background(), picture.New(416, 416), 0.2)
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.InDelta(t, 7.5*8+40, found[1].X1, 1e-4)
	require.InDelta(t, 44, found[1].Y1, 1e-4)
}

func TestRefused(t *testing.T) {
	_, err := New(program{lacks: "distances_16"})
	require.Equal(t, CodeProgram, errs.CodeOf(err))
	v := empty()
	v["distances_16"] = v["distances_16"][1:]
	d, err := New(program{values: v})
	require.NoError(t, err)
	_, err = d.Detect(context.Background(), picture.New(10, 10), 0.5)
	require.Equal(t, CodeProgram, errs.CodeOf(err))
}
