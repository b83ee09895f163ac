package cli

import (
	"bytes"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/io/plan"
	"github.com/skainet-dev/skainet-go/io/weights"
)

func newPlanCommand() *cobra.Command {
	var f struct {
		json bool
		o    plan.Options
		out  string
	}
	cmd := &cobra.Command{
		Use:   "plan FILE",
		Short: "Say how much memory a model takes, by target and encoding",
		Long: `Plan reads the header of a weight file and says how many bytes its weights
take as they are stored and in other types, where they lie when a program of
each target runs, and how large the cache of a decoder is. Activations are not
counted, and a cache only of decoders in GGUF files, whose headers describe it.

AS STORED counts the bytes of tensors that the type does not fit, which keep
theirs: vectors, integers, and rows that are no whole number of blocks. MAPPED is
the archive, which is read from disk as it is used; HOST is memory beside it, for
the cache; DEVICE is memory of the GPU, for weights and cache. Both count a cache
of all positions, without windows.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := weights.Open(args[0])
			if err != nil {
				return err
			}
			defer w.Close()
			p, err := plan.Of(w, f.o)
			if err != nil {
				return err
			}
			data := planTable(p)
			if f.json {
				if data, err = marshal(p); err != nil {
					return err
				}
			}
			return emit(cmd, f.out, data, args[0])
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON in place of tables, with what each number rests on")
	cmd.Flags().Int64Var(&f.o.Context, "context", 0, "positions of the cache, 0 for those that the model was made for")
	cmd.Flags().Int64Var(&f.o.Sequences, "sequences", 0, "number of caches, 0 for one")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "`file` to write in place of the standard output")
	return cmd
}

func planTable(p *plan.Plan) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "format: %s\ntensors: %d\nelements: %d\n\n", p.Format, p.Tensors, p.Elements)
	grid(&b, []string{"WEIGHTS", "BYTES", "SIZE", "AS STORED", "LARGEST TENSOR"}, func(line func(cells ...string)) {
		for _, f := range p.Forms {
			line(f.Name, fmt.Sprint(f.Bytes), rough(f.Bytes), rough(f.Kept), printable(f.Largest)+" "+rough(f.LargestBytes))
		}
	})
	b.WriteByte('\n')
	grid(&b, []string{"TARGET", "WEIGHTS", "MAPPED", "HOST", "DEVICE", "NOTE"}, func(line func(cells ...string)) {
		for _, r := range p.Rows {
			line(r.Target, r.Form, rough(r.Mapped), rough(r.Host), rough(r.Device), r.Refused)
		}
	})
	if c := p.Cache; c != nil {
		fmt.Fprintf(&b, "\ncache: %s, %s, %s, %s: %s\n", printable(c.Architecture), counted(c.Layers, "layer"),
			counted(c.Context, "position"), counted(c.Sequences, "sequence"), size(c.Bytes))
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
