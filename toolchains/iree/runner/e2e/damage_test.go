//go:build integration

package e2e

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// damage returns n damaged copies of a file: truncated, or with bytes changed, removed
// or inserted. The seed is fixed, so a failure is reproducible.
func damage(seed uint64, n int, good []byte) [][]byte {
	r := rand.New(rand.NewPCG(seed, 0))
	interesting := []byte{0, 1, 0x7f, 0x80, 0xff, '9', '(', ')', '{', '[', '"', '\'', '\\', ','}
	long := [][]byte{[]byte("99999999999999999999"), bytes.Repeat([]byte("["), 100), bytes.Repeat([]byte(`{"a":`), 100), []byte("-1"), []byte("0,")}
	var all [][]byte
	for range n {
		b := bytes.Clone(good)
		for range 1 + r.IntN(3) {
			if len(b) == 0 {
				break
			}
			at := r.IntN(len(b))
			switch r.IntN(4) {
			case 0:
				b = b[:at]
			case 1:
				b[at] = interesting[r.IntN(len(interesting))]
			case 2:
				b = append(b[:at], b[min(len(b), at+1+r.IntN(8)):]...)
			default:
				b = append(b[:at], append(bytes.Clone(long[r.IntN(len(long))]), b[at:]...)...)
			}
		}
		all = append(all, b)
	}
	return all
}

// survives runs the runner and requires a clean exit: results, or one line with a
// code that starts with one of codes.
func survives(t *testing.T, dir string, damaged []byte, args []string, codes ...string) (ok bool) {
	t.Helper()
	got := run(t, dir, args...)
	if got.status == 0 {
		require.Empty(t, got.stderr)
		return true
	}
	require.Equal(t, 1, got.status, "%q: %s", damaged, got.stderr)
	require.Equal(t, 1, strings.Count(got.stderr, "\n"), "%q: %s", damaged, got.stderr)
	code := strings.Split(got.stderr, ": ")[1]
	for _, c := range codes {
		if strings.HasPrefix(code, c) {
			return false
		}
	}
	t.Fatalf("%q: %s", damaged, got.stderr)
	return false
}

func TestDamagedArrays(t *testing.T) {
	dir := board(t)
	refused := 0
	good := array(t, []float32{1, 2, 3, 4, 5, 6}, 2, 3)
	for _, b := range damage(1, 300, good) {
		put(t, dir, "x.npy", b)
		if !survives(t, dir, b, call("weighted", "x.npy"), "NPY_", "BACKEND_BAD_ARGUMENT") {
			refused++
		}
	}
	require.Greater(t, refused, 150)
	for n := range good { // truncated anywhere
		put(t, dir, "x.npy", good[:n])
		require.False(t, survives(t, dir, good[:n], call("weighted", "x.npy"), "NPY_"), n)
	}
}

func TestDamagedContracts(t *testing.T) {
	dir := board(t)
	refused := 0
	good := read(t, dir, "demo.contract.json")
	for _, b := range damage(2, 300, good) {
		put(t, dir, "demo.contract.json", b)
		if !survives(t, dir, b, call("weighted", "1,2,3,4,5,6"), "CONTRACT_", "BACKEND_BAD_ARGUMENT", "IREE_CALL") {
			refused++
		}
	}
	require.Greater(t, refused, 100)
}

// A truncated program or archive does not load, wherever it is cut, except
// in parts that are not read: a program's central directory, an archive's padding.
func TestCutPrograms(t *testing.T) {
	dir := board(t)
	args := call("weighted", "1,2,3,4,5,6")
	whole := run(t, dir, args...)
	require.Equal(t, 0, whole.status)
	for _, c := range []struct {
		name  string
		codes []string
		spare int
	}{{"demo.vmfb", []string{"IREE_LOAD"}, 512}, {"demo.irpa", []string{"IREE_PARAMETERS", "IRPA_"}, 4096}} {
		name := c.name
		good := read(t, dir, name)
		for i := range 100 {
			n := len(good) * i / 100
			put(t, dir, name, good[:n])
			if survives(t, dir, nil, args, c.codes...) {
				require.Equal(t, whole, run(t, dir, args...))
				require.Less(t, len(good)-n, c.spare, "%s: %d of %d bytes", name, n, len(good))
			}
		}
		put(t, dir, name, good)
	}
}
