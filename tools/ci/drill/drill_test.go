package drill

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// setup makes a workspace with a Bazel whose fault is given.
func setup(t *testing.T, fault string) Options {
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	script := func(path, text string) string {
		path = filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
		return path
	}
	script("workspace/bazelw", fmt.Sprintf("DRILL_FAKE=bazel exec '%s' \"$@\"\n", self))
	workspace := filepath.Join(dir, "workspace")
	require.NoError(t, os.WriteFile(filepath.Join(workspace, "fault"), []byte(fault), 0o644))
	require.NoError(t, os.Symlink("fault", filepath.Join(workspace, "link")))
	cmd := exec.Command("git", "init", "-q")
	cmd.Dir = workspace
	require.NoError(t, cmd.Run())
	t.Setenv("HOME", dir) // which no action may see
	// The worker of BuildGrid has no environment that could say so.
	server := fmt.Sprintf("BUILDGRID_FAULT='%s' DRILL_FAKE=server exec '%s' \"$@\"\n", os.Getenv("BUILDGRID_FAULT"), self)
	script("postgres/usr/lib/postgresql/15/bin/initdb", server)
	script("postgres/usr/lib/postgresql/15/bin/postgres", server)
	script("buildbox/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", server)
	return Options{
		BuildGrid: BuildGrid{
			Python: script("python", server), Buildbox: filepath.Join(dir, "buildbox"), Postgres: filepath.Join(dir, "postgres"),
		},
		Workspace: workspace, Work: filepath.Join(dir, "work"), Targets: []string{"//a/..."}, Drills: Names,
		Bwrap:    script("bwrap", "while [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n"),
		Engine:   script("engine", fmt.Sprintf("DRILL_FAKE=engine exec '%s' \"$@\"\n", self)),
		Show:     []string{"/usr"},
		Progress: io.Discard, Twice: true,
	}
}

func TestPassed(t *testing.T) {
	o := setup(t, "")
	results, err := Run(context.Background(), o)
	require.NoError(t, err)
	var names []string
	for _, r := range results {
		names = append(names, r.Name)
		require.Equal(t, 2, r.Actions, r.Name)
		require.Equal(t, 2, r.Good, r.Name)
		require.Empty(t, r.Faults, r.Name)
	}
	require.Equal(t, append([]string{"first"}, Names...), names)
	var outputs []int
	for _, r := range results {
		outputs = append(outputs, r.Outputs)
	}
	require.Equal(t, []int{1, 0, 0, 1, 1, 1, 0}, outputs)
	left, err := os.ReadDir(o.Work)
	require.NoError(t, err)
	require.Empty(t, left)

	var table bytes.Buffer
	require.True(t, Print(&table, results, true))
	require.Regexp(t, `(?m)^http +2 +2 +100% +- +0s +a Go server on loopback$`, table.String())
	require.Regexp(t, `PASSED\n$`, table.String())
	table.Reset()
	require.False(t, Print(&table, results[:1], false))
	require.NotContains(t, table.String(), "PASSED")
}

// Each fault is found by the drill that is for it, and named.
func TestFound(t *testing.T) {
	for _, c := range []struct{ drill, fault, engine, names string }{
		{"http", "argument", "", `Gen of //a:a was not taken from the cache: argument 1 is "bin/a.txt" and then "`},
		{"disk", "argument", "", "argument 1"},
		{"vendor", "argument", "", "argument 1"},
		{"bytes", "bytes", "", "bin/a.txt of Gen of //a:a is 982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1 and then "},
		{"bytes", "cached", "", "Gen of //a:a was not run again"},
		{"remote", "bytes", "", "bin/a.txt of Gen of //a:a is "},
		{"remote", "local", "", `Gen of //a:a ran as "linux-sandbox"`},
		{"strict", "bytes", "", "bin/a.txt of Gen of //a:a is "},
		{"strict", "local", "", `Gen of //a:a ran as "linux-sandbox"`},
		{"strict", "", "action", "Gen of //a:a: REAPI_NOT_REPRODUCIBLE: output bin/a.txt"},
		{"disk", "digest", "", "bin/a.txt of Gen of //a:a has the sha256 982d9e3eb996f559"},
	} {
		t.Run(c.drill+" "+c.fault+c.engine, func(t *testing.T) {
			t.Setenv("ENGINE_FAULT", c.engine)
			o := setup(t, c.fault)
			o.Drills, o.Twice = []string{c.drill}, false
			results, err := Run(context.Background(), o)
			require.NoError(t, err)
			var table bytes.Buffer
			require.False(t, Print(&table, results, true))
			require.Contains(t, table.String(), c.names)
			require.NotContains(t, table.String(), "PASSED")
		})
	}
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		fault  string
		change func(*Options)
		code   errs.Code
	}{
		"unknown drill":     {"", func(o *Options) { o.Drills = []string{"https"} }, CodeOptions},
		"no targets":        {"", func(o *Options) { o.Targets = nil }, CodeOptions},
		"no bubblewrap":     {"", func(o *Options) { o.Bwrap = "" }, CodeOptions},
		"no git":            {"", func(o *Options) { o.Workspace = t.TempDir() }, CodeCheckout},
		"a file to work in": {"", func(o *Options) { o.Work = filepath.Join(o.Workspace, "fault") }, CodeCheckout},
		"no engine":         {"", func(o *Options) { o.Engine = "/none" }, CodeTool},
		"no BuildGrid":      {"", func(o *Options) { o.BuildGrid.Python = "" }, CodeOptions},
		"no PostgreSQL":     {"", func(o *Options) { o.BuildGrid.Postgres = o.Workspace }, CodeTool},
		"no buildbox":       {"", func(o *Options) { o.BuildGrid.Buildbox = o.Workspace }, CodeTool},
		"no nginx":          {"", func(o *Options) { o.Nginx = "/bin/false" }, CodeTool},
		"test":              {"bazel test", func(*Options) {}, CodeBazel},
		"vendor":            {"bazel vendor", func(*Options) {}, CodeBazel},
		"clean":             {"bazel clean", func(*Options) {}, CodeBazel},
		"empty log":         {"no log", func(*Options) {}, CodeLog},
		"log cut short":     {"bad log", func(*Options) {}, CodeLog},
	} {
		t.Run(name, func(t *testing.T) {
			o := setup(t, c.fault)
			t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(o.Workspace))
			c.change(&o)
			_, err := Run(context.Background(), o)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			if left, err := os.ReadDir(o.Work); err == nil {
				require.Empty(t, left)
			}
		})
	}
	for i, fault := range []string{"--no-sync", "listen_addresses", "migrate", "schedulers:", "usr/bin/buildbox-casd", "usr/bin/buildbox-worker"} {
		t.Run(fmt.Sprint("BuildGrid ", i), func(t *testing.T) {
			t.Setenv("BUILDGRID_FAULT", fault)
			o := setup(t, "")
			o.Drills = []string{"remote"}
			_, err := Run(context.Background(), o)
			require.Equal(t, CodeTool, errs.CodeOf(err), "%v", err)
		})
	}
	t.Run("engine", func(t *testing.T) {
		t.Setenv("ENGINE_FAULT", "start")
		_, err := Run(context.Background(), setup(t, ""))
		require.Equal(t, CodeTool, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "no port is free")
	})
}

func TestDifference(t *testing.T) {
	in := func(path, hash string) file {
		f := file{Path: path}
		f.Digest.Hash = hash
		return f
	}
	base := spawn{
		Target: "//a", Mnemonic: "M", Args: []string{"x", "y"}, Variables: []variable{{"PATH", "/bin"}},
		Inputs: []file{in("a", "1"), in("b", "2")}, Listed: []string{"o"},
	}
	for want, change := range map[string]func(*spawn){
		`argument 1 is "y" and then "z"`:                func(s *spawn) { s.Args = []string{"x", "z"} },
		"it has 2 arguments and then 1":                 func(s *spawn) { s.Args = []string{"x"} },
		"environment variable PATH is /bin and then /x": func(s *spawn) { s.Variables = []variable{{"PATH", "/x"}} },
		"environment variable HOME came in":             func(s *spawn) { s.Variables = append(s.Variables[:1:1], variable{"HOME", "/h"}) },
		"input b is 2 and then 3":                       func(s *spawn) { s.Inputs = []file{in("a", "1"), in("b", "3")} },
		"input b is gone":                               func(s *spawn) { s.Inputs = s.Inputs[:1] },
		"input a is 1 and then -> b":                    func(s *spawn) { s.Inputs = []file{{Path: "a", Symlink: "b"}, in("b", "2")} },
		"other names":                                   func(s *spawn) { s.Listed = []string{"o", "p"} },
		"a tag may keep it out":                         func(*spawn) {},
	} {
		other := base
		change(&other)
		require.Contains(t, difference(&base, &other), want)
	}
	_, faults := (&build{spawns: []spawn{base}}).hits(&build{spawns: []spawn{{Target: "//b", Mnemonic: "N"}}})
	require.Equal(t, []string{
		"M of //a is not in the second build",
		"N of //b was not taken from the cache; the first build had no such action",
	}, faults)
	made := func(path string) *build {
		return &build{spawns: []spawn{{Target: "//a", Mnemonic: "M", Outputs: []file{in(path, "1")}}}}
	}
	_, faults = made("o").sameOutputs(made("p"))
	require.Equal(t, []string{"o of M of //a was not made again", "p of M of //a is new"}, faults)
}

func TestCacheHandler(t *testing.T) {
	h := cacheHandler(t.TempDir())
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2, appendix B.1
	do := func(method, path, body string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
		return w.Code, w.Body.String()
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/cas/" + abc, "", http.StatusNotFound, ""},
		{"PUT", "/cas/" + abc, "abd", http.StatusBadRequest, "DRILL_TOOL"},
		{"GET", "/cas/" + abc, "", http.StatusNotFound, ""},
		{"PUT", "/cas/" + abc, "abc", http.StatusCreated, ""},
		{"GET", "/cas/" + abc, "", http.StatusOK, "abc"},
		{"PUT", "/ac/" + abc, "any", http.StatusCreated, ""},
		{"GET", "/ac/" + abc, "", http.StatusOK, "any"},
		{"DELETE", "/ac/" + abc, "", http.StatusMethodNotAllowed, ""},
		{"GET", "/ac/../../etc/passwd", "", http.StatusForbidden, ""},
		{"PUT", "/", "", http.StatusForbidden, ""},
	} {
		status, body := do(c.method, c.path, c.body)
		require.Equal(t, c.status, status, "%s %s", c.method, c.path)
		require.Contains(t, body, c.want, "%s %s", c.method, c.path)
	}
}

func TestManyFaults(t *testing.T) {
	r := Result{Name: "http", Actions: 1000, Good: 999}
	for i := range 25 {
		r.Faults = append(r.Faults, fmt.Sprint("fault ", i))
	}
	var table bytes.Buffer
	require.False(t, Print(&table, []Result{r}, true))
	require.Contains(t, table.String(), "<100%")
	require.Equal(t, shown+1, strings.Count(table.String(), "FAILED: "))
	require.Contains(t, table.String(), "and 5 more")
}

func TestLibraries(t *testing.T) {
	root := t.TempDir()
	for _, d := range []string{"usr/sbin", "usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, d), 0o755))
	}
	require.Equal(t, []string{root + "/lib/x86_64-linux-gnu", root + "/usr/lib/x86_64-linux-gnu"}, libraries(root+"/usr/sbin/nginx"))
	require.Empty(t, libraries("/usr/sbin/nginx"))
}
