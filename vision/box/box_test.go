package box

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// OpenCV keeps the same boxes (vision/record.py).
func TestSuppressIsOpenCVs(t *testing.T) {
	var want struct {
		Limit   float64
		Boxes   [][4]float64 // x, y, width, height
		Scores  []float64
		Classes []int
		Kept    []int
	}
	data, err := os.ReadFile("testdata/boxes.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &want))
	var all []Box
	for i, b := range want.Boxes {
		all = append(all, Box{b[0], b[1], b[0] + b[2], b[1] + b[3], want.Scores[i], want.Classes[i]})
	}
	var kept []int
	best := Suppress(all, want.Limit, len(all))
	for i, b := range best {
		kept = append(kept, slices.Index(all, b))
		require.True(t, i == 0 || best[i-1].Score >= b.Score)
	}
	require.NotEmpty(t, want.Kept)
	require.Less(t, len(want.Kept), len(all))
	require.ElementsMatch(t, want.Kept, kept)
	require.Equal(t, best[:3], Suppress(all, want.Limit, 3))
}

func TestIoU(t *testing.T) {
	a := Box{X0: 0, Y0: 0, X1: 4, Y1: 2}
	for _, c := range []struct {
		b    Box
		want float64
	}{{a, 1}, {Box{X0: 2, Y0: 0, X1: 6, Y1: 2}, 1. / 3}, {Box{X0: 4, Y0: 0, X1: 6, Y1: 2}, 0}, {Box{X0: 3, Y0: 3, X1: 1, Y1: 1}, 0}} {
		require.InDelta(t, c.want, IoU(a, c.b), 1e-12)
		require.InDelta(t, c.want, IoU(c.b, a), 1e-12)
	}
}
