package call

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/dispatch"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// dispatchFlags say whether and how dispatches are measured.
type dispatchFlags struct {
	on    bool
	text  string
	tools iree.ProfileTools
}

func (d *dispatchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&d.on, "dispatches", false, "measure each dispatch of a compiled program for CPUs, on one thread, with IREE's tools")
	flags.StringVar(&d.text, "dispatch-text", "", "NAME.dispatches.mlir `file` of the program's output group dispatches, for the dispatches' bytes")
	flags.StringVar(&d.tools.Benchmark, "iree-benchmark-module", "", "IREE's tool, a `file`, for --dispatches")
	flags.StringVar(&d.tools.Profile, "iree-profile", "", "IREE's tool, a `file`, for --dispatches")
	for _, name := range []string{"dispatch-text", "iree-benchmark-module", "iree-profile"} {
		flags.Lookup(name).Hidden = name != "dispatch-text"
	}
}

// profile is the dispatches of an entry point.
type profile struct {
	Entry      string         `json:"entry"`
	Dispatches []dispatch.Row `json:"dispatches"`
}

// profiles is what --dispatches prints.
type profiles struct {
	Core    core      `json:"core"`
	Entries []profile `json:"entries"`
}

// dispatches measures the dispatches of each call.
func (f *benchFlags) dispatches(cmd *cobra.Command, program string, to *callee) error {
	d := f.dispatch
	if to.model || f.contract == "" {
		return errUsage("--dispatches is given for a model file").In(program).Hint("give a compiled program, with --contract")
	}
	if d.tools.Benchmark == "" || d.tools.Profile == "" {
		return errUsage("--dispatches needs IREE's tools iree-benchmark-module and iree-profile").
			Hint("`bazel run` of a .bench target names them where the runtime has them, as that of the wheels has; else name them with --iree-benchmark-module and --iree-profile")
	}
	o, err := f.options(program, to.contract)
	if err != nil {
		return err
	}
	o.Device = iree.Driver(o.Device, 1)
	for _, tool := range []*string{&d.tools.Benchmark, &d.tools.Profile} {
		if *tool, err = filepath.Abs(*tool); err != nil {
			return err
		}
	}
	var text *dispatch.Text
	if d.text != "" {
		data, err := regular.Read(d.text, regular.MaxText)
		if err != nil {
			return err
		}
		if text, err = dispatch.ParseText(data); err != nil {
			return err
		}
	}
	x, err := to.open(cmd.Context()) // which checks it
	if err != nil {
		return err
	}
	x.Close()
	var all profiles
	calls, err := f.measured(to.contract, to.texts)
	if err != nil {
		return err
	}
	for _, call := range calls {
		rows, err := iree.Profile(cmd.Context(), o, d.tools, text, f.rounds, call.Entry, call.Args...)
		if err != nil {
			return err
		}
		all.Entries = append(all.Entries, profile{call.Entry, rows})
	}
	if all.Core, err = measureCore(); err != nil {
		return err
	}
	if f.JSON {
		doc, err := display.JSON(all)
		if err != nil {
			return err
		}
		return command.Emit(cmd, f.Text, doc)
	}
	return command.Emit(cmd, f.Text, all.table())
}

// table has a line for each dispatch, the longest first. Cells of what is not known are empty.
func (p profiles) table() []byte {
	var b bytes.Buffer
	for _, e := range p.Entries {
		var sum time.Duration
		for _, r := range e.Dispatches {
			sum += r.Time
		}
		display.Grid(&b, []string{e.Entry, "COUNT", "TIME", "OF CALL", "GFLOP/S", "OF PEAK", "GB/S", "OF COPY"}, func(line func(cells ...string)) {
			for _, r := range e.Dispatches {
				flops, ofPeak := rate(r.FLOPs, r.Time, p.Core.FLOPs)
				bytes, ofCopy := rate(r.Bytes, r.Time, p.Core.Bytes)
				line(r.Name, strconv.Itoa(r.Count), milliseconds(r.Time), percent(float64(r.Time), float64(sum)), flops, ofPeak, bytes, ofCopy)
			}
			line("all", "", milliseconds(sum), "", "", "", "", "")
		})
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "One thread; the least of the calls at each place. This core: %.0f GFLOP/s, %s; %.1f GB/s, %s.\n",
		p.Core.FLOPs/1e9, productText, p.Core.Bytes/1e9, copyText)
	return b.Bytes()
}

// rate returns work a second, in thousand millions, and its share of what the core does.
func rate(work int64, in time.Duration, core float64) (figure, share string) {
	if work == 0 || in <= 0 {
		return "", ""
	}
	a := float64(work) / in.Seconds()
	return fmt.Sprintf("%.1f", a/1e9), percent(a, core)
}

func percent(part, whole float64) string {
	return fmt.Sprintf("%.0f%%", 100*part/max(whole, 1))
}
