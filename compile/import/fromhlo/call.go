package fromhlo

import (
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var callRules = map[string]rule{
	"func.call":               func(c *call) []*dag.Value { return c.called(c.Symbol) },
	"stablehlo.composite":     func(c *call) []*dag.Value { return c.called(c.Attrs.Get("decomposition").Text) },
	"stablehlo.custom_call":   func(c *call) []*dag.Value { return c.custom() },
	"sdy.sharding_constraint": func(c *call) []*dag.Value { return c.in },
	"stablehlo.map": func(c *call) []*dag.Value {
		return c.raise(c.Regions[0], c.in)
	},
}

// broadcastRules are the operations of CHLO that broadcast as NumPy does.
func broadcastRules() map[string]rule {
	m := map[string]rule{}
	for _, name := range []string{"add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder", "and", "or", "xor", "compare", "select"} {
		m["chlo.broadcast_"+name] = func(c *call) []*dag.Value {
			if c.Attrs.Get("broadcast_dimensions").Kind != verify.AttrNone {
				c.refuse(CodeForm, hintForm, "broadcast_dimensions")
			}
			c.in = c.numpy(c.in)
			return elementwiseRules["stablehlo."+name](c)
		}
	}
	return m
}

// numpy broadcasts values to their common shape, aligned at the last dimension.
func (im *importer) numpy(vs []*dag.Value) []*dag.Value {
	var to shape.Shape
	for _, v := range vs {
		s := v.Type.Shape
		for len(to) < len(s) {
			to = append(shape.Shape{shape.N(1)}, to...)
		}
		for i, d := range s {
			if at := i + len(to) - len(s); to[at].Same(shape.N(1)) {
				to[at] = d
			}
		}
	}
	out := make([]*dag.Value, len(vs))
	for i, v := range vs {
		out[i] = im.broadcast(v, to, span(int64(len(to)-rank(v)), int64(len(to))))
	}
	return out
}

// called converts the body of a function in place.
func (c *call) called(name string) []*dag.Value {
	f := c.funcs[name]
	if f == nil || f.Body == nil {
		c.refuse(CodeCall, "give the function a body", "the function @%s has no body", name)
	}
	if c.depth++; c.depth > MaxCalls {
		c.refuse(CodeLimit, "export the model without recursion", "calls nest more than %d deep", MaxCalls)
	}
	c.count(1)
	s, at, raised := c.scope, c.at, c.raised
	c.scope, c.at = &scope{values: map[string]*dag.Value{}}, pathOf(at, name)
	for i, a := range f.Args {
		c.scope.values[a.Name] = c.in[i]
	}
	out := c.region(f.Body)
	c.scope, c.at, c.raised = s, at, raised
	c.depth--
	return out
}

// pathOf returns the path of what a function does; a long one names the last functions alone.
func pathOf(at, name string) string {
	path := at + "/" + identifier(name, "function")
	if parts := strings.Split(path, "/"); len(parts) > 6 {
		path = parts[0] + "/../" + strings.Join(parts[len(parts)-4:], "/")
	}
	return path
}

// custom converts a call of something outside of the text whose meaning is known.
func (c *call) custom() []*dag.Value {
	switch target := c.Symbol; target {
	case "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "LayoutConstraint",
		"MoveToHost", "MoveToDevice", "xla.sdy.FuncResultSharding", "xla.sdy.LocalToGlobalShape", "xla.sdy.GlobalToLocalShape",
		"tf.StopGradient", "optimization_barrier": // one device, one memory
		return c.in
	case "shape_assertion": // of sizes that calls check by their names
		return nil
	case "mhlo.topk", "chlo.top_k", "stablehlo.dynamic_top_k":
		k, largest := c.number(0, "k"), true
		for _, key := range []string{"mhlo.attributes", "composite_attributes"} {
			if a := c.Attrs.Get(key); a.Kind == verify.AttrDict {
				k = a.Get("k").N
				if l := a.Get("largest"); l.Kind == verify.AttrInt {
					largest = l.N != 0
				}
			}
		}
		if k == 0 && len(c.in) > 1 {
			if n := c.numbers[c.in[1]]; len(n) == 1 && n[0].isInteger() {
				k = n[0].n
			}
		}
		return c.topK(k, largest)
	default:
		if strings.HasPrefix(target, "mhlo.") || strings.HasPrefix(target, "chlo.") { // an operation as a call
			_, name, _ := strings.Cut(target, ".")
			for _, dialect := range []string{"chlo.", "stablehlo."} {
				if r := elementwiseRules[dialect+name]; r != nil && len(c.in) > 0 {
					return r(c)
				}
			}
		}
		c.refuse(CodeCall, "export for CPU without kernels of one device, or write the operation with others where the model is defined",
			"what @%s computes is not in the text", target)
	}
	return nil
}

var normRules = map[string]rule{
	"stablehlo.batch_norm_inference": func(c *call) []*dag.Value {
		return one(c.normalized(c.in[0], c.in[1], c.in[2], c.in[3], c.in[4]))
	},
	"stablehlo.batch_norm_training": func(c *call) []*dag.Value {
		x := c.in[0]
		var dims []int64
		for d := range rank(x) {
			if int64(d) != c.number(0, "feature_index") {
				dims = append(dims, int64(d))
			}
		}
		mean := c.add("reduce_mean", op.Attrs{"dims": dims}, x)
		variance := c.add("reduce_variance", op.Attrs{"dims": dims}, x)
		return []*dag.Value{c.normalized(x, c.in[1], c.in[2], mean, variance), mean, variance}
	},
}

// normalized is (x - mean) / sqrt(variance + epsilon) scale + offset along a dimension.
func (c *call) normalized(x, scale, offset, mean, variance *dag.Value) *dag.Value {
	dim := c.number(0, "feature_index")
	wide := func(v *dag.Value) *dag.Value { return c.spread(v, x.Type.Shape, dim) }
	epsilon, err := constants.Float(c.Attrs.Get("epsilon").Text)
	if err != nil {
		c.refuse(CodeForm, hintForm, "an epsilon that is not a number")
	}
	deviation := c.add("sqrt", nil, c.with("add", variance, epsilon))
	y := c.add("divide", nil, c.add("subtract", nil, x, wide(mean)), wide(deviation))
	return c.add("add", nil, c.add("multiply", nil, y, wide(scale)), wide(offset))
}
