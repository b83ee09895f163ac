package op

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whole factors, and their inverses, have phases; other sizes are gathered.
func TestPhases(t *testing.T) {
	tests := map[string]struct {
		s    sampling
		want phases
	}{
		"twice":           {sampling{in: 13, out: 26, scale: 2, mode: Linear, coordinates: HalfPixel}, phases{2, 1, 1, 1}},
		"half":            {sampling{in: 26, out: 13, scale: 0.5, mode: Linear, coordinates: HalfPixel}, phases{1, 2, 0, 0}},
		"three times":     {sampling{in: 4, out: 12, scale: 3, mode: Nearest, coordinates: Asymmetric, rounding: RoundFloor}, phases{3, 1, 0, 0}},
		"three halves":    {sampling{in: 4, out: 6, scale: 1.5, mode: Linear, coordinates: Asymmetric}, phases{3, 2, 0, 1}},
		"cubic":           {sampling{in: 4, out: 8, scale: 2, mode: Cubic, coordinates: HalfPixel}, phases{2, 1, 2, 2}},
		"one element":     {sampling{in: 1, out: 2, scale: 2, mode: Linear, coordinates: HalfPixel}, phases{1, 1, 1, 1}},
		"ends coincide":   {sampling{in: 4, out: 8, scale: 2, mode: Linear, coordinates: AlignCorners}, phases{}},
		"five times":      {sampling{in: 4, out: 20, scale: 5, mode: Linear, coordinates: HalfPixel}, phases{}},
		"far from theirs": {sampling{in: 2, out: 40, scale: 1, mode: Nearest, coordinates: Asymmetric, rounding: RoundFloor}, phases{}},
	}
	for name, tt := range tests {
		list := tt.s.elements()
		got, ok := phasesOf(list, tt.s.in)
		require.Equal(t, tt.want, got, name)
		require.Equal(t, tt.want != phases{}, ok, name)
		if !ok {
			continue
		}
		// Each element is in the padded operand where its phase says.
		for i, e := range list {
			r, k := int64(i)%got.count, int64(i)/got.count
			require.Equal(t, e.first, list[r].first+k*got.step, name)
			require.GreaterOrEqual(t, e.first+got.low, int64(0), name)
			require.Less(t, e.first+int64(len(e.weights))-1+got.low, tt.s.in+got.low+got.high, name)
		}
	}
}
