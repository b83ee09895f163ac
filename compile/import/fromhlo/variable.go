package fromhlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// variable is a global of the text: a parameter, a constant or a state variable.
type variable struct {
	*verify.TreeGlobal
	scope, key string // of a parameter
}

// globals notes the variables of the module.
func (im *importer) globals() {
	for _, g := range im.tree.Globals {
		v := &variable{TreeGlobal: g}
		if g.Init.Text == "#flow.parameter.named" {
			scope, key, ok := strings.Cut(strings.Trim(g.Init.Inner, "<>"), "::")
			v.scope, v.key = strings.Trim(scope, `" `), strings.Trim(key, `" `)
			if im.place = g.Pos; !ok || v.key == "" {
				im.refuse(CodeForm, `write #flow.parameter.named<"scope"::"key">`, "the global @%s has no scope and key", g.Name)
			}
		}
		im.vars[g.Name] = v
	}
}

// sourceRules are operations without operands.
var sourceRules = map[string]rule{
	"stablehlo.constant": func(c *call) []*dag.Value {
		return one(c.constantOf(constants.Literal(c.TreeOp), c.Out[0], c.Pos))
	},
	"chlo.constant": func(c *call) []*dag.Value {
		return one(c.constantOf(constants.Literal(c.TreeOp), c.Out[0], c.Pos))
	},
	"arith.constant": func(c *call) []*dag.Value {
		if len(c.Words) != 1 || c.Words[0].Kind != verify.AttrInt {
			c.refuse(CodeForm, hintForm, "a constant that is not a number")
		}
		return one(c.whole(c.dtype(c.Out[0]), c.Words[0].N))
	},
	"util.global.load": func(c *call) []*dag.Value {
		v := c.vars[c.Symbol]
		t := c.typeOf(v.Type)
		switch {
		case v.key != "":
			attrs := op.Attrs{"type": t, "scope": v.scope, "key": v.key}
			if e := c.tree.Attrs.Get(contract.EncodingsAttribute).Get(v.key); e.Text != "" && t.DType.Bits() == 8 {
				attrs["encoding"] = e.Text
			}
			return one(c.add("parameter", attrs))
		case v.Mutable:
			if now := c.written[v.Name]; now != nil {
				return one(now)
			}
			c.outside()
			return one(c.state(identifier(v.Name, "state"), t))
		}
		return one(c.constantOf(v.Init, v.Type, v.Pos))
	},
	"util.global.store": func(c *call) []*dag.Value {
		c.outside()
		c.written[c.Symbol] = c.in[0]
		return nil
	},
}

// outside refuses state variables in loops and branches.
func (c *call) outside() {
	if c.scope.outer != nil {
		c.refuse(CodeForm, "import the text of the target portable, which passes variables as values", "the variable @%s is used in a loop or a branch", c.Symbol)
	}
}

// state returns the value of a state variable, which is made if it is new.
func (im *importer) state(name string, t tensor.Type) *dag.Value {
	if s, err := im.g.State(name); err != nil {
		im.g.States = append(im.g.States, &dag.State{Name: name, Type: t})
	} else if !s.Type.Equal(t) {
		im.refuse(CodeOption, "give the arguments different names, or correct --state", "the state variable %s is %s and %s", name, s.Type, t)
	}
	return im.add("state", op.Attrs{"type": t, "name": name})
}

// writes returns the new values of globals.
func (im *importer) writes() []dag.Write {
	var list []dag.Write
	for _, name := range sortedKeys(im.written) {
		state := identifier(name, "state")
		im.state(state, im.written[name].Type)
		list = append(list, dag.Write{State: state, Value: im.written[name]})
	}
	clear(im.written)
	return list
}

// ordered sorts writes as the graph's variables are.
func (im *importer) ordered(list []dag.Write) []dag.Write {
	at := map[string]int{}
	for i, s := range im.g.States {
		at[s.Name] = i
	}
	slices.SortStableFunc(list, func(a, b dag.Write) int { return at[a.State] - at[b.State] })
	return list
}

// openSize returns the name of a size that the text leaves open.
func openSize(argument string, i int) shape.Dim {
	return shape.Named(fmt.Sprintf("%s_%d", argument, i))
}

// argument returns the type of an argument of an entry point.
func (im *importer) argument(name string, t verify.TreeType) tensor.Type {
	out := im.typeOf(t)
	given, ok := im.o.Shapes[name]
	if ok && len(given) != len(out.Shape) {
		panic(refusal{errs.New(CodeOption, "the shape %s for the argument %q, which is %s", given, name, t).In(im.o.File).Hint("correct --shape")})
	}
	for i, d := range out.Shape {
		if ok && given[i].IsKnown() {
			if d.IsStatic() && !d.Same(given[i]) {
				panic(refusal{errs.New(CodeOption, "the shape %s for the argument %q, which is %s", given, name, t).In(im.o.File).Hint("give sizes only where the text has ?")})
			}
			d = given[i]
		}
		if !d.IsKnown() {
			d = openSize(name, i)
		}
		out.Shape[i] = im.resolved(d)
	}
	return out
}
