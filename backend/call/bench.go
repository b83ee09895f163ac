package call

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/tensor"
)

type benchFlags struct {
	runFlags
	rounds   int
	limit    time.Duration
	dispatch dispatchFlags
}

// NewBenchCommand returns the command bench; files may be nil.
func NewBenchCommand(files Files) *cobra.Command {
	f := benchFlags{runFlags: runFlags{files: files, makesUp: true}}
	use, more := "bench PROGRAM.vmfb --contract FILE [--entry NAME] [ARGUMENT=VALUE...]", ""
	if files != nil {
		use, more = "bench FILE [--entry NAME] [ARGUMENT=VALUE...]", modelHelp
	}
	cmd := &cobra.Command{
		Use:   use,
		Short: "Measure how long calls of a program take",
		Long: `Bench calls an entry point, or each one after the other, and prints the
shortest call, the median, the longest, and how far the longest is from the
shortest. Arguments of the entry point are given as to run; those that are not are
made up, the same each time, of the sizes that --sizes names. Without it they are some that a
line on the stream of errors says before the first call: 1 for one that is only the outermost
of arrays, such as a batch. The first call, which warms caches, is not counted. Without
--rounds there are 20 calls, or fewer, if those take more than ten seconds.
A program that keeps state is called on and on without a reset. Without the runtime library
each call is a process of the tool iree-run-module, whose start is measured too.
With --dispatches it prints for each dispatch of a compiled program the time, GFLOP/s
and bytes a second where they are known, and the shares of what the core does.
The numbers are worth something only where nothing else runs.` + more,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.bench(cmd, args[0], args[1:]) },
	}
	f.add(cmd)
	f.dispatch.add(cmd)
	cmd.Flags().IntVar(&f.rounds, "rounds", rounds, "number of measured calls; without it no more begin after ten seconds")
	cmd.Flags().BoolVar(&f.JSON, "json", false, "print the durations as JSON, in nanoseconds")
	return cmd
}

// Without --rounds an entry point is called so often, but not for longer than enough, if it
// was called fewest times.
const (
	rounds = 20
	fewest = 3
	enough = 10 * time.Second
)

// timing holds the sorted durations of an entry point's calls.
type timing struct {
	Entry string           `json:"entry"`
	Sizes map[string]int64 `json:"sizes,omitempty"` // of the dynamic dimensions
	Calls []time.Duration  `json:"nanoseconds"`
}

func (f *benchFlags) bench(cmd *cobra.Command, program string, texts []string) error {
	if f.rounds < 1 || f.rounds > 1_000_000 {
		return errUsage("--rounds %d is out of range; give 1 to 1000000", f.rounds)
	}
	if f.dispatch.text != "" && !f.dispatch.on {
		return errUsage("--dispatch-text is given without --dispatches")
	}
	to, err := f.callee(cmd, program, texts)
	if err != nil {
		return err
	}
	if err := f.checkDistinct(program, to.texts, nil); err != nil {
		return err
	}
	if f.dispatch.on {
		return f.dispatches(cmd, program, to)
	}
	if f.limit = enough; cmd.Flags().Changed("rounds") {
		f.limit = 0
	}
	f.sayTaken(cmd, to)
	x, err := to.open(cmd.Context())
	if err != nil {
		return err
	}
	defer x.Close()
	calls, err := f.measured(to.contract, to.texts) // of no more than --max-memory allows
	if err != nil {
		return err
	}
	if iree.Spawns(x) {
		fmt.Fprintln(cmd.ErrOrStderr(), "skainet: each call starts a process of iree-run-module, and that time is part of the call; with libireert.so (--library) calls are measured alone")
	}
	var all []timing
	for _, call := range calls {
		t, err := measure(cmd.Context(), x, call, f.rounds, f.limit)
		if err != nil {
			return err
		}
		if t.Sizes, err = sizesOf(to.contract, call); err != nil {
			return err
		}
		all = append(all, t)
	}
	if f.JSON {
		doc, err := display.JSON(all)
		if err != nil {
			return err
		}
		return command.Emit(cmd, f.Text, doc)
	}
	return command.Emit(cmd, f.Text, timingTable(all, to.backend))
}

// measured returns the calls to measure: one with the arguments of the command line, or
// one of each entry point.
func (f *benchFlags) measured(c *contract.Contract, texts []string) ([]parity.Call, error) {
	if len(texts) > 0 || f.Entry != "" {
		e, err := f.Pick(c)
		if err != nil {
			return nil, err
		}
		if len(texts) > 0 || len(e.Args) == 0 {
			args, given, err := argtext.ParseSome(e, texts)
			if err == nil {
				err = parity.Complete(c, e, args, given)
			}
			return []parity.Call{{Entry: e.Name, Args: args}}, err
		}
		one := *c
		one.Entries = []contract.Entry{*e}
		c = &one
	}
	sizes, err := sizesIn(f.sizes)
	if err != nil {
		return nil, err
	}
	parts := []*contract.Contract{c}
	if len(sizes) == 0 { // an entry point has its own
		parts = nil
		for _, e := range c.Entries {
			one := *c
			one.Entries = []contract.Entry{e}
			parts = append(parts, &one)
		}
	}
	var calls []parity.Call
	for _, c := range parts {
		made := parity.Made{Sizes: sizes}
		if len(sizes) == 0 {
			made.Sizes = []map[string]int64{taken(&c.Entries[0])}
		}
		cases, err := made.Cases(c)
		if err != nil {
			return nil, err
		}
		for _, k := range cases {
			calls = append(calls, k.Calls...)
		}
	}
	return calls, nil
}

// taken returns the sizes of made-up arguments that nothing names: 1 for those that are only
// the outermost of arrays, as a batch is.
func taken(e *contract.Entry) map[string]int64 {
	sizes, outer := parity.Largest(e), map[string]bool{}
	for _, a := range e.Args {
		for at, d := range a.Shape {
			if name, _, _, ok := d.Tells(); ok {
				was, seen := outer[name]
				outer[name] = at == 0 && len(a.Shape) > 1 && (was || !seen)
			}
		}
	}
	for name, ok := range outer {
		if ok {
			sizes[name] = 1
		}
	}
	return sizes
}

// sayTaken says on the stream of errors which sizes were taken, before the program is
// opened, which may take long.
func (f *benchFlags) sayTaken(cmd *cobra.Command, to *callee) {
	if len(f.sizes) > 0 || len(to.texts) > 0 {
		return
	}
	for i := range to.contract.Entries {
		e := &to.contract.Entries[i]
		if sizes := taken(e); len(sizes) > 0 && (f.Entry == "" || f.Entry == e.Name) {
			text := parity.SizesText(sizes)
			fmt.Fprintf(cmd.ErrOrStderr(), "skainet: made-up arguments of %s have the sizes %s; --sizes %s and the like gives others\n", e.Name, text, text)
		}
	}
}

// sizesOf returns the sizes of a call's dynamic dimensions.
func sizesOf(c *contract.Contract, call parity.Call) (map[string]int64, error) {
	e, err := c.Entry(call.Entry)
	if err != nil {
		return nil, err
	}
	types := make([]tensor.Type, len(call.Args))
	for i, v := range call.Args {
		types[i] = v.Type
	}
	return backend.Bind(e, types)
}

// measure calls an entry point, and once more before that; a limit of 0 is none.
func measure(ctx context.Context, x backend.Executable, call parity.Call, rounds int, limit time.Duration) (timing, error) {
	t := timing{Entry: call.Entry}
	var results []tensor.Value
	start := time.Now()
	for i := range rounds + 1 {
		if limit > 0 && i > fewest && time.Since(start) > limit {
			break
		}
		begun := time.Now()
		var err error
		if into, ok := x.(backend.CallerAllocated); ok {
			results, err = into.CallInto(ctx, call.Entry, results, call.Args...)
		} else {
			results, err = x.Call(ctx, call.Entry, call.Args...)
		}
		if err != nil {
			return t, err
		}
		if i > 0 {
			t.Calls = append(t.Calls, time.Since(begun))
		}
	}
	slices.Sort(t.Calls)
	return t, nil
}

func timingTable(all []timing, backend string) []byte {
	var b bytes.Buffer
	if backend != "" { // of a program it is known
		fmt.Fprintf(&b, "backend: %s\n", backend)
	}
	sized := slices.ContainsFunc(all, func(t timing) bool { return len(t.Sizes) > 0 })
	cells := func(entry, sizes string, rest ...string) []string {
		if sized {
			rest = append([]string{sizes}, rest...)
		}
		return append([]string{entry}, rest...)
	}
	display.Grid(&b, cells("ENTRY", "SIZES", "CALLS", "MIN", "MEDIAN", "MAX", "SPREAD"), func(line func(cells ...string)) {
		for _, t := range all {
			shortest, longest := t.Calls[0], t.Calls[len(t.Calls)-1]
			line(cells(t.Entry, parity.SizesText(t.Sizes), strconv.Itoa(len(t.Calls)), milliseconds(shortest), milliseconds(t.Calls[len(t.Calls)/2]), milliseconds(longest),
				fmt.Sprintf("%.0f%%", 100*float64(longest-shortest)/float64(max(shortest, 1))))...)
		}
	})
	return b.Bytes()
}

func milliseconds(d time.Duration) string {
	return strings.TrimSpace(fmt.Sprintf("%.3f ms", float64(d)/1e6))
}
