package lang

import (
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
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
// key is that of no tensor of the weights, and of no parameter of another scope. A model
// has at most seven scopes beside that of the weights.
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
	f.reads(scope, key)
	return f.add("parameter", attrs{"type": tensor.TypeOf(d, sizes...), "scope": scope, "key": key})
}

// maxOwnScopes is the number of scopes beside the weights' that a model may have.
const maxOwnScopes = contract.MaxScopes - 1

// reads notes that a parameter is read from a scope, and panics if the model reads it from
// another one too: a program has one symbol for a key.
func (f *Func) reads(scope, key string) {
	if f.m.read == nil {
		f.m.read, f.m.own = map[string]string{}, map[string]bool{}
	}
	if other, is := f.m.read[key]; is && other != scope {
		panic(f.misuse("parameter %q is read from scope %q, and from scope %q before", key, scope, other).
			Hint("give the two different keys, or read both from one scope; call Module.InScope before the first function that reads the key"))
	}
	f.m.read[key] = scope
	if scope == contract.DefaultScope {
		return
	}
	if f.m.own[scope] = true; len(f.m.own) > maxOwnScopes {
		panic(f.misuse("parameter %q: the scope %q is one more than the %d that a program can have beside its weights", key, scope, maxOwnScopes).
			Hint("read parameters that are replaced together from one scope"))
	}
}

// InScope moves tensors of the weights to a scope of their own, such as a table that
// several models share. It comes before the first function that reads them.
func (m *Module) InScope(scope string, keys ...string) {
	if m.scopes == nil {
		m.scopes = map[string]string{}
	}
	for _, key := range keys {
		spec, err := m.Index().Lookup(key)
		if err != nil {
			panic(err)
		}
		if was, is := m.read[spec.Name]; is && was != scope {
			panic(errs.New(CodeMisuse, "a function before reads parameter %q from scope %q, it cannot move to %q", spec.Name, was, scope).
				On(spec.Name).Hint("call Module.InScope before the first function that reads the key"))
		}
		m.scopes[spec.Name] = scope
	}
}

func (f *Func) parameter(key string, t tensor.Type, more attrs) Tensor {
	a := attrs{"type": t, "scope": contract.DefaultScope, "key": key}
	if scope, moved := f.m.scopes[key]; moved {
		a["scope"] = scope
	}
	f.reads(a["scope"].(string), key)
	for name, v := range more {
		a[name] = v
	}
	return f.add("parameter", a)
}
