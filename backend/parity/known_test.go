package parity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
)

// A name of a file stands for the identifier that it became, unless two became one.
func TestKnown(t *testing.T) {
	c := &contract.Contract{Entries: []contract.Entry{{Args: []contract.Named{{Name: "x_y"}, {Name: "x_y_2"}, {Name: "a_b"}, {Name: "_1"}}, Results: []contract.Named{{Name: "out_0"}}}}}
	for name, want := range map[string]string{"x_y": "x_y", "x_y_2": "x_y_2", "x y": "x y", "a:b": "a_b", "1": "_1", "out.0": "out_0", "odd": "odd"} {
		require.Equal(t, want, Known(c, name))
	}
	_, err := Made{Inputs: map[string]Range{"x y": {0, 1}}}.Cases(c)
	require.ErrorContains(t, err, `no argument is named "x y"`)
	require.ErrorContains(t, err, "it has _1, a_b, x_y, x_y_2")
}
