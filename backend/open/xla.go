package open

import (
	"context"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
)

// To returns the options of a graph's program for a target at a level of optimisation, as
// compile.To chooses it. With them Graph opens the graph on any of the three backends.
func To(name, level string) (Options, error) {
	to, err := compile.To(name, level)
	if err != nil {
		return Options{}, err
	}
	o := Options{Backend: to.Backend, Level: to.Level}
	if to.Backend != CPU {
		o.Target = to.Name
	}
	return o, nil
}

func openXLA(ctx context.Context, g *dag.Graph, c *contract.Contract, dir string, o Options) (backend.Executable, error) {
	archives, err := packAll(ctx, dir, c, o)
	if err != nil {
		return nil, err
	}
	if o.Progress.Using != nil {
		o.Progress.Using(o.Target, o.Plugin, o.Plugin)
	}
	x := o.XLA()
	x.Graph, x.Archives = g, archives
	return child.On(ctx, x)
}

// XLA returns the options of package xla, but for the graph and the archives.
func (o *Options) XLA() xla.Options {
	x := xla.Options{
		Plugin: o.Plugin, Threads: o.Workers, Level: o.Level, Sizes: o.Sizes, Buckets: o.Buckets, Unfit: o.Progress.Unfit, Without: o.Without, Cache: o.Cache, Device: o.Device, Weights: o.WeightForm,
	}
	if t, err := xlatext.FindTarget(o.Target); err == nil && (o.Device == "" || o.Device == "cpu") {
		x.Device = t.Platform
	}
	if o.Progress.Compiling != nil {
		row := o.Target
		if row == "" {
			row = XLA
		}
		x.Compiling = func(entry string, sizes map[string]int64) func() {
			return o.Progress.Compiling(strings.TrimSpace(entry+" "+xla.Spelled(sizes)), row)
		}
	}
	return x
}
