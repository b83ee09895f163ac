package cpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// A conditional returns what the chosen block computes from outer values, and does not
// run the other block, which would not terminate.
func TestCondComputesOneBlock(t *testing.T) {
	b := newBuilder(t)
	n, limit := b.AddArg(i32), b.AddArg(i32)
	small := b.node("compare", op.Attrs{"direction": op.LT}, n, limit)
	then, otherwise := newBuilder(t), newBuilder(t)
	then.Results = []*dag.Value{then.node("add", nil, n, n), n}
	// Counts up from 0 to n - limit, which is below 0 if n is small: this never ends.
	cond, body, next := countTo(t, limit, 0)
	cond.Results = []*dag.Value{cond.node("compare", op.Attrs{"direction": op.NE}, cond.Args[0], otherwise.node("subtract", nil, n, limit))}
	body.Results = []*dag.Value{next}
	otherwise.Results = []*dag.Value{otherwise.while(cond, body, otherwise.scalar(0))[0], limit}
	choice, err := b.AddCond("test/cond", then.Block, otherwise.Block, small)
	require.NoError(t, err)
	b.Results = append(append([]*dag.Value{}, choice.Outputs...), b.node("add", nil, choice.Outputs[0], limit))
	x := load(t, graphOf(b.Block), noParams)
	require.Equal(t, []int32{6, 3, 11}, callInts(t, x, "main", 3, 5))
	require.Equal(t, []int32{4, 5, 9}, callInts(t, x, "main", 9, 5))
}
