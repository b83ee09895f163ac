//go:build integration

package e2e

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// TestLive compares what ONNX Runtime gives now with what was recorded.
func TestLive(t *testing.T) {
	tolerance := parity.DefaultRecorded
	if text := os.Getenv("ATOL"); text != "" {
		var err error
		tolerance.Abs, err = strconv.ParseFloat(text, 64)
		require.NoError(t, err)
	}
	rules := parity.Default()
	rules.Float[dtype.F32] = tolerance
	record := path(t, "RECORD")
	want := byName(t, record)
	compared := 0
	for name, v := range rerun(t, record) {
		if _, ok := want[name]; !ok {
			continue // not all results are recorded
		}
		r, err := parity.Compare(name, []string{name}, []tensor.Value{v}, []tensor.Value{want[name]}, rules)
		require.NoError(t, err)
		require.True(t, r.OK(), r.Text())
		compared++
	}
	require.NotZero(t, compared)
}
