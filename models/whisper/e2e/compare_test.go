//go:build integration

package e2e

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor"
)

// Tolerances against Flax, which also computes in float32, on its own
// mel features. Ours differ from those by at most 1e-5, sums of up to 1536
// products are in another order, and the last layer norm scales values of 20 down
// to 1. Seen on the compiled programs and the CPU backend: up to 7e-5 for the
// encoder's output, 4e-5 for logits. Planted bugs give differences from 6e-4 on
// (a layer norm's epsilon of 1e-6 instead of 1e-5).
const (
	encoderTolerance = 2e-4
	logitTolerance   = 2e-4
)

func checkEncoder(t *testing.T, g golden, encoded tensor.Value) {
	t.Helper()
	require.Equal(t, []int64{1500, 384}, encoded.Type.Shape.Sizes())
	got, worst := slice[float32](t, encoded), 0.0
	for i, r := range g.Rows {
		require.Len(t, g.Encoded[i], 384)
		for j, want := range g.Encoded[i] {
			worst = math.Max(worst, distance(got[int(r)*384+j], want))
		}
	}
	t.Logf("encoder: largest difference from Flax %.2g", worst)
	require.LessOrEqual(t, worst, encoderTolerance)
}

func checkLogits(t *testing.T, g golden, logits tensor.Value) {
	t.Helper()
	require.Equal(t, []int64{1, 51864}, logits.Type.Shape.Sizes())
	got, worst := slice[float32](t, logits), 0.0
	for i, id := range g.Tokens {
		worst = math.Max(worst, distance(got[id], g.Logits[i]))
	}
	t.Logf("first logits: largest difference from Flax %.2g", worst)
	require.LessOrEqual(t, worst, logitTolerance)
	require.Equal(t, g.Tokens[0], largest(got), "the golden's tokens begin with the largest logit")
}

// distance returns infinity if got is NaN, so that no tolerance accepts it.
func distance(got float32, want float64) float64 {
	d := math.Abs(float64(got) - want)
	if math.IsNaN(d) {
		return math.Inf(1)
	}
	return d
}

func largest(logits []float32) int32 {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return int32(best)
}
