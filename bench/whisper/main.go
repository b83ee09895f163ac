// Command whisper compares this repository's Whisper with faster-whisper and
// whisper.cpp: CPU seconds for a clip, on one thread, with the same weights; models tiny.en
// and base, clips of 11 s and of 60 s.
//
// Each contestant is a process that loads once and transcribes when told to, so that
// they can take turns: other load on the machine affects all equally. A
// contestant measures its own CPU time. Audio is decoded and programs are loaded
// before; features, encoder and decoder are measured. Decoding is greedy, without
// timestamps, of windows of 30 s.
//
// # Errors
//
// BENCH_SUBJECT where a contestant cannot be started, ends early or answers
// something else; BENCH_WORDS for a wrong transcript;
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

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() { command.Program(newCommand(os.Stdout, os.Stderr)) }

// codeWords is the code of a contestant with a wrong transcript.
const codeWords errs.Code = "BENCH_WORDS"

type options struct {
	rounds harness.Rounds
	only   []string
	cases  []string
	json   harness.Output
}

func newCommand(stdout, stderr io.Writer) *cobra.Command {
	o := options{rounds: harness.Rounds{Number: 5, WarmUp: 1}}
	cmd := &cobra.Command{
		Use:           "whisper",
		Short:         "CPU seconds of Whisper compared with its peers, on one thread",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), &o, stdout, stderr) },
	}
	o.rounds.Flags(cmd.Flags())
	o.json.Flag(cmd.Flags())
	cmd.Flags().StringSliceVar(&o.only, "only", nil, "names of contestants; all by default")
	cmd.Flags().StringSliceVar(&o.cases, "cases", nil, "a model and a length of the clip, such as \"tiny.en 11 s\"; all by default")
	return cmd
}

func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	if err := o.rounds.Check(); err != nil {
		return err
	}
	list, err := tasks(o.cases)
	if err != nil {
		return err
	}
	if err := o.json.Begin(); err != nil {
		return err
	}
	path, err := harness.Runfile(clipFile)
	if err != nil {
		return err
	}
	c, err := newClips(path)
	if err != nil {
		return err
	}
	defer c.remove()
	shares := o.rounds.Begin(len(list))
	var notes []string
	for _, t := range list {
		chosen, more, err := harness.Choose(contestants(t.model, c.paths[t.times]), o.only)
		if err != nil {
			return err
		}
		for _, note := range more {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
		r := &report{task: t, warmUp: o.rounds.WarmUp, notes: more, before: harness.LoadAverage()}
		fmt.Fprintln(stderr, t)
		if err := r.measure(ctx, o, chosen, shares, stderr); err != nil {
			return err
		}
		for _, row := range r.rows {
			o.json.Add(row.figures(t.String()))
		}
		if err := r.print(stdout); err != nil {
			return err
		}
		fmt.Fprintln(stdout)
	}
	return o.json.End(notes...)
}

// measure has the contestants take turns.
func (r *report) measure(ctx context.Context, o *options, chosen []spec, shares *harness.Shares, stderr io.Writer) error {
	var children []*child
	defer func() {
		for _, c := range children {
			c.Stop()
		}
	}()
	rounds := shares.Next()
	for _, s := range chosen {
		c, err := start(ctx, s, stderr)
		if err != nil {
			return err
		}
		children = append(children, c)
		r.rows = append(r.rows, row{contestant: s, ready: c.ready, loadedMiB: c.Memory("VmRSS")})
	}
	for i, measured := range rounds {
		fmt.Fprintln(stderr, o.rounds.Told(i))
		for i, c := range children {
			result, err := c.transcribe()
			if err != nil {
				return err
			}
			if err := checkWords(c.Name, result.Text, r.task.times); err != nil {
				return err
			}
			if measured {
				r.rows[i].runs = append(r.rows[i].runs, result)
			}
		}
		if measured {
			r.rounds++
		}
	}
	for i, c := range children {
		r.rows[i].peakMiB = c.Memory("VmHWM")
	}
	return nil
}

// words is the transcript of the clip.
const words = "and so my fellow americans ask not what your country can do for you ask what you can do for your country"

// checkWords compares only letters, since contestants differ in commas, with what is said some times.
func checkWords(name, text string, times int) error {
	letters := func(r rune) rune {
		if (r >= 'a' && r <= 'z') || r == ' ' {
			return r
		}
		return -1
	}
	got := strings.Join(strings.Fields(strings.Map(letters, strings.ToLower(text))), " ")
	if got != strings.TrimSpace(strings.Repeat(words+" ", times)) {
		return errs.New(codeWords, "it heard %q", text).On(name).
			Hint("the speed of a wrong result is meaningless; run the tests of models/whisper")
	}
	return nil
}
