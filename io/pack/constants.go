package pack

import (
	"sort"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
)

// noExtra refuses constants that the contract has in no scope: they belong to
// another program.
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
		Hint("give the constants file that was exported with the contract: --constants")
}

// Constants returns the entries of an archive the types that the contract has
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
				Hint("give the constants file that was exported with the contract: --constants")
		}
		// Before the bytes are asked for: a splat may claim any length.
		if e.Length != p.Bytes {
			return nil, errs.New(CodeLength, "the constant has %d bytes, the program wants %d", e.Length, p.Bytes).
				In(a.Path()).On(e.Name)
		}
		b, err := a.Tensor(e.Name)
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
