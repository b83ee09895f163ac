// Package pack makes the parameter archive of a program from a weight file and
// the constants of its model, and checks an archive against a program.
//
// A parameter's bytes are copied as they are in the weight file. The one change
// that a contract may ask for is widening: a parameter of type f32 whose tensor
// is f16 or bf16 is converted, which is exact, while it is copied.
//
// # Errors
//
// PACK_MISSING_KEY, PACK_TYPE_MISMATCH (type, shape or encoding), PACK_LENGTH,
// PACK_EXTRA_KEY (a constant that no program asks for), PACK_NO_WEIGHTS; of the
// check CONTRACT_MISSING_KEY, CONTRACT_LENGTH, CONTRACT_EXTRA_KEY,
// CONTRACT_DUPLICATE_KEY; of both CONTRACT_NO_SCOPE. Each names the key.
//
// # Determinism
//
// An archive has the parameters of one scope in the order of the contract; its
// bytes depend on the contract and the values only.
package pack

import (
	"bytes"
	"io"
	"slices"
	"sort"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/quant"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// Codes of Pack.
const (
	CodeMissing   errs.Code = "PACK_MISSING_KEY"
	CodeType      errs.Code = "PACK_TYPE_MISMATCH"
	CodeLength    errs.Code = "PACK_LENGTH"
	CodeExtra     errs.Code = "PACK_EXTRA_KEY"
	CodeNoWeights errs.Code = "PACK_NO_WEIGHTS"
	CodeNoScope   errs.Code = "CONTRACT_NO_SCOPE"
)

// Pack writes the parameters of one scope to an archive that is either whole
// or absent. w may be nil when no parameter comes from weights. Memory is
// bounded: data is streamed. A program without any parameter gets an archive
// without entries.
func Pack(out string, c *contract.Contract, scope string, w *weights.File, constants map[string]tensor.Value) error {
	items, err := plan(c, scope, w, constants)
	if err != nil {
		return err
	}
	return irpa.Write(out, items)
}

// plan checks everything before the first byte is written.
func plan(c *contract.Contract, scope string, w *weights.File, constants map[string]tensor.Value) ([]irpa.Item, error) {
	params, err := inScope(c, scope)
	if err != nil {
		return nil, err
	}
	if err := noExtra(c, constants); err != nil {
		return nil, err
	}
	items := make([]irpa.Item, 0, len(params))
	for _, p := range params {
		var item irpa.Item
		if err := consistent(p); err != nil {
			return nil, err
		}
		switch p.Source {
		case contract.FromWeights:
			item, err = fromWeights(p, w)
		case contract.FromConstant:
			item, err = fromConstant(p, constants)
		}
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// inScope gives the parameters of a scope in the order of the contract.
func inScope(c *contract.Contract, scope string) ([]contract.Parameter, error) {
	var in []contract.Parameter
	scopes := []string{}
	for _, p := range c.Parameters {
		if p.Scope == scope {
			in = append(in, p)
		}
		if !slices.Contains(scopes, p.Scope) {
			scopes = append(scopes, p.Scope)
		}
	}
	if len(in) == 0 && len(scopes) > 0 {
		return nil, errs.New(CodeNoScope, "program %s has no parameters in scope %q", c.Name, scope).
			Hint("it has scopes %q", scopes)
	}
	return in, nil
}

// consistent checks that the stored length of a dense parameter follows from
// its type.
func consistent(p contract.Parameter) error {
	t := tensor.Type{DType: p.DType, Shape: p.Shape}
	if p.Encoding != quant.Dense {
		return nil
	}
	n, err := t.Bytes()
	if err != nil {
		return errs.Wrap(CodeType, err, "the contract's type has no size").On(p.Key)
	}
	if n != p.Bytes {
		return errs.New(CodeLength, "the contract stores %d bytes for %s, which takes %d", p.Bytes, t, n).On(p.Key)
	}
	return nil
}

func fromWeights(p contract.Parameter, w *weights.File) (irpa.Item, error) {
	if w == nil {
		return irpa.Item{}, errs.New(CodeNoWeights, "the parameter comes from a weight file, and none is given").On(p.Key).
			Hint("give one with --weights")
	}
	x, err := w.Index()
	if err != nil {
		return irpa.Item{}, err
	}
	spec, err := x.Lookup(p.Key)
	if err != nil {
		return irpa.Item{}, errs.New(CodeMissing, "the weight file has no tensor of this name (%d others)", len(x.Tensors)).
			In(w.Path()).On(p.Key).Hint("check that the weights belong to this model: skainet inspect FILE")
	}
	conv := widening(spec, p)
	if conv == nil && (spec.DType != p.DType || spec.Encoding != p.Encoding) || !spec.Shape.Equal(p.Shape) {
		return irpa.Item{}, errs.New(CodeType, "the weight file has %s (%s), the program wants %s (%s)",
			spec.Type(), spec.Encoding, tensor.Type{DType: p.DType, Shape: p.Shape}, p.Encoding).In(w.Path()).On(p.Key).
			Hint("export the program from the index of these weights: skainet inspect --index FILE")
	}
	if conv == nil && spec.Bytes != p.Bytes {
		return irpa.Item{}, errs.New(CodeLength, "the weight file has %d bytes, the program wants %d", spec.Bytes, p.Bytes).
			In(w.Path()).On(p.Key)
	}
	buffer, err := w.Tensor(p.Key)
	if err != nil {
		return irpa.Item{}, err
	}
	open := buffer.Reader
	if conv != nil {
		open = func() (io.Reader, error) {
			r, err := buffer.Reader()
			if err != nil {
				return nil, err
			}
			return &widen{r: r, conv: conv}, nil
		}
	}
	return irpa.Item{Name: p.Key, Length: p.Bytes, Open: open}, nil
}

// widening gives the conversion from the stored type, or nil where the bytes
// are copied or the types do not fit.
func widening(s tensor.Spec, p contract.Parameter) func(uint16) float32 {
	if p.DType != dtype.F32 || s.Encoding != quant.Dense || p.Encoding != quant.Dense {
		return nil
	}
	switch s.DType {
	case dtype.F16:
		return tensor.F16ToF32
	case dtype.BF16:
		return tensor.BF16ToF32
	}
	return nil
}

func fromConstant(p contract.Parameter, constants map[string]tensor.Value) (irpa.Item, error) {
	v, ok := constants[p.Key]
	if !ok {
		return irpa.Item{}, errs.New(CodeMissing, "no constant of this name is given (%d others)", len(constants)).On(p.Key).
			Hint("give the constants file that was exported with the contract")
	}
	if want := (tensor.Type{DType: p.DType, Shape: p.Shape}); !v.Type.Equal(want) || p.Encoding != quant.Dense {
		return irpa.Item{}, errs.New(CodeType, "the constant is %s, the program wants %s (%s)", v.Type, want, p.Encoding).On(p.Key)
	}
	if int64(len(v.Bytes)) != p.Bytes {
		return irpa.Item{}, errs.New(CodeLength, "the constant has %d bytes, the program wants %d", len(v.Bytes), p.Bytes).On(p.Key)
	}
	return irpa.Item{Name: p.Key, Length: p.Bytes, Open: func() (io.Reader, error) { return bytes.NewReader(v.Bytes), nil }}, nil
}

// noExtra refuses constants that the contract does not know in any scope: they
// belong to another program.
func noExtra(c *contract.Contract, constants map[string]tensor.Value) error {
	extra := make(map[string]bool, len(constants))
	for key := range constants {
		extra[key] = true
	}
	for _, p := range c.Parameters {
		if p.Source == contract.FromConstant {
			delete(extra, p.Key)
		}
	}
	if len(extra) == 0 {
		return nil
	}
	keys := make([]string, 0, len(extra))
	for key := range extra {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return errs.New(CodeExtra, "program %s has no constant of this name", c.Name).On(keys[0]).
		Hint("give the constants file that was exported with the contract")
}

// Constants gives the entries of an archive the types that the contract has
// for them. Values share the archive's mapping and are valid until it is closed.
func Constants(c *contract.Contract, a *irpa.File) (map[string]tensor.Value, error) {
	params := map[string]contract.Parameter{}
	for _, p := range c.Parameters {
		if p.Source == contract.FromConstant {
			params[p.Key] = p
		}
	}
	values := map[string]tensor.Value{}
	for _, e := range a.Entries() {
		p, ok := params[e.Name]
		if !ok {
			return nil, errs.New(CodeExtra, "program %s has no constant of this name", c.Name).In(a.Path()).On(e.Name).
				Hint("give the constants file that was exported with the contract")
		}
		// Before the bytes are asked for: a splat may claim any length.
		if e.Length != p.Bytes {
			return nil, errs.New(CodeLength, "the constant has %d bytes, the program wants %d", e.Length, p.Bytes).
				In(a.Path()).On(e.Name)
		}
		b, err := a.Buffer(e.Name)
		if err != nil {
			return nil, err
		}
		v := tensor.Value{Type: tensor.Type{DType: p.DType, Shape: p.Shape}}
		if v.Bytes, err = b.Bytes(); err != nil {
			return nil, err
		}
		values[e.Name] = v
	}
	return values, nil
}
