package argtext

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestTable(t *testing.T) {
	ten, err := tensor.Of([]float32{1, 2.5, 3, 4, 5, 6, 7, 8, 9, 10}, 2, 5)
	require.NoError(t, err)
	one, err := tensor.Of([]int32{-7})
	require.NoError(t, err)
	none, err := tensor.Of([]bool{}, 0)
	require.NoError(t, err)
	names := []contract.Named{{Name: "scores"}, {Name: "n"}, {Name: "e"}}
	values := []tensor.Value{ten, one, none}
	b, err := Table(names, values, []string{"", "", ""})
	require.NoError(t, err)
	require.Equal(t, `RESULT  TYPE         VALUES
scores  f32[2x5]     1 2.5 3 4 5 6 ...
n       i32[scalar]  -7
e       bool[0]
`, string(b))
	b, err = Table(names[:1], values[:1], []string{"out/scores.npy"})
	require.NoError(t, err)
	require.Equal(t, "RESULT  TYPE      VALUES             FILE\nscores  f32[2x5]  1 2.5 3 4 5 6 ...  out/scores.npy\n", string(b))
	values[1].Type.DType = dtype.Invalid
	_, err = Table(names, values, []string{"", "", ""})
	require.Error(t, err)
}
