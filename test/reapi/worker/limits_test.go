package worker

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

// tree stores folders from the innermost on; each has what make gives it of the one before.
func (b bench) tree(t *testing.T, levels int, make func(below *re.Digest) *re.Directory) *re.Digest {
	d, err := b.store.PutMessage(&re.Directory{})
	require.NoError(t, err)
	for range levels {
		d, err = b.store.PutMessage(make(d))
		require.NoError(t, err)
	}
	return d
}

func pair(d *re.Digest) *re.Directory {
	return &re.Directory{Directories: []*re.DirectoryNode{{Name: "a", Digest: d}, {Name: "b", Digest: d}}}
}

func single(d *re.Digest) *re.Directory {
	return &re.Directory{Directories: []*re.DirectoryNode{{Name: "a", Digest: d}}}
}

// A few folders that name each other twice unfold to 2^levels. None is made.
func TestFoldedTree(t *testing.T) {
	b := newBench(t, Options{}, false)
	command, err := b.store.PutMessage(shell("true"))
	require.NoError(t, err)
	run := func(root *re.Digest) error {
		_, err := b.run(&re.Action{CommandDigest: command, InputRootDigest: root})
		return err
	}
	for _, levels := range []int{16, 17, 63, 64, 99} {
		err := run(b.tree(t, levels, pair))
		require.Equal(t, cas.CodeLimit, errs.CodeOf(err), "%d: %v", levels, err)
		require.ErrorContains(t, err, "unfolds to more than 100000 files")
		require.ErrorContains(t, err, "fewer inputs")
	}
	require.NoError(t, run(b.tree(t, 8, pair)))

	require.NoError(t, run(b.tree(t, MaxDepth, single)))
	for _, levels := range []int{MaxDepth + 1, 5000} {
		err := run(b.tree(t, levels, single))
		require.Equal(t, cas.CodeLimit, errs.CodeOf(err), "%d: %v", levels, err)
		require.ErrorContains(t, err, "nested more than 100 deep")
	}
	// A folder that was met near the root may lie too deep elsewhere.
	shallow := b.tree(t, 60, single)
	far := shallow
	for range 50 {
		far, err = b.store.PutMessage(single(far))
		require.NoError(t, err)
	}
	root, err := b.store.PutMessage(&re.Directory{Directories: []*re.DirectoryNode{{Name: "a", Digest: shallow}, {Name: "b", Digest: far}}})
	require.NoError(t, err)
	require.Equal(t, cas.CodeLimit, errs.CodeOf(run(root)))

	wide := &re.Directory{}
	for i := range MaxEntries + 1 {
		wide.Symlinks = append(wide.Symlinks, &re.SymlinkNode{Name: fmt.Sprint(i), Target: "x"})
	}
	root, err = b.store.PutMessage(wide)
	require.NoError(t, err)
	require.Equal(t, cas.CodeLimit, errs.CodeOf(run(root)))
}

// Names and digests of a tree are checked before anything of it is made.
func TestHostileEntries(t *testing.T) {
	b := newBench(t, Options{}, false)
	command, err := b.store.PutMessage(shell("true"))
	require.NoError(t, err)
	x := b.put(t, "x")
	file := func(names ...string) *re.Directory {
		d := &re.Directory{}
		for _, n := range names {
			d.Files = append(d.Files, &re.FileNode{Name: n, Digest: x})
		}
		return d
	}
	link := func(target string) *re.Directory {
		return &re.Directory{Symlinks: []*re.SymlinkNode{{Name: "l", Target: target}}}
	}
	both := file("x")
	both.Symlinks = []*re.SymlinkNode{{Name: "x", Target: "/"}}
	through := link("/tmp")
	through.Directories = []*re.DirectoryNode{{Name: "l", Digest: b.tree(t, 1, func(*re.Digest) *re.Directory { return file("x") })}}
	for name, c := range map[string]struct {
		root *re.Directory
		code errs.Code
	}{
		"above":             {file(".."), CodePath},
		"itself":            {file("."), CodePath},
		"a path":            {file("a/b"), CodePath},
		"absolute":          {file("/etc/x"), CodePath},
		"a zero byte":       {file("a\x00"), CodePath},
		"a long name":       {file(strings.Repeat("n", 256)), CodePath},
		"twice":             {file("x", "x"), CodePath},
		"a file and a link": {both, CodePath},
		"through a link":    {through, CodePath},
		"a link to nothing": {link(""), CodePath},
		"a long link":       {link(strings.Repeat("x", 2001)), CodePath},
		"a link with zero":  {link("a\x00"), CodePath},
		"no digest":         {&re.Directory{Files: []*re.FileNode{{Name: "x"}}}, cas.CodeDigest},
		"no folder":         {&re.Directory{Directories: []*re.DirectoryNode{{Name: "x"}}}, cas.CodeDigest},
		"another length":    {&re.Directory{Files: []*re.FileNode{{Name: "x", Digest: &re.Digest{Hash: x.Hash, SizeBytes: 7}}}}, cas.CodeNoBlob},
		"no length":         {&re.Directory{Files: []*re.FileNode{{Name: "x", Digest: &re.Digest{Hash: x.Hash}}}}, cas.CodeDigest},
		"a file as folder":  {&re.Directory{Directories: []*re.DirectoryNode{{Name: "x", Digest: x}}}, cas.CodeMessage},
	} {
		root, err := b.store.PutMessage(c.root)
		require.NoError(t, err)
		_, err = b.run(&re.Action{CommandDigest: command, InputRootDigest: root})
		require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", name, err)
	}
	for name, a := range map[string]*re.Action{"no command": {InputRootDigest: x}, "no input root": {CommandDigest: command}, "nothing": {}} {
		_, err := b.run(a)
		require.Equal(t, cas.CodeDigest, errs.CodeOf(err), "%s: %v", name, err)
	}
}

// Words that a process cannot get, and names without end.
func TestHostileCommands(t *testing.T) {
	variable := func(name, value string) *re.Command {
		c := shell("true")
		c.EnvironmentVariables = append(c.EnvironmentVariables, &re.Command_EnvironmentVariable{Name: name, Value: value})
		return c
	}
	many := make([]string, MaxEntries+1)
	for name, c := range map[string]struct {
		command *re.Command
		code    errs.Code
	}{
		"no program":                {&re.Command{Arguments: []string{""}}, CodeStart},
		"a zero byte":               {&re.Command{Arguments: []string{"/bin/true", "a\x00b"}}, CodeStart},
		"no variable":               {variable("", "x"), CodeStart},
		"a variable with =":         {variable("LD_PRELOAD=x", "y"), CodeStart},
		"a variable with nul":       {variable("A", "b\x00"), CodeStart},
		"many outputs":              {&re.Command{Arguments: []string{"true"}, OutputPaths: many}, cas.CodeLimit},
		"a long output":             {shell("true", strings.Repeat("a/", 1000)+"b"), CodePath},
		"a long folder":             {&re.Command{Arguments: []string{"true"}, WorkingDirectory: strings.Repeat("a/", 1001)}, CodePath},
		"a folder with zero":        {&re.Command{Arguments: []string{"true"}, WorkingDirectory: "a\x00"}, CodePath},
		"arguments no system takes": {&re.Command{Arguments: []string{"/bin/true", strings.Repeat("x", 4<<20)}}, CodeStart},
	} {
		b := newBench(t, Options{}, false)
		_, err := b.run(b.action(t, nil, c.command))
		require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", name, err)
	}
}

func TestTimeouts(t *testing.T) {
	b := newBench(t, Options{}, false)
	for _, bad := range []*durationpb.Duration{
		durationpb.New(MaxTimeout + 1), {Seconds: math.MaxInt64}, {Seconds: -1}, {Seconds: 1, Nanos: -1}, {Nanos: math.MaxInt32},
	} {
		a := b.action(t, nil, shell("true"))
		a.Timeout = bad
		_, err := b.run(a)
		require.Equal(t, cas.CodeLimit, errs.CodeOf(err), "%v: %v", bad, err)
		require.ErrorContains(t, err, "2h0m0s")
	}
	for a, want := range map[*re.Action]time.Duration{
		{}: MaxTimeout, {Timeout: &durationpb.Duration{}}: MaxTimeout, {Timeout: durationpb.New(time.Second)}: time.Second,
	} {
		got, err := timeout(a)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// An action that prints without end is ended.
func TestPrintedText(t *testing.T) {
	for _, c := range []struct{ script, name string }{
		{"yes", "stdout"}, {"yes >&2", "stderr"}, {"trap '' PIPE; while :; do yes; done", "stdout"},
	} {
		b := newBench(t, Options{}, false)
		_, err := b.run(b.action(t, nil, shell(c.script)))
		require.Equal(t, CodeOutput, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "more than 8388608 bytes to its "+c.name)
		require.ErrorContains(t, err, "file")
	}
	b := newBench(t, Options{}, false)
	r, err := b.run(b.action(t, nil, shell("head -c 8388608 /dev/zero")))
	require.NoError(t, err)
	require.Equal(t, int64(MaxText), r.StdoutDigest.SizeBytes)
}

// Outputs are measured before they are read: this one is a hole of a terabyte.
func TestLargeOutputs(t *testing.T) {
	deep := "d=out; for i in $(seq 102); do d=$d/a; done; mkdir -p $d"
	for script, text := range map[string]string{
		"truncate -s 1T out":                                "more than 8589934592 bytes, reached in out",
		"mkdir out; echo > out/a; truncate -s 8G out/b":     "reached in out/b",
		"mkdir out; cd out; seq 1001 | xargs touch":         "more than 1000 entries",
		"mkdir out out/a; cd out/a; seq 1000 | xargs touch": "reached in out/a",
		deep: "nested more than 100 deep",
	} {
		b := newBench(t, Options{}, false)
		b.entries = 1000
		_, err := b.run(b.action(t, nil, shell(script, "out")))
		require.Equal(t, CodeOutput, errs.CodeOf(err), "%s: %v", script, err)
		require.ErrorContains(t, err, text)
	}
}
