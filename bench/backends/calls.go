package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/bench/backends/task"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
)

// task writes the arguments of all calls, and for XLA's peer the texts.
func (o *options) task(dir string) (*task.Task, error) {
	file, err := harness.Runfile(fileXLA)
	if err != nil {
		return nil, err
	}
	g, err := xla.ReadGraph(file)
	if err != nil {
		return nil, err
	}
	c, err := xla.ReadContract(file)
	if err != nil {
		return nil, err
	}
	made, err := o.made()
	if err != nil {
		return nil, err
	}
	weights, err := placed(c)
	if err != nil {
		return nil, err
	}
	t := &task.Task{Flags: xlatext.Flags()}
	for i, text := range o.measures {
		m, err := measureOf(dir, i, text, g, c, made, weights)
		if err != nil {
			return nil, err
		}
		t.Measures = append(t.Measures, *m)
	}
	return t, nil
}

// placed returns where the parameters lie in the archive.
func placed(c *contract.Contract) (map[string]task.Value, error) {
	weights := map[string]task.Value{}
	if len(c.Parameters) == 0 {
		return weights, nil
	}
	path, err := harness.Runfile(archiveFile)
	if err != nil {
		return nil, err
	}
	a, err := irpa.Open(path)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for _, p := range c.Parameters {
		stored, err := p.Stored()
		if err != nil {
			return nil, err
		}
		e, ok := a.Entry(p.Key)
		if !ok || e.Type != irpa.Data {
			return nil, errs.New(harness.CodeRunfiles, "the archive does not hold the bytes of a parameter").In(path).On(p.Key)
		}
		weights[p.Key] = task.Value{DType: stored.DType, Shape: task.Sizes(stored), File: path, Offset: e.Offset}
	}
	return weights, nil
}

// measureOf returns the call that a text names, NAME;ENTRY;SIZES.
func measureOf(dir string, i int, text string, g *dag.Graph, c *contract.Contract, made parity.Made, weights map[string]task.Value) (*task.Measure, error) {
	words := strings.Split(text, ";")
	if len(words) != 3 {
		return nil, errs.New(harness.CodeFlags, "--measure %q is not NAME;ENTRY;SIZES", text).Hint("write \"prefill 128;prefill;seq=128\", and no sizes where all are static")
	}
	m := &task.Measure{Name: words[0], Entry: words[1]}
	e, err := c.Entry(m.Entry)
	if err != nil {
		return nil, err
	}
	var sizes map[string]int64
	one := *c
	one.Entries = []contract.Entry{*e}
	if words[2] != "" {
		if sizes, err = parity.ParseSizes(words[2]); err != nil {
			return nil, err
		}
		made.Sizes = []map[string]int64{sizes}
	}
	all := made.Inputs
	made.Inputs = map[string]parity.Range{}
	for _, a := range e.Args { // others are of other entry points
		if r, ok := all[a.Name]; ok {
			made.Inputs[a.Name] = r
		}
	}
	cases, err := made.Cases(&one)
	if err != nil {
		return nil, err
	}
	calls := cases[0].Calls
	for k, v := range calls[len(calls)-1].Args {
		a, err := task.Save(dir, fmt.Sprintf("%d_%d.bin", i, k), v)
		if err != nil {
			return nil, err
		}
		m.Args = append(m.Args, a)
	}
	out, err := xlatext.Emit(g, m.Entry, sizes, xlatext.Options{})
	if err != nil {
		return nil, err
	}
	m.Text = filepath.Join(dir, fmt.Sprintf("%d.mlir", i))
	if err := atomicfile.WriteFile(m.Text, out.Text); err != nil {
		return nil, errs.Wrap(task.CodeFile, err, "a text cannot be written").In(m.Text)
	}
	return m, access(dir, m, out.Access[xlatext.Main], g, weights)
}

// access says what a text takes behind the arguments.
func access(dir string, m *task.Measure, a hlo.Access, g *dag.Graph, weights map[string]task.Value) error {
	for _, key := range a.Parameters {
		m.Parameters = append(m.Parameters, weights[key])
	}
	m.States, m.Writes = a.States, a.Writes
	for k, name := range a.States {
		at := slices.IndexFunc(g.States, func(s *dag.State) bool { return s.Name == name })
		v, err := tensor.Zero(g.States[at].Type) // what a state begins with does not change how long a call takes
		if err != nil {
			return err
		}
		s, err := task.Save(dir, fmt.Sprintf("%s_state_%d.bin", filepath.Base(m.Text), k), v)
		if err != nil {
			return err
		}
		m.Initial = append(m.Initial, s)
	}
	return nil
}
