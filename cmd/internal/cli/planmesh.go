package cli

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
)

// meshFlags are those of a plan for several devices.
type meshFlags struct {
	axes, plugin, cache, form string
	sizes                     []string
}

func (f *meshFlags) declare(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.axes, "mesh", "", "plan for the devices of a mesh of XLA, `NAME=DEVICES,...`, such as model=4")
	cmd.Flags().StringArrayVar(&f.sizes, "sizes", nil, "with --mesh: dynamic sizes to compile for, `NAME=N,...`; may be repeated")
	command.FlagPlugin.Text(cmd, &f.plugin, "")
	openfile.CacheFlag(cmd, &f.cache)
	command.FlagWeightForm.Says("with --mesh: `form` of weights in blocks: unpacked, as a session has them where there is room, or packed").Text(cmd, &f.form, xla.Unpacked)
}

// unused returns an error if a flag was given that says something of a mesh.
func (f *meshFlags) unused(cmd *cobra.Command) error {
	for _, name := range []string{"sizes", "cache", command.FlagPlugin.Name, command.FlagWeightForm.Name} {
		if cmd.Flags().Changed(name) {
			return errs.New(command.CodeUsage, "--%s is for a plan with --mesh", name).Hint("add --mesh, such as --mesh=model=2")
		}
	}
	return nil
}

// meshPlan is a plan for several devices. Numbers are bytes.
type meshPlan struct {
	Mesh     string      `json:"mesh"`
	Share    xla.Share   `json:"share"`
	Costs    []xla.Cost  `json:"costs"`
	NoPlugin *errs.Error `json:"-"` // why there are no costs
}

func (f *meshFlags) plan(cmd *cobra.Command, path string, context int64, json bool) ([]byte, error) {
	if err := xla.CheckForm(f.form); err != nil {
		return nil, err
	}
	sizes, err := command.Sizes(f.sizes)
	if err != nil {
		return nil, err
	}
	o := openfile.Options{Cache: f.cache, Run: open.Options{Backend: open.XLA, Plugin: f.plugin, WeightForm: f.form, Progress: progress.On(cmd.ErrOrStderr())}}
	o.Import.Context = context
	m, _, err := openfile.Import(path, nil, o)
	if err != nil {
		return nil, err
	}
	if err := m.Mesh(f.axes); err != nil {
		return nil, errs.WithFile(err, path)
	}
	p := meshPlan{Mesh: f.axes}
	if p.Share, err = xla.ShareOf(m.Graph); err != nil {
		return nil, errs.WithFile(err, path)
	}
	p.Costs, err = m.Costs(cmd.Context(), sizes)
	if errors.As(err, &p.NoPlugin) && f.plugin == "" && p.NoPlugin.Code == pjrt.CodePlugin {
		err = nil // the memory is known without it
	}
	if err != nil {
		return nil, err
	}
	if json {
		return display.JSON(p)
	}
	return p.table(), nil
}

// table formats the plan.
func (p *meshPlan) table() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "mesh: %s, %s; %d of %s are split\n\n", p.Mesh, display.Counted(int(p.Share.Devices), "device"), p.Share.SplitWeights, display.Counted(p.Share.AllWeights, "weight"))
	display.Grid(&b, []string{"KEPT", "EACH DEVICE", "SIZE", "ONE DEVICE ALONE"}, func(line func(cells ...string)) {
		line("weights", fmt.Sprint(p.Share.Weights), rough(p.Share.Weights), rough(p.Share.WholeWeights))
		if p.Share.WholeUnpacked != p.Share.WholeWeights {
			line("weights, unpacked", fmt.Sprint(p.Share.Unpacked), rough(p.Share.Unpacked), rough(p.Share.WholeUnpacked))
		}
		line("states", fmt.Sprint(p.Share.States), rough(p.Share.States), rough(p.Share.WholeStates))
	})
	b.WriteByte('\n')
	if p.NoPlugin != nil {
		b.WriteString("What the devices exchange is counted in XLA's program: name a plugin with --plugin.\n")
		return b.Bytes()
	}
	display.Grid(&b, []string{"CALL", "TEMPORARY", "COLLECTIVE", "COUNT", "SENT", "SIZE"}, func(line func(cells ...string)) {
		for _, c := range p.Costs {
			call, temporary := c.Entry, "-"
			if len(c.Sizes) > 0 {
				call += " " + xla.Spelled(c.Sizes)
			}
			if c.Need != nil {
				temporary = rough(c.Need.Temporary)
			}
			if len(c.Collectives) == 0 {
				line(call, temporary, "none", "0", "0", "-")
			}
			for _, x := range c.Collectives {
				name := x.Op
				if x.InLoop {
					name += ", each round of a loop"
				}
				line(call, temporary, name, fmt.Sprint(x.Count), fmt.Sprint(x.Sent), rough(x.Sent))
			}
		}
	})
	return b.Bytes()
}
