package argtext

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestUsage(t *testing.T) {
	rows := contract.Named{Name: "x", DType: dtype.F16, Shape: shape.Shape{shape.Named("n"), shape.N(2)}}
	c := &contract.Contract{Name: "demo", Entries: []contract.Entry{
		{Name: "main", Args: []contract.Named{arg("x", dtype.F32, 2, 3), arg("n", dtype.I64)}, Results: []contract.Named{arg("y", dtype.BF16, 2)}},
		{Name: "rows", Args: []contract.Named{rows}},
	}}
	const second = "  --entry=rows\n    takes x: f16[n?x2], elements, whose number tells the size, or a .npy file\n"
	got, err := Usage(c, "")
	require.NoError(t, err)
	require.Equal(t, "Entry points of demo:\n  --entry=main\n    takes x: f32[2x3], 6 elements\n    takes n: i64[scalar], 1 element\n    gives y: bf16[2]\n"+second, got)
	got, err = Usage(c, "rows")
	require.NoError(t, err)
	require.Equal(t, "Entry points of demo:\n"+second, got)
	_, err = Usage(c, "none")
	require.EqualValues(t, "CONTRACT_NO_ENTRY", errs.CodeOf(err))
}
