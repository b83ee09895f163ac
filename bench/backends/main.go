// Command backends compares the backends of one model: IREE, XLA and the CPU backend, and JAX
// with the texts that XLA gets. Each calls the same entry points with the same arguments, in a
// process of its own, by turns.
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
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/bench/backends/task"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() {
	command.Main("backends", func(ctx context.Context) int {
		return command.Run(ctx, newCommand(os.Stdout, os.Stderr), os.Args[1:], os.Stdout, os.Stderr)
	})
}

type options struct {
	rounds   harness.Rounds
	backends []string
	threads  int
	measures []string
	inputs   []string
	json     harness.Output
}

func newCommand(stdout, stderr io.Writer) *cobra.Command {
	o := options{rounds: harness.Rounds{Number: 10, WarmUp: 2}}
	cmd := &cobra.Command{
		Use: "backends", Short: "Times of one model's calls on IREE, on XLA and on the CPU backend", Args: cobra.NoArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), stdout, stderr) },
	}
	f := cmd.Flags()
	o.rounds.Flags(f)
	o.json.Flag(f)
	f.StringSliceVar(&o.backends, "backends", []string{"iree", "xla", "cpu"}, "what to compare; xla brings jax along, its peer, where that is there")
	f.IntVar(&o.threads, "threads", 2, "threads of each")
	f.StringArrayVar(&o.measures, "measure", defaults(measures), "a call, `NAME;ENTRY;SIZES`, such as \"prefill 128;prefill;seq=128\"; may be repeated")
	f.StringArrayVar(&o.inputs, "input", defaults(inputs), "values of an argument, `NAME=LEAST..MOST`; may be repeated")
	return cmd
}

// defaults splits what the BUILD file says.
func defaults(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "|")
}

// made returns the values of arguments.
func (o *options) made() (parity.Made, error) {
	m := parity.Made{Inputs: map[string]parity.Range{}}
	for _, text := range o.inputs {
		name, values, _ := strings.Cut(text, "=")
		r, err := parity.ParseRange(values)
		if err != nil {
			return m, err
		}
		m.Inputs[name] = r
	}
	return m, nil
}

func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := o.rounds.Check(); err != nil {
		return err
	}
	if o.threads < 1 || len(o.measures) == 0 {
		return errs.New(harness.CodeFlags, "%d threads, %d calls to measure", o.threads, len(o.measures)).Hint("give a number of threads and --measure")
	}
	chosen, err := choose(o.backends)
	if err != nil {
		return err
	}
	if err := o.json.Begin(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "skainet-backends-")
	if err != nil {
		return errs.Wrap(task.CodeFile, err, "no folder for arguments").Hint("set TMPDIR to a folder with free space")
	}
	defer os.RemoveAll(dir)
	t, err := o.task(dir)
	if err != nil {
		return err
	}
	path, err := t.Write(dir)
	if err != nil {
		return err
	}
	r := &report{before: harness.LoadAverage(), threads: o.threads}
	for _, m := range t.Measures {
		r.measures = append(r.measures, m.Name)
	}
	defer func() {
		for i := range r.rows {
			r.rows[i].child.Stop()
		}
	}()
	rounds := o.rounds.Begin(1).Next()
	for _, s := range chosen {
		row := row{contestant: s, seconds: make([][]float64, len(t.Measures))}
		if row.child, err = s.start(ctx, path, o.threads, stderr, &row.ready); err != nil {
			return err
		}
		row.program = s.bytes()
		r.rows = append(r.rows, row)
	}
	for i, measured := range rounds {
		fmt.Fprintln(stderr, o.rounds.Told(i))
		for i := range r.rows {
			if err := r.rows[i].turn(measured); err != nil {
				return err
			}
		}
		if measured {
			r.rounds++
		}
	}
	if compiled := slices.IndexFunc(r.rows, func(r row) bool { return r.contestant.name == "iree" }); compiled >= 0 {
		fmt.Fprintln(stderr, "compiling for IREE")
		if r.rows[compiled].compile, err = compileIREE(ctx); err != nil {
			return err
		}
	}
	for i := range r.rows {
		r.rows[i].peakMiB = r.rows[i].child.Memory("VmHWM")
		for _, row := range r.rows[i].figures(r.measures, o.threads) {
			o.json.Add(row)
		}
	}
	if err := r.print(stdout); err != nil {
		return err
	}
	return o.json.End()
}
