//go:build integration

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each mistake ends the runner with one line that has a code and a location.
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
	var bare map[string]any
	require.NoError(t, json.Unmarshal(contract, &bare))
	bare["parameters"] = []any{}
	without, err := json.Marshal(bare)
	require.NoError(t, err)
	put(t, dir, "bare.contract.json", without)
	put(t, dir, "twice.irpa", read(t, dir, "demo.irpa"))
	put(t, dir, "other.irpa", bytes.Replace(read(t, dir, "demo.irpa"), []byte("w"), []byte("v"), 1))
	for _, part := range []string{"other-00001-of-00001.irpa", "other-00001-of-00002.irpa", "other-00002-of-00003.irpa"} {
		put(t, dir, part, read(t, dir, "other.irpa"))
	}
	put(t, dir, "f64.contract.json", bytes.ReplaceAll(contract, []byte(`"f32"`), []byte(`"f64"`)))

	weighted := func(args ...string) []string { return call("weighted", args...) }
	with := func(old, new string, words []string) []string {
		return strings.Split(strings.Replace(strings.Join(words, "\n"), old, new, 1), "\n")
	}
	typed := func() []string {
		return []string{"demo.vmfb", "--archive", "model=demo.irpa", "--entry=demo.weighted", "2x3xf32=1,2,3,4,5,6"}
	}
	ok := "x=1,2,3,4,5,6"
	for _, c := range []struct {
		args   []string
		status int
		want   string // the line's prefix after "iree_runner: "; after *, a substring of the rest
	}{
		{nil, 2, "USAGE: no program is given"},
		{[]string{"--device", "gpu"}, 2, "USAGE: --device: unknown option"},
		{[]string{"demo.vmfb", "--contract"}, 2, "USAGE: --contract: a value is wanted"},
		{[]string{"demo.vmfb"}, 2, "USAGE: give --contract"},
		{weighted(ok, "--output", "y"), 2, "USAGE: --output y is not of the form"},
		{weighted(ok, "--output", "z=a.npy"), 2, "USAGE: --output z=a.npy names no result; the results are y, last"},
		{append(typed(), "--output", "y=a.npy"), 2, "USAGE: --output y=a.npy names no result; the results are result0, result1"},
		{with("model=demo.irpa", "demo.irpa", weighted(ok)), 2, "USAGE: --archive demo.irpa is not of the form"},
		{[]string{"demo.vmfb", "--entry=demo.weighted", "1,2"}, 2, "USAGE: 1,2: without a contract"},
		{[]string{"demo.vmfb", "--entry=demo.weighted", "99999999999999999999xf32=1"}, 2, "USAGE: 99999999999999999999xf32=1: a size is at most"},
		{[]string{"demo.vmfb", "--entry=demo.weighted", "1x1x1x1x1x1x1x1x1xf32=1"}, 2, "USAGE: 1x1x1x1x1x1x1x1x1xf32=1: more than 8 dimensions"},

		{call("none"), 1, "CONTRACT_NO_ENTRY: program demo has no entry point none; it has weighted, kinds, rows"},
		{with("demo.contract.json", "none.json", weighted(ok)), 1, "FILE_OPEN: none.json: there is no such file"},
		{with("demo.contract.json", ".", weighted(ok)), 1, "FILE_OPEN: .: not a regular file"},
		{with("demo.contract.json", "demo.irpa", weighted(ok)), 1, "CONTRACT_BAD: demo.irpa: byte 0: a contract is an object"},
		{with("demo.contract", "schema.contract", weighted(ok)), 1, "CONTRACT_BAD: schema.contract.json: byte "},
		{with("demo.contract", "other.contract", call("weight", ok)), 1, "IREE_CALL: demo.weight: * must come from the same export\n"},
		{with("demo.contract", "f64.contract", weighted(ok)), 1, "IREE_CALL: demo.weighted: * must come from the same export\n"},

		{weighted(), 1, "BACKEND_BAD_ARGUMENT: weighted: argument x, f32[2x3], is not given"},
		{weighted(ok, ok), 1, "BACKEND_BAD_ARGUMENT: weighted: argument x is given twice"},
		{weighted(ok, "1,2"), 1, "BACKEND_BAD_ARGUMENT: weighted: more than its 1 arguments are given"},
		{weighted("z=1"), 1, "BACKEND_BAD_ARGUMENT: weighted: no argument is named z; its arguments are x\n"},
		{weighted("x=1,2"), 1, "BACKEND_BAD_ARGUMENT: argument x is f32[2x3], 2 elements given"},
		{weighted("x=1,2,3,4,5,six"), 1, "BACKEND_BAD_ARGUMENT: argument x: element 5, six, is not a valid f32"},
		{weighted("x=1,2,3,4,5,1e39"), 1, "BACKEND_BAD_ARGUMENT: argument x: element 5, 1e39, is not a valid f32"},
		{weighted("x=1,2,3,4,5,\x1b[2J"), 1, `BACKEND_BAD_ARGUMENT: argument x: element 5, \x1b[2J, is not a valid f32`},
		{call("kinds", "u8_in=1,2,256"), 1, "BACKEND_BAD_ARGUMENT: argument u8_in: element 2, 256, is not a valid u8"},
		{call("kinds", "u64_in=1,2,-1"), 1, "BACKEND_BAD_ARGUMENT: argument u64_in: element 2, -1, is not a valid u64"},
		{call("kinds", "i8_in=1,2,-129"), 1, "BACKEND_BAD_ARGUMENT: argument i8_in: element 2, -129, is not a valid i8"},
		{call("kinds", "f16_in=1,2,65520"), 1, "BACKEND_BAD_ARGUMENT: argument f16_in: element 2, 65520, is not a valid f16"},
		{call("kinds", "f16_in=-1e30,2,3"), 1, "BACKEND_BAD_ARGUMENT: argument f16_in: element 0, -1e30, is not a valid f16"},
		{call("kinds", "f16_in=65519,inf,-inf", "bf16_in=3.4e38,1,2"), 1, "BACKEND_BAD_ARGUMENT: argument bf16_in: element 0, 3.4e38, is not a valid bf16"},
		{call("kinds", "bf16_in=3.389e38,inf,-inf", "bool_in=2,1"), 1, "BACKEND_BAD_ARGUMENT: argument bool_in: "},
		{call("kinds", "bool_in=2,1"), 1, "BACKEND_BAD_ARGUMENT: argument bool_in: element 0, 2, is not a valid bool"},
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

		{[]string{"demo.vmfb", "--contract=demo.contract.json", "--entry=weighted", ok}, 1,
			"IREE_PARAMETERS: model: program demo needs 1 parameters of this scope, but no archive was given for it; give --archive model=FILE.irpa\n"},
		{with("model=demo.irpa", "weights=demo.irpa", weighted(ok)), 1,
			"IREE_PARAMETERS: weights: program demo has no parameters of this scope; it has some of model\n"},
		{with("demo.contract", "bare.contract", weighted(ok)), 1,
			"IREE_PARAMETERS: model: program demo takes no parameters; leave --archive out\n"},
		{with("model=demo.irpa", "model=none.irpa", weighted(ok)), 1, "IREE_PARAMETERS: none.irpa: * packed for the program\n"},
		{with("model=demo.irpa", "model=demo.vmfb", weighted(ok)), 1, "IRPA_BAD_MAGIC: demo.vmfb: byte 0: * pack it again\n"},
		{weighted(ok, "--archive=model=twice.irpa"), 1, "IREE_PARAMETERS: twice.irpa: model::w: the key is in demo.irpa as well; *\n"},
		{weighted(ok, "--archive=model=other.irpa", "--archive", "model=./demo.irpa"), 1, "IREE_PARAMETERS: ./demo.irpa: model::w: the key is in demo.irpa as well; *\n"},
		{with("model=demo.irpa", "model=other.irpa", weighted(ok)), 1, "IREE_LOAD: demo.vmfb: * the archives those that were packed for it\n"},
		{with("model=demo.irpa", "model=other-00002-of-00003.irpa", weighted(ok)), 1, "IREE_LOAD: demo.vmfb: * give all parts of the archive; 2 are not given, the first of them other-00001-of-00003.irpa\n"},
		{with("model=demo.irpa", "model=other-00001-of-00002.irpa", weighted(ok)), 1, "IREE_LOAD: demo.vmfb: * give all parts of the archive; 1 is not given, the first of them other-00002-of-00002.irpa\n"},
		{with("model=demo.irpa", "model=other-00001-of-00001.irpa", weighted(ok)), 1, "IREE_LOAD: demo.vmfb: * the archives those that were packed for it\n"},
		{with("demo.vmfb", "none.vmfb", weighted(ok)), 1, "IREE_LOAD: none.vmfb: * for this processor, "},
		{with("demo.vmfb", "empty.vmfb", weighted(ok)), 1, "IREE_LOAD: empty.vmfb: * for this processor, "},
		{with("demo.vmfb", "text.vmfb", weighted(ok)), 1, "IREE_LOAD: text.vmfb: * for this processor, "},
		{[]string{"demo.vmfb", "--entry=demo.weighted", "2x3xf32=1,2,3,4,5,6"}, 1, "IREE_LOAD: demo.vmfb: * takes --archive SCOPE=FILE.irpa\n"},
		{with("demo.weighted", "weighted", typed()), 1, "IREE_CALL: weighted: * --entry is MODULE.FUNCTION\n"},
		{with("xf32", "xf64", typed()), 1, "IREE_CALL: demo.weighted: * the program was exported with\n"},
	} {
		got := run(t, dir, c.args...)
		require.Equal(t, c.status, got.status, "%q: %s", c.args, got.stderr)
		begin, end, _ := strings.Cut(c.want, "*")
		require.True(t, strings.HasPrefix(got.stderr, "iree_runner: "+begin), "%q: got %s want %s", c.args, got.stderr, c.want)
		require.Contains(t, got.stderr, end, "%q", c.args)
		require.Equal(t, 1, strings.Count(got.stderr, "\n"), got.stderr)
		require.True(t, strings.HasSuffix(got.stderr, "\n"))
	}
	// A name that is wrong only in the contract does no harm: results are matched by position.
	got := run(t, dir, with("demo.contract", "liar.contract", weighted(ok))...)
	require.Contains(t, got.stdout, "\nleast: f32[scalar] = 6\n")
}

// A file larger than memory is rejected at once.
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
