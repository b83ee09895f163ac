package randgraph

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Backend opens graphs.
type Backend struct {
	Name string
	Open func(ctx context.Context, g *dag.Graph) (backend.Executable, error)
}

// Failure is a graph that a backend rejects, or computes differently from the
// reference.
type Failure struct {
	Case    *Case
	Backend string
	Err     error
}

// Graph is the model of some cases, one entry point each.
func Graph(cases []*Case) (*dag.Graph, error) {
	return lang.Capture("random", nil, func(m *lang.Module) {
		for i, c := range cases {
			c.add(m, "g"+decimal(i))
		}
	})
}

// Compare runs cases as one program and returns those that fail, in their order:
// starting a compiler costs more than compiling a graph. A program that cannot be
// built is halved until the graph at fault is alone.
func Compare(ctx context.Context, b Backend, cases []*Case) ([]Failure, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	g, err := Graph(cases)
	if err != nil {
		return nil, err
	}
	x, err := b.Open(ctx, g)
	if err != nil {
		if len(cases) == 1 {
			return []Failure{{cases[0], b.Name, err}}, ctx.Err()
		}
		half := len(cases) / 2
		first, err := Compare(ctx, b, cases[:half])
		if err != nil {
			return nil, err
		}
		second, err := Compare(ctx, b, cases[half:])
		return append(first, second...), err
	}
	defer x.Close()
	var failures []Failure
	for i, c := range cases {
		args := c.args()
		before := fingerprint(args)
		got, err := x.Call(ctx, "g"+decimal(i), args...)
		if err == nil {
			err = c.check(got)
		}
		if err == nil && fingerprint(args) != before {
			err = errs.New(CodeMismatch, "the call changed its arguments")
		}
		if err == nil && c.other != nil {
			if got, err = x.Call(ctx, "g"+decimal(i), c.other.args...); err == nil {
				err = c.other.check(got)
			}
		}
		if err != nil {
			failures = append(failures, Failure{c, b.Name, err})
		}
	}
	return failures, ctx.Err()
}

// fingerprint is a hash that shows whether arguments changed.
func fingerprint(vs []tensor.Value) [32]byte {
	h := sha256.New()
	for _, v := range vs {
		h.Write(v.Bytes)
	}
	return [32]byte(h.Sum(nil))
}

// check compares results with the reference.
func (c *Case) check(got []tensor.Value) error {
	want := call{}
	for _, r := range c.results {
		want.results = append(want.results, c.values[r].worlds)
	}
	return want.check(got)
}

func (c *call) check(got []tensor.Value) error {
	if len(got) != len(c.results) {
		return errs.New(CodeMismatch, "%d results, not %d", len(got), len(c.results))
	}
	for i, w := range c.results {
		if !got[i].Type.Equal(w[0].Type) {
			return errs.New(CodeMismatch, "result %d is %s, not %s", i, got[i].Type, w[0].Type)
		}
		if d := differs(got[i], w); d != nil {
			return errs.New(CodeMismatch, "result %d, %s: element %d is %v, not %v within %.3g", i, w[0].Type, d.element, d.got, d.want, d.tolerance)
		}
	}
	return nil
}

// Ops counts the operations of the graph.
func (c *Case) Ops() int {
	n := 0
	for _, s := range c.steps {
		if s.op != "" {
			n++
		}
	}
	return n
}

// String lists the steps: what each takes and returns.
func (c *Case) String() string {
	text := ""
	for _, s := range c.steps {
		for _, v := range s.out {
			text += fmt.Sprintf("  v%d %s", v, tensor.Type{DType: c.values[v].typ.DType, Shape: c.values[v].shape})
		}
		name := s.op
		switch {
		case s.leaf != nil && s.build != nil:
			name = "constant"
		case s.leaf != nil:
			name = "input"
		}
		text += " = " + name
		for _, v := range s.in {
			text += fmt.Sprintf(" v%d", v)
		}
		text += "\n"
	}
	return text
}
