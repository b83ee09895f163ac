// Command zoo compares the zoo's programs with ONNX Runtime and OpenVINO on the same files and
// arguments: the time of a call, the time to load, and memory.
//
// Each contestant is a process that loads once and then waits for its turns, so that other
// load on the machine affects all equally. The arguments are those of the recorded
// results in models/zoo/testdata.
//
// # Errors
//
// BENCH_SUBJECT where a contestant cannot be started, ends early or answers something else;
// BENCH_FLAGS and BENCH_RUNFILES.
//
// # Determinism
//
// None: figures are measured.
package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() {
	command.Main("zoo", func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) })
}

type options struct {
	rounds              harness.Rounds
	threads             []int
	only                []string
	serve, target, want string
	json                harness.Output
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := options{rounds: harness.Rounds{Number: 7, WarmUp: 1}}
	cmd := &cobra.Command{
		Use:   "zoo",
		Short: "The zoo's models beside ONNX Runtime and OpenVINO",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.serve != "" {
				return serve(cmd.Context(), o, stdin, stdout)
			}
			return measure(cmd.Context(), &o, stdout, stderr)
		},
	}
	f := cmd.Flags()
	o.rounds.Flags(f)
	f.IntSliceVar(&o.threads, "threads", []int{1, 2}, "numbers of threads")
	f.StringSliceVar(&o.only, "only", nil, "names of models; all by default")
	o.json.Flag(f)
	f.StringVar(&o.serve, "serve", "", "be the contestant for a model")
	f.StringVar(&o.target, "target", "", "and with the program for this target")
	f.StringVar(&o.want, "want", "", "and with the results in f64 of this `file`")
	for _, name := range []string{"serve", "target", "want"} {
		_ = f.MarkHidden(name)
	}
	return command.Run(ctx, cmd, args, stdout, stderr)
}

// The benchmark's name in figures, and that of the peer that ratios are printed for.
const (
	benchmark = "zoo"
	peerName  = "ort"
)

// peers are other engines for the same files, each with its script among the runfiles.
var peers = []struct {
	name   string
	script *string
}{{peerName, &contestantScript}, {"openvino", &openvinoScript}}

func isPeer(name string) bool {
	for _, p := range peers {
		if p.name == name {
			return true
		}
	}
	return false
}

// question is what a contestant is asked, and ready and answer what it says.
type (
	question struct {
		Calls int `json:"calls"`
	}
	ready struct {
		Version string  `json:"version"`
		Load    float64 `json:"load"`  // seconds
		Error   float64 `json:"error"` // of the results beside those in f64; 0 where those are not known
	}
	answer struct {
		Walls []float64 `json:"walls"` // seconds
		CPU   float64   `json:"cpu"`   // seconds of all calls
	}
)

// contestant is a running one, and its figures.
type contestant struct {
	name    string
	child   *harness.Child
	ready   ready
	walls   []float64 // least and median of each turn
	medians []float64
	cpu     []float64 // of a call
}

func measure(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	chosen, err := o.models()
	if err != nil {
		return err
	}
	if err := o.json.Begin(); err != nil {
		return err
	}
	shares := o.rounds.Begin(len(chosen))
	before := harness.LoadAverage()
	fmt.Fprintf(stdout, "%-20s %-31s %-13s %7s  %10s %10s %10s  %8s %9s %9s  %s\n",
		"model", "a call", "engine", "threads", "min ms", "median ms", "cpu ms", "error", "load ms", "peak MiB", "x ort (min, median)")
	for _, m := range chosen {
		fmt.Fprintf(stderr, "%s\n", m.name)
		if err := m.measure(ctx, o, shares.Next(), stdout, stderr); err != nil {
			return err
		}
	}
	if _, err = fmt.Fprintf(stdout, "\n%s; instructions of %s\n", harness.Machine(before), rows()); err != nil {
		return err
	}
	return o.json.End()
}

// rows names the rows of the target table whose instructions the processor has.
func rows() string {
	var names []string
	for _, r := range processor.Here().Rows() {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}

// models returns the models to measure.
func (o *options) models() ([]model, error) {
	if err := o.rounds.Check(); err != nil {
		return nil, err
	}
	if len(o.threads) == 0 || slices.Min(o.threads) < 1 {
		return nil, errs.New(harness.CodeFlags, "on %d threads; want at least 1", o.threads)
	}
	var list []model
	for _, m := range models {
		if len(m.parts.Programs) > 0 && (len(o.only) == 0 || slices.Contains(o.only, m.name)) {
			list = append(list, m)
		}
	}
	for _, name := range o.only {
		if !slices.ContainsFunc(list, func(m model) bool { return m.name == name }) {
			return nil, errs.New(harness.CodeFlags, "this target has no model %q", name).On("--only")
		}
	}
	return list, nil
}

func (m model) measure(ctx context.Context, o *options, rounds iter.Seq2[int, bool], stdout, stderr io.Writer) error {
	var all []*contestant
	defer func() {
		for _, c := range all {
			c.child.Stop()
		}
	}()
	folder, err := os.MkdirTemp("", "zoo")
	if err != nil {
		return errs.Wrap(harness.CodeContestant, err, "no folder for arguments")
	}
	defer os.RemoveAll(folder)
	given, err := m.inputs(folder)
	if err != nil {
		return err
	}
	for _, threads := range o.threads {
		commands, err := m.commands(threads, given)
		if err != nil {
			return err
		}
		for _, command := range commands {
			c := &contestant{name: command.Name}
			if c.child, err = harness.Launch(ctx, stderr, command, &c.ready); err != nil {
				return err
			}
			all = append(all, c)
		}
	}
	for _, measured := range rounds {
		for _, c := range all {
			var a answer
			if err := c.child.Ask(question{m.calls}, &a); err != nil {
				return err
			}
			if len(a.Walls) != m.calls {
				return errs.New(harness.CodeResult, "%d figures for %d calls", len(a.Walls), m.calls).On(c.name)
			}
			if measured {
				s := harness.Summarize(a.Walls)
				c.walls, c.medians, c.cpu = append(c.walls, s.Min), append(c.medians, s.Median), append(c.cpu, a.CPU/float64(m.calls))
			}
		}
	}
	if len(all) == 0 {
		return errs.New(harness.CodeContestant, "no program of this model is for a target that the processor can run").On(m.name)
	}
	engines := len(all) / len(o.threads)
	for i, c := range all {
		peer := c // of the engines with this number of threads
		for _, other := range all[i-i%engines : i-i%engines+engines] {
			if other.name == peerName {
				peer = other
			}
		}
		row := c.row(m, o.threads[i/engines], c.child.Memory("VmHWM"))
		o.json.Add(row)
		fmt.Fprintf(stdout, "%-20s %-31s %-13s %7d  %10.3f %10.3f %10.3f  %8.1e %9.1f %9.1f  %s\n", m.name, m.about, c.name, row.Threads,
			1e3*c.least(), 1e3*c.median(), 1e3*harness.Summarize(c.cpu).Min, row.Error, 1e3*row.Load, row.Peak, c.beside(peer))
	}
	return nil
}

// row returns the contestant's figures as data.
func (c *contestant) row(m model, threads int, peakMiB float64) figures.Row {
	r := figures.Row{
		Benchmark: benchmark, Case: m.name, Engine: c.name, Version: c.ready.Version, Peer: isPeer(c.name), Target: harness.Target(c.name),
		Threads: threads, Unit: figures.Wall, Load: c.ready.Load, Peak: peakMiB, Error: c.ready.Error,
	}
	for i, least := range c.walls {
		r.Rounds = append(r.Rounds, figures.Round{Least: least, Median: c.medians[i]})
	}
	return r
}

// least is the least time of a call in seconds, and median the median of the turns' medians.
func (c *contestant) least() float64  { return harness.Summarize(c.walls).Min }
func (c *contestant) median() float64 { return harness.Summarize(c.medians).Median }

// beside returns how many times faster than the peer this contestant is, by both figures.
func (c *contestant) beside(peer *contestant) string {
	if c == peer {
		return ""
	}
	return fmt.Sprintf("%.2f  %.2f", peer.least()/c.least(), peer.median()/c.median())
}

// only returns the programs for a target.
func only(programs []program.Compiled, target string) (list []program.Compiled) {
	for _, p := range programs {
		if p.Target == target {
			list = append(list, p)
		}
	}
	return list
}

// commands starts this program for each target that the processor can run, the fastest first,
// and the peers where this binary has them.
func (m model) commands(threads int, given inputs) ([]harness.Command, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, errs.Wrap(harness.CodeContestant, err, "this program does not know its own file")
	}
	n := strconv.Itoa(threads)
	var list []harness.Command
	for _, r := range processor.Here().Rows() {
		if len(only(m.parts.Programs, r.Name)) > 0 {
			list = append(list, harness.Command{Name: r.Name, Args: []string{own, "--serve", m.name, "--target", r.Name, "--threads", n, "--want", given.want}, Env: harness.Environment()})
		}
	}
	if python == "" {
		return list, nil
	}
	interpreter, err := harness.Runfile(python)
	if err != nil {
		return nil, err
	}
	for _, p := range peers {
		if slices.Contains(m.unread, p.name) {
			continue
		}
		script, err := harness.Runfile(*p.script)
		if err != nil {
			return nil, err
		}
		list = append(list, harness.Command{Name: p.name, Args: []string{interpreter, script, given.file, given.arguments, given.want, n}, Env: harness.Environment(harness.Threads(threads)...)})
	}
	return list, nil
}

// inputs are what the peers are given; a target without peers has none.
type inputs struct {
	file, arguments string
	want            string // the results in f64
}

// inputs makes them, once for all numbers of threads.
func (m model) inputs(folder string) (in inputs, err error) {
	if python == "" {
		return in, nil
	}
	if in.file, err = m.does.file(m.parts, folder); err != nil {
		return in, err
	}
	if in.arguments, err = m.does.given(m.parts, folder); err != nil {
		return in, err
	}
	in.want, err = m.exact(in.file, in.arguments, folder)
	return in, err
}
