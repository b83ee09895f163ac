package randgraph

import (
	"maps"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
)

// recipe chooses operands and attributes of an operation, and how the DSL applies
// it. It panics with giveUp if it does not apply.
type recipe func(g *gen) *step

// recipes has one for each operation of the table but the excluded ones.
var recipes = func() map[string]recipe {
	all := map[string]recipe{}
	for _, family := range []map[string]recipe{
		elementwiseRecipes, functionRecipes(), layoutRecipes, contractionRecipes, windowRecipes, reductionRecipes,
		indexingRecipes, scatterRecipes, normRecipes, attentionRecipes, cachedRecipes, controlRecipes, unfoldRecipes,
	} {
		maps.Copy(all, family)
	}
	for _, o := range op.BuiltIn() {
		if len(o.Examples) > 0 {
			all[o.Name] = derived(o)
		}
	}
	return all
}()

// excluded are operations that random graphs do not have, with the reason.
var excluded = map[string]string{
	"constant":  "leaves are sometimes constants",
	"parameter": "needs a weight file; the models of //models have them",
	"state":     "needs several calls; test/optest has them",

	"bitcast":           "the bits of numbers that were rounded in two ways are not close; test/optest has it",
	"dequantize_blocks": "needs bytes of blocks; test/optest has them",
	"dequant_take":      "needs bytes of blocks; test/optest has them",
	"dequant_matmul":    "needs bytes of blocks; test/optest has them",
	"update_rows":       "its text uses the tensor dialect, which the peer lacks; test/optest has it",
}

// recipeOf returns the recipe of an operation, or nil. Registered ones may come at any time.
func recipeOf(name string) recipe {
	if r := recipes[name]; r != nil {
		return r
	}
	for _, o := range op.Registered() {
		if o.Name == name {
			return derived(o)
		}
	}
	return nil
}

// recipeNames lists the operations of random graphs, registered ones included.
func recipeNames() []string {
	names := slices.Collect(maps.Keys(recipes))
	for _, o := range op.Registered() {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	return names
}

// derived is the recipe of an operation whose row has examples. One of a single operand
// that is elementwise takes any shape, and half of the calls of a registered one try any:
// what its rule refuses is not taken.
func derived(o *op.Op) recipe {
	return func(g *gen) *step {
		e := one(g, o.Examples)
		s := style{low: e.Low, high: e.High}
		step := &step{build: func(_ *building, in []T) []T { return lang.Apply(o.ID, e.Attrs, in...) }}
		if (o.Family == op.Elementwise || o.Custom != nil && g.chance(2)) && len(o.Operands) == 1 {
			step.in = []int{g.operand(o.Operands[0].Class, 0, 5, 0, s)}
			return step
		}
		for _, t := range o.ExampleTypes(e, g.dtype(op.Float)) {
			step.in = append(step.in, g.exactly(t, s))
		}
		return step
	}
}

// ownFault returns err if a function that a package registers is at fault: a rule or a
// decomposition that fails, or a CPU function that fails on what the rule accepts. To discard
// such a step would be to test nothing of the operation. It returns nil for other errors.
func ownFault(err error) error {
	switch errs.CodeOf(err) {
	case op.CodeRule, op.CodeForm, op.CodeCPU:
		return err
	}
	return nil
}

// T is a tensor of the DSL.
type T = lang.Tensor

// single is a step of one operand and one result.
func single(x int, f func(x T) T) *step {
	return &step{in: []int{x}, build: func(_ *building, in []T) []T { return []T{f(in[0])} }}
}

func pair(x, y int, f func(x, y T) T) *step {
	return &step{in: []int{x, y}, build: func(_ *building, in []T) []T { return []T{f(in[0], in[1])} }}
}

func triple(x, y, z int, f func(x, y, z T) T) *step {
	return &step{in: []int{x, y, z}, build: func(_ *building, in []T) []T { return []T{f(in[0], in[1], in[2])} }}
}

// source is a step without operands.
func source(f func(f *lang.Func) T) *step {
	return &step{build: func(b *building, _ []T) []T { return []T{f(b.f)} }}
}

// class is that of an operand in the table.
func class(name string, operand int) op.Class {
	o, err := op.Lookup(name)
	if err != nil {
		panic(err)
	}
	return o.Operands[operand].Class
}
