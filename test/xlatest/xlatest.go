// Package xlatest finds the plugin that tests of XLA run on.
//
// # Errors
//
// Plugin skips the test where there is none.
//
// # Determinism
//
// The plugin is the one that the build chooses, or that the environment names.
package xlatest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
)

// Variable is pjrt.Variable, which this package does not import to serve its tests too.
const Variable = "SKAINET_PJRT_PLUGIN"

// Plugin returns the path of the plugin that SKAINET_PJRT_PLUGIN names, a path or a place in
// the runfiles, and sets the variable to an absolute path for the test. Where it names none
// the test is skipped.
func Plugin(t testing.TB) string {
	t.Helper()
	path := os.Getenv(Variable)
	if path == "" || strings.HasSuffix(path, ".absent") {
		t.Skipf("%s names no plugin of XLA", Variable)
	}
	if _, err := os.Stat(path); err != nil {
		place, err := runfiles.Rlocation(path)
		if err != nil {
			t.Fatalf("%s: no such plugin: %v", path, err)
		}
		path = place
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(Variable, path)
	return path
}
