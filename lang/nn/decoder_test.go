package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Numbers of turned heads are held against NumPy in package causal.
func TestTablesThatDoNotFit(t *testing.T) {
	_, err := lang.Capture("layer", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			r := nn.NewRotary(f.Iota(dtype.I32, 0, 3), nn.NewFrequencies(f, 10, 1, 8), false)
			f.Output("y", r.Apply(f.Input("x", dtype.F32, 3, 2, 6)))
		})
	})
	require.Equal(t, lang.CodeMisuse, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "the tables are for 4 pairs, and the heads have 6 elements")
}
