package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	said       = regexp.MustCompile(`"[^"\n]*?\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+): `)
	documented = regexp.MustCompile("`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`::")
)

// The page lists the codes that rules, repository rules and extensions say at analysis
// and before it, all of them and no other.
func TestCodesOfRules(t *testing.T) {
	page, err := os.ReadFile(os.Getenv("PAGE"))
	require.NoError(t, err)
	listed := map[string]bool{}
	for _, m := range documented.FindAllStringSubmatch(string(page), -1) {
		listed[m[1]] = true
	}
	found := map[string]bool{}
	for _, folder := range []string{"rules", "toolchains", "tools/repos"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".bzl" {
				return err
			}
			text, err := os.ReadFile(path)
			for line := range strings.Lines(string(text)) {
				for _, m := range said.FindAllStringSubmatch(line, -1) {
					found[m[1]] = true
				}
			}
			return err
		}))
	}
	require.Contains(t, found, "VMFB_TARGET")
	require.Contains(t, found, "ZIG_LOCAL")
	require.Equal(t, found, listed)
}
