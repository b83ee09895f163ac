//go:build integration

// Package run runs the commands on the site's pages: the blocks that have run=NAME.
package run

import (
	"fmt"
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

	"github.com/skainet-dev/skainet-go/docs/blocks"
)

// file returns the absolute path of the runfile that an environment variable names.
func file(t *testing.T, variable string) string {
	t.Helper()
	name := os.Getenv(variable)
	require.NotEmpty(t, name, "%s must name a runfile; run this test through Bazel", variable)
	return located(t, name)
}

func located(t *testing.T, name string) string {
	t.Helper()
	p, err := runfiles.Rlocation(name)
	require.NoError(t, err)
	p, err = filepath.Abs(p)
	require.NoError(t, err)
	require.FileExists(t, p)
	return p
}

// onPages returns the blocks of each script.
func onPages(t *testing.T) map[string][]blocks.Block {
	t.Helper()
	pages, err := filepath.Glob("../../modules/ROOT/pages/*.adoc")
	require.NoError(t, err)
	require.Greater(t, len(pages), 20)
	found := map[string][]blocks.Block{}
	for _, page := range pages {
		list, err := blocks.Read(page)
		require.NoError(t, err)
		for _, b := range list {
			if name := b.Attributes["run"]; name != "" {
				found[name] = append(found[name], b)
			}
		}
	}
	return found
}

// Each script of this part, in a folder of its own with the files of its row.
func TestScripts(t *testing.T) {
	found := onPages(t)
	for name := range found {
		require.Contains(t, scripts, name, "%s: no row of scripts has this name", found[name][0].At())
	}
	ran := 0
	for name, s := range scripts {
		require.NotEmpty(t, found[name], "no page has run=%s", name)
		if s.part != os.Getenv("PART") {
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range slices.Sorted(mapKeys(s.files)) {
				path := filepath.Join(dir, filepath.FromSlash(name))
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
				s.files[name](t, path)
			}
			runScript(t, dir, s.before, found[name])
		})
	}
	require.Positive(t, ran)
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// runScript types the commands into one shell, and compares what each prints with what its
// block shows.
func runScript(t *testing.T, dir, before string, list []blocks.Block) {
	logs, bin := t.TempDir(), t.TempDir()
	script := "set -euo pipefail\n" + before
	type shown struct{ at, line, want string }
	var commands []shown
	for _, b := range list {
		if b.Language == "text" { // what the command before prints
			require.NotEmpty(t, commands, b.At())
			commands[len(commands)-1].want = b.Text
			continue
		}
		typed, err := b.Commands()
		require.NoError(t, err)
		for i, c := range typed {
			script += fmt.Sprintf("{ %s\n} > '%[2]s/%[3]d.out' 2> '%[2]s/%[3]d.err'", c.Line, logs, len(commands))
			if status := b.Attributes["status"]; status != "" && i == len(typed)-1 {
				script += fmt.Sprintf(" && exit 99 || [[ $? == %s ]]", status)
			}
			script += "\n"
			commands = append(commands, shown{b.At(), c.Line, c.Output})
		}
	}
	for name, variable := range map[string]string{
		"skainet": "SKAINET", "skainet-draw": "SKAINET_DRAW_FILE", "iree-compile": "IREE_COMPILE", "iree-lld": "IREE_LLD", "iree-run-module": "IREE_RUN_MODULE",
	} {
		require.NoError(t, os.Symlink(file(t, variable), filepath.Join(bin, name)))
	}
	if os.Getenv("PYTHON") != "" {
		require.NoError(t, os.Symlink(file(t, "PYTHON"), filepath.Join(bin, "python3")))
	}
	standIn(t, dir)
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(os.Environ(),
		"PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir(), "SKAINET_CACHE="+t.TempDir(), "TMPDIR="+t.TempDir(),
		"SKAINET_IREE_COMPILE=", "SKAINET_IREERT="+file(t, "IREERT"), "SKAINET_DRAW=",
	)
	if folder := os.Getenv("TEST_SRCDIR"); os.Getenv("RUNFILES_DIR") == "" && folder != "" { // for programs of ./bazelw run
		cmd.Env = append(cmd.Env, "RUNFILES_DIR="+folder)
	}
	for variable, ours := range map[string]string{"SKAINET_PJRT_PLUGIN": "PLUGIN", "SKAINET_JAXLIB_PYTHON": "JAXLIB_PYTHON"} {
		if os.Getenv(ours) != "" {
			cmd.Env = append(cmd.Env, variable+"="+file(t, ours))
		}
	}
	out, err := cmd.CombinedOutput()
	for i, c := range commands {
		var printed [2]string // on the two streams, of which the page shows one, or one after the other
		for j, name := range []string{"out", "err"} {
			text, readErr := os.ReadFile(filepath.Join(logs, fmt.Sprintf("%d.%s", i, name)))
			if readErr != nil {
				require.Error(t, err, "%s: $ %s: did not run", c.at, c.line)
				break
			}
			printed[j] = string(text)
		}
		t.Logf("%s: $ %s\n%.2000s%.2000s", c.at, c.line, printed[0], printed[1])
		if want := pattern(c.want); c.want != "" && !want.MatchString(printed[0]) && !want.MatchString(printed[1]) {
			require.Regexp(t, want, printed[0]+printed[1], c.at)
		}
	}
	require.NoError(t, err, "%s", out)
}

// pattern returns the expression of an output: "..." stands for anything.
func pattern(want string) *regexp.Regexp {
	return regexp.MustCompile(`^\s*` + strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), regexp.QuoteMeta("..."), `(?s:.*)`) + `\s*$`)
}

// standIn writes ./bazelw. Bazel cannot run in its own test, so build, run and cquery take the
// targets from the data of this test, which Bazel built before, and put their files where Bazel does.
func standIn(t *testing.T, dir string) {
	t.Helper()
	base := t.TempDir()
	places := map[string][]string{} // by target, of its files
	for entry := range strings.SplitSeq(os.Getenv("TARGETS"), ";") {
		fields := strings.Fields(entry)
		if len(fields) < 2 {
			continue
		}
		for _, name := range fields[1:] {
			path := located(t, name)
			place := "external/" + name
			at := filepath.Join(base, place)
			if own, ok := strings.CutPrefix(name, "_main/"); ok {
				place = "bazel-bin/" + own
				at = filepath.Join(base, place)
			}
			require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o777))
			if _, err := os.Lstat(at); err != nil {
				require.NoError(t, os.Symlink(path, at))
			}
			places[fields[0]] = append(places[fields[0]], place)
		}
	}
	require.NoError(t, os.Mkdir(filepath.Join(base, "program.runfiles"), 0o777)) // where bazel run starts a program
	cases := ""
	for _, label := range slices.Sorted(mapKeys(places)) {
		cases += fmt.Sprintf("    '%s') files='%s' ;;\n", label, strings.Join(places[label], " "))
	}
	text := fmt.Sprintf(`#!/usr/bin/env bash
set -euo pipefail
verb=$1
shift
[[ $verb != info ]] || { echo '%[1]s'; exit; }
while (($#)) && [[ $1 != -- ]]; do
  case $1 in
    --*) ;;
%[2]s    *) echo "bazelw: $1 is no target of this test" >&2; exit 2 ;;
  esac
  shift
done
case $verb in
  build) ln -sfn '%[1]s/bazel-bin' bazel-bin ;;
  cquery) printf '%%s\n' $files ;;
  run)
    shift
    export BUILD_WORKING_DIRECTORY=$PWD BUILD_WORKSPACE_DIRECTORY=$PWD
    program='%[1]s'/${files%%%% *}
    cd '%[1]s/program.runfiles'
    exec "$program" "$@"
    ;;
  *) echo "bazelw: no $verb in a test" >&2; exit 2 ;;
esac
`, base, cases)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bazelw"), []byte(text), 0o777))
}
