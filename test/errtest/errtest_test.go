package errtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestRecord(t *testing.T) {
	r := &record{path: filepath.Join(t.TempDir(), "codes"), wd: "here"}
	errs.Observe(r.add)
	defer errs.Observe(nil)
	_ = errs.New("A_B", "x")
	_ = errs.Wrap("C", errs.New("A_B", "again"), "y")
	errs.Observe(nil)
	_ = errs.New("D", "nobody looks")
	b, err := os.ReadFile(r.path)
	require.NoError(t, err)
	require.Equal(t, "# here\nA_B\nC\n", string(b))
}
