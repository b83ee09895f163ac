package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// run returns the exit status and both outputs.
func run(args ...string) (int, string, string) {
	var stdout, stderr bytes.Buffer
	status := Main(args, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// fails runs a command line that must fail with this code, print it once on
// stderr, print nothing on stdout, and leave no file in its temporary folder.
func fails(t *testing.T, status int, code string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "OUT", dir)
	}
	got, stdout, stderr := run(args...)
	require.Equal(t, status, got, stderr)
	require.Empty(t, stdout)
	require.True(t, strings.HasPrefix(stderr, "skainet: "+code+": "), stderr)
	require.Equal(t, 1, strings.Count(stderr, "skainet: "+code), stderr)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	return stderr
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"frobnicate"},
		{"inspect"},
		{"inspect", "a", "b"},
		{"inspect", "--frob", "a"},
		{"inspect", "--json", "--index", "a"},
		{"pack", "--contract", "c"},
		{"pack", "-o", "OUT/x"},
		{"verify", "--contract", "c"},
		{"verify", "--contract"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) { fails(t, 2, "USAGE", args...) })
	}
	status, stdout, stderr := run()
	require.Zero(t, status)
	require.Empty(t, stderr)
	for _, command := range []string{"inspect", "pack", "verify"} {
		require.Contains(t, stdout, command)
	}
}

const ct2Table = `format: ctranslate2
size: 76 bytes

binary_version: 6
revision: 1
spec: TestSpec

TENSOR  TYPE  SHAPE  ENCODING  BYTES  OFFSET
w       f32   2      dense     8      37
v       f32   1      dense     4      59

ENCODING  TENSORS  ELEMENTS  BYTES  PART
f32       2        3         12     100.0%

2 tensors, 12 bytes
alias w2 -> w
`

const irpaTable = `format: irpa
size: 4096 bytes

KEY  KIND      BYTES  OFFSET  CONTENT
w    data      8      512
s    splat     8      -       0x01020304 repeated
x    external  4      16      in o.bin
e    data      4      576

4 tensors, 24 bytes
`

const irpaJSON = `{
 "format": "irpa",
 "size": 4096,
 "tensors": [
  {
   "name": "w",
   "kind": "data",
   "bytes": 8,
   "offset": 512
  },
  {
   "name": "s",
   "kind": "splat",
   "bytes": 8,
   "pattern": "01020304"
  },
  {
   "name": "x",
   "kind": "external",
   "bytes": 4,
   "offset": 16,
   "path": "o.bin"
  },
  {
   "name": "e",
   "kind": "data",
   "bytes": 4,
   "offset": 576
  }
 ]
}
`

func TestInspect(t *testing.T) {
	ct2, archive := write(t, "a", badfiles.CT2Good()), write(t, "b", badfiles.IRPAGood())
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"weights", []string{ct2}, ct2Table},
		{"archive", []string{archive}, irpaTable},
		{"archive as JSON", []string{archive, "--json"}, irpaJSON},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := run(append([]string{"inspect"}, tt.args...)...)
			require.Zero(t, status, stderr)
			require.Empty(t, stderr)
			if diff := cmp.Diff(tt.want, stdout); diff != "" {
				t.Error(diff)
			}
			out := filepath.Join(t.TempDir(), "out")
			status, stdout, _ = run(append([]string{"inspect", "-o", out}, tt.args...)...)
			require.Zero(t, status)
			require.Empty(t, stdout)
			got, err := os.ReadFile(out)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(got))
		})
	}
	_, stdout, _ := run("inspect", ct2, "--json")
	for _, has := range []string{`"dtype": "f32"`, `"shape": "2"`, `"offset": 37`, `"w2": "w"`} {
		require.Contains(t, stdout, has)
	}
	_, stdout, _ = run("inspect", ct2, "--index")
	x, err := tensor.ParseIndex([]byte(stdout))
	require.NoError(t, err)
	require.Len(t, x.Tensors, 2)
	require.NotContains(t, stdout, "offset", "an index does not depend on a tensor's offset")
}

func TestNamesCannotMoveTheCursor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, irpa.Write(path, []irpa.Item{irpa.Bytes("a\x1b[2J\nb", nil)}))
	status, stdout, _ := run("inspect", path)
	require.Zero(t, status)
	require.Contains(t, stdout, `"a\x1b[2J\nb"`)
	require.NotContains(t, stdout, "\x1b")
}

func TestInspectRefuses(t *testing.T) {
	fails(t, 1, "FILE_OPEN", "inspect", "OUT/none")
	fails(t, 1, "FILE_OPEN", "inspect", t.TempDir())
	fails(t, 1, "WEIGHTS_NO_INDEX", "inspect", "--index", write(t, "a", badfiles.IRPAGood()))
	fails(t, 1, "FILE_WRITE", "inspect", write(t, "a", badfiles.CT2Good()), "-o", "OUT/no/such/folder")
	require.Contains(t, fails(t, 1, "WEIGHTS_UNKNOWN_FORMAT", "inspect", write(t, "a", nil)), "empty")
	for _, c := range append(badfiles.CT2(), badfiles.IRPA()...) {
		status, _, stderr := run("inspect", "--json", "-o", filepath.Join(t.TempDir(), "out"), write(t, "f", c.Data))
		require.Equal(t, 1, status, c.Name)
		if !strings.Contains(stderr, "WEIGHTS_UNKNOWN_FORMAT") {
			require.Contains(t, stderr, string(c.Code), c.Name)
		}
	}
}
