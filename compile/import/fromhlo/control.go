package fromhlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
)

var controlRules = map[string]rule{
	"stablehlo.while": func(c *call) []*dag.Value { return c.loop() },
	"stablehlo.if": func(c *call) []*dag.Value {
		if n := c.numbers[c.in[0]]; len(n) == 1 && n[0].isInteger() { // a branch that is known
			r := c.Regions[1]
			if n[0].n != 0 {
				r = c.Regions[0]
			}
			return c.chosen(r)
		}
		return c.choose(c.in[0], func() []*dag.Value { return c.region(c.Regions[0]) }, func() []*dag.Value { return c.region(c.Regions[1]) })
	},
	"stablehlo.case": func(c *call) []*dag.Value {
		last := len(c.Regions) - 1
		if n := c.numbers[c.in[0]]; len(n) == 1 && n[0].isInteger() {
			if n[0].n >= 0 && n[0].n < int64(last) {
				last = int(n[0].n)
			}
			return c.chosen(c.Regions[last])
		}
		return c.branches(0)
	},
}

// chosen converts a region in place.
func (c *call) chosen(r *verify.TreeRegion) []*dag.Value {
	s := c.scope
	c.scope = &scope{s, map[string]*dag.Value{}}
	out := c.region(r)
	c.scope = s
	return out
}

// branches chooses among the regions from the first on; the last is for all other numbers.
func (c *call) branches(first int) []*dag.Value {
	if first == len(c.Regions)-1 {
		return c.chosen(c.Regions[first])
	}
	if first >= verify.MaxDepth {
		c.refuse(CodeLimit, hintForm, "more than %d branches", verify.MaxDepth)
	}
	is := c.compare(op.EQ, c.in[0], c.whole(c.in[0].Type.DType, int64(first)))
	return c.choose(is, func() []*dag.Value { return c.region(c.Regions[first]) }, func() []*dag.Value { return c.branches(first + 1) })
}

func (c *call) choose(predicate *dag.Value, then, otherwise func() []*dag.Value) []*dag.Value {
	if len(c.Out) == 0 {
		return nil
	}
	n, err := c.b.AddCond(c.at+"/cond", c.inside(then), c.inside(otherwise), predicate)
	if err != nil {
		c.refuse(CodeForm, hintForm, "%v", err)
	}
	c.count(1)
	return n.Outputs
}

// loop converts a while loop. Values that its body returns as they came are not carried:
// they are those around it.
func (c *call) loop() []*dag.Value {
	cond, body := c.Regions[0], c.Regions[1]
	returned := body.Ops[len(body.Ops)-1].Operands
	var carried []int
	for i := range c.in {
		if returned[i] != body.Args[i].Name {
			carried = append(carried, i)
		}
	}
	if len(carried) == 0 { // it never ends, or never begins
		for i := range c.in {
			carried = append(carried, i)
		}
	}
	initial := make([]*dag.Value, len(carried))
	for k, i := range carried {
		initial[k] = c.in[i]
	}
	block := func(r *verify.TreeRegion, results func(all []*dag.Value) []*dag.Value) *dag.Block {
		var args []*dag.Value
		b := c.inside(func() []*dag.Value {
			for i, v := range c.in {
				c.scope.values[r.Args[i].Name] = v
			}
			for _, i := range carried {
				arg := c.b.AddArg(c.in[i].Type)
				c.scope.values[r.Args[i].Name] = arg
				args = append(args, arg)
			}
			return results(c.region(r))
		})
		return b
	}
	test := block(cond, func(all []*dag.Value) []*dag.Value { return all })
	step := block(body, func(all []*dag.Value) []*dag.Value {
		out := make([]*dag.Value, len(carried))
		for k, i := range carried {
			if out[k] = all[i]; !out[k].Type.Equal(c.in[i].Type) {
				for d := range out[k].Type.Shape {
					c.same(out[k].Type.Shape[d], c.in[i].Type.Shape[d])
				}
				c.refuse(CodeForm, hintForm, "a loop that carries %s and gives %s", c.in[i].Type, out[k].Type)
			}
		}
		return out
	})
	n, err := c.b.AddWhile(c.at+"/while", test, step, initial...)
	if err != nil {
		c.refuse(CodeForm, hintForm, "%v", err)
	}
	c.count(1)
	out := append([]*dag.Value{}, c.in...)
	for k, i := range carried {
		out[i] = n.Outputs[k]
	}
	return out
}
