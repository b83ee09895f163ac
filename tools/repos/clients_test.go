package repos

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClients runs download.py with a mvn and an npm that have one made-up file.
func TestClients(t *testing.T) {
	const body = "the archive's bytes"
	right := sum([]byte(body))
	// Each client is asked for a folder in its own words.
	mvn := `for a in "$@"; do case $a in -DoutputDirectory=*) out=${a#*=};; -Dartifact=g:a:1.0:jar) asked=yes;; esac; done; [ -n "$asked" ] && mkdir -p "$out" && `
	npm := `[ "$2" = "@s/p@1.0" ] || exit 9; while [ "$1" != --pack-destination ]; do shift; done; out=$2; `
	gives := `printf "%s" "` + body + `" > "$out/`
	for _, c := range []struct{ name, registry, client, script, sha256, code string }{
		{"fetched", "maven", "mvn", mvn + gives + `a-1.0.jar"`, right, ""},
		{"another hash", "maven", "mvn", mvn + gives + `a-1.0.jar"`, strings.Repeat("b", 64), "FETCH_HASH_MISMATCH: a-1.0.jar"},
		{"another file", "maven", "mvn", mvn + gives + `b-1.0.jar"`, right, "FETCH_NOT_FOUND: g:a:1.0"},
		{"not there", "maven", "mvn", "echo '[ERROR] Could not find artifact g:a:jar:1.0 in central'; exit 1", right, "FETCH_NOT_FOUND: g:a:1.0"},
		{"no repository", "maven", "mvn", "echo '[ERROR] Unknown host'; exit 1", right, "FETCH_OFFLINE: g:a:1.0"},
		{"no client", "maven", "other", "", right, "FETCH_MAVEN_MISSING: g:a:1.0"},
		{"fetched", "npm", "npm", npm + gives + `s-p-1.0.tgz"`, right, ""},
		{"another hash", "npm", "npm", npm + gives + `s-p-1.0.tgz"`, strings.Repeat("b", 64), "FETCH_HASH_MISMATCH: s-p-1.0.tgz"},
		{"another file", "npm", "npm", npm + gives + `p-1.0.tgz"`, right, "FETCH_NOT_FOUND: @s/p@1.0"},
		{"not there", "npm", "npm", "echo 'npm ERR! code E404' >&2; exit 1", right, "FETCH_NOT_FOUND: @s/p@1.0"},
		{"damaged", "npm", "npm", "echo 'npm error code EINTEGRITY' >&2; exit 1", right, "FETCH_HASH_MISMATCH: @s/p@1.0"},
		{"no registry", "npm", "npm", "echo 'npm ERR! code ENOTFOUND' >&2; exit 1", right, "FETCH_OFFLINE: @s/p@1.0"},
		{"no client", "npm", "other", "", right, "FETCH_NPM_MISSING: @s/p@1.0"},
	} {
		t.Run(c.registry+" "+c.name, func(t *testing.T) {
			bin, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
			script := fmt.Sprintf("#!/bin/sh\nPATH=/bin:/usr/bin\n%s\n", c.script)
			require.NoError(t, os.WriteFile(filepath.Join(bin, c.client), []byte(script), 0o755))
			pack, file := "g:a", "a-1.0.jar"
			if c.registry == "npm" {
				pack, file = "@s/p", "s-p-1.0.tgz"
			}
			stderr, ok := python(t, []string{"PATH=" + bin}, "download.py", "--registry", c.registry, "--package", pack,
				"--version", "1.0", "--filename", file, "--sha256", c.sha256, "--out", out)
			if c.code == "" {
				require.True(t, ok, stderr)
				require.Equal(t, []string{file}, names(t, out))
				return
			}
			require.False(t, ok)
			require.True(t, strings.HasPrefix(stderr, c.code), stderr)
			require.Empty(t, names(t, out), "nothing half-made")
		})
	}
}
