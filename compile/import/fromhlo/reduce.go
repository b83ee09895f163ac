package fromhlo

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var reduceRules = map[string]rule{
	"stablehlo.reduce": func(c *call) []*dag.Value {
		n := len(c.in) / 2
		values, inits, dims := c.in[:n], c.in[n:], c.integers("dimensions")
		if out := c.extremes(values, inits, dims); out != nil {
			return out
		}
		var out []*dag.Value
		for i, m := range c.merges(n) {
			v := c.reduced(m, values[i], inits[i], dims)
			if v == nil {
				return c.folded(values, inits, dims)
			}
			out = append(out, v)
		}
		return out
	},
}

// reduction is how the table reduces by an operation.
type reduction struct {
	name     string
	bools    string // of bools
	identity func(d dtype.DType) float64
}

var reductions = map[string]reduction{
	"add":      {"reduce_sum", "reduce_any", func(dtype.DType) float64 { return 0 }},
	"multiply": {"reduce_prod", "reduce_all", func(dtype.DType) float64 { return 1 }},
	"maximum":  {"reduce_max", "reduce_any", least},
	"minimum":  {"reduce_min", "reduce_all", greatest},
	"or":       {"", "reduce_any", func(dtype.DType) float64 { return 0 }},
	"and":      {"", "reduce_all", func(dtype.DType) float64 { return 1 }},
}

// least returns the identity of maximum.
func least(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(-1)
	case d.IsSigned():
		return -math.Ldexp(1, d.Bits()-1)
	}
	return 0
}

// greatest returns the identity of minimum.
func greatest(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(1)
	case d == dtype.Bool:
		return 1
	case d.IsSigned():
		return math.Ldexp(1, d.Bits()-1) - 1
	}
	return math.Ldexp(1, d.Bits()) - 1
}

// merges returns, for each result of a reduction, the operation that alone merges its two
// values, or "".
func (c *call) merges(n int) []string {
	if len(c.Regions) == 0 {
		return []string{merging[c.Words[0].Text]}
	}
	out := make([]string, n)
	for i := range out {
		out[i] = merge(c.Regions[0], i, n)
	}
	return out
}

// merging maps operations of texts to those of the table that merge two values.
var merging = map[string]string{
	"stablehlo.add": "add", "stablehlo.multiply": "multiply", "stablehlo.maximum": "maximum", "stablehlo.minimum": "minimum",
	"stablehlo.or": "or", "stablehlo.and": "and",
}

// merge returns the operation that result i of a region is of its arguments i and n+i
// alone, perhaps in a wider type; or "".
func merge(r *verify.TreeRegion, i, n int) string {
	made := map[string]*verify.TreeOp{}
	for _, o := range r.Ops {
		for _, name := range o.Results {
			made[name] = o
		}
	}
	own := func(name string) string {
		for made[name] != nil && made[name].Name == "stablehlo.convert" {
			name = made[name].Operands[0]
		}
		return name
	}
	last := r.Ops[len(r.Ops)-1]
	if i >= len(last.Operands) || n+i >= len(r.Args) {
		return ""
	}
	o := made[own(last.Operands[i])]
	if o == nil || len(o.Operands) != 2 {
		return ""
	}
	a, b := own(o.Operands[0]), own(o.Operands[1])
	if x, y := r.Args[i].Name, r.Args[n+i].Name; a == x && b == y || a == y && b == x {
		return merging[o.Name]
	}
	return ""
}

// reduced reduces by an operation of the table, or returns nil if none does.
func (im *importer) reduced(m string, v, init *dag.Value, dims []int64) *dag.Value {
	r, ok := reductions[m]
	name, d := r.name, v.Type.DType
	if d == dtype.Bool {
		name = r.bools
	}
	if !ok || name == "" {
		return nil
	}
	out := im.add(name, op.Attrs{"dims": append([]int64{}, dims...)}, v)
	if x, known := uniform(init); known && x == r.identity(d) {
		return out
	}
	if d == dtype.Bool {
		m = logicalOf(m)
	}
	return im.apply(m, im.spread(init, out.Type.Shape), out)
}

func logicalOf(m string) string {
	if own := logical[m]; own != "" {
		return own
	}
	return m
}

// uniform returns the number that all elements of v are.
func uniform(v *dag.Value) (float64, bool) {
	for v.Node != nil && (v.Node.Op.Name == "broadcast_in_dim" || v.Node.Op.Name == "reshape") {
		v = v.Node.Inputs[0]
	}
	if v.Node == nil || v.Node.Op.Name != "splat" {
		return 0, false
	}
	return v.Node.Attrs.Float("value"), true
}

// extremes converts a reduction to the greatest or least element and its index, or returns nil.
func (c *call) extremes(values, inits []*dag.Value, dims []int64) []*dag.Value {
	if len(values) != 2 || len(dims) != 1 || len(c.Regions) != 1 || !counts(values[1], dims[0]) {
		return nil
	}
	d := values[0].Type.DType
	for _, kind := range []struct {
		greatest     bool
		value, index string
		init         float64
	}{{true, "reduce_max", "argmax", least(d)}, {false, "reduce_min", "argmin", greatest(d)}} {
		if x, ok := uniform(inits[0]); !ok || x != kind.init || d == dtype.Bool || !c.picks(c.Regions[0], kind.greatest, d) {
			continue
		}
		index := c.add(kind.index, op.Attrs{"dim": dims[0]}, values[0])
		return []*dag.Value{
			c.add(kind.value, op.Attrs{"dims": dims}, values[0]), c.convert(index, values[1].Type.DType),
		}
	}
	return nil
}

// counts reports whether v counts along a dimension.
func counts(v *dag.Value, dim int64) bool {
	for v.Node != nil {
		switch n := v.Node; n.Op.Name {
		case "iota":
			return n.Attrs.Int("dim") == dim
		case "broadcast_in_dim":
			at := slices.Index(n.Attrs.Ints("dims"), dim)
			if at < 0 || !n.Inputs[0].Type.Shape[at].Same(v.Type.Shape[dim]) {
				return false
			}
			dim, v = int64(at), n.Inputs[0]
		case "convert":
			v = n.Inputs[0]
		default:
			return false
		}
	}
	return false
}

// folded reduces by any region, in halves: neighbours along the joined dimensions merge.
func (c *call) folded(values, inits []*dag.Value, dims []int64) []*dag.Value {
	var kept []int64
	for d := range values[0].Type.Shape {
		if !slices.Contains(dims, int64(d)) {
			kept = append(kept, int64(d))
		}
	}
	lists := make([]*dag.Value, len(values))
	n := int64(1)
	for i, v := range values {
		n = 1
		rest := shape.Shape{}
		for _, d := range kept {
			rest = append(rest, v.Type.Shape[d])
		}
		for _, d := range dims {
			size := v.Type.Shape[d]
			if !size.IsStatic() {
				c.refuse(CodeSize, hintSize, "a region that is not one of add, multiply, maximum, minimum, and, or over %s elements", size)
			}
			n *= size.Size
		}
		sorted := slices.Clone(dims)
		slices.Sort(sorted)
		v = c.transpose(v, append(sorted, kept...)...)
		lists[i] = c.reshape(v, append(shape.Shape{shape.N(n)}, rest...)...)
	}
	start := make([]*dag.Value, len(inits))
	for i, v := range inits {
		start[i] = c.spread(v, lists[i].Type.Shape[1:])
	}
	if n == 0 {
		return start
	}
	for ; n > 1; n = n/2 + n%2 {
		var a, b, rest []*dag.Value
		for _, v := range lists {
			a = append(a, c.part(v, 0, shape.N(0), shape.N(n/2*2-1), 2))
			b = append(b, c.part(v, 0, shape.N(1), shape.N(n/2*2), 2))
			if n%2 == 1 {
				rest = append(rest, c.part(v, 0, shape.N(n-1), shape.N(n), 1))
			}
		}
		lists = c.joined(a, b)
		for i := range rest {
			lists[i] = c.concat(0, lists[i], rest[i])
		}
	}
	for i, v := range lists {
		lists[i] = c.reshape(v, v.Type.Shape[1:]...)
	}
	return c.joined(start, lists)
}

// joined merges values by the reduction's region, or by the operation that it names.
func (c *call) joined(a, b []*dag.Value) []*dag.Value {
	if len(c.Regions) > 0 {
		return c.raise(c.Regions[0], a, b)
	}
	applied := &verify.TreeOp{Name: c.Words[0].Text}
	return elementwiseRules[applied.Name](&call{c.importer, applied, []*dag.Value{a[0], b[0]}})
}

// raise applies a region of scalars to tensors, element by element.
func (im *importer) raise(r *verify.TreeRegion, args ...[]*dag.Value) []*dag.Value {
	in := slices.Concat(args...)
	raised, s := im.raised, im.scope
	im.raised, im.scope = true, &scope{s, map[string]*dag.Value{}}
	for i, a := range r.Args {
		im.scope.values[a.Name] = in[i]
	}
	out := slices.Clone(im.region(r))
	im.raised, im.scope = raised, s
	for i, v := range out { // a constant stands for all elements
		out[i] = im.together(v, tensorLike(in[i], v))[0]
	}
	return out
}

// tensorLike returns v as the shape that a result of another element type has.
func tensorLike(v, result *dag.Value) *dag.Value {
	return &dag.Value{Type: tensor.Type{DType: result.Type.DType, Shape: v.Type.Shape}}
}
