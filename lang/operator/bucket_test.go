package operator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Of an operation with a text of its own it is not known what padding changes in it; one that is
// made of others has theirs.
func TestBuckets(t *testing.T) {
	most := map[string]int64{"n": 8}
	_, err := xla.EmitBucket(capture(t, dtype.F32, []shape.Dim{shape.Named("n")}, apply(cube, nil)), "main", nil, most, xla.Options{})
	require.Equal(t, xla.CodeBucket, errs.CodeOf(err))
	require.ErrorContains(t, err, "test.cube")
	_, err = xla.EmitBucket(capture(t, dtype.F32, []shape.Dim{shape.Named("n")}, apply(swish, nil)), "main", nil, most, xla.Options{})
	require.NoError(t, err)
}
