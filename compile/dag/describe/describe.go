// Package describe derives the contract of a graph: its entry points and the parameters
// that it reads. It needs no text, so a backend that runs graphs directly, such as
// the CPU backend, accepts graphs that StableHLO cannot express.
//
// # Errors
//
// The DAG_* errors of a graph that is not valid.
//
// # Determinism
//
// The contract depends only on the graph: entry points in the graph's order,
// parameters by scope and key.
package describe

import (
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Contract returns the contract of g, with all constants in the program. It names neither
// a text nor a compiler.
func Contract(g *dag.Graph) (*contract.Contract, error) {
	if err := dag.Verify(g); err != nil {
		return nil, err
	}
	params, err := g.Params()
	if err != nil {
		return nil, err
	}
	c := &contract.Contract{Schema: contract.Schema, Name: g.Name, Entries: Entries(g), Parameters: []contract.Parameter{}}
	source := Sources(params)
	for _, p := range params {
		q, err := Parameter(p, source(p))
		if err != nil {
			return nil, err
		}
		c.Parameters = append(c.Parameters, q)
	}
	if err := c.CheckScopes(); err != nil {
		return nil, err
	}
	return c, nil
}

// Entries returns the entry points of g.
func Entries(g *dag.Graph) []contract.Entry {
	entries := []contract.Entry{}
	for _, f := range g.Funcs {
		if f.Entry {
			entries = append(entries, contract.Entry{
				Name: f.Name, State: len(g.ReadsState(f)) > 0,
				Args: named(f.Args, f.Body.Args), Results: named(f.Results, f.Body.Results),
			})
		}
	}
	return entries
}

func named(names []string, values []*dag.Value) []contract.Named {
	list := []contract.Named{}
	for i, n := range names {
		list = append(list, contract.Named{Name: n, DType: values[i].Type.DType, Shape: values[i].Type.Shape})
	}
	return list
}

// Parameter returns the contract's entry for p.
func Parameter(p dag.Param, source contract.Source) (contract.Parameter, error) {
	n, err := p.Type.Bytes()
	logical := p.Logical()
	return contract.Parameter{
		Scope: p.Scope, Key: p.Key, DType: logical.DType, Shape: logical.Shape, Encoding: p.Encoding.Stored(), Bytes: n, Source: source,
	}, err
}

// Sources returns a function that tells where each of params, all parameters of a graph,
// comes from. An i8 weight whose scales the graph also reads, under the
// key with contract.ScalesSuffix, is one that the pass Int8 substituted for a weight of floats.
func Sources(params []dag.Param) func(dag.Param) contract.Source {
	type name struct{ scope, key string }
	types := make(map[name]dtype.DType, len(params))
	for _, p := range params {
		types[name{p.Scope, p.Key}] = p.Type.DType
	}
	return func(p dag.Param) contract.Source {
		if !p.Encoding.IsDense() {
			return contract.FromWeights
		}
		switch p.Type.DType {
		case dtype.I8:
			if types[name{p.Scope, p.Key + contract.ScalesSuffix}] == dtype.F32 {
				return contract.FromRows
			}
		case dtype.F32:
			if key, ok := strings.CutSuffix(p.Key, contract.ScalesSuffix); ok && types[name{p.Scope, key}] == dtype.I8 {
				return contract.FromScales
			}
		}
		return contract.FromWeights
	}
}
