package dtype

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
)

func TestTableHasNoHole(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range All() {
		require.NotEmpty(t, d.String())
		require.NotEmpty(t, d.MLIR(), d.String())
		require.Positive(t, d.Bits(), d.String())
		require.False(t, seen[d.String()], d.String())
		seen[d.String()] = true
		got, err := Parse(d.String())
		require.NoError(t, err)
		require.Equal(t, d, got)
		n := 0
		for _, is := range []bool{d == Bool, d.IsSigned(), d.IsUnsigned(), d.IsFloat()} {
			if is {
				n++
			}
		}
		require.Equal(t, 1, n, "%s must be in exactly one class", d)
	}
}

func TestUnknownNamesAreCoded(t *testing.T) {
	for _, name := range []string{"", "float", "F32", "i128", "invalid"} {
		_, err := Parse(name)
		require.Equal(t, CodeUnknown, errs.CodeOf(err), name)
	}
	_, err := DType(200).MarshalText()
	require.Equal(t, CodeUnknown, errs.CodeOf(err))
}

func TestBytesRoundsPackedTypesUp(t *testing.T) {
	require.EqualValues(t, 2, I4.Bytes(3))
	require.EqualValues(t, 3, Bool.Bytes(3))
	require.EqualValues(t, 6, F16.Bytes(3))
}
