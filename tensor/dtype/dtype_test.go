package dtype

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// storage lists the element types that only files hold.
func storage() (list []DType) {
	for d := lastComputed + 1; int(d) < len(table); d++ {
		list = append(list, d)
	}
	return list
}

func TestTableHasNoHole(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range append(All(), storage()...) {
		require.NotEmpty(t, d.String())
		require.NotEmpty(t, d.MLIR(), d.String())
		require.Positive(t, d.Bits(), d.String())
		require.False(t, seen[d.String()], d.String())
		seen[d.String()] = true
		got, err := Parse(d.String())
		require.NoError(t, err)
		require.Equal(t, d, got)
		n := 0
		for _, is := range []bool{d == Bool, d.IsSigned(), d.IsUnsigned(), d.IsFloat(), d.IsStorageOnly()} {
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
	require.EqualValues(t, 3, F6E2M3FN.Bytes(4))
	require.EqualValues(t, 2, F6E3M2FN.Bytes(2))
}

// Storage-only types come behind the others and belong to no class of operands.
func TestStorageTypesAreApart(t *testing.T) {
	require.Len(t, storage(), 9)
	require.Equal(t, len(table)-1, len(All())+len(storage()))
	for _, d := range All() {
		require.False(t, d.IsStorageOnly(), d.String())
	}
	for _, d := range storage() {
		require.True(t, d.IsStorageOnly() && d.Valid() && !d.IsFloat() && !d.IsInt(), d.String())
	}
}
