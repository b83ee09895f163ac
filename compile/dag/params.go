package dag

import (
	"errors"
	"sort"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// Param is a parameter that some node reads.
type Param struct {
	Scope, Key string
	Type       tensor.Type
}

// Params lists the parameters of all functions, sorted by scope and key, each
// once. A key that two nodes read with different types is DAG_PARAM_TYPE.
func (g *Graph) Params() ([]Param, error) {
	type id struct{ scope, key string }
	seen := map[id]tensor.Type{}
	var params []Param
	var err error
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *Node) {
			if n.Op.Name != "parameter" {
				return
			}
			p := Param{n.Attrs.String("scope"), n.Attrs.String("key"), n.Attrs.Type("type")}
			if t, ok := seen[id{p.Scope, p.Key}]; ok {
				if !t.Equal(p.Type) {
					err = errs.New("DAG_PARAM_TYPE", "parameter %q is read as %s and as %s", p.Key, t, p.Type).On(n.Path)
				}
				return
			}
			seen[id{p.Scope, p.Key}] = p.Type
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

// ReadsState lists the state variables that f or its callees read, in the
// order of the graph.
func (g *Graph) ReadsState(f *Func) []string {
	read := map[string]bool{}
	var visit func(f *Func)
	visit = func(f *Func) {
		f.Body.Walk(func(n *Node) {
			switch n.Op.Name {
			case "state":
				read[n.Attrs.String("name")] = true
			case "call":
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
