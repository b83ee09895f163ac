// Command text compares a language model of this repository with llama.cpp, with the
// same weights: tokens per second of a prompt (prefill) and of the steps after it
// (decode).
//
// Each contestant is a process that loads once and continues a text when told to, so that
// they can take turns: other load on the machine affects all equally. Prompts are
// token ids, the most likely token is chosen, and no token ends the text.
//
// # Errors
//
// BENCH_SUBJECT where a contestant cannot be started, ends early or answers something
// else; BENCH_FLAGS and BENCH_RUNFILES.
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
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/text/contestant"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(command.Run(ctx, newCommand(os.Stdout, os.Stderr), os.Args[1:], os.Stdout, os.Stderr))
}

type options struct {
	rounds, warmUp, decode int
	threads, prefill       []int
	only                   []string
}

func newCommand(stdout, stderr io.Writer) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:           "bench",
		Short:         "Tokens per second of a language model compared with llama.cpp",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), o, stdout, stderr) },
	}
	f := cmd.Flags()
	f.IntVar(&o.rounds, "rounds", 5, "measured rounds; each contestant has one turn in a round")
	f.IntVar(&o.warmUp, "warm-up", 1, "warm-up rounds, in which memory is paged in")
	f.IntSliceVar(&o.threads, "threads", []int{1, 2}, "numbers of threads")
	f.IntSliceVar(&o.prefill, "prefill", []int{128, 512}, "lengths of prompts")
	f.IntVar(&o.decode, "decode", 64, "steps after a short prompt")
	f.StringSliceVar(&o.only, "only", nil, "names of contestants; all by default")
	return cmd
}

// check rejects numbers that cannot be measured.
func (o options) check() error {
	bad := func(what string, args ...any) error { return errs.New(harness.CodeFlags, what, args...) }
	if o.rounds < 1 || o.warmUp < 0 {
		return bad("%d rounds after %d to warm up, want at least 1 after 0", o.rounds, o.warmUp)
	}
	for _, n := range o.threads {
		if n < 1 {
			return bad("%d threads", n)
		}
	}
	for _, n := range o.prefill {
		if n < 1 {
			return bad("a prompt of %d tokens", n)
		}
	}
	if o.decode < 0 {
		return bad("%d steps", o.decode)
	}
	return nil
}

// shortPrompt is the length of the prompt before the steps that are measured.
const shortPrompt = 6

// measure is one of the things that are measured.
type measure struct {
	name     string
	question contestant.Question
	tokens   int // that the figure is for
	steps    bool
}

// measures lists what a turn is made of.
func (o options) measures() []measure {
	var list []measure
	for _, n := range o.prefill {
		list = append(list, measure{fmt.Sprintf("prefill %d", n), contestant.Question{Prompt: prompt(n), Tokens: 1}, n, false})
	}
	if o.decode > 0 {
		list = append(list, measure{fmt.Sprintf("decode %d", o.decode), contestant.Question{Prompt: prompt(shortPrompt), Tokens: o.decode + 1}, o.decode, true})
	}
	return list
}

// prompt returns n arbitrary token ids that any vocabulary of a language model has: time
// does not depend on them.
func prompt(n int) []int32 {
	ids := make([]int32, n)
	x := uint32(1)
	for i := range ids {
		x = x*1664525 + 1013904223
		ids[i] = 1000 + int32(x>>16)%20000
	}
	return ids
}

func run(ctx context.Context, o options, stdout, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	chosen, notes, err := harness.Choose(contestants(), o.only)
	if err != nil {
		return err
	}
	r := &report{options: o, measures: o.measures(), notes: notes, before: harness.LoadAverage()}
	defer func() {
		for _, row := range r.rows {
			row.child.Stop()
		}
	}()
	for _, threads := range o.threads {
		for _, s := range chosen {
			row := row{contestant: s, threads: threads, seconds: make([][]float64, len(r.measures))}
			if row.child, err = start(ctx, s, threads, stderr, &row.ready); err != nil {
				return err
			}
			r.rows = append(r.rows, row)
		}
	}
	for round := range o.warmUp + o.rounds {
		fmt.Fprintf(stderr, "round %d of %d\n", round+1, o.warmUp+o.rounds)
		for i := range r.rows {
			if err := r.rows[i].turn(r.measures, round >= o.warmUp); err != nil {
				return err
			}
		}
	}
	for i := range r.rows {
		r.rows[i].peakMiB = r.rows[i].child.Memory("VmHWM")
	}
	return r.print(stdout)
}

// turn makes a contestant do each measure once.
func (r *row) turn(measures []measure, keep bool) error {
	for i, m := range measures {
		var a contestant.Answer
		if err := r.child.Ask(m.question, &a); err != nil {
			return err
		}
		seconds := a.First
		if m.steps {
			seconds = a.Rest
		}
		if seconds <= 0 {
			return r.child.Broken(fmt.Errorf("%s in %v seconds", m.name, seconds))
		}
		if keep {
			r.seconds[i] = append(r.seconds[i], seconds)
		}
	}
	return nil
}
