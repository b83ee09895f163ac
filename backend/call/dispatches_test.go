package call

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/dispatch"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// A cell whose figure is not known is empty.
func TestDispatchTable(t *testing.T) {
	p := profiles{core{FLOPs: 100e9, Bytes: 10e9}, []profile{{"main", []dispatch.Row{
		{Name: "matmul", Count: 2, Time: 3 * time.Millisecond, FLOPs: 150e6, Bytes: 15e6},
		{Name: "conv", Count: 1, Time: time.Millisecond, FLOPs: 25e6},
		{Name: "copy", Count: 1, Time: 0, Bytes: 8},
	}}}}
	want := `main    COUNT  TIME      OF CALL  GFLOP/S  OF PEAK  GB/S  OF COPY
matmul  2      3.000 ms  75%      50.0     50%      5.0   50%
conv    1      1.000 ms  25%      25.0     25%
copy    1      0.000 ms  0%
all            4.000 ms

One thread; the least of the calls at each place. This core: 100 GFLOP/s, ` + productText + `; 10.0 GB/s, ` + copyText + ".\n"
	require.Empty(t, cmp.Diff(want, string(p.table())))
}

// A core does something, and not more than any does.
func TestCore(t *testing.T) {
	c, err := measureCore()
	require.NoError(t, err)
	for _, rate := range []float64{c.FLOPs, c.Bytes} {
		require.Greater(t, rate, 1e6)
		require.Less(t, rate, 1e13)
	}
}

func TestDispatchFlags(t *testing.T) {
	c := contract.Contract{Schema: contract.Schema, Name: "m", IREE: target.IREEVersion(), Entries: []contract.Entry{{Name: "main", Results: []contract.Named{{Name: "y", DType: dtype.F32}}}}}
	doc, err := c.Marshal()
	require.NoError(t, err)
	dir := t.TempDir()
	path, text := filepath.Join(dir, "c.json"), filepath.Join(dir, "empty.mlir")
	require.NoError(t, os.WriteFile(path, doc, 0o600))
	require.NoError(t, os.WriteFile(text, nil, 0o600))
	tools := []string{"--dispatches", "--iree-benchmark-module=a", "--iree-profile=b"}
	for want, more := range map[string][]string{
		"USAGE: --dispatches needs IREE's tools":               {"--dispatches"},
		"USAGE: --dispatch-text is given without --dispatches": {"--dispatch-text=f"},
		"IREE_PROFILE: the text runs no dispatch":              append(tools, "--dispatch-text="+text),
		"FILE_OPEN: none.mlir":                                 append(tools, "--dispatch-text=none.mlir"),
		"IREE_LOAD: m.vmfb":                                    tools,
	} {
		var out, bad bytes.Buffer
		require.NotZero(t, command.RunTool(context.Background(), NewBenchCommand(nil), append([]string{"m.vmfb", "--contract", path, "--library=none"}, more...), &out, &bad))
		require.Contains(t, bad.String(), want)
		require.Empty(t, out.String())
	}
}
