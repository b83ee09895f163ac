//go:build integration

package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// sandboxed is a worker with bubblewrap that shows the system's programs.
func sandboxed(t *testing.T, twice bool) bench {
	anchor, err := runfiles.Rlocation(os.Getenv("BUBBLEWRAP"))
	require.NoError(t, err)
	anchor, err = filepath.Abs(anchor)
	require.NoError(t, err)
	o := Options{Bwrap: filepath.Join(filepath.Dir(anchor), "bubblewrap/root/usr/bin/bwrap")}
	require.FileExists(t, o.Bwrap)
	for _, folder := range []string{"/usr", "/bin", "/lib", "/lib64"} {
		if _, err := os.Lstat(folder); err == nil {
			o.Show = append(o.Show, folder)
		}
	}
	return newBench(t, o, twice)
}

// What an action sees in the sandbox: its inputs, the folders shown, no network,
// no other process, no user of the host.
func TestSandbox(t *testing.T) {
	t.Setenv("FROM_THE_HOST", "1")
	b := sandboxed(t, false)
	r, err := b.run(b.action(t, map[string]string{"a": "one"}, shell(
		`pwd; ls in; ls /; id -u; hostname; env | grep HOST; tail -n +3 /proc/net/dev | cut -d: -f1; ls -d /proc/[0-9]* | wc -l; cat in/a > out`, "out")))
	require.NoError(t, err)
	require.Zero(t, r.ExitCode, "%s", b.text(t, r.StderrDigest))
	lines := strings.Fields(b.text(t, r.StdoutDigest))
	var root []string
	for _, name := range []string{"bin", "dev", "lib", "lib64", "proc", "remote", "tmp", "usr"} {
		if _, err := os.Lstat("/" + name); err == nil || name == "remote" {
			root = append(root, name)
		}
	}
	want := append([]string{"/remote/execroot", "a", "link"}, root...)
	want = append(want, "1000", "worker", "lo")
	require.Equal(t, want, lines[:len(want)])
	require.Len(t, lines, len(want)+1)
	require.Less(t, len(lines[len(want)]), 2, "a handful of processes, its own")
	require.Equal(t, "one", b.text(t, r.OutputFiles[0].Digest))
}

// The second run is in another folder under another host name.
func TestSandboxTwice(t *testing.T) {
	for _, script := range []string{"pwd > out", "hostname > out", "date +%N > out"} {
		b := sandboxed(t, true)
		_, err := b.run(b.action(t, nil, shell(script, "out")))
		require.Equal(t, CodeNotReproducible, errs.CodeOf(err), "%s: %v", script, err)
	}
	b := sandboxed(t, true)
	_, err := b.run(b.action(t, map[string]string{"a": "x"}, shell("cp in/a out; date +%N > unnamed", "out")))
	require.NoError(t, err)
}

// An input cannot be written to, though it is a link to the blob; with a change of
// its mode it can, and that is found.
func TestSandboxInputs(t *testing.T) {
	b := sandboxed(t, false)
	r, err := b.run(b.action(t, map[string]string{"a": "x"}, shell("echo more >> in/a")))
	require.NoError(t, err)
	require.NotZero(t, r.ExitCode)
	for _, script := range []string{
		"chmod u+w in/a; echo more >> in/a",
		"mv in/a b; chmod u+w b; printf y > b; chmod 555 b; touch -d 2000-01-01T00:00:00Z b",
	} {
		_, err = b.run(b.action(t, map[string]string{"a": "x"}, shell(script)))
		require.Equal(t, CodeInput, errs.CodeOf(err), "%v", err)
	}
}
