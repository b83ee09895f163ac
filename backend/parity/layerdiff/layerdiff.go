// Package layerdiff finds the first operation at which two backends differ.
//
// If the results of a call differ, the operation that computed them is examined: its
// inputs, and some of the values they depend on, become results of the graph as well,
// and both backends run it again. The earliest one that differs is examined next, until
// one is found whose inputs agree and whose result does not. A chain of
// n operations takes about log n / log Probes runs. A call of a function is
// entered with the reference's values.
//
// The operation is then run alone, on the reference's inputs: if it differs there too,
// it is computed wrongly; if it agrees, it was miscompiled together with its neighbours,
// or its inputs are near the tolerance.
//
// # Errors
//
// LAYERDIFF_AGREE if the call has no difference, LAYERDIFF_WHOLE if there is none as
// soon as inner values are results; errors of the backends and of emission.
//
// # Determinism
//
// The operation found depends only on the graph, the call and the backends' results.
package layerdiff

import (
	"context"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Codes of this package.
const (
	CodeAgree errs.Code = "LAYERDIFF_AGREE" // smallest input: a backend compared with itself
	CodeWhole errs.Code = "LAYERDIFF_WHOLE" // smallest input: a backend that is wrong only for graphs with one result
)

// Open opens a graph on a backend.
type Open func(ctx context.Context, g *dag.Graph) (backend.Executable, error)

// Options configures a search.
type Options struct {
	Graph                *dag.Graph
	Reference, Candidate Open
	Rules                parity.Rules
	Probes               int // inner values that a run compares, besides an operation's inputs; 0 means 16
}

// Finding is an operation whose inputs agree and whose result does not.
type Finding struct {
	Function string // in which it is
	Node     *dag.Node
	Index    int             // of the node in its function
	Nodes    int             // of its function
	Inputs   []parity.Result // those that an operation computed
	Result   parity.Result   // the first that differs
	Alone    *parity.Result  // of the operation on the reference's inputs; nil if it cannot be run alone
	Runs     int             // how many graphs were run
}

// Find makes the calls and examines the first whose results differ.
func Find(ctx context.Context, o Options, calls []parity.Call) (*Finding, error) {
	if o.Probes <= 0 {
		o.Probes = 16
	}
	s := &search{Options: o}
	return s.find(ctx, o.Graph, calls)
}

type search struct {
	Options
	runs int
}

// outcome is the result of both backends for the last call.
type outcome struct {
	args      []tensor.Value
	want, got []tensor.Value
}

// run makes the calls on both backends, the last of them being the one of interest.
func (s *search) run(ctx context.Context, g *dag.Graph, calls []parity.Call) (*outcome, error) {
	s.runs++
	want, err := s.Reference(ctx, g)
	if err != nil {
		return nil, err
	}
	defer want.Close()
	got, err := s.Candidate(ctx, g)
	if err != nil {
		return nil, err
	}
	defer got.Close()
	var o outcome
	var before [][]tensor.Value
	for _, c := range calls {
		if o.args = c.Args; c.Make != nil {
			if o.args, err = c.Make(before); err != nil {
				return nil, err
			}
		}
		if o.want, err = want.Call(ctx, c.Entry, o.args...); err != nil {
			return nil, err
		}
		if o.got, err = got.Call(ctx, c.Entry, o.args...); err != nil {
			return nil, err
		}
		before = append(before, o.want)
	}
	return &o, nil
}

// compare returns the comparison of one result.
func (s *search) compare(name string, got, want tensor.Value) (parity.Result, error) {
	r, err := parity.Compare(name, []string{name}, []tensor.Value{got}, []tensor.Value{want}, s.Rules)
	if err != nil {
		return parity.Result{}, err
	}
	return r.Results[0], nil
}

// find looks for the first call that differs, then into it.
func (s *search) find(ctx context.Context, g *dag.Graph, calls []parity.Call) (*Finding, error) {
	for n := range calls {
		o, err := s.run(ctx, g, calls[:n+1])
		if err != nil {
			return nil, err
		}
		f, err := g.Func(calls[n].Entry)
		if err != nil {
			return nil, err
		}
		for i, v := range f.Body.Results {
			r, err := s.compare(f.Results[i], o.got[i], o.want[i])
			if err != nil {
				return nil, err
			}
			if r.Mismatches > 0 && v.Node != nil {
				return s.within(ctx, g, f, calls[:n+1], v, r)
			}
		}
	}
	return nil, errs.New(CodeAgree, "the backends agree in all results").On(g.Name).Hint("pass a case that fails")
}

// within finds the operation in f that causes the difference of v.
func (s *search) within(ctx context.Context, g *dag.Graph, f *dag.Func, calls []parity.Call, v *dag.Value, r parity.Result) (*Finding, error) {
	agreed := map[*dag.Value]parity.Result{}
	seen := false // v was an inner result that differed
	for {
		probes := s.choose(f, v, agreed)
		if !seen && !slices.Contains(probes, v) {
			probes = append(probes, v)
		}
		o, err := s.run(ctx, withResults(g, f, probes), calls)
		if err != nil {
			return nil, err
		}
		first := -1
		for i, p := range probes { // in the order of the nodes
			at := len(f.Results) + i
			q, err := s.compare(path(p), o.got[at], o.want[at])
			if err != nil {
				return nil, err
			}
			if q.Mismatches == 0 {
				agreed[p] = q
				continue
			}
			seen = true
			if first < 0 {
				first, v, r = i, p, q
			}
		}
		switch {
		case !seen:
			return nil, errs.New(CodeWhole, "the results differ, but agree as soon as inner values are results").On(f.Name).
				Hint("the compiler fuses operations wrongly, or the difference is near the tolerance; look at the output group dispatches")
		case first >= 0 && len(s.made(v, agreed)) > 0:
			continue // earlier than any known so far
		case first < 0 || len(s.made(v, agreed)) == 0:
			return s.report(ctx, g, f, calls, v, r, agreed)
		}
	}
}

// made lists the inputs of v's operation that an operation computed and that are not known
// to agree.
func (s *search) made(v *dag.Value, agreed map[*dag.Value]parity.Result) []*dag.Value {
	var list []*dag.Value
	for _, in := range v.Node.Inputs {
		if _, ok := agreed[in]; !ok && canProbe(in) && !slices.Contains(list, in) {
			list = append(list, in)
		}
	}
	return list
}

// choose returns, in the order of the nodes, the inputs of v's operation and some of
// the values they depend on that are not known to agree: half of them evenly spaced,
// for a distant fault, and half at distances of 1, 2, 4 and so on before v, for a near
// one. Values before an agreeing value are considered too: the operations between may
// hide a difference.
func (s *search) choose(f *dag.Func, v *dag.Value, agreed map[*dag.Value]parity.Result) []*dag.Value {
	chosen, from := map[*dag.Value]bool{}, map[*dag.Value]bool{}
	var visit func(v *dag.Value)
	visit = func(v *dag.Value) {
		if v.Node == nil || from[v] {
			return
		}
		from[v] = true
		for _, in := range v.Node.Inputs {
			visit(in)
		}
	}
	for _, in := range s.made(v, agreed) {
		chosen[in] = true
		visit(in)
	}
	var rest, order []*dag.Value
	for _, n := range f.Body.Nodes {
		for _, out := range n.Outputs {
			if _, ok := agreed[out]; !ok && from[out] && !chosen[out] && canProbe(out) {
				rest = append(rest, out)
			}
		}
	}
	half := (s.Probes + 1) / 2
	for i := range min(len(rest), half) {
		chosen[rest[(2*i+1)*len(rest)/(2*min(len(rest), half))]] = true
	}
	for i, back := 0, 1; i < s.Probes-half && back <= len(rest); i, back = i+1, 2*back {
		chosen[rest[len(rest)-back]] = true
	}
	for _, n := range f.Body.Nodes {
		for _, out := range n.Outputs {
			if chosen[out] {
				order = append(order, out)
			}
		}
	}
	return order
}

// canProbe reports whether a value may be a result and can differ at all.
func canProbe(v *dag.Value) bool {
	if v.Node == nil || v.Type.DType == dtype.I4 || v.Type.DType == dtype.U4 {
		return false
	}
	switch v.Node.Op.Role {
	case op.Weight, op.Literal, op.Variable:
		return false
	}
	return true
}

func path(v *dag.Value) string { return v.Node.String() }
