package dag

import (
	"errors"
	"sort"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Param is a parameter that some node reads. With an encoding its type is that of the
// bytes of its blocks.
type Param struct {
	Scope, Key string
	Type       tensor.Type
	Encoding   quant.Encoding
}

// Logical returns the type of the unpacked parameter, such as f32 [N, K].
func (p Param) Logical() tensor.Type {
	t := p.Type
	if !p.Encoding.IsDense() {
		t, _ = tensor.Unblocked(p.Encoding, t) // the shape rule has checked this
	}
	return t
}

// Params returns the parameters of all functions, sorted by scope and key,
// each once. A key that two nodes read with different types, or from different scopes, is
// DAG_PARAM_TYPE.
func (g *Graph) Params() ([]Param, error) {
	type id struct{ scope, key string }
	seen := map[id]Param{}
	scopes := map[string]string{} // by key
	var params []Param
	var err error
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *Node) {
			if n.Op.Role != op.Weight {
				return
			}
			p := Param{n.Attrs.String("scope"), n.Attrs.String("key"), n.Attrs.Type("type"), quant.Encoding(n.Attrs.String("encoding"))}
			if o, ok := seen[id{p.Scope, p.Key}]; ok {
				if !o.Type.Equal(p.Type) || o.Encoding != p.Encoding {
					err = errs.New(CodeParamType, "parameter %q is read as %s (%s) and as %s (%s)", p.Key, o.Type, o.Encoding, p.Type, p.Encoding).On(n.Path)
				}
				return
			}
			if o, ok := scopes[p.Key]; ok {
				err = errs.New(CodeParamType, "parameter %q is read from scope %q and from scope %q", p.Key, o, p.Scope).On(n.Path).
					Hint("give the two different keys: a program has one symbol for a key")
			}
			seen[id{p.Scope, p.Key}], scopes[p.Key] = p, p.Scope
			params = append(params, p)
		})
	}
	sort.Slice(params, func(i, j int) bool {
		if params[i].Scope != params[j].Scope {
			return params[i].Scope < params[j].Scope
		}
		return params[i].Key < params[j].Key
	})
	return params, err
}

// ReadsState returns the state variables that f or its callees read, in
// the order of the graph.
func (g *Graph) ReadsState(f *Func) []string {
	read := map[string]bool{}
	var visit func(f *Func)
	visit = func(f *Func) {
		f.Body.Walk(func(n *Node) {
			switch n.Op.Role {
			case op.Variable:
				read[n.Attrs.String("name")] = true
			case op.Calls:
				if callee, err := g.Func(n.Attrs.String("function")); err == nil {
					visit(callee)
				}
			}
		})
	}
	visit(f)
	var names []string
	for _, s := range g.States {
		if read[s.Name] {
			names = append(names, s.Name)
		}
	}
	return names
}

func asError(err error, target **errs.Error) bool { return errors.As(err, target) }
