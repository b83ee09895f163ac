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

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/text/contestant"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// backendsBench is the benchmark of backends among the runfiles; set by the BUILD file.
var backendsBench string

func main() {
	if err := harness.Delegate("--backends", backendsBench); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	command.Program(newCommand(os.Stdout, os.Stderr))
}

type options struct {
	rounds           harness.Rounds
	decode           int
	threads, prefill []int
	only             []string
	json             harness.Output
}

func newCommand(stdout, stderr io.Writer) *cobra.Command {
	o := options{rounds: harness.Rounds{Number: 5, WarmUp: 1}}
	cmd := &cobra.Command{
		Use:           "bench",
		Short:         "Tokens per second of a language model compared with llama.cpp",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), &o, stdout, stderr) },
	}
	f := cmd.Flags()
	o.rounds.Flags(f)
	o.json.Flag(f)
	f.IntSliceVar(&o.threads, "threads", []int{1, 2}, "numbers of threads")
	f.IntSliceVar(&o.prefill, "prefill", []int{128, 512, longPrompt}, "lengths of prompts")
	f.IntVar(&o.decode, "decode", 64, "steps after a short prompt")
	f.StringSliceVar(&o.only, "only", nil, "names of contestants; all by default")
	return cmd
}

// check rejects numbers that cannot be measured.
func (o *options) check() error {
	if err := o.rounds.Check(); err != nil {
		return err
	}
	bad := func(what string, args ...any) error { return errs.New(harness.CodeFlags, what, args...) }
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

// longPrompt is as many tokens as the models' window of 2048 has place for before the token that
// ends the measure.
const longPrompt = 2047

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
func (o *options) measures() []measure {
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

func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	chosen, notes, err := harness.Choose(contestants(), o.only)
	if err != nil {
		return err
	}
	if err := o.json.Begin(); err != nil {
		return err
	}
	r := &report{warmUp: o.rounds.WarmUp, measures: o.measures(), notes: notes, before: harness.LoadAverage()}
	defer func() {
		for _, row := range r.rows {
			row.child.Stop()
		}
	}()
	rounds := o.rounds.Begin(1).Next()
	for _, threads := range o.threads {
		for _, s := range chosen {
			row := row{contestant: s, threads: threads, seconds: make([][]float64, len(r.measures))}
			if row.child, err = start(ctx, s, threads, stderr, &row.ready); err != nil {
				return err
			}
			r.rows = append(r.rows, row)
		}
	}
	for i, measured := range rounds {
		fmt.Fprintln(stderr, o.rounds.Told(i))
		for i := range r.rows {
			if err := r.rows[i].turn(r.measures, measured); err != nil {
				return err
			}
		}
		if measured {
			r.rounds++
		}
	}
	for i := range r.rows {
		r.rows[i].peakMiB = r.rows[i].child.Memory("VmHWM")
		for _, row := range r.rows[i].figures(r.measures) {
			o.json.Add(row)
		}
	}
	if err := r.print(stdout); err != nil {
		return err
	}
	return o.json.End(notes...)
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
