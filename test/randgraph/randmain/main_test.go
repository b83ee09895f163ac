package randmain

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"--graphs=3", "--ops=4"}, 0},
		{[]string{"--graphs=3", "--ops=4", "--dynamic"}, 0},
		{[]string{"--graphs=2", "--backend=tpu"}, 2},
		{[]string{"--graphs=2", "--backend=peer", "--peer="}, 2},
		{[]string{"--graphs=many"}, 2},
		{[]string{"--graphs=1", "--backend=iree"}, 1}, // no compiler is given
		{[]string{"--graphs=1", "--only=add", "--backend=cpu"}, 0},
		{[]string{"--graphs=1", "--own", "--backend=cpu"}, 1}, // none is registered
	} {
		require.Equal(t, c.want, Main(c.args), "%v", c.args)
	}
	t.Setenv("TEST_UNDECLARED_OUTPUTS_DIR", t.TempDir())
	require.Equal(t, 1, Main([]string{"--graphs=1", "--backend=iree", "--iree-compile=/none"}))
}
