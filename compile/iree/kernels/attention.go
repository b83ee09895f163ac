package kernels

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Attention is the operation cached_attention: q f32 [T, Heads, Depth] over keys and
// values [Rows, Groups, Depth], of which a kernel visits only the rows that some query
// attends to. Scores are kept for one block of rows at a time: the running maximum and
// the sum of the exponentials are carried, and earlier sums are rescaled to the new
// maximum (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018;
// Rabe and Staats, "Self-attention does not need O(n^2) memory", 2021). So memory does
// not depend on the number of rows.
//
// The number of rows that a token attends to, including its own, is an operand, so
// that layers with and without a window share a kernel.
//
// AttentionOne serves T = 1, with AttentionCombine if the rows are split among several
// workgroups; AttentionMany serves any T.
type Attention struct {
	Heads, Groups, Depth, Rows int64
	Cache                      dtype.DType // F32, F16 or BF16
	Scale, SoftCap             float64     // SoftCap 0: none
}

// maxDepth bounds what is kept on the stack: a panel of 16 keys takes 16 kB.
const maxDepth = 256

// Supported reports whether the shape and type have kernels.
func (a Attention) Supported() bool {
	if a.Groups < 1 || a.Heads < 1 || a.Heads%a.Groups != 0 || a.shared() > blockQueries || a.Rows < 1 || a.Rows > math.MaxInt32 {
		return false
	}
	return a.Depth > 0 && a.Depth <= maxDepth && a.Depth%lanes == 0 && (a.Cache == dtype.F32 || a.Cache == dtype.F16 || a.Cache == dtype.BF16)
}

// shared is how many heads share a part of the cache.
func (a Attention) shared() int64 { return a.Heads / a.Groups }

// AttentionOne is the kernel of one token.
type AttentionOne struct{ Attention }

// AttentionCombine is the kernel that merges the partial results of AttentionOne.
type AttentionCombine struct{ Attention }

// AttentionMany is the kernel of any number of tokens.
type AttentionMany struct{ Attention }

// Symbol returns the kernel's name.
func (a AttentionOne) Symbol() string { return a.symbol("attend_one") }

// Symbol returns the kernel's name.
func (a AttentionCombine) Symbol() string { return a.symbol("attend_combine") }

// Symbol returns the kernel's name.
func (a AttentionMany) Symbol() string { return a.symbol("attend_many") }

func (a Attention) symbol(name string) string {
	s := fmt.Sprintf("%s_%s_%dx%dx%dx%d_%08x", name, a.Cache, a.Heads, a.Groups, a.Depth, a.Rows, math.Float32bits(float32(a.Scale)))
	if a.SoftCap > 0 {
		s += fmt.Sprintf("_cap%08x", math.Float32bits(float32(a.SoftCap)))
	}
	return s
}

// hidden is below all scores; its exponential is 0.
const hidden = -1e30

// attention holds what the bodies of these kernels share.
type attention struct {
	Attention
	*builder
	q, keys, values memory
	tokens          value // T
	start           value // row of the first token, clamped
	window          value // rows that a token attends to
}

// bind declares the memory of the operands q, keys, values and start.
func (a *attention) bind(tokens value, q memory, bindings []value) {
	e := element(a.Cache.MLIR())
	a.q, a.tokens = q, tokens
	a.keys = a.subspan(bindings[1], e, a.Rows, a.Groups, a.Depth)
	a.values = a.subspan(bindings[2], e, a.Rows, a.Groups, a.Depth)
	a.start = a.place(bindings[3], tokens)
}

// place reads the row of the first token and clamps it so that every token has one.
func (a *attention) place(binding, tokens value) value {
	at := a.subspan(binding, i32)
	v := a.def(indexType, "arith.index_cast %s : i32 to index", a.load(at, 0).name)
	last := a.greatest(a.sub(a.index(a.Rows), tokens), a.index(0))
	return a.smallest(a.greatest(v, a.index(0)), last)
}

// sees returns the range of rows that a token attends to.
func (a *attention) sees(token value) (first, end value) {
	after := a.plus(a.add(a.start, token), 1)
	end = a.smallest(after, a.index(a.Rows))
	return a.smallest(a.greatest(a.sub(after, a.window), a.index(0)), end), end
}

// row loads 16 elements of the cache as f32.
func (a *attention) row(m memory, row, group, at value) value {
	v := a.load(m, lanes, row, group, at)
	if m.elem == f32 {
		return v
	}
	return a.signed(v, f32)
}

// scores turns products of queries and keys into scores.
func (a *attention) scores(v value) value {
	if a.SoftCap == 0 {
		return a.mul(v, a.number(v.typ, a.Scale))
	}
	v = a.mul(v, a.number(v.typ, a.Scale/a.SoftCap))
	return a.mul(a.def(v.typ, "math.tanh %s : %s", v.name, v.typ), a.number(v.typ, a.SoftCap))
}

// number is a float constant.
func (b *builder) number(t typ, v float64) value {
	text := strconv.FormatFloat(float64(float32(v)), 'e', -1, 64)
	if !strings.Contains(text, ".") {
		text = strings.Replace(text, "e", ".0e", 1)
	}
	return b.constant(t, text)
}

func (b *builder) exp(v value) value { return b.def(v.typ, "math.exp %s : %s", v.name, v.typ) }

// upper is the maximum of two floats.
func (b *builder) upper(x, y value) value {
	return b.def(x.typ, "arith.maximumf %s, %s : %s", x.name, y.name, x.typ)
}

// top is the maximum of the lanes.
func (b *builder) top(x value) value {
	t := typ{elem: x.typ.elem}
	return b.def(t, "vector.reduction <maximumf>, %s : %s into %s", x.name, x.typ, t)
}

func (b *builder) div(x, y value) value { return b.arith("div", x, y) }

// greatest and smallest compare signed integers.
func (b *builder) greatest(x, y value) value {
	return b.def(x.typ, "arith.maxsi %s, %s : %s", x.name, y.name, x.typ)
}

func (b *builder) smallest(x, y value) value {
	return b.def(x.typ, "arith.minsi %s, %s : %s", x.name, y.name, x.typ)
}

func (b *builder) compare(predicate string, x, y value) value {
	b.must(x.typ == y.typ, "a comparison of %s and %s", x.typ, y.typ)
	kind := "i"
	if x.typ.elem.isFloat() {
		kind = "f"
	}
	return b.def(typ{i1, x.typ.lanes}, "arith.cmp%s %s, %s, %s : %s", kind, predicate, x.name, y.name, x.typ)
}

func (b *builder) rest(x, y value) value {
	return b.def(x.typ, "arith.remui %s, %s : %s", x.name, y.name, x.typ)
}

// reaches returns a mask of the lanes below n, which may be any integer.
func (b *builder) reaches(n value) value {
	return b.def(typ{i1, lanes}, "vector.create_mask %s : vector<%dxi1>", n.name, lanes)
}
