package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/openfile"
)

// bare makes a machine on which no tool of IREE is found, and returns a folder that comes first
// on the path and the folder of caches.
func bare(t *testing.T) (path, kept string) {
	t.Helper()
	path, kept = t.TempDir(), t.TempDir()
	var rest []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "iree-run-module")); err != nil {
			rest = append(rest, dir)
		}
	}
	t.Setenv("PATH", strings.Join(append([]string{path}, rest...), string(os.PathListSeparator)))
	t.Setenv("SKAINET_CACHE", kept)
	for _, v := range []string{"SKAINET_IREERT", "SKAINET_IREE_COMPILE", "SKAINET_MIRRORS", "PIP_EXTRA_INDEX_URL"} {
		t.Setenv(v, "")
	}
	return path, kept
}

// Run and bench of a program, eval, and devices find the tool where run of a model does.
func TestOneSearch(t *testing.T) {
	path, _ := bare(t)
	tool, program, c := fakeRunner(t)
	args := []string{program, "--contract", c, "x=1,2"}
	for _, name := range []string{"run", "bench"} {
		message := fails(t, 1, "IREE_LOAD", append([]string{name, "--fetch=false"}, args...)...)
		for _, way := range []string{"--tool", "--library", "SKAINET_IREERT"} {
			require.Contains(t, message, way)
		}
	}
	graph := write(t, "g.json", []byte(doublingGraph))
	evals := []string{"eval", "--graph", graph, "--input", "1,2", "--backend=iree", "--device=local-task", "--fetch=false"}
	fails(t, 1, "IREE_LOAD", evals...)
	status, stdout, stderr := run("devices")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "runtime: none: neither the runtime library nor iree-run-module was found")

	data, err := os.ReadFile(tool)
	require.NoError(t, err)
	found := filepath.Join(path, "iree-run-module")
	require.NoError(t, os.WriteFile(found, data, 0o755))
	status, stdout, stderr = run(append([]string{"run", "--fetch=false"}, args...)...)
	require.Zero(t, status, stderr)
	require.Equal(t, "y: f32[2] = [1 2.5]\nn: i32[scalar] = 7\n", stdout)
	status, stdout, stderr = run(append([]string{"bench", "--fetch=false", "--rounds=2"}, args...)...)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "encode")
	require.Contains(t, stderr, "each call starts a process of iree-run-module")
	fails(t, 1, "IREE_NO_COMPILER", evals...)
	evaluated := append(evals, "--compiler", script(t, `cat > /dev/null; cp `+program+` "$3"`))
	status, stdout, stderr = run(evaluated...)
	require.Zero(t, status, stderr)
	require.Equal(t, "y: f32[2] = [1 2.5]\n", stdout)

	chosen, err := openfile.Target("cpu", processor.Here())
	require.NoError(t, err)
	status, stdout, stderr = run("devices")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "runtime: "+found+"\n")
	require.Regexp(t, `(?m)^`+chosen+` +local-task +yes, default`, stdout)
	require.Equal(t, 1, strings.Count(stdout, ", default"))
	status, stdout, stderr = run("devices", "--json")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, `"tool": "`+found+`"`)
	require.Contains(t, stdout, `"default": "`+chosen+`"`)
}

// doublingGraph adds x to itself.
const doublingGraph = `{"schema": 1, "name": "m", "states": [], "functions": [
 {"name": "main", "entry": true, "args": [{"name": "x", "id": 0, "dtype": "f32", "shape": [2]}],
  "nodes": [{"op": "add", "path": "sum", "inputs": [0, 0], "outputs": [{"id": 1}]}],
  "results": [{"name": "y", "value": 1}], "writes": []}]}`
