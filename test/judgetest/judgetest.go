// Package judgetest finds the Python with jaxlib that tests of StableHLO ask.
//
// # Errors
//
// Python skips the test where there is none.
//
// # Determinism
//
// It is the one that the build fetches, or that the environment names.
package judgetest

import (
	"os"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
)

// Variable is judge.Variable, which this package does not import to serve its tests too.
const Variable = "SKAINET_JAXLIB_PYTHON"

// Python returns the path of the program that SKAINET_JAXLIB_PYTHON names, a path or a place in
// the runfiles. Where it names none the test is skipped.
func Python(t testing.TB) string {
	t.Helper()
	path := os.Getenv(Variable)
	if path == "" {
		t.Skipf("%s names no Python with jaxlib", Variable)
	}
	if _, err := os.Stat(path); err == nil {
		return path
	}
	place, err := runfiles.Rlocation(path)
	if err != nil {
		t.Fatalf("%s: no such program: %v", path, err)
	}
	return place
}
