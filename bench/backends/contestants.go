package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/bench/backends/task"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// Where the parts are among the runfiles, and what is measured; set by the BUILD file.
var (
	oursBinary   string
	fileXLA      string
	programV3    string
	programV4    string
	contractFile string
	archiveFile  string
	libraryFile  string
	pluginFile   string
	compilerFile string
	linkerFile   string
	python       string
	peer         string
	modelName    string // in figures, not a file
	measures     string // separated by |, and so are the inputs
	inputs       string
)

// The rows of the programs of IREE.
const (
	rowV3 = "cpu_x86_64_v3"
	rowV4 = "cpu_x86_64_v4"
)

// compiled returns the row of the best program of IREE for this processor, and its place.
func compiled() (name, place string) {
	row, err := target.Find(rowV4)
	if err == nil && programV4 != "" && len(processor.Here().Lacks(row.Instructions)) == 0 {
		return rowV4, programV4
	}
	return rowV3, programV3
}

// spec is a contestant.
type spec struct {
	name string
	peer bool
	args func(path func(string) string, task string, threads int) []string
	size string // the file of the program, "" for none
}

func ours(name, size string, more func(path func(string) string) []string) spec {
	return spec{name: name, size: size, args: func(path func(string) string, task string, threads int) []string {
		return append([]string{
			path(oursBinary), "--backend", name, "--task", task, "--threads", strconv.Itoa(threads), "--archive", path(archiveFile),
		}, more(path)...)
	}}
}

// all are the contestants by the names that --backends takes.
func all() map[string]spec {
	_, programIREE := compiled()
	return map[string]spec{
		"iree": ours("iree", programIREE, func(path func(string) string) []string {
			return []string{"--program", path(programIREE), "--contract", path(contractFile), "--library", path(libraryFile)}
		}),
		"xla": ours("xla", "", func(path func(string) string) []string {
			return []string{"--file", path(fileXLA), "--plugin", path(pluginFile)}
		}),
		"cpu": ours("cpu", "", func(path func(string) string) []string { return []string{"--file", path(fileXLA)} }),
		"jax": {name: "jax", peer: true, args: func(path func(string) string, task string, _ int) []string {
			return []string{path(python), path(peer), task}
		}},
	}
}

// choose returns the contestants of these names; xla's peer is with it.
func choose(names []string) ([]spec, error) {
	var chosen []spec
	seen := map[string]bool{}
	for _, name := range names {
		s, ok := all()[name]
		if !ok {
			return nil, errs.New(harness.CodeFlags, "unknown backend %q", name).On("--backends").Hint("use some of iree, xla, cpu, jax")
		}
		if !seen[name] {
			chosen, seen[name] = append(chosen, s), true
		}
		if name == "xla" && python != "" && !seen["jax"] {
			chosen, seen["jax"] = append(chosen, all()["jax"]), true
		}
	}
	if len(chosen) == 0 {
		return nil, errs.New(harness.CodeFlags, "no backend is named").On("--backends").Hint("use some of iree, xla, cpu, jax")
	}
	return chosen, nil
}

// start starts a contestant and waits until it has loaded.
func (s spec) start(ctx context.Context, path string, threads int, stderr io.Writer, ready *task.Ready) (*harness.Child, error) {
	var failure error
	args := s.args(func(place string) string {
		found, err := harness.Runfile(place)
		if err != nil && failure == nil {
			failure = err
		}
		return found
	}, path, threads)
	if failure != nil {
		return nil, failure
	}
	env := append(harness.Threads(threads), "TF_CPP_MIN_LOG_LEVEL=2")
	return harness.Launch(ctx, stderr, harness.Command{Name: s.name, Args: args, Env: harness.Environment(env...)}, ready)
}

// bytes returns the size of the contestant's program, 0 for one that is made when it is loaded.
func (s spec) bytes() int64 {
	if s.size == "" {
		return 0
	}
	path, err := harness.Runfile(s.size)
	if err != nil {
		return 0
	}
	st, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return st.Size()
}

// compileIREE returns how long IREE's compiler takes for the program.
func compileIREE(ctx context.Context) (seconds float64, err error) {
	name, _ := compiled()
	o := compiler.Options{Target: name, TextName: modelName}
	for place, to := range map[string]*string{compilerFile: &o.Compiler, linkerFile: &o.Linker} {
		if *to, err = harness.Runfile(place); err != nil {
			return 0, err
		}
	}
	path, err := harness.Runfile(fileXLA)
	if err != nil {
		return 0, err
	}
	g, err := xla.ReadGraph(path)
	if err != nil {
		return 0, err
	}
	to, err := compile.To(name, "")
	if err != nil {
		return 0, err
	}
	texts, err := to.Texts(g, compile.Options{})
	if err != nil {
		return 0, err
	}
	o.Text = texts[0].Text
	dir, err := os.MkdirTemp("", "skainet-backends-")
	if err != nil {
		return 0, errs.Wrap(task.CodeFile, err, "no folder for a program").Hint("set TMPDIR to a folder with free space")
	}
	defer os.RemoveAll(dir)
	o.Out = filepath.Join(dir, "program.vmfb")
	begun := time.Now()
	_, err = compiler.Compile(ctx, o)
	return time.Since(begun).Seconds(), err
}
