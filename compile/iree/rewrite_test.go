package iree

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/semver"

	table "github.com/skainet-dev/skainet-go/compile/iree/target"
)

// A row stands for releases that were tried. A release that is not among them asks for
// command needed, and for Last of the rows that it still shows the bug of.
func TestReleases(t *testing.T) {
	now := "v" + table.IREEVersion()
	require.True(t, semver.IsValid(now))
	for _, r := range Rewrites() {
		first, last := "v"+r.First, "v"+r.Last
		require.True(t, semver.IsValid(first) && semver.IsValid(last), r.ID)
		require.LessOrEqual(t, semver.Compare(first, now), 0, r.ID)
		require.GreaterOrEqual(t, semver.Compare(last, now), 0, "%s: %s was not tried with IREE %s: bazel run //compile/iree:needed", r.ID, "v"+r.Last, now)
	}
}
