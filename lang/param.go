package lang

import (
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A scope is a set of parameters with archives of its own. A model's weights are in the
// scope "model"; those of another one can be replaced by themselves when a program is
// opened, and an archive of it serves every program that reads them.

// Param returns a tensor of the weights as it is stored.
func (f *Func) Param(key string) Tensor {
	f.whole("a parameter")
	spec, err := f.m.Index().Lookup(key)
	if err != nil {
		panic(err)
	}
	return f.parameter(spec.Name, spec.Type(), nil)
}

// ParamIn returns a parameter of a scope of its own, such as a weight of an adapter. The
// weights index does not describe it: every archive of the scope has it in this type. Its
// key is that of no tensor of the weights.
func (f *Func) ParamIn(scope, key string, d dtype.DType, sizes ...int64) Tensor {
	f.whole("a parameter")
	if x := f.m.index; x != nil {
		if _, err := x.Lookup(key); err == nil {
			panic(f.misuse("parameter %q of scope %q has the name of a tensor of the weights", key, scope).
				Hint("give it another name, or read that tensor by Param, and move it by Module.InScope"))
		}
	}
	if !contract.IsScope(scope) || scope == contract.DefaultScope {
		panic(f.misuse("parameter %q: the scope %q is that of the weights, or not a name", key, scope).
			Hint("name it with letters, digits, underscores and hyphens, such as adapter"))
	}
	return f.add("parameter", attrs{"type": tensor.TypeOf(d, sizes...), "scope": scope, "key": key})
}

// InScope moves tensors of the weights to a scope of their own, such as a table that
// several models share: functions that are built afterwards read them from there.
func (m *Module) InScope(scope string, keys ...string) {
	if m.scopes == nil {
		m.scopes = map[string]string{}
	}
	for _, key := range keys {
		spec, err := m.Index().Lookup(key)
		if err != nil {
			panic(err)
		}
		m.scopes[spec.Name] = scope
	}
}

func (f *Func) parameter(key string, t tensor.Type, more attrs) Tensor {
	a := attrs{"type": t, "scope": contract.DefaultScope, "key": key}
	if scope, moved := f.m.scopes[key]; moved {
		a["scope"] = scope
	}
	for name, v := range more {
		a[name] = v
	}
	return f.add("parameter", a)
}
