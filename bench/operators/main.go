// Command operators compares single operators with ONNX Runtime, norms and attention with XLA, and
// BERT's encoders with both and OpenVINO in int8: of each, a file of
// ONNX is made that both read, ours on the CPU backend and as programs compiled for the fastest target that the processor can run, and for AVX2.
//
// Each contestant is a process that loads once and then waits for its turns, so that other load on the machine
// affects all equally. Each compares its result with one computed in f64 by NumPy or by ONNX's reference
// evaluator; the greatest difference is a column of the table.
//
// # Errors
//
// BENCH_SUBJECT where a contestant cannot be started, ends early or answers something else; BENCH_RESULT for a
// result that is far from the one in f64; BENCH_FLAGS and BENCH_RUNFILES.
//
// # Determinism
//
// None: figures are measured.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/bench/operators/contestant"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Where the parts are among the runfiles; the BUILD file sets them.
var oursBinary, compilerFile, linkerFile, libraryFile, python, casesScript, contestantScript, openvinoScript, xlaPython, xlaScript string

func main() { command.Program(newCommand(os.Stdout, os.Stderr)) }

type options struct {
	rounds  harness.Rounds
	threads []int
	only    []string
	targets []string
	seconds float64
	json    harness.Output
}

// The benchmark's name in figures, and those of the CPU backend and of the peers.
const (
	benchmark = "operators"
	cpuName   = "ours-go"
	xlaName   = "xla"
	peerName  = "ort"
)

// Peers that compute in int8 what the others compute in f32; their errors are those of the quantization.
const (
	int8Name     = "ort int8"
	openvinoName = "openvino int8"
)

func isPeer(name string) bool {
	return slices.Contains([]string{xlaName, peerName, int8Name, openvinoName}, name)
}

func inInt8(name string) bool { return name == int8Name || name == openvinoName }

// far is the greatest error of a result that is measured. Sums of thousands of f32 products differ by less.
const far = 1e-3

func newCommand(stdout, stderr io.Writer) *cobra.Command {
	o := options{rounds: harness.Rounds{Number: 5}}
	cmd := &cobra.Command{
		Use:   "operators",
		Short: "Single operators beside ONNX Runtime and XLA",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), &o, stdout, stderr) },
	}
	f := cmd.Flags()
	o.rounds.Flags(f)
	o.json.Flag(f)
	f.IntSliceVar(&o.threads, "threads", []int{1, 2}, "numbers of threads")
	f.StringSliceVar(&o.only, "only", nil, "operators with their sizes, such as \"softmax 12x128x128\"; all by default")
	f.StringSliceVar(&o.targets, "targets", targets(processor.Here().Rows()), "targets of our programs")
	f.Float64Var(&o.seconds, "least", 0.1, "seconds of a turn")
	return cmd
}

// targets are by default the fastest one of those that the processor can run, and the one for AVX2.
func targets(rows []target.Row) []string {
	var names []string
	for i, r := range rows {
		if i == 0 || r.Name == "cpu_x86_64_v3" {
			names = append(names, r.Name)
		}
	}
	return names
}

func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	if err := o.rounds.Check(); err != nil {
		return err
	}
	if !(o.seconds > 0) || len(o.threads) == 0 || slices.Min(o.threads) < 1 {
		return errs.New(harness.CodeFlags, "want at least 1 thread and a positive time, not %d and %v s", o.threads, o.seconds)
	}
	p, err := locate()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "operators")
	if err != nil {
		return errs.Wrap(harness.CodeContestant, err, "no folder for the models")
	}
	defer os.RemoveAll(folder)
	if err := o.json.Begin(); err != nil {
		return err
	}
	names, err := p.names(ctx, o.only)
	if err != nil {
		return err
	}
	before := harness.LoadAverage()
	fmt.Fprintf(stdout, "%-34s %-13s %7s  %10s %10s %10s  %8s %9s  %s\n",
		"operator", "engine", "threads", "min ms", "median ms", "cpu ms", "error", "load ms", "x ort (min, median)")
	shares := o.rounds.Begin(len(names) * len(o.threads))
	for _, name := range names {
		fmt.Fprintln(stderr, name)
		c, err := p.write(ctx, folder, name)
		if err != nil {
			return err
		}
		for _, threads := range o.threads {
			rows, err := p.measure(ctx, o, c, threads, shares.Next(), folder, stderr)
			if err != nil {
				return err
			}
			for _, r := range rows {
				o.json.Add(r.figures(c.Name, threads))
			}
			print(stdout, c.Name, threads, rows)
		}
	}
	if _, err := fmt.Fprintf(stdout, "\n%s\n", harness.Machine(before)); err != nil {
		return err
	}
	return o.json.End()
}

// parts are the files of the benchmark.
type parts struct {
	ours, compiler, linker, library, python, cases, contestant, openvino, xlaPython, xla string
}

func locate() (p parts, err error) {
	for _, part := range []struct {
		to    *string
		place string
	}{
		{&p.ours, oursBinary}, {&p.compiler, compilerFile}, {&p.linker, linkerFile}, {&p.library, libraryFile}, {&p.python, python},
		{&p.cases, casesScript}, {&p.contestant, contestantScript}, {&p.openvino, openvinoScript}, {&p.xlaPython, xlaPython}, {&p.xla, xlaScript},
	} {
		if *part.to, err = harness.Runfile(part.place); err != nil {
			return p, err
		}
	}
	return p, nil
}

// file is a line of cases.py.
type file struct {
	Name   string `json:"name"`
	Model  string `json:"model"`
	Arrays string `json:"arrays"`
	// Function is its name for XLA; empty where there is none.
	Function string `json:"function"`
	Int8     string `json:"int8"` // the model in int8; empty where there is none
}

// script runs cases.py.
func (p parts) script(ctx context.Context, args ...string) (list []file, err error) {
	cmd := exec.CommandContext(ctx, p.python, append([]string{p.cases}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr, cmd.Env = &stderr, harness.Environment()
	out, err := cmd.Output()
	if err != nil {
		return nil, errs.Wrap(harness.CodeContestant, err, "the models cannot be made: %s", stderr.String())
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var f file
		if err := d.Decode(&f); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, errs.Wrap(harness.CodeContestant, err, "a line of cases.py")
		}
		list = append(list, f)
	}
}

// names returns those of the operators, or those that were asked for.
func (p parts) names(ctx context.Context, only []string) ([]string, error) {
	list, err := p.script(ctx, "-")
	if err != nil {
		return nil, err
	}
	return choose(list, only)
}

func choose(list []file, only []string) ([]string, error) {
	var names []string
	for _, f := range list {
		if len(only) == 0 || slices.Contains(only, f.Name) {
			names = append(names, f.Name)
		}
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			return nil, errs.New(harness.CodeFlags, "no operator is named %q", name).On("--only").Hint("the table in cases.py has their names")
		}
	}
	return names, nil
}

func (p parts) write(ctx context.Context, folder, name string) (file, error) {
	list, err := p.script(ctx, folder, name)
	if err == nil && len(list) != 1 {
		err = errs.New(harness.CodeContestant, "cases.py wrote %d models of %q", len(list), name)
	}
	if err != nil {
		return file{}, err
	}
	return list[0], nil
}

// row is a contestant and its figures.
type row struct {
	name  string
	child *harness.Child
	ready contestant.Ready
	turns []contestant.Answer
	peak  float64 // MiB
}

// measure has all engines take turns with one operator.
func (p parts) measure(ctx context.Context, o *options, c file, threads int, rounds iter.Seq2[int, bool], folder string, stderr io.Writer) (rows []*row, err error) {
	defer func() {
		for _, r := range rows {
			r.child.Stop()
		}
	}()
	for _, s := range p.commands(c, o.targets, threads, folder) {
		r := &row{name: s.Name}
		if r.child, err = harness.Launch(ctx, stderr, s, &r.ready); err != nil {
			return rows, err
		}
		rows = append(rows, r)
		if !(r.ready.Error <= far) && !inInt8(r.name) {
			return rows, errs.New(harness.CodeResult, "the result differs from the one in f64 by %v of its greatest magnitude", r.ready.Error).On(c.Name + " on " + s.Name).
				Hint("the speed of a wrong result is meaningless; run the tests of its backend")
		}
	}
	for _, measured := range rounds {
		for _, r := range rows {
			var a contestant.Answer
			if err := r.child.Ask(contestant.Turn{Seconds: o.seconds}, &a); err != nil {
				return rows, err
			}
			if !(a.Least > 0 && a.Least <= a.Median) {
				return rows, r.child.Broken(fmt.Errorf("a call in %v seconds", a.Least))
			}
			if measured {
				r.turns = append(r.turns, a)
			}
		}
	}
	for _, r := range rows {
		r.peak = r.child.Memory("VmHWM")
	}
	return rows, nil
}

// commands starts our program for each target, the CPU backend, and the peers, ONNX Runtime last.
func (p parts) commands(c file, targets []string, threads int, folder string) []harness.Command {
	n, env := strconv.Itoa(threads), harness.Environment(harness.Threads(threads)...)
	ours := []string{p.ours, "--model", c.Model, "--arrays", c.Arrays, "--threads", n}
	var list []harness.Command
	for _, name := range targets {
		list = append(list, harness.Command{Name: name, Env: env, Args: append(slices.Clone(ours), "--backend", "iree", "--target", name,
			"--compiler", p.compiler, "--linker", p.linker, "--library", p.library, "--cache", filepath.Join(folder, "cache"))})
	}
	list = append(list, harness.Command{Name: cpuName, Env: env, Args: append(slices.Clone(ours), "--backend", "cpu")})
	if c.Function != "" {
		list = append(list, harness.Command{Name: xlaName, Env: env, Args: []string{p.xlaPython, p.xla, c.Function, c.Arrays}})
	}
	if c.Int8 != "" {
		list = append(list, harness.Command{Name: int8Name, Env: env, Args: []string{p.python, p.contestant, c.Int8, c.Arrays, n}},
			harness.Command{Name: openvinoName, Env: env, Args: []string{p.python, p.openvino, c.Int8, c.Arrays, n}})
	}
	return append(list, harness.Command{Name: peerName, Env: env, Args: []string{p.python, p.contestant, c.Model, c.Arrays, n}})
}

// figures returns the row as data.
func (r *row) figures(name string, threads int) figures.Row {
	f := figures.Row{
		Benchmark: benchmark, Case: name, Engine: r.name, Version: r.ready.Version, Peer: isPeer(r.name), Target: harness.Target(r.name),
		Threads: threads, Unit: figures.Wall, Load: r.ready.Load, Peak: r.peak, Error: r.ready.Error,
	}
	for _, a := range r.turns {
		f.Rounds = append(f.Rounds, figures.Round{Least: a.Least, Median: a.Median})
	}
	return f
}

// print writes a line for each engine. The last one is the peer.
func print(out io.Writer, name string, threads int, rows []*row) {
	peer := rows[len(rows)-1].figures(name, threads)
	for _, r := range rows {
		f := r.figures(name, threads)
		cpu := r.turns[0].CPU
		for _, a := range r.turns {
			cpu = min(cpu, a.CPU)
		}
		beside, wrong := "", "-"
		if r.name != peerName {
			beside = fmt.Sprintf("%.2f  %.2f", peer.Least()/f.Least(), peer.Median()/f.Median())
		}
		if f.Error > 0 {
			wrong = fmt.Sprintf("%.1e", f.Error)
		}
		fmt.Fprintf(out, "%-34s %-13s %7d  %10.3f %10.3f %10.3f  %8s %9.1f  %s\n", name, r.name, threads, 1e3*f.Least(), 1e3*f.Median(), 1e3*cpu,
			wrong, 1e3*f.Load, beside)
	}
}
