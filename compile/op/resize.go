package op

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Modes of resize.
const (
	Nearest = "nearest"
	Linear  = "linear"
	Cubic   = "cubic"
)

// Coordinates of resize: the position x in the operand of element i of the result.
const (
	HalfPixel        = "half_pixel"         // x = (i + 1/2)/scale - 1/2
	PyTorchHalfPixel = "pytorch_half_pixel" // as half_pixel, but 0 if the result has one element
	AlignCorners     = "align_corners"      // the first and last elements coincide with those of the operand
	Asymmetric       = "asymmetric"         // x = i/scale
)

// Roundings of coordinates by nearest.
const (
	PreferFloor = "round_prefer_floor" // to nearest, ties down
	PreferCeil  = "round_prefer_ceil"  // to nearest, ties up
	RoundFloor  = "floor"
	RoundCeil   = "ceil"
)

var noScales = tensor.Value{Type: tensor.TypeOf(dtype.F64, 0)}

// resampled: elements are weighted sums, but for nearest, which takes them as they are.
var resampled = sums.varies(func(t Traits, a Attrs) Traits {
	if a.String("mode") == Nearest {
		t.Rounding = Exact
	}
	return t
})

var resizeOps = []*Op{{
	Name: "resize", Family: Resampling, Traits: resampled,
	Doc: "Interpolates x to other sizes, one dimension at a time; elements outside are those of the edge. Linear uses two elements; cubic uses four, with Keys's kernel (1981) and the given coefficient. " +
		"A dimension whose size and scale do not change is left alone.",
	Operands: []Operand{{Name: "x", Class: Numeric}},
	Attributes: []Attribute{
		{Name: "sizes", Kind: KindDims, Doc: "sizes of the result, one per dimension; a dynamic one must stay the same"},
		{Name: "scales", Kind: KindValue, Default: noScales, Doc: "f64 list of the scales of coordinates, one per dimension; empty means the size of the result over the size of the operand"},
		{Name: "mode", Kind: KindString, Default: Nearest, Doc: "nearest, linear or cubic; the latter two need a float operand"},
		{Name: "coordinates", Kind: KindString, Default: HalfPixel, Doc: "half_pixel: x = (i + 1/2)/scale - 1/2; pytorch_half_pixel: the same, but 0 if the result has one element; align_corners: ends coincide; asymmetric: i/scale"},
		{Name: "rounding", Kind: KindString, Default: PreferFloor, Doc: "for nearest: round_prefer_floor, round_prefer_ceil, floor or ceil"},
		{Name: "coefficient", Kind: KindFloat, Default: -0.75, Doc: "a of the cubic kernel: -0.75 in PyTorch and ONNX, -0.5 in TensorFlow"},
		{Name: "exclude_outside", Kind: KindBool, Default: false, Doc: "for cubic: elements outside have weight 0, and the other weights are scaled to sum to 1"},
	},
	Rule: resizeRule,
	Decompose: func(c *Call, b *builder, in []expr) []expr {
		x := in[0]
		if c.Attrs.String("mode") != Nearest {
			x = x.wide()
		}
		for d := range x.rank() {
			if s := c.sampling(d); c.resized(d) {
				x = s.apply(b, x, d)
			}
		}
		return []expr{x.to(in[0].d())}
	},
}}

func resizeRule(c *Call) ([]tensor.Type, error) {
	if err := c.known(); err != nil {
		return nil, err
	}
	x, sizes, scales := c.In[0], c.Attrs.Dims("sizes"), c.Attrs.Value("scales")
	if len(sizes) != x.Shape.Rank() {
		return nil, c.Failf(CodeAttribute, "sizes = %s must have one number per dimension", sizes)
	}
	factors, err := tensor.Slice[float64](scales)
	if err != nil || len(factors) != 0 && len(factors) != len(sizes) {
		return nil, c.Failf(CodeAttribute, "scales are %s, not a list of f64 with one number per dimension", scales.Type)
	}
	for _, f := range factors {
		if !(f > 0) || math.IsInf(f, 0) {
			return nil, c.Failf(CodeAttribute, "invalid scale %g", f)
		}
	}
	for name, known := range map[string][]string{
		"mode": {Nearest, Linear, Cubic}, "coordinates": {HalfPixel, PyTorchHalfPixel, AlignCorners, Asymmetric},
		"rounding": {PreferFloor, PreferCeil, RoundFloor, RoundCeil},
	} {
		if !slices.Contains(known, c.Attrs.String(name)) {
			return nil, c.Failf(CodeAttribute, "%s is %q, not one of %v", name, c.Attrs.String(name), known)
		}
	}
	if c.Attrs.String("mode") != Nearest && !x.DType.IsFloat() {
		return nil, c.Failf(CodeDType, "%s interpolates only floats", c.Attrs.String("mode"))
	}
	if a := c.Attrs.Float("coefficient"); math.IsNaN(a) || math.IsInf(a, 0) {
		return nil, c.Failf(CodeAttribute, "coefficient = %g", a)
	}
	for d, n := range sizes {
		s := c.sampling(d)
		switch {
		case !c.resized(d):
		case !x.Shape[d].IsStatic():
			return nil, c.mustKnow(0, d).Hint("give that dimension of the input a fixed size, or leave it unchanged, without a scale")
		case n.Size < 0 || n.Size > maxTable || s.in < 1 || s.in > maxWindow:
			return nil, c.Failf(CodeShape, "dimension %d of size %d cannot become %s: only an empty dimension can become empty, and sizes are at most %d", d, s.in, n, maxTable)
		}
	}
	return []tensor.Type{{DType: x.DType, Shape: sizes}}, nil
}

// sampling describes how one dimension is resized.
type sampling struct {
	in, out                     int64
	scale, coefficient          float64
	mode, coordinates, rounding string
	exclude                     bool
}

func (c *Call) sampling(d int) sampling {
	s := sampling{
		in: c.In[0].Shape[d].Size, out: c.Attrs.Ints("sizes")[d],
		mode: c.Attrs.String("mode"), coordinates: c.Attrs.String("coordinates"), rounding: c.Attrs.String("rounding"),
		coefficient: c.Attrs.Float("coefficient"), exclude: c.Attrs.Bool("exclude_outside"),
	}
	s.scale = float64(s.out) / float64(s.in)
	if f, err := tensor.Slice[float64](c.Attrs.Value("scales")); err == nil && len(f) > 0 {
		s.scale = f[d]
	}
	return s
}

// resized reports whether the size or scale of dimension d changes.
func (c *Call) resized(d int) bool {
	if n := c.In[0].Shape[d]; !n.IsStatic() {
		f, err := tensor.Slice[float64](c.Attrs.Value("scales"))
		return !n.Same(c.Attrs.Dims("sizes")[d]) || err == nil && len(f) > 0 && f[d] != 1
	}
	s := c.sampling(d)
	return s.in != s.out || s.in > 0 && s.scale != 1
}

// at returns the position in the operand of element i of the result.
func (s sampling) at(i int64) float64 {
	switch {
	case s.coordinates == AlignCorners && s.out > 1:
		return float64(i) * float64(s.in-1) / float64(s.out-1)
	case s.coordinates == AlignCorners, s.coordinates == PyTorchHalfPixel && s.out <= 1:
		return 0
	case s.coordinates == Asymmetric:
		return float64(i) / s.scale
	}
	return (float64(i)+0.5)/s.scale - 0.5
}

// taps returns the first element that is used at x, and the weights from there on.
func (s sampling) taps(x float64) (first int64, weights []float64) {
	low := math.Floor(x)
	f := x - low
	switch s.mode {
	case Linear:
		return int64(low), []float64{1 - f, f}
	case Cubic:
		a := s.coefficient
		near := func(t float64) float64 { return ((a+2)*t-(a+3))*t*t + 1 }
		far := func(t float64) float64 { return a * (((t-5)*t+8)*t - 4) }
		return int64(low) - 1, []float64{far(1 + f), near(f), near(1 - f), far(2 - f)}
	}
	switch s.rounding {
	case RoundFloor:
	case RoundCeil:
		low = math.Ceil(x)
	case PreferCeil:
		low = math.Floor(x + 0.5)
	default:
		low = math.Ceil(x - 0.5)
	}
	return int64(low), []float64{1}
}

// element is what an element of the result is a sum of: those of the operand from first
// on, times weights. Those outside are those of the edge.
type element struct {
	first   int64
	weights []float64
}

// elements returns those of the dimension.
func (s sampling) elements() []element {
	list := make([]element, s.out)
	for i := range list {
		first, w := s.taps(s.at(int64(i)))
		if s.exclude && s.mode == Cubic {
			total := 0.0
			for k := range w {
				if j := first + int64(k); j < 0 || j >= s.in {
					w[k] = 0
				}
				total += w[k]
			}
			for k := range w {
				w[k] /= total
			}
		}
		list[i] = element{first, w}
	}
	return list
}

// apply resizes dimension d of x.
func (s sampling) apply(b *builder, x expr, d int) expr {
	list := s.elements()
	if len(list) == 0 {
		return x.slice(d, 0, 0, 1)
	}
	if p, ok := phasesOf(list, s.in); ok {
		return p.apply(b, x, d, list, s.mode)
	}
	return s.gathered(b, x, d, list)
}

// gathered takes the elements of each tap along dimension d and sums them.
func (s sampling) gathered(b *builder, x expr, d int, list []element) expr {
	perm := append([]int64{int64(d)}, span(0, d)...)
	perm = append(perm, span(d+1, x.rank())...)
	back := append(append(span(1, d+1), 0), span(d+1, x.rank())...)
	front := x.transpose(perm...)
	var y expr
	for k := range list[0].weights {
		indices, weights := make([]float64, len(list)), make([]float64, len(list))
		for i, e := range list {
			indices[i], weights[i] = float64(min(max(e.first+int64(k), 0), s.in-1)), e.weights[k]
		}
		part := apply(x.add, "take", nil, front, b.numbers(dtype.I32, indices, s.out))
		y = y.andTap(b, part, 0, weights, s.mode)
	}
	return y.transpose(back...)
}

// andTap is y and part times the weights along dimension d; y may be none. Nearest has no weights.
func (y expr) andTap(b *builder, part expr, d int, weights []float64, mode string) expr {
	if mode != Nearest {
		along := ones(part.rank()).Sizes()
		along[d] = int64(len(weights))
		w := b.numbers(part.d(), weights, along...)
		taken := part.times(w)
		if slices.Contains(weights, 0) {
			zero := b.splat(part.d(), 0)
			// A tap of weight 0 must not contribute an infinity.
			taken = w.compare(EQ, zero).choose(zero, taken)
		}
		part = taken
	}
	if y.add == nil {
		return part
	}
	return y.plus(part)
}
