package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/io/plan"
	"github.com/skainet-dev/skainet-go/io/weights"
)

func newPlanCommand() *cobra.Command {
	var f struct {
		json   bool
		o      plan.Options
		choice planChoice
		out    string
		mesh   meshFlags
	}
	cmd := &cobra.Command{
		Use:   "plan FILE",
		Short: "Estimate the memory of a model, by target and encoding",
		Long: `Plan reads the header of a weight file and prints how many bytes its weights
take as stored and in other types, where they are when a program for
each target runs, and how large the cache of a decoder is. Activations are not
counted, and a cache only for decoders in GGUF files, whose headers describe it.

AS STORED counts the bytes of tensors that cannot take the type and keep
their own: vectors, integers, and rows whose length is not a multiple of the block size. MAPPED is
the archive, which is read from disk on demand; HOST is other memory, for
the cache; DEVICE is memory of the GPU, for weights and cache. Both count a cache
of all positions, without windows.

With --mesh it is for XLA on several devices, such as model=4: what each keeps of the weights
and the states, and what they exchange in a call. That is counted in the program that XLA
makes of the model for the mesh, for entry points whose sizes are known or given by --sizes;
a plugin for CPUs does for a mesh of any devices. Language models in GGUF files are split
along the axis model; other files as the model's own code says. Weights in blocks are counted
as they are stored, and unpacked to f32, as a session has them where twice that is free.

Without a flag the second table has the most common targets and types; --target
selects every type of one target, and --all everything.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.choice.check(); err != nil {
				return err
			}
			if f.mesh.axes != "" {
				data, err := f.mesh.plan(cmd, args[0], f.o.Context, f.json)
				if err != nil {
					return err
				}
				return command.Emit(cmd, f.out, data, args[0])
			}
			if err := f.mesh.unused(cmd); err != nil {
				return err
			}
			w, err := weights.Open(args[0])
			if err != nil {
				return err
			}
			defer w.Close()
			p, err := plan.Of(w, f.o)
			if err != nil {
				return err
			}
			all := len(p.Rows)
			p.Rows = f.choice.rows(p.Rows, f.json)
			data := planTable(p, all)
			if f.json {
				if data, err = display.JSON(p); err != nil {
					return err
				}
			}
			return command.Emit(cmd, f.out, data, args[0])
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON instead of tables, with the basis of each number")
	cmd.Flags().StringArrayVar(&f.choice.targets, "target", nil, "show only this `target`: "+strings.Join(plan.Targets(), ", ")+"; may be repeated")
	cmd.Flags().BoolVar(&f.choice.all, "all", false, "show every target with every type")
	cmd.MarkFlagsMutuallyExclusive("target", "all")
	cmd.Flags().Int64Var(&f.o.Context, "context", 0, "positions of the cache, 0 for the model's trained context")
	cmd.Flags().Int64Var(&f.o.Sequences, "sequences", 0, "number of caches, 0 for one")
	command.FlagOutput.Text(cmd, &f.out, "")
	f.mesh.declare(cmd)
	for _, other := range []string{"target", "all", "sequences"} {
		cmd.MarkFlagsMutuallyExclusive("mesh", other)
	}
	return cmd
}

// planChoice selects the rows of a plan to show.
type planChoice struct {
	targets []string
	all     bool
}

// The rows shown by default: a CPU, a GPU, and the types that models
// are mostly published in.
var (
	commonTargets = []string{target.Default(), "vulkan"}
	commonForms   = []string{plan.AsStored, "f16", "Q8_0", "Q4_K"}
)

func (c *planChoice) check() error {
	for _, name := range c.targets {
		if !slices.Contains(plan.Targets(), name) {
			return errs.New(CodeUsage, "unknown target %q", name).Hint("use one of %s", strings.Join(plan.Targets(), ", "))
		}
	}
	return nil
}

// rows returns the selected rows; JSON has all by default.
func (c *planChoice) rows(rows []plan.Row, json bool) []plan.Row {
	return slices.DeleteFunc(rows, func(r plan.Row) bool {
		switch {
		case len(c.targets) > 0:
			return !slices.Contains(c.targets, r.Target)
		case c.all || json:
			return false
		}
		return !slices.Contains(commonTargets, r.Target) || !slices.Contains(commonForms, r.Form)
	})
}

// planTable formats the selected rows and the number of those not shown.
func planTable(p *plan.Plan, all int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "format: %s\ntensors: %d\nelements: %d\n\n", p.Format, p.Tensors, p.Elements)
	display.Grid(&b, []string{"WEIGHTS", "BYTES", "SIZE", "AS STORED", "LARGEST TENSOR"}, func(line func(cells ...string)) {
		for _, f := range p.Forms {
			line(f.Name, fmt.Sprint(f.Bytes), rough(f.Bytes), rough(f.Kept), display.Printable(f.Largest)+" "+rough(f.LargestBytes))
		}
	})
	b.WriteByte('\n')
	display.Grid(&b, []string{"TARGET", "WEIGHTS", "MAPPED", "HOST", "DEVICE"}, func(line func(cells ...string)) {
		for _, r := range p.Rows {
			line(r.Target, r.Form, rough(r.Mapped), rough(r.Host), rough(r.Device))
		}
	})
	if n := all - len(p.Rows); n > 0 {
		fmt.Fprintf(&b, "(%s not shown: --all, --target)\n", display.Counted(n, "row"))
	}
	if c := p.Cache; c != nil {
		fmt.Fprintf(&b, "\ncache: %s, %s, %s, %s: %s\n", display.Printable(c.Architecture), display.Counted(c.Layers, "layer"),
			display.Counted(c.Context, "position"), display.Counted(c.Sequences, "sequence"), size(c.Bytes))
		if c.WithWindow > 0 {
			fmt.Fprintf(&b, "cache with windows of %d: %s\n", c.Window, size(c.WithWindow))
		}
	}
	return b.Bytes()
}

func rough(n int64) string {
	if n == 0 {
		return "-"
	}
	return humanize.IBytes(uint64(n))
}
