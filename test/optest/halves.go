package optest

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Halves is the constructor of what depends on how a processor converts f16: the
// entry points with values of that type, and weights in blocks whose scales are
// subnormal numbers. Composite operations are covered by their parts, which are here;
// a few entry points have dynamic sizes.
func Halves(m *lang.Module) {
	some := []string{"cached_f16", "update_rows", "dynamic_dot_f16", "dynamic_reduce_f16", "dynamic_bitcast"}
	whole := slices.Concat(sources, elementwise, layout, contraction, convolution, reduction, indexing, norms, loops,
		bitcast, widened, bounded, found, wideElementwise, wideOthers, wideBounded, wideFound)
	for _, e := range slices.Concat(composites, dynamic) {
		if slices.Contains(some, e.name) {
			whole = append(whole, e)
		}
	}
	for _, e := range whole {
		if holdsF16(e) {
			m.Entry(e.name, e.build)
		}
	}
	add(m, subnormal)
}

// Interpreted is the constructor of what models in f16 and in blocks need of that: for
// other operations, such as the sign of a number, IREE's interpreter has no code.
func Interpreted(m *lang.Module) {
	for _, e := range contraction {
		if holdsF16(e) {
			m.Entry(e.name, e.build)
		}
	}
	add(m, subnormal)
}

// holdsF16 reports whether the graph of an entry point has values of f16.
func holdsF16(e entry) bool {
	g, err := lang.Capture(e.name, nil, func(m *lang.Module) { m.Entry(e.name, e.build) })
	if err != nil {
		panic(err) // a fault of the table, which capturing the whole table reports
	}
	if g, err = dag.Portable(g, func(*dag.Node) bool { return true }); err != nil {
		panic(err)
	}
	return g.Holds(dtype.F16)
}

// subnormal has products with weights in blocks whose scales are below 6.1e-5: of
// f16, these are the subnormal numbers. Results are as small; x makes up for it.
var subnormal = func() []entry {
	var entries []entry
	for _, e := range []quant.Encoding{"Q4_K", "Q6_K", "Q8_0"} {
		w := blocksOf(e, 6)
		b, _ := e.Block()
		for at := int64(0); at < int64(len(w.Bytes)); at += b.Bytes {
			for _, high := range scales[e] {
				w.Bytes[at+high] &= 0x83 // sign and the high bits
			}
		}
		k := w.Type.Shape[1].Size * elements(e)
		entries = append(entries, entry{name: "subnormal_" + strings.ToLower(string(e)), build: func(f *lang.Func) {
			w := f.Input("w", dtype.I8, w.Type.Shape.Sizes()...)
			x := f.Input("x", dtype.F32, 3, k).MulScalar(1 << 4)
			f.Output("one", x.Slice(0, 1, 2).DequantMatMul(e, w))
			f.Output("several", x.DequantMatMul(e, w))
			f.Output("rows", w.DequantTake(e, f.Input("at", dtype.I32, 2)).MulScalar(1<<12))
		}, args: []tensor.Value{w}})
	}
	return entries
}()
