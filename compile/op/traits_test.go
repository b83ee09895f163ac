package op

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every column is set, and columns are consistent.
func TestTraitsAreSet(t *testing.T) {
	for _, o := range All() {
		t.Run(o.Name, func(t *testing.T) {
			require.NoError(t, o.Traits.check(o))
			require.Equal(t, o.Decompose != nil || o.Portable != nil, o.Padding == InParts)
		})
	}
	require.ErrorContains(t, Traits{}.check(&Op{Name: "new"}), "Role")
	require.ErrorContains(t, sums.reduces(Dims).padding(Apart).check(&Op{Name: "new", Family: Elementwise}), "other places")
	require.ErrorContains(t, exact.check(&Op{Name: "new", Family: Indexing}), "other places")
	require.ErrorContains(t, exact.precision(PrecisionUnset).check(&Op{Name: "new"}), "Precision")
}

func TestScatterVaries(t *testing.T) {
	o, err := Lookup("scatter")
	require.NoError(t, err)
	for mode, want := range map[string][2]int{
		ScatterSet: {int(Exact), int(First)}, ScatterMax: {int(Exact), int(First)},
		ScatterAdd: {int(Sum), int(Wide)}, ScatterMul: {int(Sum), int(Wide)},
	} {
		got := o.TraitsFor(Attrs{"mode": mode})
		require.Equal(t, want, [2]int{int(got.Rounding), int(got.Precision)}, mode)
	}
}
