// Package listed tests that a reader finds every page: from the navigation, from the first
// page, and from the README.
package listed

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPages(t *testing.T) {
	const root = "../modules/ROOT/"
	// linked returns the pages that a file links as the pattern says.
	linked := func(path, pattern string) []string {
		text, err := os.ReadFile(filepath.FromSlash(path))
		require.NoError(t, err)
		var names []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
		return names
	}
	readme := linked("../../README.md", `\]\(docs/modules/ROOT/pages/([^)#]+)\)`)
	index, nav := linked(root+"pages/index.adoc", `(?m)^\* xref:([^[#]+)\[`), linked(root+"nav.adoc", `xref:([^[#]+)\[`)
	pages, err := filepath.Glob(root + "pages/*.adoc")
	require.NoError(t, err)
	require.Greater(t, len(pages), 20)
	for _, path := range pages {
		page := filepath.Base(path)
		require.Contains(t, nav, page)
		if page != "index.adoc" {
			require.Contains(t, index, page)
			require.Contains(t, readme, page)
		}
	}
}
