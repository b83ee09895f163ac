// Package nested runs Bazel inside a test, in a copy of a workspace that depends
// on this checkout.
//
// The nested Bazel is the one that ./bazelw chooses. Its output base is in the
// test's folder; at the end of the test the server is shut down and the base removed.
// The caches of the checkout's user.bazelrc apply to it too.
//
// # Errors
//
// Errors of the set-up end the test. The output of the nested Bazel is returned.
package nested

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
)

// cacheAge is how long unused entries stay in the tests' own disk cache.
const cacheAge = 7 * 24 * time.Hour

// Workspace is a copy of a folder of //e2e.
type Workspace struct {
	Root string // this checkout
	Dir  string // the copy
	Base string // the nested Bazel's output base

	t       testing.TB
	command []string
	env     []string
}

// Open copies the workspace e2e/NAME. The environment variable E2E_ROOT is the
// runfiles path of a source file in the checkout's root.
func Open(t testing.TB, name string) *Workspace {
	t.Helper()
	file, err := runfiles.Rlocation(os.Getenv("E2E_ROOT"))
	require.NoError(t, err)
	file, err = filepath.EvalSymlinks(file)
	require.NoError(t, err)
	temporary := os.Getenv("TEST_TMPDIR")
	require.NotEmpty(t, temporary, "run this by bazel test")
	w := &Workspace{
		t:    t,
		Root: filepath.Dir(file),
		Dir:  filepath.Join(temporary, name),
		Base: filepath.Join(temporary, name+".base"),
		env:  environment(),
	}
	remove(t, w.Base) // left by a killed run
	remove(t, w.Dir)
	require.NoError(t, os.CopyFS(w.Dir, os.DirFS(filepath.Join(w.Root, "e2e", name))))
	w.Replace("MODULE.bazel", `path = "../.."`, `path = "`+w.Root+`"`)
	w.command = w.bazel()
	w.Write(".bazelrc", w.Read(".bazelrc")+w.settings())
	t.Cleanup(w.close)
	return w
}

// Setenv sets a variable of the nested Bazel's environment.
func (w *Workspace) Setenv(name, value string) { w.env = append(w.env, name+"="+value) }

// Write writes a file of the copy.
func (w *Workspace) Write(path, text string) {
	w.t.Helper()
	path = filepath.Join(w.Dir, path)
	require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(w.t, os.WriteFile(path, []byte(text), 0o777)) //nolint:forbidigo // in a copy that is removed
}

// Read reads a file of the copy.
func (w *Workspace) Read(path string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.Dir, path))
	require.NoError(w.t, err)
	return string(data)
}

// Replace replaces the only occurrence of old in a file of the copy.
func (w *Workspace) Replace(path, old, text string) {
	w.t.Helper()
	before := w.Read(path)
	require.Equal(w.t, 1, strings.Count(before, old), "%s: %s", path, old)
	w.Write(path, strings.Replace(before, old, text, 1))
}

// Run runs a command of Bazel and returns what it printed on both streams.
func (w *Workspace) Run(command string, arguments ...string) (string, error) {
	w.t.Helper()
	begun := time.Now()
	cmd := w.cmd(command, arguments...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	w.t.Logf("bazel %s %s: %.1f s, %v", command, strings.Join(arguments, " "), time.Since(begun).Seconds(), err)
	return out.String(), err
}

// Succeed runs a command that must succeed.
func (w *Workspace) Succeed(command string, arguments ...string) string {
	w.t.Helper()
	out, err := w.Run(command, arguments...)
	require.NoError(w.t, err, out)
	return out
}

// Fail runs a command that must fail and print each of the wanted texts. If it does
// not, the test continues, so that one run shows all failures.
func (w *Workspace) Fail(wanted []string, command string, arguments ...string) {
	w.t.Helper()
	out, err := w.Run(command, arguments...)
	if err == nil {
		w.t.Errorf("it succeeded, want %q", wanted)
	}
	for _, want := range wanted {
		if !strings.Contains(out, want) {
			w.t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func (w *Workspace) cmd(command string, arguments ...string) *exec.Cmd {
	words := slices.Concat(w.command[1:], []string{"--output_base=" + w.Base, "--max_idle_secs=120", command}, arguments)
	cmd := exec.Command(w.command[0], words...)
	cmd.Dir, cmd.Env = w.Dir, w.env
	return cmd
}

// bazel returns the command with which ./bazelw would start Bazel.
func (w *Workspace) bazel() []string {
	w.t.Helper()
	cmd := exec.Command("bash", "-c",
		`set -eu; source "$1/tools/bazel/choose.sh"; choose_bazel "$1"; printf '%s\n' "${SKAINET_BAZEL_COMMAND[@]}"`, "bash", w.Root)
	cmd.Env = w.env
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(w.t, err)
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

var shared = regexp.MustCompile(`--(disk_cache|repository_cache|remote_cache)=\S+`)

// settings returns lines for .bazelrc, each for all commands that accept its option.
func (w *Workspace) settings() string {
	w.t.Helper()
	options := []string{
		"--color=no", "--curses=no", "--noshow_progress", "--symlink_prefix=/", "--test_output=errors",
		"--repo_env=GO_REPOSITORY_USE_HOST_CACHE=1",
		// The other module's files are links to this checkout, which may lie in /tmp.
		"--noincompatible_sandbox_hermetic_tmp",
	}
	user, err := os.ReadFile(filepath.Join(w.Root, "user.bazelrc"))
	if err != nil {
		require.ErrorIs(w.t, err, fs.ErrNotExist)
	}
	caches := shared.FindAllString(string(user), -1)
	if !strings.Contains(strings.Join(caches, " "), "--disk_cache=") {
		folder, err := os.UserCacheDir()
		require.NoError(w.t, err)
		folder = filepath.Join(folder, "skainet", "e2e")
		forget(w.t, folder)
		caches = append(caches, "--disk_cache="+folder)
	}
	return "common " + strings.Join(append(options, caches...), "\ncommon ") + "\n"
}

// forget removes the files of a disk cache that were not used for cacheAge: Bazel
// updates their times when it reads them.
func forget(t testing.TB, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ignoreAbsent(err)
		}
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > cacheAge {
			err = os.Remove(path)
		}
		return ignoreAbsent(err)
	})
	require.NoError(t, err)
}

// ignoreAbsent ignores that another test has removed the same file.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (w *Workspace) close() {
	if out, err := w.cmd("shutdown").CombinedOutput(); err != nil {
		w.t.Errorf("shutdown: %v: %s", err, out)
	}
	remove(w.t, w.Base)
}

// remove removes a folder with read-only files.
func remove(t testing.TB, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			err = os.Chmod(path, 0o777)
		}
		return ignoreAbsent(err)
	})
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(folder))
}

// environment returns this process's environment without the outer Bazel's test variables.
func environment() []string {
	var kept []string
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, "TEST_") && !strings.Contains(name, "RUNFILES") && !strings.HasPrefix(name, "E2E_") &&
			name != "BAZEL_TEST" && name != "TZ" && name != "GO_TEST_WRAP" {
			kept = append(kept, e)
		}
	}
	return kept
}
