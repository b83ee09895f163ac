package nn

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Sampling is how a token is chosen, all of it given at run time. Package
// text/generate has the same on the host, and the definition.
type Sampling struct {
	Temperature lang.Tensor // f32 scalar: 0 and less take the likeliest token
	TopK        lang.Tensor // i32 scalar: 0 and less keep all tokens
	TopP        lang.Tensor // f32 scalar: 1 and more keep all tokens
	MinP        lang.Tensor // f32 scalar: 0 and less keep all tokens
	Seed        lang.Tensor // i32 [2]: low and high half
	Step        lang.Tensor // i32 scalar: tokens chosen before
}

// lowest is below every logit of a token that may be chosen.
const lowest = -math.MaxFloat32

// Sample chooses a token, an i32 scalar, by logits [V] in f32:
//
//   - z = logits - max(logits);
//   - top-k keeps tokens with z at least the K-th largest, also more than K of
//     them where several have that value;
//   - top-p keeps, of those, the likeliest ones until the sum of e^z reaches P of the
//     sum over all of those; tokens as likely as the last of them stay;
//   - min-p keeps tokens with z at least log(MinP);
//   - of the tokens kept, the first one with the largest z/Temperature + Gumbel is
//     chosen: so each token has its probability under the softmax of z/Temperature (the
//     Gumbel-max trick).
//
// At least the likeliest token is kept. Where there is none, since the largest logit is
// not finite or one is NaN, the token is -1. Work is a few passes over the
// logits, some fifteen more with top-k and as many with top-p; none sorts.
func Sample(logits lang.Tensor, s Sampling) lang.Tensor {
	f := logits.Func()
	var token lang.Tensor
	f.Scope("sample", func() {
		zero := f.Splat(dtype.F32, 0)
		greedy := s.Temperature.LessEqual(zero)
		top := largest(logits)
		token = Greedy(f.Cond(greedy,
			// A sum, so that both branches give a value of their own.
			func() []lang.Tensor { return []lang.Tensor{logits.AddScalar(0)} },
			func() []lang.Tensor { return []lang.Tensor{scores(logits, top, s)} })[0])
		finite := top.Sub(top).Equal(zero) // of infinities and NaN it is NaN
		token = finite.Select(token, f.Splat(dtype.I32, -1))
	})
	return token
}

// scores returns numbers [V] whose largest is at a token chosen at random.
func scores(logits, top lang.Tensor, s Sampling) lang.Tensor {
	f, n := logits.Func(), logits.Dim(0)
	z := logits.Sub(top).Barrier()
	least := topK(z, s.TopK)
	least = least.Max(topP(z, least, s.TopP))
	least = least.Max(s.MinP.Log().Min(f.Splat(dtype.F32, 0)))
	score := z.Div(s.Temperature).Add(Gumbel(f, n, s.Seed, s.Step))
	kept := z.GreaterEqual(least)
	return kept.Select(score, f.Splat(dtype.F32, math.Inf(-1), n))
}

// topK returns the value that a token must have to be among the k with the largest
// z [V], or to be as likely as the last of them.
//
// It halves an interval: at least k tokens have its lower end or more, fewer than k
// its upper end or more. When just k have the lower end or more, or no float lies
// between the ends, the tokens are those. The first round is run in any case: what
// the loop carries is a value of its own then.
func topK(z, k lang.Tensor) lang.Tensor {
	f := z.Func()
	active := k.Greater(f.Splat(dtype.I32, 0)).And(k.Less(f.Splat(dtype.I32, float64(z.Dim(0)))))
	out := f.While(interval(f, f.Splat(dtype.F32, lowest)), searching, func(v []lang.Tensor) []lang.Tensor {
		n := z.GreaterEqual(v[2]).Convert(dtype.I32).Sum(false, 0)
		next := halve(v, n.GreaterEqual(k))
		next[3] = next[3].And(n.NotEqual(k)).And(active)
		return next
	})
	return active.Select(out[0], f.Splat(dtype.F32, lowest))
}

// topP returns the value that a token must have to be among the likeliest ones which
// together have the share p of the probability of all with z [V] of at least floor.
//
// It halves an interval as topK does, and ends also when a single token has a value
// between its ends.
func topP(z, floor, p lang.Tensor) lang.Tensor {
	f := z.Func()
	zero := f.Splat(dtype.F32, 0)
	weight := z.GreaterEqual(floor).Select(z.Exp(), zero).Barrier()
	// Even of a share of nothing there is one token.
	share := weight.Sum(false, 0).Mul(p).Max(f.Splat(dtype.F32, 0.5))
	active := p.Less(f.Splat(dtype.F32, 1))
	none := f.Splat(dtype.I32, 0)
	first := append(interval(f, floor), f.Splat(dtype.I32, float64(z.Dim(0))), none)
	out := f.While(first, searching, func(v []lang.Tensor) []lang.Tensor {
		above := z.GreaterEqual(v[2])
		n := above.Convert(dtype.I32).Sum(false, 0)
		enough := above.Select(weight, zero).Sum(false, 0).GreaterEqual(share)
		next := halve(v, enough)
		many, few := enough.Select(n, v[4]), enough.Select(v[5], n)
		next[3] = next[3].And(many.Sub(few).Greater(f.Splat(dtype.I32, 1))).And(active)
		return append(next, many, few)
	})
	return active.Select(out[0], f.Splat(dtype.F32, lowest))
}

// interval starts a search between low and 1, which no z has, with a first look at
// -16: a z below that has no part in most choices. Carried are the ends, where to
// look next, and whether to look.
func interval(f *lang.Func, low lang.Tensor) []lang.Tensor {
	look := low.Max(f.Splat(dtype.F32, -16))
	return []lang.Tensor{low, f.Splat(dtype.F32, 1), look, f.Splat(dtype.I32, 0).Equal(f.Splat(dtype.I32, 0))}
}

func searching(v []lang.Tensor) lang.Tensor { return v[3] }

// halve moves the lower end up to where the search looked, or the upper end down.
func halve(v []lang.Tensor, up lang.Tensor) []lang.Tensor {
	low, high := up.Select(v[2], v[0]), up.Select(v[1], v[2])
	middle := low.MulScalar(0.5).Add(high.MulScalar(0.5))
	return []lang.Tensor{low, high, middle, middle.Greater(low).And(middle.Less(high))}
}

// Greedy returns the index, an i32 scalar, of the first largest of logits [V]. It
// looks for the row and then in the row, so that all threads have work.
func Greedy(logits lang.Tensor) lang.Tensor {
	f := logits.Func()
	rows := inRows(logits)
	size := rows.Dim(1)
	row := rows.ReduceMax(false, 1).ArgMax(0)
	column := rows.DynamicSlice([]int64{1, size}, row, f.Splat(dtype.I32, 0)).Reshape(size).ArgMax(0)
	return row.Mul(f.Splat(dtype.I32, float64(size))).Add(column)
}

// largest returns the largest of x [V], or a NaN of it.
func largest(x lang.Tensor) lang.Tensor {
	return inRows(x).ReduceMax(false, 1).ReduceMax(false, 0)
}

// inRows returns x [V] in rows of about the root of V, the last one filled up with
// -inf where V has no such divisor.
func inRows(x lang.Tensor) lang.Tensor {
	n := x.Dim(0)
	size := int64(1)
	for size*size < n {
		size *= 2
	}
	rows := (n + size - 1) / size
	if rest := rows*size - n; rest > 0 {
		x = x.Pad(0, 0, rest, math.Inf(-1))
	}
	return x.Reshape(rows, size)
}

// Penalize makes the tokens in recent [W], i32 with -1 for none, less likely: their
// logits [V] are divided by penalty, an f32 scalar, where they are above 0 and
// multiplied elsewhere (Keskar et al., "CTRL", 2019, as llama.cpp has it).
func Penalize(logits, recent, penalty lang.Tensor) lang.Tensor {
	f := logits.Func()
	var y lang.Tensor
	f.Scope("penalize", func() {
		zero := f.Splat(dtype.I32, 0)
		// A place without token stands for one that is there: it writes the same.
		any := recent.ReduceMax(false, 0)
		at := recent.GreaterEqual(zero).Select(recent, any.BroadcastTo(recent.Dim(0))).Max(zero)
		old := logits.Take(at)
		now := old.Greater(f.Splat(dtype.F32, 0)).Select(old.Div(penalty), old.Mul(penalty))
		y = logits.Scatter(lang.ScatterSet, at, any.GreaterEqual(zero).Select(now, old))
	})
	return y
}

// Recent returns the last size of tokens [N], i32, for Penalize: -1 first where
// there are fewer. N may be dynamic.
func Recent(tokens lang.Tensor, size int64) lang.Tensor {
	f := tokens.Func()
	n := tokens.DimOf(0)
	return f.Concat(0, f.Splat(dtype.I32, -1, size), tokens).SliceOf(0, n, n.Plus(shape.N(size)), 1)
}

// Remember returns recent [W] with token, an i32 scalar, as the newest.
func Remember(recent, token lang.Tensor) lang.Tensor {
	return recent.Func().Concat(0, recent.Slice(0, 1, recent.Dim(0)), token.Reshape(1))
}
