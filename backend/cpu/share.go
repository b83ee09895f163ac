package cpu

import (
	"maps"
	"slices"
	"sync"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
)

// Shared is implemented by the programs of this package: others of the same graph have
// parameters in common with them.
type Shared interface {
	// Session returns a program with state of its own, whose parameters of these scopes
	// are read anew, by params and, if it is not nil, stored. All others, and what was
	// computed from them, are in memory once. Either program may be closed first, and
	// each may be used by a goroutine of its own.
	Session(scopes []string, params Params, stored Stored) (backend.Executable, error)
}

// family is what programs have in common: fixed values that depend only on parameters
// that none of them has read anew.
type family struct {
	mu    sync.Mutex
	fixed map[*dag.Value]array
}

// remembered returns a fixed value that was computed before.
func (x *executable) remembered(v *dag.Value) (array, bool) {
	if x.family == nil || x.own[v] {
		a, ok := x.fixed[v]
		return a, ok
	}
	x.family.mu.Lock()
	defer x.family.mu.Unlock()
	a, ok := x.family.fixed[v]
	return a, ok
}

// remember keeps a fixed value.
func (x *executable) remember(v *dag.Value, a array) {
	if x.family == nil || x.own[v] {
		x.fixed[v] = a
		return
	}
	x.family.mu.Lock()
	defer x.family.mu.Unlock()
	x.family.fixed[v] = a
}

// Session implements Shared.
func (x *executable) Session(scopes []string, params Params, stored Stored) (_ backend.Executable, err error) {
	if x.closed {
		return nil, errs.New(CodeClosed, "the program is closed").On(x.graph.Name)
	}
	known := x.contract.Scopes()
	for _, s := range scopes {
		if !slices.Contains(known, s) {
			return nil, errs.New(CodeParameter, "program %s has no parameters in this scope", x.contract.Name).On(s).Hint("its scopes are %q", known)
		}
	}
	n := &executable{
		graph: x.graph, contract: x.contract, options: x.options, plan: x.plan,
		params: maps.Clone(x.params), stored: maps.Clone(x.stored),
		states: map[string]array{}, ours: map[string]bool{},
		family: x.family, fixed: map[*dag.Value]array{},
	}
	n.options.Stored = stored
	defer n.recovered(&err)
	anew := func(id paramID) bool { return slices.Contains(scopes, id.scope) }
	for id := range x.params {
		if anew(id) {
			delete(n.params, id)
			delete(n.stored, id)
		}
	}
	if err := n.readStored(anew); err != nil {
		return nil, err
	}
	if err := n.readParams(params, anew); err != nil {
		return nil, err
	}
	n.own = x.owned(anew)
	n.begin()
	return n, nil
}

// owned returns the values that a program does not share with the first of its family:
// those that x has for itself, and those that depend on parameters that are read anew.
func (x *executable) owned(anew func(paramID) bool) map[*dag.Value]bool {
	own := maps.Clone(x.own)
	if own == nil {
		own = map[*dag.Value]bool{}
	}
	for _, f := range x.graph.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			mine := n.Op.Role == op.Weight && anew(paramID{n.Attrs.String("scope"), n.Attrs.String("key")})
			for _, v := range n.Inputs {
				mine = mine || own[v]
			}
			for _, v := range n.Outputs {
				if mine && x.plan.fixed[v] {
					own[v] = true
				}
			}
		})
	}
	return own
}
