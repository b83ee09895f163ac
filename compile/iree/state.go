package iree

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// CodeAlias is the code of two integer state variables with the same initial value.
const CodeAlias errs.Code = "HLO_STATE_ALIAS"

// dialect turns parameters and state variables into globals of IREE's dialects.
func (t *target) dialect() {
	t.Arguments = false
	t.Load = func(p *hlo.Printer, name string, typ tensor.Type) hlo.Value {
		return p.Def(typ, "util.global.load %s : %s", hlo.Symbol(name), p.Type(typ))
	}
	t.Store = func(p *hlo.Printer, v hlo.Value, name string) {
		p.Line("util.global.store %s, %s : %s", v.Name, hlo.Symbol(name), p.Type(v.Type))
	}
	t.Starts = append(t.Starts, func(p *hlo.Printer) {
		for _, mark := range t.apart {
			mark(p)
		}
	})
	t.Globals = append(t.Globals, func(p *hlo.Printer, m *hlo.Module) error {
		for _, r := range m.Parameters {
			p.Line("util.global private %s = #flow.parameter.named<%s::%s> : %s // %s", hlo.Symbol(r.Key), hlo.Quote(r.Scope), hlo.Quote(r.Key), p.Type(t.stored(r.Type)), r.Stored())
		}
		inits, err := t.initials(p)
		for i, s := range p.Graph().States {
			if err == nil {
				p.Line("util.global private mutable %s = dense<%s> : %s", hlo.Symbol(s.Name), inits[i], p.Type(t.stored(s.Type)))
			}
		}
		return err
	})
}

var stateRows = []Rewrite{{
	ID:      "state-alias",
	Symptom: "Two mutable globals with the same initial value share a buffer, and an in-place update of one changes the other: a key cache and a value cache that start at zero.",
	Instead: "each state variable has a different initial value, the next representable one",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) { t.distinct = true },
}, {
	ID:      "kept-argument",
	Symptom: "An argument that is both returned and updated is updated in place: the returned value is the updated one.",
	Instead: "a barrier before the result",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) { t.Returning = keepArguments },
}}

// initials returns the initial values of the state variables. Where they must be
// distinct, float variables with the same one are moved from it by the smallest steps.
func (t *target) initials(p *hlo.Printer) ([]string, error) {
	states := p.Graph().States
	out := make([]string, len(states))
	used, whole := map[string]bool{}, map[string]bool{}
	for _, s := range states {
		if t.o.IntegerF16 && !s.Type.DType.IsFloat() { // values that f16 must avoid
			whole[p.Literal(s.Type.DType, s.Init)] = true
		}
	}
	for i, s := range states {
		init := s.Init
		out[i] = p.Literal(s.Type.DType, init)
		if !t.distinct {
			continue
		}
		for used[out[i]] || whole[out[i]] && s.Type.DType.IsFloat() {
			if !s.Type.DType.IsFloat() {
				return nil, errs.New(CodeAlias, "two state variables of a type that is not float start from %s; the compiler would let them share memory", out[i]).
					On(s.Name).Hint("give each its own initial value, or one of them another type")
			}
			init = above(s.Type.DType, init)
			out[i] = p.Literal(s.Type.DType, init)
		}
		used[out[i]] = true
	}
	return out, nil
}

// above returns a value just above v that differs from it in the element type. From
// zero it steps by 1e-30 rather than by subnormals, which some devices flush to zero;
// an f16 has only subnormals there.
func above(d dtype.DType, v float64) float64 {
	switch {
	case d == dtype.F16:
		return float64(tensor.F16ToF32(tensor.F32ToF16(float32(v)) + 1))
	case math.Abs(v) < 1e-28:
		return v + 1e-30
	case d == dtype.BF16:
		return v * (1 + 1.0/64)
	}
	return v * (1 + 1.0/(1<<22))
}

// keepArguments puts results of f that are also its arguments behind barriers
// if something else uses the argument.
func keepArguments(p *hlo.Printer, f *dag.Func) {
	used := map[*dag.Value]bool{}
	analysis.Uses(f, func(v *dag.Value, by *dag.Node, _ int) {
		if by != nil && by.Op.Memory != op.Same { // no copy: its users count
			used[analysis.Owner(v)] = true
		}
	})
	kept := map[*dag.Value]bool{}
	for _, v := range f.Body.Results {
		if arg := analysis.Owner(v); arg.Node == nil && used[arg] && !kept[v] {
			kept[v] = true
			p.Set(v, p.Barrier(p.Value(v)))
		}
	}
}
