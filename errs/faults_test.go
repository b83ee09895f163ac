package errs

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFaults(t *testing.T) {
	first, second, third := errors.New("1"), errors.New("2"), errors.New("3")
	var stop Faults
	require.NoError(t, stop.Add(nil))
	require.Equal(t, first, stop.Add(first), "the zero value stops")
	require.Equal(t, []error{first}, stop.List())

	all := Gather(3)
	require.NoError(t, all.Add(first))
	require.NoError(t, all.Add(second))
	require.Equal(t, third, all.Add(third), "a list of endless faults ends")
	require.Equal(t, []error{first, second, third}, all.List())
}
