//go:build integration

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// put writes a file of the board.
func put(t *testing.T, dir, name string, b []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o666))
}

// array gives the bytes of a .npy file.
func array[T tensor.Element](t *testing.T, data []T, sizes ...int64) []byte {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, npy.Write(&b, v))
	return b.Bytes()
}

// Each mistake ends the runner with one line that has a code and says where.
func TestMistakes(t *testing.T) {
	dir := board(t)
	good := array(t, []float32{1, 2, 3, 4, 5, 6}, 2, 3)
	fortran := bytes.Replace(good, []byte("False"), []byte("True "), 1)
	put(t, dir, "good.npy", good)
	put(t, dir, "fortran.npy", fortran)
	put(t, dir, "short.npy", good[:len(good)-1])
	put(t, dir, "long.npy", append(bytes.Clone(good), 0))
	put(t, dir, "head.npy", good[:40])
	put(t, dir, "huge.npy", bytes.Replace(good, []byte("(2, 3), }                    "), []byte("(4611686018427387904, 4611), "), 1))
	put(t, dir, "object.npy", bytes.Replace(good, []byte("<f4"), []byte("|O8"), 1))
	put(t, dir, "f64.npy", array(t, []float64{1, 2, 3, 4, 5, 6}, 2, 3))
	put(t, dir, "shape.npy", array(t, []float32{1, 2, 3, 4, 5, 6}, 3, 2))
	put(t, dir, "bool.npy", append(array(t, []bool{true}, 1)[:128], 7))
	put(t, dir, "empty.vmfb", nil)
	put(t, dir, "text.vmfb", []byte("not a program, only words"))
	contract := read(t, dir, "demo.contract.json")
	put(t, dir, "other.contract.json", bytes.ReplaceAll(contract, []byte(`"weighted"`), []byte(`"weight"`)))
	put(t, dir, "liar.contract.json", bytes.Replace(contract, []byte(`"name": "last"`), []byte(`"name": "least"`), 1))
	put(t, dir, "schema.contract.json", bytes.Replace(contract, []byte(`"schema": 1`), []byte(`"schema": 2`), 1))
	put(t, dir, "f64.contract.json", bytes.ReplaceAll(contract, []byte(`"f32"`), []byte(`"f64"`)))

	weighted := func(args ...string) []string { return call("weighted", args...) }
	with := func(old, new string, words []string) []string {
		return strings.Split(strings.Replace(strings.Join(words, "\n"), old, new, 1), "\n")
	}
	ok := "x=1,2,3,4,5,6"
	for _, c := range []struct {
		args   []string
		status int
		want   string // of the line, after "iree_runner: "
	}{
		{nil, 2, "USAGE: no program is given"},
		{[]string{"--device", "gpu"}, 2, "USAGE: --device: there is no such option"},
		{[]string{"demo.vmfb", "--contract"}, 2, "USAGE: --contract: a value is wanted"},
		{[]string{"demo.vmfb"}, 2, "USAGE: give --contract"},
		{weighted(ok, "--output", "y"), 2, "USAGE: --output y is not of the form"},
		{weighted(ok, "--output", "z=a.npy"), 2, "USAGE: --output z=a.npy names no result of weighted"},
		{with("model=demo.irpa", "demo.irpa", weighted(ok)), 2, "USAGE: --archive demo.irpa is not of the form"},
		{[]string{"demo.vmfb", "--entry=demo.weighted", "1,2"}, 2, "USAGE: 1,2: without a contract"},
		{[]string{"demo.vmfb", "--entry=demo.weighted", "99999999999999999999xf32=1"}, 2, "USAGE: 99999999999999999999xf32=1: a size is at most"},
		{[]string{"demo.vmfb", "--entry=demo.weighted", "1x1x1x1x1x1x1x1x1xf32=1"}, 2, "USAGE: 1x1x1x1x1x1x1x1x1xf32=1: more than 8 dimensions"},

		{call("none"), 1, "CONTRACT_NO_ENTRY: program demo has no entry point none; it has weighted, kinds, rows"},
		{with("demo.contract.json", "none.json", weighted(ok)), 1, "FILE_OPEN: none.json: there is no such file"},
		{with("demo.contract.json", ".", weighted(ok)), 1, "FILE_OPEN: .: not a regular file"},
		{with("demo.contract.json", "demo.irpa", weighted(ok)), 1, "CONTRACT_BAD: demo.irpa: byte 0: a contract is an object"},
		{with("demo.contract", "schema.contract", weighted(ok)), 1, "CONTRACT_BAD: schema.contract.json: byte "},
		{with("demo.contract", "other.contract", call("weight", ok)), 1, "IREE_CALL: demo.weight: "},
		{with("demo.contract", "f64.contract", weighted(ok)), 1, "IREE_CALL: demo.weighted: "},

		{weighted(), 1, "BACKEND_BAD_ARGUMENT: weighted: argument x, f32[2x3], is not given"},
		{weighted(ok, ok), 1, "BACKEND_BAD_ARGUMENT: weighted: argument x is given twice"},
		{weighted(ok, "1,2"), 1, "BACKEND_BAD_ARGUMENT: weighted: more than its 1 arguments are given"},
		{weighted("z=1"), 1, "BACKEND_BAD_ARGUMENT: weighted: no argument is named z"},
		{weighted("x=1,2"), 1, "BACKEND_BAD_ARGUMENT: argument x is f32[2x3], 2 elements given"},
		{weighted("x=1,2,3,4,5,six"), 1, "BACKEND_BAD_ARGUMENT: argument x: element 5, six, is no f32"},
		{weighted("x=1,2,3,4,5,1e39"), 1, "BACKEND_BAD_ARGUMENT: argument x: element 5, 1e39, is no f32"},
		{weighted("x=1,2,3,4,5,\x1b[2J"), 1, `BACKEND_BAD_ARGUMENT: argument x: element 5, \x1b[2J, is no f32`},
		{call("kinds", "u8_in=1,2,256"), 1, "BACKEND_BAD_ARGUMENT: argument u8_in: element 2, 256, is no u8"},
		{call("kinds", "u64_in=1,2,-1"), 1, "BACKEND_BAD_ARGUMENT: argument u64_in: element 2, -1, is no u64"},
		{call("kinds", "i8_in=1,2,-129"), 1, "BACKEND_BAD_ARGUMENT: argument i8_in: element 2, -129, is no i8"},
		{call("kinds", "bool_in=2,1"), 1, "BACKEND_BAD_ARGUMENT: argument bool_in: element 0, 2, is no bool"},
		{call("rows", "x=1,2"), 1, "BACKEND_BAD_ARGUMENT: argument x is f32[?x2]: give a .npy file"},
		{weighted("f64.npy"), 1, "BACKEND_BAD_ARGUMENT: f64.npy: argument x is f32[2x3], the file holds f64[2x3]"},
		{weighted("shape.npy"), 1, "BACKEND_BAD_ARGUMENT: shape.npy: argument x is f32[2x3], the file holds f32[3x2]"},

		{weighted("none.npy"), 1, "FILE_OPEN: none.npy: there is no such file"},
		{weighted("@demo.irpa"), 1, "NPY_BAD_MAGIC: demo.irpa: byte 0: "},
		{weighted("fortran.npy"), 1, "NPY_ORDER: fortran.npy: byte 10: "},
		{weighted("short.npy"), 1, "NPY_SIZE: short.npy: byte 151: less data than the 24 bytes"},
		{weighted("long.npy"), 1, "NPY_SIZE: long.npy: byte 153: more data than the 24 bytes"},
		{weighted("head.npy"), 1, "NPY_BAD_HEADER: head.npy: byte 40: the file ends in the header"},
		{weighted("huge.npy"), 1, "NPY_BAD_HEADER: huge.npy: byte "},
		{weighted("object.npy"), 1, "NPY_DTYPE: object.npy: byte 10: element type |O8 is not read"},
		{call("kinds", "bool_in=bool.npy"), 1, "NPY_SIZE: bool.npy: byte 128: a bool holds 7"},

		{[]string{"demo.vmfb", "--contract=demo.contract.json", "--entry=weighted", ok}, 1, "IREE_LOAD: demo.vmfb: "},
		{with("model=demo.irpa", "model=none.irpa", weighted(ok)), 1, "IREE_PARAMETERS: none.irpa: "},
		{with("model=demo.irpa", "model=demo.vmfb", weighted(ok)), 1, "IREE_PARAMETERS: demo.vmfb: "},
		{with("model=demo.irpa", "weights=demo.irpa", weighted(ok)), 1, "IREE_LOAD: demo.vmfb: "},
		{with("demo.vmfb", "none.vmfb", weighted(ok)), 1, "IREE_LOAD: none.vmfb: "},
		{with("demo.vmfb", "empty.vmfb", weighted(ok)), 1, "IREE_LOAD: empty.vmfb: "},
		{with("demo.vmfb", "text.vmfb", weighted(ok)), 1, "IREE_LOAD: text.vmfb: "},
		{weighted(ok, "--output", "y=none/y.npy"), 1, "FILE_WRITE: none/y.npy.partial: cannot be made"},
	} {
		got := run(t, dir, c.args...)
		require.Equal(t, c.status, got.status, "%q: %s", c.args, got.stderr)
		require.True(t, strings.HasPrefix(got.stderr, "iree_runner: "+c.want), "%q: got %s want %s", c.args, got.stderr, c.want)
		require.Equal(t, 1, strings.Count(got.stderr, "\n"), got.stderr)
		require.True(t, strings.HasSuffix(got.stderr, "\n"))
	}
	// A name that the contract alone has wrong does no harm: results go by place.
	got := run(t, dir, with("demo.contract", "liar.contract", weighted(ok))...)
	require.Contains(t, got.stdout, "\nleast: f32[scalar] = 6\n")
}

// A file larger than the memory is refused, not waited for.
func TestMemory(t *testing.T) {
	dir := board(t)
	head := array(t, []float32{}, 0)
	put(t, dir, "large.npy", bytes.Replace(head, []byte("(0,), }          "), []byte("(250000000,), }  "), 1))
	require.NoError(t, os.Truncate(filepath.Join(dir, "large.npy"), 128+1e9))
	t.Setenv("RUNNER_LIMIT", "100000") // KiB
	got := run(t, dir, call("rows", "large.npy")...)
	require.Equal(t, 1, got.status)
	require.True(t, strings.HasPrefix(got.stderr, "iree_runner: MEMORY: "), got.stderr)
}
