package open

import (
	"context"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
)

// To returns the options of a graph's program for a target at a level of optimisation, ""
// for the default one: "cpu" is the CPU backend, other names are rows of the tables of
// targets, IREE's (compile/iree/target) and XLA's (compile/xla). With them Graph opens the
// graph on any of the three.
func To(target, level string) (Options, error) {
	o := Options{Backend: CPU, Level: level}
	if target != CPU {
		o.Target = target
	}
	return o, o.byTarget()
}

// byTarget sets the backend that the target is of, and checks the level.
func (o *Options) byTarget() error {
	switch {
	case xlatext.IsTarget(o.Target):
		if _, err := xlatext.FindTarget(o.Target); err != nil {
			return err
		}
		o.Backend = XLA
		_, err := xlatext.Compile(o.Level)
		return err
	case o.Target != "":
		o.Backend = IREE
		row, err := target.Find(o.Target)
		if err != nil {
			return err
		}
		_, err = row.At(o.Level)
		return err
	}
	return nil
}

func openXLA(ctx context.Context, g *dag.Graph, c *contract.Contract, dir string, o Options) (backend.Executable, error) {
	archives, err := packAll(ctx, dir, c, o)
	if err != nil {
		return nil, err
	}
	x := o.XLA()
	x.Graph, x.Archives = g, archives
	return child.On(ctx, x)
}

// XLA returns the options of package xla, but for the graph and the archives.
func (o *Options) XLA() xla.Options {
	x := xla.Options{
		Plugin: o.Plugin, Threads: o.Workers, Level: o.Level, Sizes: o.Sizes, Without: o.Without, Cache: o.Cache, Device: o.Device,
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
