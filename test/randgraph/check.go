package randgraph

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
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

// tally is what a run has seen.
type tally struct {
	graphs, ops, failed int
	refused             map[string]int // graphs that a peer cannot evaluate
	occur               map[string]int // of each operation, with results that are not empty
	first               error
}

// Run makes the graphs, compares the backends with the reference and prints the
// seeds. A failing graph is shrunk and written: the graph, its arguments and
// the reference's results, as `skainet eval` reads them. A registered operation that is asked
// for and is in none of them by chance gets a graph of its own. The error is the first
// failure, that such an operation cannot occur, or that a peer evaluates less than three
// quarters of the graphs.
func (k Check) Run(ctx context.Context, out io.Writer) error {
	t := &tally{refused: map[string]int{}, occur: map[string]int{}}
	for done := 0; done < k.Graphs; {
		var cases []*Case
		from := k.Seed + uint64(done)
		for len(cases) < max(k.Batch, 1) && done < k.Graphs {
			c, err := t.make(k.Seed+uint64(done), k.Options, out)
			if err != nil {
				return err
			}
			cases, done = append(cases, c), done+1
		}
		fmt.Fprintf(out, "seeds %d to %d\n", from, from+uint64(len(cases))-1)
		if err := k.compare(ctx, cases, t, out); err != nil {
			return err
		}
	}
	for _, name := range k.absent(t) {
		o := k.Options
		o.Only, o.Own = []string{name}, false
		c, err := t.make(k.Seed, o, out)
		if errs.CodeOf(err) == CodeStuck || err == nil && t.occur[name] == 0 {
			return errs.Wrap(CodeAbsent, err, "operation %s occurs in none of %d graphs, so nothing of it was tested", name, k.Graphs).On(name).
				Hint("give it examples that its rule accepts, with numbers (Low, High) whose results are finite and do not jump with rounding")
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "seed %d, %s alone\n", k.Seed, name)
		if err := k.compare(ctx, []*Case{c}, t, out); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d graphs of %d operations from seed %d on", t.graphs, t.ops, k.Seed)
	for _, b := range k.Backends {
		fmt.Fprintf(out, "; %s", b.Name)
		n := t.refused[b.Name]
		if n > 0 {
			fmt.Fprintf(out, " (cannot evaluate %d)", n)
		}
		if t.first == nil && 4*n > t.graphs {
			t.first = errs.New(CodePeer, "%s evaluates only %d of %d graphs", b.Name, t.graphs-n, t.graphs)
		}
	}
	fmt.Fprintf(out, ": %d fail\n", t.failed)
	return t.first
}

// make makes a graph and counts it.
func (t *tally) make(seed uint64, o Options, out io.Writer) (*Case, error) {
	c, err := Make(seed, o)
	if err != nil {
		fmt.Fprintf(out, "no graph of seed %d: %v\n", seed, err)
		return nil, err
	}
	t.graphs, t.ops = t.graphs+1, t.ops+c.Ops()
	for _, s := range c.steps {
		if slices.ContainsFunc(s.out, func(v int) bool { return len(c.values[v].worlds[0].Bytes) > 0 }) {
			t.occur[s.op]++
		}
	}
	return c, nil
}

// absent lists the registered operations that are asked for and have not occurred.
func (k Check) absent(t *tally) []string {
	var names []string
	for _, o := range op.Registered() {
		if (k.Own || slices.Contains(k.Only, o.Name)) && t.occur[o.Name] == 0 {
			names = append(names, o.Name)
		}
	}
	return names
}

// compare runs graphs as one program on each backend.
func (k Check) compare(ctx context.Context, cases []*Case, t *tally, out io.Writer) error {
	for _, b := range k.Backends {
		failures, err := Compare(ctx, b, cases)
		if err != nil {
			return err
		}
		for _, f := range failures {
			if errs.CodeOf(f.Err) == CodePeer {
				t.refused[b.Name]++
				continue
			}
			t.failed++
			err := k.report(ctx, b, f, out)
			if t.first == nil {
				t.first = err
			}
		}
	}
	return nil
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
// the reference; values of bf16, which NumPy lacks, are written as f32.
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
			err = npy.WriteFile(filepath.Join(dir, "x"+decimal(i)+".npy"), writable(v))
		}
	}
	for i, v := range c.results {
		if err == nil {
			err = npy.WriteFile(filepath.Join(dir, "y"+decimal(i)+".npy"), writable(c.values[v].worlds[0]))
		}
	}
	if err != nil {
		return errs.Wrap(CodeWrite, err, "the graph cannot be written").In(dir)
	}
	return nil
}

func writable(v tensor.Value) tensor.Value {
	if v.Type.DType == dtype.BF16 {
		return valueOf(tensor.Type{DType: dtype.F32, Shape: v.Type.Shape}, numbers(v))
	}
	return v
}
