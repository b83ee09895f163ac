package randgraph

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/npy"
)

// Check configures which graphs are run, and on which backends.
type Check struct {
	Options
	Seed     uint64 // of the first graph; the others follow
	Graphs   int
	Batch    int // graphs in one program
	Backends []Backend
	Dir      string // where graphs that fail are written
}

// Run makes the graphs, compares the backends with the reference and prints the
// seeds. A failing graph is shrunk and written: the graph, its arguments and
// the reference's results, as `skainet eval` reads them. The error is the first
// failure, or that a peer evaluates less than three quarters of the graphs.
func (k Check) Run(ctx context.Context, out io.Writer) error {
	var first error
	failed, ops, refused := 0, 0, map[string]int{}
	for done := 0; done < k.Graphs; {
		var cases []*Case
		from := k.Seed + uint64(done)
		for len(cases) < max(k.Batch, 1) && done < k.Graphs {
			c, err := Make(k.Seed+uint64(done), k.Options)
			if err != nil {
				return err
			}
			cases, done, ops = append(cases, c), done+1, ops+c.Ops()
		}
		fmt.Fprintf(out, "seeds %d to %d\n", from, from+uint64(len(cases))-1)
		for _, b := range k.Backends {
			failures, err := Compare(ctx, b, cases)
			if err != nil {
				return err
			}
			for _, f := range failures {
				if errs.CodeOf(f.Err) == CodePeer {
					refused[b.Name]++
					continue
				}
				failed++
				err := k.report(ctx, b, f, out)
				if first == nil {
					first = err
				}
			}
		}
	}
	fmt.Fprintf(out, "%d graphs of %d operations from seed %d on", k.Graphs, ops, k.Seed)
	for _, b := range k.Backends {
		fmt.Fprintf(out, "; %s", b.Name)
		n := refused[b.Name]
		if n > 0 {
			fmt.Fprintf(out, " (cannot evaluate %d)", n)
		}
		if first == nil && 4*n > k.Graphs {
			first = errs.New(CodePeer, "%s evaluates only %d of %d graphs", b.Name, k.Graphs-n, k.Graphs)
		}
	}
	fmt.Fprintf(out, ": %d fail\n", failed)
	return first
}

// report shrinks a failure, prints it and writes it down.
func (k Check) report(ctx context.Context, b Backend, f Failure, out io.Writer) error {
	seed, ops := f.Case.Seed, f.Case.Ops()
	fmt.Fprintf(out, "seed %d on %s: %v\n", seed, b.Name, f.Err)
	small, err := Shrink(ctx, b, f)
	if err != nil {
		return err
	}
	last := small.Case.steps[len(small.Case.steps)-1].op
	fmt.Fprintf(out, "they diverge at %s; %d of %d operations still differ: %v\n%s", last, small.Case.Ops(), ops, small.Err, small.Case)
	e := errs.New(CodeMismatch, "seed %d on %s: %v", seed, b.Name, small.Err).On(last)
	if k.Dir == "" {
		return e
	}
	dir := filepath.Join(k.Dir, fmt.Sprintf("seed_%d_%s", seed, b.Name))
	if err := small.Case.write(dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "written to %s\n", dir)
	return e.In(dir)
}

// write writes graph.json, its arguments x0.npy, ... and the results y0.npy, ... of
// the reference.
func (c *Case) write(dir string) error {
	g, err := Graph([]*Case{c})
	if err != nil {
		return err
	}
	text, err := graphjson.Marshal(g)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err == nil {
		err = atomicfile.WriteFile(filepath.Join(dir, "graph.json"), text)
	}
	for i, v := range c.args() {
		if err == nil {
			err = npy.WriteFile(filepath.Join(dir, "x"+decimal(i)+".npy"), v)
		}
	}
	for i, v := range c.results {
		if err == nil {
			err = npy.WriteFile(filepath.Join(dir, "y"+decimal(i)+".npy"), c.values[v].worlds[0])
		}
	}
	if err != nil {
		return errs.Wrap(CodeWrite, err, "the graph cannot be written").In(dir)
	}
	return nil
}
