package cli

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	status, stdout, stderr := run("--version")
	require.Zero(t, status, stderr)
	require.Regexp(t, `^skainet version \S+, for IREE 3\.\d+\.\d+\n$`, stdout)

	main := debug.Module{Path: module, Version: "v0.1.0"}
	for want, b := range map[string]*debug.BuildInfo{
		"v0.1.0, ":      {Main: main},
		"v0.2.0, ":      {Main: debug.Module{Path: "example.com/x", Version: "v9.0.0"}, Deps: []*debug.Module{{Path: module, Version: "v0.2.0"}}},
		"unpublished, ": {Main: debug.Module{Path: module, Version: "(devel)"}},
	} {
		require.Contains(t, versionOf(b), want)
	}
	require.Contains(t, versionOf(nil), "unpublished, ")
}
