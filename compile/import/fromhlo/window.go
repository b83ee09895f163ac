package fromhlo

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var windowRules = map[string]rule{
	"stablehlo.reduce_window": func(c *call) []*dag.Value {
		n := len(c.in) / 2
		w := c.window(rank(c.in[0]))
		values, inits, merges := c.in[:n], c.in[n:], c.merges(n)
		if n == 1 {
			if v := c.cumulative(w, merges[0], values[0], inits[0]); v != nil {
				return one(v)
			}
		}
		if !slices.Contains(merges, "") {
			out := make([]*dag.Value, n)
			for i, m := range merges {
				out[i] = c.slid(w, m, values[i], inits[i])
			}
			return out
		}
		return c.slidAll(w, values, inits)
	},
}

// window is that of a windowed reduction.
type window struct {
	size, strides, base, dilation, low, high []int64
}

func (c *call) window(n int) window {
	w := window{
		size: c.integers("window_dimensions"), strides: c.optional(n, 1, "window_strides"),
		base: c.optional(n, 1, "base_dilations"), dilation: c.optional(n, 1, "window_dilations"),
	}
	w.low, w.high = c.pairsOf(c.Attrs, n, "padding")
	return w
}

// cumulative returns the merged elements up to each one, if the window is that, or nil.
func (c *call) cumulative(w window, m string, v, init *dag.Value) *dag.Value {
	dim := -1
	for i, size := range w.size {
		if w.strides[i] != 1 || w.base[i] != 1 || w.dilation[i] != 1 {
			return nil
		}
		if size == 1 && w.low[i] == 0 && w.high[i] == 0 {
			continue
		}
		if d := v.Type.Shape[i]; dim >= 0 || !d.Same(shape.N(size)) || w.low[i]+w.high[i] != size-1 || w.low[i] != 0 && w.high[i] != 0 {
			return nil
		}
		dim = i
	}
	r, ok := reductions[m]
	if x, known := uniform(init); dim < 0 || !ok || !known || v.Type.DType == dtype.Bool || r.name == "" || x != r.identity(v.Type.DType) {
		return nil
	}
	reverse := w.high[dim] > 0
	if name := map[string]string{"add": "cumsum", "multiply": "cumprod"}[m]; name != "" {
		return c.add(name, op.Attrs{"dim": int64(dim), "reverse": reverse}, v)
	}
	for by := int64(1); by < w.size[dim]; by *= 2 { // twice as many elements each time
		low, high := repeat(rank(v), 0), repeat(rank(v), 0)
		if low[dim], high[dim] = by, -by; reverse {
			low[dim], high[dim] = -by, by
		}
		v = c.apply(m, v, c.padded(v, init, low, high, repeat(rank(v), 0)))
	}
	return v
}

// slid merges the elements of windows by one operation, a dimension at a time.
func (c *call) slid(w window, m string, v, init *dag.Value) *dag.Value {
	own := m
	if v.Type.DType == dtype.Bool {
		own = logicalOf(m)
	}
	v = c.padded(v, init, w.low, w.high, less(w.base))
	for i := range w.size {
		d := v.Type.Shape[i]
		if r := reductions[m]; d.Same(shape.N(w.size[i])) && w.size[i] > 1 && w.dilation[i] == 1 && r.name != "" && v.Type.DType != dtype.Bool {
			v = c.add(r.name, op.Attrs{"dims": []int64{int64(i)}, "keepdims": true}, v)
			continue
		}
		taps := c.taps(w, i, v)
		v = taps[0]
		for _, tap := range taps[1:] {
			v = c.add(own, nil, v, tap)
		}
	}
	if x, known := uniform(init); known && x == reductions[m].identity(v.Type.DType) {
		return v
	}
	return c.apply(own, c.spread(init, v.Type.Shape), v)
}

// slidAll merges the elements of windows by a region.
func (c *call) slidAll(w window, values, inits []*dag.Value) []*dag.Value {
	out, start := make([]*dag.Value, len(values)), make([]*dag.Value, len(values))
	for i, v := range values {
		out[i] = c.padded(v, inits[i], w.low, w.high, less(w.base))
	}
	for d := range w.size {
		taps := make([][]*dag.Value, len(out))
		for i, v := range out {
			taps[i] = c.taps(w, d, v)
			out[i] = taps[i][0]
		}
		for k := range taps[0][1:] {
			next := make([]*dag.Value, len(out))
			for i := range out {
				next[i] = taps[i][k+1]
			}
			out = c.raise(c.Regions[0], out, next)
		}
	}
	for i, v := range out {
		start[i] = c.spread(inits[i], v.Type.Shape)
	}
	return c.raise(c.Regions[0], start, out)
}

// taps returns the elements of windows along dimension i, one tensor for each place in
// the window.
func (c *call) taps(w window, i int, v *dag.Value) []*dag.Value {
	d, reach := v.Type.Shape[i], (w.size[i]-1)*w.dilation[i]+1
	room := d.Minus(shape.N(reach))
	if !room.IsKnown() || !room.AtLeast(0) && room.Size < 0 {
		c.refuse(CodeForm, hintForm, "a window of %d elements over %s", reach, d)
	}
	count := room.FloorDiv(w.strides[i]) // less one
	out := make([]*dag.Value, 0, min(w.size[i], 1<<10))
	for k := range w.size[i] {
		c.count(1)
		first := shape.N(k * w.dilation[i])
		out = append(out, c.part(v, i, first, count.Times(shape.N(w.strides[i])).Plus(first).Plus(shape.N(1)), w.strides[i]))
	}
	return out
}

// less returns the elements between neighbours of dilations.
func less(dilations []int64) []int64 {
	out := make([]int64, len(dilations))
	for i, n := range dilations {
		out[i] = n - 1
	}
	return out
}
