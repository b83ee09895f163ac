package hlo

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A text for buckets has no dynamic size: each dimension with a name is as large as it can
// be, and the sizes of a call are arguments. What lies behind them is padding, of any
// numbers. Operations whose elements are made of those at the same place have the plain
// text, and make padding of padding; the others get, in place of padding, what changes no
// result: zeros for a sum, the least number for a maximum, no place in a table. The column
// Padding of the table of operations says which is which.
//
// The padding of a dimension is always behind its elements, also of one such as "batch*seq":
// a reshape moves the elements where they have to be.

// CodeBucket is the code of a graph that has no text for buckets.
const CodeBucket errs.Code = "HLO_BUCKET" // smallest input: an operation whose column Padding is Unproven

// Bucketed makes a form write texts for calls in which each name in exact has that size, and each
// in most one of 1 to its number: arguments and results have the largest sizes, and after the
// arguments of an entry point follow the sizes of the call, one tensor<i32> for each of
// SizeNames. The graph has one entry point.
func Bucketed(f *Form, exact, most map[string]int64) {
	f.Most, f.Exact = maps.Clone(most), exact
	maps.Copy(f.Most, exact)
	f.Passes = append(f.Passes, proven)
	f.Iota = func(p *Printer, t tensor.Type, dim int64, _ Value) Value {
		return p.Def(t, "stablehlo.iota dim = %d : %s", dim, p.Type(t))
	}
	f.Broadcast = func(p *Printer, x Value, t tensor.Type, dims []int64, _ Value) Value {
		return p.To(t, "stablehlo.broadcast_in_dim", ", dims = "+Ints(dims), x)
	}
	f.Dimension = func(p *Printer, v Value, dim int) Value { return p.count(v.Type.Shape[dim]) }
	f.Reshape, f.Concat, f.Reverse = bucketReshape, bucketConcat, bucketReverse
	reduce, argmax, sort, dot, scatter := f.Reduce, f.Argmax, f.Sort, f.Dot, f.Scatter
	f.Reduce = func(p *Printer, x Value, name string, init float64, dims []int64) Value {
		return reduce(p, p.cleared(x, init, dims...), name, init, dims)
	}
	// Of equal elements the first one counts, which is never padding.
	f.Argmax = func(p *Printer, x Value, dim int64, t tensor.Type) Value {
		return argmax(p, p.cleared(x, Least(x.Type.DType), dim), dim, t)
	}
	f.Sort = func(p *Printer, x, index Value, dim int64, descending bool) Value {
		last := Greatest(x.Type.DType)
		switch {
		case descending:
			last = Least(x.Type.DType)
		case x.Type.DType.IsFloat():
			last = math.NaN()
		}
		return sort(p, p.cleared(x, last, dim), index, dim, descending)
	}
	f.Dot = func(p *Printer, lhs, rhs Value, d DotDims, t tensor.Type) Value {
		return dot(p, p.cleared(lhs, 0, d.LHSContracting...), p.cleared(rhs, 0, d.RHSContracting...), d, t)
	}
	// StableHLO leaves out updates outside of the operand.
	f.Scatter = func(p *Printer, n *dag.Node, x, at, updates Value) Value {
		if !p.open(at.Type.Shape[0]) {
			return scatter(p, n, x, at, updates)
		}
		return scatter(p, n, x, p.cleared(p.Convert(at, dtype.I64), -1, 0), updates)
	}
	maps.Copy(f.Lower, bucketLowerings)
}

// proven is a pass that refuses operations about whose padding nothing is known.
func proven(g *dag.Graph) (*dag.Graph, error) {
	var err error
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			p := n.Op.TraitsFor(n.Attrs).Padding
			if err != nil || p == op.Apart || p == op.LeftOut {
				return
			}
			err = errs.New(CodeBucket, "it is not known what padding changes in the operation %s", n.Op.Name).On(n.Path).Hint("use exact sizes for it")
		})
	}
	return g, err
}

// SizeNames lists the names of sizes in the arguments of a function, in the order in which those
// sizes follow them: callees have the names of their callers.
func SizeNames(f *dag.Func) []string {
	names := map[string]bool{}
	for _, v := range f.Body.Args {
		for _, d := range v.Type.Shape {
			for _, name := range d.Names() {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// mostOf returns the largest size of a dimension.
func (p *Printer) mostOf(d shape.Dim) int64 {
	rest := p.only(shape.Shape{d})[0]
	if rest.IsStatic() {
		return rest.Size
	}
	n, err := rest.Bind(p.form.Most)
	if err != nil || !n.IsStatic() || !rest.Grows() || n.Size > math.MaxInt32 {
		p.Fail(CodeBucket, "the size %s has no largest number where it is used", d)
		return 1
	}
	return n.Size
}

// only returns a shape with numbers for the sizes that are the only ones.
func (p *Printer) only(s shape.Shape) shape.Shape {
	out, err := s.Bind(p.form.Exact)
	if err != nil {
		p.Fail(CodeBucket, "the shape %s is none: %v", s, err)
		return s
	}
	return out
}

// open reports whether a dimension has padding in some calls.
func (p *Printer) open(d shape.Dim) bool { return !p.only(shape.Shape{d}).IsStatic() }

// fixed returns a shape with the largest sizes, which is how it is written.
func (p *Printer) fixed(s shape.Shape) shape.Shape {
	out := make(shape.Shape, len(s))
	for i, d := range s {
		out[i] = shape.N(p.mostOf(d))
	}
	return out
}

// flat returns x as a value of its largest sizes: the text is the same.
func (p *Printer) flat(x Value) Value { return Value{x.Name, sized(x, p.fixed(x.Type.Shape))} }

// sizeArgument contains a dot, unlike the names of models.
func sizeArgument(i int) string { return fmt.Sprintf("%%s.%d", i) }

// sizeArguments spells the arguments that are sizes.
func (p *Printer) sizeArguments(f *dag.Func) []string {
	if p.form.Most == nil {
		return nil
	}
	names := SizeNames(f)
	out := make([]string, len(names))
	for i := range names {
		out[i] = sizeArgument(i) + ": " + p.Type(tensor.TypeOf(dtype.I32))
	}
	return out
}

// givenSize returns the size that an argument is.
func (p *Printer) givenSize(name string) Value {
	if only, ok := p.form.Exact[name]; ok {
		return p.SizeNumber(only)
	}
	return p.To(SizeType(1), "stablehlo.reshape", "", p.Convert(p.sizeOf(name), dtype.I64))
}

// sizeOf returns the argument that is a size.
func (p *Printer) sizeOf(name string) Value {
	i := slices.Index(SizeNames(p.inside), name)
	if i < 0 {
		p.Fail(CodeBucket, "no argument says the size %s", name)
	}
	return Value{sizeArgument(i), tensor.TypeOf(dtype.I32)}
}

// sizesFor returns the sizes that a call gives to its function.
func (p *Printer) sizesFor(callee *dag.Func) []Value {
	if p.form.Most == nil {
		return nil
	}
	names := SizeNames(callee)
	out := make([]Value, len(names))
	for i, name := range names {
		out[i] = p.count(shape.Named(name))
	}
	return out
}

// scalar returns a size, tensor<1xi64>, as tensor<i32>.
func (p *Printer) scalar(v Value) Value {
	return p.Convert(p.To(tensor.TypeOf(dtype.I64), "stablehlo.reshape", "", v), dtype.I32)
}

// count returns a size as tensor<i32>.
func (p *Printer) count(d shape.Dim) Value {
	return p.Once("count "+d.String(), func() Value {
		d = p.only(shape.Shape{d})[0]
		switch {
		case d.IsName():
			return p.sizeOf(d.Name)
		case d.IsStatic():
			return p.Splat(tensor.TypeOf(dtype.I32), float64(d.Size))
		}
		return p.scalar(p.Size(d, Value{}, 0))
	})
}

// within returns which elements of a shape are not padding along these dimensions, of which
// one at least is open.
func (p *Printer) within(s shape.Shape, dims []int64) Value {
	key := make([]string, len(dims))
	for i, d := range dims {
		key[i] = fmt.Sprint(d)
	}
	return p.Once("within "+strings.Join(key, ",")+" of "+s.String(), func() Value {
		fixed := p.fixed(s)
		var all Value
		for _, d := range dims {
			if !p.open(s[d]) {
				continue
			}
			row := tensor.Type{DType: dtype.I32, Shape: shape.Shape{fixed[d]}}
			in := p.Compare("LT", p.Iota(row, 0, Value{}), p.Broadcast(p.count(s[d]), row, nil, Value{}))
			if len(s) > 1 {
				in = p.Broadcast(in, tensor.Type{DType: dtype.Bool, Shape: fixed}, []int64{d}, Value{})
			}
			if all.Name != "" {
				in = p.Same("stablehlo.and", all, in)
			}
			all = in
		}
		return all
	})
}

// cleared returns x with a number in place of padding along these dimensions.
func (p *Printer) cleared(x Value, v float64, dims ...int64) Value {
	return p.covered(x, p.Splat, v, dims)
}

func (p *Printer) covered(x Value, fill func(t tensor.Type, v float64) Value, v float64, dims []int64) Value {
	if !slices.ContainsFunc(dims, func(d int64) bool { return p.open(x.Type.Shape[d]) }) {
		return x
	}
	in := p.within(x.Type.Shape, dims)
	in.Type.Shape = x.Type.Shape
	return p.Select(in, x, fill(x.Type, v))
}
