package call

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// counted counts its calls.
type counted struct {
	backend.Executable
	calls int
}

func (c *counted) Call(context.Context, string, ...tensor.Value) ([]tensor.Value, error) {
	c.calls++
	time.Sleep(time.Microsecond)
	return nil, nil
}

// Calls that take longer than the limit are few, and without one all are made.
func TestMeasureEnds(t *testing.T) {
	for limit, want := range map[time.Duration]int{1: fewest, 0: 20, time.Hour: 20} {
		x := &counted{}
		got, err := measure(t.Context(), x, parity.Call{Entry: "main"}, 20, limit)
		require.NoError(t, err)
		require.Len(t, got.Calls, want)
		require.Equal(t, want+1, x.calls, "and one that warms caches")
	}
}

// A size that is only outermost, as a batch is, is 1.
func TestTakenSizes(t *testing.T) {
	arg := func(sizes string) contract.Named {
		s, err := shape.Parse(sizes)
		require.NoError(t, err)
		return contract.Named{Name: "x", DType: dtype.F32, Shape: s}
	}
	for _, c := range []struct {
		args []contract.Named
		want map[string]int64
	}{
		{nil, map[string]int64{}},
		{[]contract.Named{arg("batch?x3x4*h?")}, map[string]int64{"batch": 1, "h": 13}},
		{[]contract.Named{arg("n?")}, map[string]int64{"n": 16}}, // of a list
		{[]contract.Named{arg("batch?xseq?"), arg("seq?x8")}, map[string]int64{"batch": 1, "seq": 13}},
		{[]contract.Named{arg("seq?x8"), arg("batch?xseq?")}, map[string]int64{"batch": 1, "seq": 16}},
	} {
		require.Equal(t, c.want, taken(&contract.Entry{Name: "main", Args: c.args}))
	}
}
