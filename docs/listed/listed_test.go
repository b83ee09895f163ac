// Package listed tests that a reader finds every page, from the navigation and from the first
// page, to which the README leads; that the tests that pages name exist; and that the page of
// weights has all of them.
package listed

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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
		}
	}
	require.Contains(t, readme, "index.adoc")
	for _, page := range readme {
		require.FileExists(t, root+"pages/"+page)
	}
}

// The tests that pages name are those of the suite guarantee_tests, which Bazel resolves.
func TestGuarantees(t *testing.T) {
	// labels returns what a file has between marks, sorted, each once.
	labels := func(path, mark string) []string {
		text, err := os.ReadFile(filepath.FromSlash(path))
		require.NoError(t, err)
		var found []string
		for _, m := range regexp.MustCompile(mark+`((?://[a-z0-9_/]+)?:[a-z0-9_]+_test)`+mark).FindAllStringSubmatch(string(text), -1) {
			found = append(found, m[1])
		}
		return found
	}
	named := []string{":listed_test"}
	for _, page := range []string{"guarantees", "determinism"} {
		named = append(named, labels("../modules/ROOT/pages/"+page+".adoc", "`")...)
	}
	named = slices.DeleteFunc(named, func(l string) bool { return l == "//docs/listed:listed_test" })
	slices.Sort(named)
	suite := labels("BUILD.bazel", `"`)
	slices.Sort(suite)
	require.Greater(t, len(suite), 10)
	require.Equal(t, slices.Compact(named), suite)
}

// What the README says runs all tests is what a change has to pass.
func TestCommandOfAllTests(t *testing.T) {
	for _, path := range []string{"../../README.md", "../../.ci/run"} {
		text, err := os.ReadFile(filepath.FromSlash(path))
		require.NoError(t, err)
		require.Regexp(t, `[ {]\./bazelw test //\.\.\.\s`, string(text), path)
	}
}

// The page of weights has every package that models are fetched from, and the zoo's table.
func TestWeightSources(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(filepath.FromSlash(path))
		require.NoError(t, err)
		return string(text)
	}
	page := read("../modules/ROOT/pages/weight-sources.adoc")
	packages := regexp.MustCompile(`package = "([^"%]+)(?:%d)?",\n +version = "([^"]+)",`).FindAllStringSubmatch(read("../../models/extensions.bzl"), -1)
	require.Greater(t, len(packages), 5)
	for _, p := range packages {
		listed := regexp.MustCompile(regexp.QuoteMeta(p[1]) + `[^|]* ` + regexp.QuoteMeta(p[2]) + ` \|`)
		require.True(t, listed.MatchString(page), "the page has no row with %s %s", p[1], p[2])
	}
	rows := regexp.MustCompile("(?m)^\\| (`@.+) \\|$").FindAllStringSubmatch(read("../../models/zoo/README.md"), -1)
	require.Greater(t, len(rows), 8)
	for _, r := range rows {
		row := "|" + strings.ReplaceAll(r[1], " | ", " |")
		require.Contains(t, strings.Split(page, "\n"), row)
	}
}
