package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestRelative(t *testing.T) {
	value := func(v tensor.Value, err error) tensor.Value {
		require.NoError(t, err)
		return v
	}
	want := value(tensor.Of([]float64{1, -4, 0.5}, 3))
	got, err := relative(value(tensor.Of([]float32{1, -4, 0.75}, 3)), want)
	require.NoError(t, err)
	require.Equal(t, 0.0625, got, "0.25 of 4")
	for _, bad := range [][]float32{{1, -4}, {1, -4, float32(math.NaN())}} {
		_, err := relative(value(tensor.Of(bad, int64(len(bad)))), want)
		require.Equal(t, harness.CodeResult, errs.CodeOf(err))
	}
}
