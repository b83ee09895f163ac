//go:build integration

package caches

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/e2e/nested"
)

// TestRepositories: a file that came through the host's pip is in Bazel's repository
// cache, so after `clean --expunge` its repository is made again without the index.
func TestRepositories(t *testing.T) {
	const name = "tiny-1.0-py3-none-any.whl"
	wheel := wheelOf(t, map[string]string{
		"tiny/weights.bin":            "abc",
		"tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
		"tiny-1.0.dist-info/WHEEL":    "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		"tiny-1.0.dist-info/RECORD":   "",
	})
	var fetched atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/simple/tiny/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<html><body><a href="/files/%s">%s</a></body></html>`, name, name)
	})
	mux.HandleFunc("/files/"+name, func(w http.ResponseWriter, _ *http.Request) {
		fetched.Add(1)
		_, _ = w.Write(wheel)
	})
	index := httptest.NewServer(mux)
	t.Cleanup(index.Close)

	w := nested.Open(t, "smoke")
	for name, value := range map[string]string{
		"PIP_CONFIG_FILE": os.DevNull, "PIP_EXTRA_INDEX_URL": "", "PIP_INDEX_URL": index.URL + "/simple", "PIP_NO_CACHE_DIR": "1",
		"PIP_RETRIES": "0", "no_proxy": "127.0.0.1",
	} {
		w.Setenv(name, value)
	}
	w.Write("MODULE.bazel", w.Read("MODULE.bazel")+fmt.Sprintf(`
pypi_wheel = use_repo_rule("@skainet//tools/repos:pypi_wheel.bzl", "pypi_wheel")

pypi_wheel(
    name = "tiny",
    filename = %q,
    package = "tiny",
    sha256 = "%x",
    version = "1.0",
)
`, name, sha256.Sum256(wheel)))
	cache := "--repository_cache=" + t.TempDir()
	target := "@tiny//:files"
	made := func() {
		out := w.Succeed("build", cache, target)
		require.NotContains(t, out, "Download from") // Bazel's warning of an address that has nothing
		files, err := filepath.Glob(filepath.Join(w.Base, "external", "*tiny", "*"))
		require.NoError(t, err)
		got := map[string]string{}
		for _, f := range files {
			b, err := os.ReadFile(f)
			require.NoError(t, err)
			got[filepath.Base(f)] = string(b)
		}
		require.Equal(t, string(wheel), got[name])
		require.NotContains(t, got, ".kept-by-bazel")
	}
	made()
	require.EqualValues(t, 1, fetched.Load())
	index.Close()
	w.Succeed("clean", "--expunge")
	made()
	require.EqualValues(t, 1, fetched.Load())

	// Without the cache there is nothing to make it of.
	w.Succeed("clean", "--expunge")
	w.Fail([]string{"FETCH_OFFLINE: tiny==1.0"}, "build", "--repository_cache="+t.TempDir(), target)
}

// wheelOf returns a zip of files.
func wheelOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, body := range files {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(body))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}
