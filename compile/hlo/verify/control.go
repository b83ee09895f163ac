package verify

import "strings"

var controls = map[string]spec{
	"stablehlo.while":       {form: formEach, max: -1, regions: 2, ownRegions: true, rule: while},
	"stablehlo.if":          {min: 1, max: 1, regions: 2, ownRegions: true, rule: branches},
	"stablehlo.case":        {min: 1, max: 1, regions: -1, ownRegions: true, rule: branches},
	"stablehlo.return":      {form: formIns, max: -1},
	"stablehlo.custom_call": {max: -1},
	"func.return":           {form: formIns, max: -1},
	"func.call":             {max: -1, rule: call},
	"stablehlo.composite":   {max: -1, rule: composite},
	"flow.dispatch":         {max: -1, rule: dispatch},
	"util.call":             {max: -1, rule: call},
	"util.global.load":      {form: formOut, rule: load},
	"util.global.store":     {form: formIns, min: 1, max: 1, rule: store},
}

func while(c *checker, o *op) {
	barrier(c, o)
	for i, r := range o.regions {
		if !o.generic { // both regions use the same names for the carried values
			for k, a := range o.carried {
				r.args = append(r.args, arg{named: a.named, typ: o.ins[k]})
			}
		}
		c.arguments(o, r, o.ins)
		want := o.ins
		if i == 0 {
			want = []typ{{tensor: true, elem: "i1", pos: o.pos}}
		}
		c.region(r, "stablehlo.return", want)
	}
}

// arguments checks the arguments of a region.
func (c *checker) arguments(o *op, r *region, want []typ) {
	if len(r.args) != len(want) {
		c.fault(o.pos, CodeCount, "a region of %s has %s, needed are %s", o.name, count(len(r.args), "argument"), spell(want))
		return
	}
	for i, a := range r.args {
		if !a.typ.equal(want[i]) {
			c.want(o, a.typ, want[i].String(), " as argument of a region")
		}
	}
}

func branches(c *checker, o *op) {
	elem := "i32"
	if o.name == "stablehlo.if" {
		elem = "i1"
	}
	if t := o.ins[0]; !t.tensor || t.elem != elem || len(t.dims) > 0 {
		c.want(o, t, "tensor<"+elem+">", "")
	}
	if len(o.regions) == 0 {
		c.fault(o.pos, CodeCount, "%s without a region", o.name)
	}
	for _, r := range o.regions {
		c.arguments(o, r, nil)
		c.region(r, "stablehlo.return", o.outs)
	}
}

func call(c *checker, o *op) {
	f := c.funcs[o.symbol.name]
	if f == nil {
		c.fault(max(o.symbol.pos, o.pos), CodeUnknownSym, "there is no function @%s", o.symbol.name)
		return
	}
	args := make([]typ, min(len(f.args), len(o.ins)))
	for i := range args {
		args[i] = f.args[i].typ
	}
	c.signed(o, "argument", o.ins, args, len(f.args))
	c.signed(o, "result", o.outs, f.results, len(f.results))
}

// composite is a call of what it stands for.
func composite(c *checker, o *op) {
	a, ok := o.attrs.get("decomposition")
	if !ok || a.kind != aSymbol {
		c.fault(o.pos, CodeAttribute, "%s without a decomposition", o.name)
		return
	}
	o.symbol = named{a.text, a.pos}
	call(c, o)
}

// signed compares a call with its callee.
func (c *checker) signed(o *op, what string, got, want []typ, n int) {
	if len(got) != n {
		c.fault(o.pos, CodeCount, "@%s called with %s, it has %d", o.symbol.name, count(len(got), what), n)
		return
	}
	for i, t := range got {
		if !t.equal(want[i]) {
			c.see(t.pos, want[i].pos, CodeType, "%s %d of @%s is %s, not %s", what, i, o.symbol.name, want[i], t)
		}
	}
}

func dispatch(c *checker, o *op) {
	if !c.kernels[o.symbol.name] || !strings.Contains(o.symbol.name, "::") {
		c.fault(max(o.symbol.pos, o.pos), CodeUnknownSym, "there is no kernel @%s", o.symbol.name)
	}
}

// access resolves the global of a load or a store and compares its type.
func (c *checker) access(o *op, t typ) *global {
	g := c.globals[o.symbol.name]
	if g == nil {
		c.fault(max(o.symbol.pos, o.pos), CodeUnknownSym, "there is no global @%s", o.symbol.name)
		return nil
	}
	if !t.equal(g.typ) {
		c.see(t.pos, g.pos, CodeType, "@%s is %s, used as %s", g.name, g.typ, t)
	}
	return g
}

func load(c *checker, o *op) {
	if len(o.outs) != 1 {
		c.fault(o.pos, CodeCount, "%s with %s", o.name, count(len(o.outs), "result"))
		return
	}
	c.access(o, o.outs[0])
}

func store(c *checker, o *op) {
	if g := c.access(o, o.ins[0]); g != nil && !g.mutable {
		c.see(o.symbol.pos, g.pos, CodeImmutable, "@%s is not mutable", g.name)
	}
}
