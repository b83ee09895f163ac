package repos

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostPython returns the version and the platform as pip_packages.py names them.
func hostPython(t *testing.T) (version, platform string) {
	t.Helper()
	out, err := exec.Command("python3", "-c",
		`import sys, sysconfig; print("%d.%d" % sys.version_info[:2]); print(sysconfig.get_platform().replace("-", " ", 1))`).Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[0], lines[1]
}

// tinyWheel is a package with one module, a script and the members of extra.
func tinyWheel(t *testing.T, extra ...file) []byte {
	return zipOf(t, append([]file{
		{"tiny/__init__.py", "answer = 42\n"},
		{"tiny-1.0.data/purelib/tiny_more.py", "import tiny\n"},
		{"tiny-1.0.data/scripts/tiny", "#!python\n"},
		{"tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n"},
		{"tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{"tiny-1.0.dist-info/RECORD", ""},
	}, extra...)...)
}

func TestPipPackages(t *testing.T) {
	version, platform := hostPython(t)
	wheel, outside := tinyWheel(t), tinyWheel(t, file{"../escaped.py", ""})
	pin := func(name, sha256 string) string { return name + " --hash=sha256:" + sha256 + "\n" }
	for _, c := range []struct {
		name, lock, python string
		wheel              []byte
		code               string // "" when the packages must be there
	}{
		{"unpacked", "# a comment\n\n" + pin("tiny==1.0", sum(wheel)), version, wheel, ""},
		{"another hash", pin("tiny==1.0", sum(outside)), version, wheel, "FETCH_HASH_MISMATCH: tiny==1.0"},
		{"not there", pin("tiny==2.0", sum(wheel)), version, wheel, "FETCH_NOT_FOUND: lock.txt"},
		{"another Python", pin("tiny==1.0", sum(wheel)), "3.1", wheel, "FETCH_PYTHON_VERSION: "},
		{"no hash", "tiny==1.0\n", version, wheel, "FETCH_BAD_LOCK: lock.txt:1"},
		{"a name that leaves the folder", pin("tiny==1.0", sum(outside)), version, outside, "FETCH_BAD_ARCHIVE: " + wheelName},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			lock, out := filepath.Join(dir, "lock.txt"), filepath.Join(dir, "out")
			require.NoError(t, os.WriteFile(lock, []byte(c.lock), 0o644))
			server := index(t, c.wheel, nil)
			stderr, ok := python(t,
				[]string{"PIP_INDEX_URL=" + server.URL + "/simple", "PIP_CONFIG_FILE=" + os.DevNull, "PIP_RETRIES=0",
					"PIP_NO_CACHE_DIR=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "no_proxy=127.0.0.1"},
				"pip_packages.py", "--lock", lock, "--python", c.python, "--platform", platform, "--out", out)
			if c.code != "" {
				require.False(t, ok)
				require.True(t, strings.HasPrefix(stderr, c.code), stderr)
				require.Equal(t, 1, strings.Count(stderr, "\n"), "one line: %s", stderr)
				require.Empty(t, names(t, out), "nothing half-made")
				require.NoFileExists(t, filepath.Join(dir, "escaped.py"))
				return
			}
			require.True(t, ok, stderr)
			require.Equal(t, []string{"python.sh", "site"}, names(t, out))
			require.Equal(t, []string{"tiny", "tiny-1.0.dist-info", "tiny_more.py"}, names(t, filepath.Join(out, "site")))
			// Through a link, as runfiles are, and without the host's own packages.
			link := filepath.Join(dir, "link.sh")
			require.NoError(t, os.Symlink(filepath.Join(out, "python.sh"), link))
			said, err := exec.Command(link, "-c", "import sys, tiny_more; print(tiny_more.tiny.answer, 'site' in sys.modules)").CombinedOutput()
			require.NoError(t, err, string(said))
			require.Equal(t, "42 False\n", string(said))
		})
	}
}
