package hlo

import (
	"slices"
	"sort"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// ConstantPolicy decides which named constants go into an archive.
// Weights from a weight file are always external: their values are not
// known when the text is written.
type ConstantPolicy interface {
	External(bytes int64) bool
}

type always bool

func (a always) External(int64) bool { return bool(a) }

// The policies without parameters.
const (
	InlineAlways   = always(false)
	ExternalAlways = always(true)
)

// SizeThreshold makes constants of at least Bytes external.
type SizeThreshold struct{ Bytes int64 }

// External reports whether the constant has at least Bytes bytes.
func (s SizeThreshold) External(bytes int64) bool { return bytes >= s.Bytes }

// externals collects the external tensors that the text names, and assigns each a symbol.
func (p *Printer) externals(o Options, constants map[string]tensor.Value) ([]ExternalParameterRef, error) {
	taken := map[string]string{}
	p.taken = taken
	for _, f := range p.g.Funcs {
		taken[f.Name] = "a function"
	}
	for _, s := range p.g.States {
		if taken[s.Name] != "" {
			return nil, clash(s.Name, taken[s.Name], "a state variable")
		}
		taken[s.Name] = "a state variable"
	}
	params, err := p.g.Params()
	if err != nil {
		return nil, err
	}
	var refs []ExternalParameterRef
	source := describe.Sources(params)
	for _, q := range params {
		what := "a parameter"
		if q.Scope != contract.DefaultScope {
			what += " of scope " + q.Scope
		}
		if taken[q.Key] != "" {
			return nil, clash(q.Key, taken[q.Key], what)
		}
		taken[q.Key] = what
		refs = append(refs, ExternalParameterRef{Scope: q.Scope, Key: q.Key, Type: q.Type, Encoding: q.Encoding, Source: source(q)})
	}
	for _, f := range p.g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			key := n.Attrs.String("name")
			if n.Op.Role != op.Literal || key == "" {
				return
			}
			v := n.Attrs.Value("value")
			if !o.Constants.External(int64(len(v.Bytes))) {
				return
			}
			p.external[n] = true
			if old, ok := constants[key]; ok && old.Type.Equal(v.Type) && slices.Equal(old.Bytes, v.Bytes) {
				return // the same weight, used again
			}
			if taken[key] != "" {
				err = clash(key, taken[key], "a constant of "+n.Path)
				return
			}
			taken[key] = "a constant"
			constants[key] = v
			refs = append(refs, ExternalParameterRef{Scope: o.Scope, Key: key, Type: v.Type, Source: contract.FromConstant})
		})
	}
	sort.SliceStable(refs, func(i, j int) bool {
		if refs[i].Scope != refs[j].Scope {
			return refs[i].Scope < refs[j].Scope
		}
		return refs[i].Key < refs[j].Key
	})
	return refs, err
}

func clash(name, first, second string) error {
	return errs.New(CodeSymbol, "%s and %s have the same name", first, second).On(name).Hint("rename one of them in the model")
}
