package randgraph

import (
	"context"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Shrink returns the smallest part of a failing graph that still fails: the first
// operation whose own result differs, and as few as possible of those before it.
// If no operation fails alone, the fault depends on several results: a minimal set
// that still fails is kept.
func Shrink(ctx context.Context, b Backend, f Failure) (Failure, error) {
	var parts []*Case
	for i, s := range f.Case.steps {
		if s.op == "" {
			continue
		}
		if p := f.Case.part(i, math.MaxInt); p != nil {
			parts = append(parts, p)
		}
	}
	failed, err := Compare(ctx, b, parts)
	if err != nil {
		return f, err
	}
	if len(failed) == 0 {
		return fewerResults(ctx, b, f)
	}
	f = failed[0]
	last := len(f.Case.steps) - 1
	parts = nil
	for depth := range f.Case.Ops() {
		if p := f.Case.part(last, depth); p != nil {
			parts = append(parts, p)
		}
	}
	failed, err = Compare(ctx, b, parts)
	if err != nil || len(failed) == 0 {
		return f, err
	}
	return failed[0], nil
}

// fewerResults drops one result after the other while the rest still fails.
func fewerResults(ctx context.Context, b Backend, f Failure) (Failure, error) {
	for i := len(f.Case.results) - 1; i >= 0 && len(f.Case.results) > 1; i-- {
		fewer := f.Case.needed(slices.Delete(slices.Clone(f.Case.results), i, i+1))
		failed, err := Compare(ctx, b, []*Case{fewer})
		if err != nil {
			return f, err
		}
		if len(failed) > 0 {
			f = failed[0]
		}
	}
	return f, nil
}

// needed is the graph reduced to what these results need.
func (c *Case) needed(results []int) *Case {
	p := &Case{Seed: c.Seed, values: c.values, results: results}
	keep := map[int]bool{}
	for _, v := range results {
		keep[c.values[v].step] = true
	}
	for i := len(c.steps) - 1; i >= 0; i-- {
		for _, v := range c.steps[i].in {
			keep[c.values[v].step] = keep[c.values[v].step] || keep[i]
		}
	}
	p.values = slices.Clone(c.values)
	at := map[int]int{}
	for i, s := range c.steps {
		if keep[i] {
			at[i] = len(p.steps)
			p.steps = append(p.steps, s)
		}
	}
	// Values of removed steps have no step.
	for i, v := range p.values {
		if to, ok := at[v.step]; ok {
			p.values[i].step = to
		} else {
			p.values[i].step = -1
		}
	}
	return p
}

// part is the graph whose last operation is step i, with what it needs up to depth
// operations before it; values further away become inputs. It is nil if that cannot
// be evaluated.
func (c *Case) part(i, depth int) *Case {
	far := map[int]int{i: 0} // distance of the steps that are kept
	for j := i; j >= 0; j-- {
		d, ok := far[j]
		if !ok || d >= depth {
			continue
		}
		for _, v := range c.steps[j].in {
			s := c.values[v].step
			if old, ok := far[s]; !ok || old > d+1 {
				far[s] = d + 1
			}
		}
	}
	p := &Case{Seed: c.Seed}
	g := &gen{oracle: &oracle{r: newRand(c.Seed)}, c: p}
	to := map[int]int{}
	for j := range i + 1 {
		s := c.steps[j]
		if _, ok := far[j]; !ok {
			continue
		}
		in := make([]int, len(s.in))
		for k, v := range s.in {
			if _, ok := to[v]; !ok {
				leaf := c.values[v].worlds[0]
				to[v] = p.append(step{leaf: &leaf}, [][]tensor.Value{same(leaf)}, []shape.Shape{c.values[v].shape})[0]
			}
			in[k] = to[v]
		}
		s.in = in
		var out [][]tensor.Value
		var shapes []shape.Shape
		if s.leaf != nil {
			out, shapes = [][]tensor.Value{same(*s.leaf)}, []shape.Shape{c.values[s.out[0]].shape}
		} else {
			alone := s
			alone.out = nil
			if out, shapes = g.evaluate(&alone); out == nil {
				return nil
			}
		}
		for k, v := range p.append(s, out, shapes) {
			to[c.steps[j].out[k]] = v
		}
	}
	for _, v := range c.steps[i].out {
		p.results = append(p.results, to[v])
	}
	if c.other != nil {
		if graph, err := lang.Capture("random", nil, func(m *lang.Module) { p.add(m, "main") }); err == nil {
			g.resize(graph)
		}
	}
	return p
}

// same is a value that is equal in all worlds.
func same(v tensor.Value) []tensor.Value {
	w := make([]tensor.Value, worlds)
	for i := range w {
		w[i] = v
	}
	return w
}

// append adds a step with its results.
func (c *Case) append(s step, out [][]tensor.Value, shapes []shape.Shape) []int {
	s.out = nil
	for i, w := range out {
		s.out = append(s.out, len(c.values))
		c.values = append(c.values, value{step: len(c.steps), typ: w[0].Type, shape: shapes[i], worlds: w})
	}
	c.steps = append(c.steps, s)
	return s.out
}
