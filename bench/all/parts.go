package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this program.
const (
	codePart errs.Code = "BENCH_PART" // smallest input: a benchmark that ends with status 1
	codePlot errs.Code = "BENCH_PLOT" // smallest input: --plots= with the name of a file
)

// Where the benchmarks are among the runfiles; the BUILD file sets them. A target without some of
// them leaves theirs empty.
var (
	zooBinary, gemma3Binary, smollm2Binary, whisperBinary, opsBinary, operatorsBinary string
	gemma3BackendsBinary, whisperBackendsBinary, minilmBackendsBinary                 string
)

// part is a benchmark.
type part struct {
	name    string
	binary  string   // runfile
	threads bool     // it takes --threads
	only    []string // of it; all by default
}

// all are the benchmarks in the order in which they run.
func all() []part {
	return []part{
		{name: "zoo", binary: zooBinary, threads: true},
		{name: "gemma3", binary: gemma3Binary, threads: true},
		{name: "smollm2", binary: smollm2Binary, threads: true},
		{name: "whisper", binary: whisperBinary},
		{name: "ops", binary: opsBinary, threads: true},
		{name: "operators", binary: operatorsBinary, threads: true},
		{name: "gemma3_backends", binary: gemma3BackendsBinary},
		{name: "whisper_backends", binary: whisperBackendsBinary},
		{name: "minilm_backends", binary: minilmBackendsBinary},
	}
}

// choose returns those of the parts that this target has and that were asked for.
func choose(list []part, only []string) ([]part, error) {
	list = slices.DeleteFunc(list, func(p part) bool { return p.binary == "" })
	var chosen []part
	for _, p := range list {
		asked := len(only) == 0
		whole := false
		for _, o := range only {
			name, thing, parted := strings.Cut(o, "/")
			if name != p.name {
				continue
			}
			if asked = true; parted {
				p.only = append(p.only, thing)
			} else {
				whole = true
			}
		}
		if whole {
			p.only = nil
		}
		if asked {
			chosen = append(chosen, p)
		}
	}
	var names []string
	for _, p := range list {
		names = append(names, p.name)
	}
	for _, o := range only {
		if name, _, _ := strings.Cut(o, "/"); !slices.Contains(names, name) {
			return nil, errs.New(harness.CodeFlags, "unknown benchmark %q", name).On("--only").
				Hint("benchmarks of this target: %s", strings.Join(names, ", "))
		}
	}
	if len(chosen) == 0 {
		return nil, errs.New(harness.CodeFlags, "this target has no benchmark").Hint("start it with ./bazelw run //bench/all, or read figures with --from")
	}
	return chosen, nil
}

// args returns the command line of a benchmark that writes its figures to a file.
func (p part) args(time time.Duration, threads []int, file string) []string {
	args := []string{"--time=" + time.String(), "--json=" + file}
	if p.threads {
		var list []string
		for _, n := range threads {
			list = append(list, strconv.Itoa(n))
		}
		args = append(args, "--threads="+strings.Join(list, ","))
	}
	if len(p.only) > 0 {
		args = append(args, "--only="+strings.Join(p.only, ","))
	}
	return args
}

// measure runs the benchmarks one after the other. What one of them leaves of its share of the
// time is for those after it.
func measure(ctx context.Context, o *options, chosen []part, stderr io.Writer) (f figures.Figures, failed, err error) {
	folder, err := os.MkdirTemp("", "bench-all")
	if err != nil {
		return f, nil, errs.Wrap(codePart, err, "no folder for figures")
	}
	defer os.RemoveAll(folder)
	end := time.Now().Add(o.time)
	joined := []figures.Figures{{Schema: figures.Schema, Machine: harness.Here(), Rows: []figures.Row{}}}
	var broken []error
	for i, p := range chosen {
		file := filepath.Join(folder, p.name+".json")
		share := max(time.Until(end)/time.Duration(len(chosen)-i), time.Second).Round(time.Second)
		fmt.Fprintf(stderr, "%s, for %v\n", p.name, share)
		one, err := p.run(ctx, share, o.threads, file, stderr)
		if ctx.Err() != nil {
			return f, nil, ctx.Err()
		}
		if err != nil {
			broken = append(broken, err)
			one = figures.Figures{Machine: harness.Here(), Notes: []string{fmt.Sprintf("%s has no figures: %v", p.name, err)}}
		}
		joined = append(joined, one)
	}
	return figures.Join(joined...), errors.Join(broken...), nil
}

// run runs a benchmark and reads its figures.
func (p part) run(ctx context.Context, share time.Duration, threads []int, file string, stderr io.Writer) (figures.Figures, error) {
	binary, err := harness.Runfile(p.binary)
	if err != nil {
		return figures.Figures{}, err
	}
	env, err := runfiles.Env()
	if err != nil {
		return figures.Figures{}, errs.Wrap(harness.CodeRunfiles, err, "no runfiles").Hint("start it with ./bazelw run")
	}
	return p.start(ctx, binary, harness.Environment(env...), share, threads, file, stderr)
}

func (p part) start(ctx context.Context, binary string, env []string, share time.Duration, threads []int, file string, stderr io.Writer) (figures.Figures, error) {
	cmd := exec.CommandContext(ctx, binary, p.args(share, threads, file)...)
	// An interrupt lets it end its contestants.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Env, cmd.Stdout, cmd.Stderr = env, stderr, stderr
	if err := cmd.Run(); err != nil {
		return figures.Figures{}, errs.Wrap(codePart, err, "the benchmark failed").On(p.name).Hint("its own message is above; run it alone with --only=%s", p.name)
	}
	return figures.Read(file)
}
