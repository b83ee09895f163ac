// Package listed tests that a reader finds every page: from the navigation, from the first
// page, and from the README.
package listed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPages(t *testing.T) {
	const root = "../modules/ROOT/"
	read := func(path string) string {
		text, err := os.ReadFile(filepath.FromSlash(path))
		require.NoError(t, err)
		return string(text)
	}
	readme, index, nav := read("../../README.md"), read(root+"pages/index.adoc"), read(root+"nav.adoc")
	pages, err := filepath.Glob(root + "pages/*.adoc")
	require.NoError(t, err)
	require.Greater(t, len(pages), 20)
	for _, path := range pages {
		page := filepath.Base(path)
		require.True(t, strings.Contains(nav, "xref:"+page+"["), "nav.adoc lacks %s", page)
		if page != "index.adoc" {
			require.True(t, strings.Contains(index, "* xref:"+page+"["), "index.adoc lacks %s", page)
			require.True(t, strings.Contains(readme, "](docs/modules/ROOT/pages/"+page+")"), "README.md lacks %s", page)
		}
	}
}
