package worker

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

type bench struct {
	*Worker
	store *cas.Store
	twice bool
}

func newBench(t *testing.T, o Options, twice bool) bench {
	root := t.TempDir()
	store, err := cas.Open(root)
	require.NoError(t, err)
	w, err := New(store, root, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		left, err := os.ReadDir(filepath.Join(root, "work"))
		require.NoError(t, err)
		require.Empty(t, left)
	})
	return bench{w, store, twice}
}

func (b bench) run(a *re.Action) (*re.ActionResult, error) {
	return b.Run(context.Background(), a, b.twice)
}

func (b bench) put(t *testing.T, text string) *re.Digest {
	d, err := b.store.PutBytes([]byte(text))
	require.NoError(t, err)
	return d
}

// action is one that has some files in a folder "in" and runs a command line.
func (b bench) action(t *testing.T, files map[string]string, c *re.Command) *re.Action {
	in := &re.Directory{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		in.Files = append(in.Files, &re.FileNode{Name: name, Digest: b.put(t, files[name]), IsExecutable: true})
	}
	in.Symlinks = []*re.SymlinkNode{{Name: "link", Target: "a"}}
	folder, err := b.store.PutMessage(in)
	require.NoError(t, err)
	root, err := b.store.PutMessage(&re.Directory{Directories: []*re.DirectoryNode{{Name: "in", Digest: folder}}})
	require.NoError(t, err)
	command, err := b.store.PutMessage(c)
	require.NoError(t, err)
	return &re.Action{CommandDigest: command, InputRootDigest: root}
}

// shell is a command line with the tools of the host.
func shell(script string, outputs ...string) *re.Command {
	return &re.Command{
		Arguments:            []string{"/bin/sh", "-c", script},
		EnvironmentVariables: []*re.Command_EnvironmentVariable{{Name: "PATH", Value: "/usr/bin:/bin"}, {Name: "WORD", Value: "word"}},
		OutputPaths:          outputs,
	}
}

func (b bench) text(t *testing.T, d *re.Digest) string {
	text, err := b.store.Bytes(d)
	require.NoError(t, err)
	return string(text)
}

func TestRun(t *testing.T) {
	b := newBench(t, Options{}, true)
	a := b.action(t, map[string]string{"a": "one\n", "b": "two\n", "empty": ""}, shell(
		`cat in/link in/b in/empty > out/file; echo $WORD; echo no >&2
		mkdir -p out/tree/sub; cp in/a out/tree/sub/a; ln -s sub/a out/tree/link; ln -s nowhere out/dangling; chmod -x out/file
		chmod 0500 out/tree/sub`,
		"out/file", "out/tree", "out/dangling", "out/absent"))
	r, err := b.run(a)
	require.NoError(t, err)
	require.Zero(t, r.ExitCode)
	require.Equal(t, "word\n", b.text(t, r.StdoutDigest))
	require.Equal(t, "no\n", b.text(t, r.StderrDigest))

	require.Len(t, r.OutputFiles, 1)
	require.Equal(t, "out/file", r.OutputFiles[0].Path)
	require.False(t, r.OutputFiles[0].IsExecutable)
	require.Equal(t, "one\ntwo\n", b.text(t, r.OutputFiles[0].Digest))
	require.Len(t, r.OutputSymlinks, 1)
	require.Equal(t, "nowhere", r.OutputSymlinks[0].Target)

	require.Len(t, r.OutputDirectories, 1)
	tree := &re.Tree{}
	require.NoError(t, b.store.Message(r.OutputDirectories[0].TreeDigest, tree))
	require.Len(t, tree.Children, 1)
	require.Equal(t, "sub/a", tree.Root.Symlinks[0].Target)
	require.Equal(t, "one\n", b.text(t, tree.Children[0].Files[0].Digest))
	sub, err := b.store.PutMessage(tree.Children[0])
	require.NoError(t, err)
	require.Equal(t, sub.Hash, tree.Root.Directories[0].Digest.Hash)
}

// What is not an input is not there, and what the host has in its environment neither.
func TestNothingElse(t *testing.T) {
	t.Setenv("FROM_THE_HOST", "1")
	b := newBench(t, Options{}, false)
	r, err := b.run(b.action(t, map[string]string{"a": ""}, shell("ls . in; env | grep HOST; cat in/undeclared")))
	require.NoError(t, err)
	require.Equal(t, int32(1), r.ExitCode)
	require.Equal(t, ".:\nin\n\nin:\na\nlink\n", b.text(t, r.StdoutDigest))
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		command *re.Command
		options Options
		code    errs.Code
		names   string
	}{
		"text in an argument":     {shell("cat /home/me/x"), Options{Forbid: []string{"/home/me"}}, CodeForbidden, "argument"},
		"text in the environment": {shell("true"), Options{Forbid: []string{"usr/bin"}}, CodeForbidden, "PATH"},
		"text in an output":       {shell("printf '%s%s' se cret > out", "out"), Options{Forbid: []string{"secret"}}, CodeForbidden, "output out"},
		"text in a tree":          {shell("mkdir t; printf '%s%s' se cret > t/f", "t"), Options{Forbid: []string{"secret"}}, CodeForbidden, "output t/f"},
		"chance":                  {shell("head -c 16 /dev/urandom > out", "out"), Options{}, CodeNotReproducible, "out"},
		"the folder":              {shell("pwd > out", "out"), Options{}, CodeNotReproducible, "out"},
		"a tree":                  {shell("mkdir t; pwd > t/f", "t"), Options{}, CodeNotReproducible, "t"},
		"a link":                  {shell(`ln -s "$PWD" l`, "l"), Options{}, CodeNotReproducible, "l"},
		"an input written to":     {shell("chmod u+w in/a; echo more >> in/a"), Options{}, CodeInput, "in/a"},
		"an output outside":       {shell("true", "../out"), Options{}, CodePath, "../out"},
		"no arguments":            {&re.Command{}, Options{}, CodeStart, "no arguments"},
		"no such program":         {&re.Command{Arguments: []string{"in/none"}}, Options{}, CodeStart, "in/none"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, c.options, true)
			_, err := b.run(b.action(t, map[string]string{"a": "x"}, c.command))
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.names)
		})
	}
}

// All names of outputs are checked, whichever of them count.
func TestOutputNames(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "made")
	for _, bad := range []string{"../../../../evil/made", outside, ".", "", "a/..", "a/../b", "a//b", "a/", "a\x00b"} {
		for name, set := range map[string]func(c *re.Command){
			"paths":                 func(c *re.Command) { c.OutputPaths = []string{"x", bad} },
			"files":                 func(c *re.Command) { c.OutputFiles = []string{bad} },                                     //nolint:staticcheck // deprecated in the protocol
			"folders":               func(c *re.Command) { c.OutputDirectories = []string{bad} },                               //nolint:staticcheck // deprecated in the protocol
			"files beside paths":    func(c *re.Command) { c.OutputPaths, c.OutputFiles = []string{"x"}, []string{bad} },       //nolint:staticcheck // clients of version 2.0 send it
			"folders beside paths":  func(c *re.Command) { c.OutputPaths, c.OutputDirectories = []string{"x"}, []string{bad} }, //nolint:staticcheck // clients of version 2.0 send it
			"folders of a folder":   func(c *re.Command) { c.WorkingDirectory, c.OutputDirectories = "in", []string{bad} },     //nolint:staticcheck // clients of version 2.0 send it
			"paths without a place": func(c *re.Command) { c.WorkingDirectory, c.OutputPaths = "..", []string{"x"} },
		} {
			b := newBench(t, Options{}, false)
			c := shell("true")
			set(c)
			_, err := b.run(b.action(t, map[string]string{"a": "x"}, c))
			require.Equal(t, CodePath, errs.CodeOf(err), "%s %q: %v", name, bad, err)
			require.NoDirExists(t, filepath.Join(b.work, "../../evil"))
		}
	}
	require.NoDirExists(t, outside)
}

// What lies behind a link is not an output, whether an input is the link or the action
// made it.
func TestLinksToOutputs(t *testing.T) {
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("s"), 0o600))
	for name, c := range map[string]*re.Command{
		"made":              shell("rmdir out; ln -s "+outside+" out", "out/secret"),
		"made, inside":      shell("mkdir real; echo > real/f; rm -r out; ln -s real out", "out/f"),
		"made, above":       shell("rm -r out; ln -s "+outside+" out", "out/sub/secret"),
		"a file on the way": shell("rmdir out; echo > out", "out/f"),
		"an input":          shell("true", "in/to/made/x"),
		"an input, found":   shell("true", "in/to/secret"),
	} {
		b := newBench(t, Options{}, false)
		a := b.action(t, nil, c)
		_, err := b.run(withLink(t, b, a, outside))
		require.Equal(t, CodePath, errs.CodeOf(err), "%s: %v", name, err)
	}
	for name, set := range map[string]func(c *re.Command){
		"working folder": func(c *re.Command) { c.WorkingDirectory = "in/to" },
		"output folder":  func(c *re.Command) { c.OutputDirectories = []string{"in/to/made"} }, //nolint:staticcheck // deprecated in the protocol
	} {
		b := newBench(t, Options{}, false)
		c := shell("echo > made", "made")
		set(c)
		_, err := b.run(withLink(t, b, b.action(t, nil, c), outside))
		require.Equal(t, CodePath, errs.CodeOf(err), "%s: %v", name, err)
	}
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing was made there")
}

// withLink returns an action of which the input in/to is a link.
func withLink(t *testing.T, b bench, a *re.Action, target string) *re.Action {
	in, err := b.store.PutMessage(&re.Directory{Symlinks: []*re.SymlinkNode{{Name: "to", Target: target}}})
	require.NoError(t, err)
	a.InputRootDigest, err = b.store.PutMessage(&re.Directory{Directories: []*re.DirectoryNode{{Name: "in", Digest: in}}})
	require.NoError(t, err)
	return a
}

// A pipe without a writer is not waited for.
func TestPipes(t *testing.T) {
	for _, c := range []*re.Command{shell("mkfifo out", "out"), shell("mkdir t; mkfifo t/out", "t")} {
		b := newBench(t, Options{}, false)
		a, done := b.action(t, nil, c), make(chan error, 1)
		go func() {
			_, err := b.run(a)
			done <- err
		}()
		select {
		case err := <-done:
			require.Equal(t, CodeOutput, errs.CodeOf(err), "%v", err)
		case <-time.After(20 * time.Second):
			t.Fatal("the pipe is read")
		}
	}
}

// An input that was written to is a blob no more.
func TestWrittenInput(t *testing.T) {
	b := newBench(t, Options{}, false)
	d := b.put(t, "x")
	_, err := b.run(b.action(t, map[string]string{"a": "x"}, shell("chmod u+w in/a; echo more >> in/a")))
	require.Equal(t, CodeInput, errs.CodeOf(err), "%v", err)
	require.False(t, b.store.Has(d))

	// One that is replaced by another file harms nobody.
	_, err = b.run(b.action(t, map[string]string{"a": "x"}, shell("rm in/a; echo other > in/a")))
	require.NoError(t, err)
	require.Equal(t, "x", b.text(t, d))
}

func TestTimeout(t *testing.T) {
	b := newBench(t, Options{}, false)
	a := b.action(t, nil, shell("sleep 60"))
	a.Timeout = durationpb.New(50 * time.Millisecond)
	_, err := b.run(a)
	require.Equal(t, CodeTimeout, errs.CodeOf(err), "%v", err)
}

func TestBadTrees(t *testing.T) {
	b := newBench(t, Options{}, false)
	command, err := b.store.PutMessage(shell("true"))
	require.NoError(t, err)
	x := b.put(t, "x")
	for name, d := range map[string]*re.Directory{
		"file":    {Files: []*re.FileNode{{Name: "../x", Digest: x}}},
		"folder":  {Directories: []*re.DirectoryNode{{Name: "..", Digest: x}}},
		"symlink": {Symlinks: []*re.SymlinkNode{{Name: "", Target: "x"}}},
	} {
		root, err := b.store.PutMessage(d)
		require.NoError(t, err)
		_, err = b.run(&re.Action{CommandDigest: command, InputRootDigest: root})
		require.Equal(t, CodePath, errs.CodeOf(err), "%s: %v", name, err)
	}
	missing := &re.Digest{Hash: strings.Repeat("0", 64), SizeBytes: 1}
	root, err := b.store.PutMessage(&re.Directory{Files: []*re.FileNode{{Name: "x", Digest: missing}}})
	require.NoError(t, err)
	for _, a := range []*re.Action{{CommandDigest: command, InputRootDigest: root}, {CommandDigest: missing, InputRootDigest: root}} {
		_, err = b.run(a)
		require.Equal(t, cas.CodeNoBlob, errs.CodeOf(err), "%v", err)
	}
}

// Text is found wherever the pieces end that are read.
func TestContains(t *testing.T) {
	for _, before := range []int{0, 1, 1<<20 - 3, 1<<20 - 1, 1 << 20, 1<<20 + 4, 3 << 20} {
		text := strings.Repeat("x", before) + "secret" + strings.Repeat("x", 10)
		found, err := contains(strings.NewReader(text), []string{"absent", "secret"})
		require.NoError(t, err)
		require.Equal(t, "secret", found, "after %d bytes", before)
	}
	found, err := contains(strings.NewReader(strings.Repeat("secre", 1<<20)), []string{"secret"})
	require.NoError(t, err)
	require.Empty(t, found)
}
