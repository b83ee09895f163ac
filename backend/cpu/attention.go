package cpu

import (
	"math"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/backend/cpu/simd"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

var attentionKernels = map[id.ID]kernel{
	id.CachedAttention: one(func(n *dag.Node, in []array, out tensor.Type) array {
		q, cache := in[0].typ.Shape, in[1].typ.Shape
		a := cachedAttention{
			q: in[0].data.(vec[float32]), keys: in[1].data.(vec[float32]), values: in[2].data.(vec[float32]),
			tokens: int(q[0].Size), heads: int(q[1].Size), depth: int(q[2].Size), rows: int(cache[0].Size), groups: int(cache[1].Size),
			window: int(n.Attrs.Int("window")), scale: float32(n.Attrs.Float("scale")), cap: float32(n.Attrs.Float("soft_cap")),
		}
		a.start = int(clamp(in[3].data.indices()[0], int64(max(a.rows-a.tokens, 0))))
		if a.scale == 0 {
			a.scale = float32(1 / math.Sqrt(float64(a.depth)))
		}
		a.y = fresh[float32](len(a.q))
		blocks := (a.tokens + blockTokens - 1) / blockTokens
		parallel(a.heads*blocks, func(task int) { a.block(task/blocks, task%blocks*blockTokens) })
		return roundToDType(array{out, a.y})
	}),
}

// blockTokens is the number of queries per task: enough for matrix
// products, few enough that little is computed for rows that a query does not attend to.
const blockTokens = 32

// cachedAttention holds the operands: q and y [tokens, heads, depth], keys and
// values [rows, groups, depth].
type cachedAttention struct {
	q, keys, values, y          vec[float32]
	tokens, heads, depth        int
	rows, groups, start, window int
	scale, cap                  float32
}

// sees returns the rows that a token attends to.
func (a *cachedAttention) sees(token int) (first, end int) {
	at := a.start + token
	if a.window > 0 {
		first = max(0, at-a.window+1)
	}
	end = min(at+1, a.rows)
	return min(first, end), end
}

// block computes the attention of one head for a block of tokens, starting at first. It
// visits the rows that any of them attends to.
func (a *cachedAttention) block(head, first int) {
	n := min(blockTokens, a.tokens-first)
	low, _ := a.sees(first)
	_, high := a.sees(first + n - 1)
	width := high - low
	pitch := a.heads * a.depth
	q, y := a.q[first*pitch+head*a.depth:], a.y[first*pitch+head*a.depth:]
	if width == 0 { // the window is after the cache
		for i := range n {
			clear(y[i*pitch:][:a.depth])
		}
		return
	}
	step := a.groups * a.depth
	at := low*step + head/(a.heads/a.groups)*a.depth
	scores := fresh[float32](n * width)
	defer scores.giveBack()
	must(gemm.Multiply(gemm.Result{Data: scores, Row: width}, gemm.Operand{Data: q, Row: pitch, Col: 1},
		gemm.Operand{Data: a.keys[at:], Row: 1, Col: step}, gemm.Size{Batch: 1, M: n, N: width, K: a.depth}, gemm.Serial))
	for i := range n {
		row := scores[i*width:][:width]
		from, end := a.sees(first + i)
		a.weights(row[from-low : end-low])
		clear(row[:from-low])
		clear(row[end-low:])
	}
	must(gemm.Multiply(gemm.Result{Data: y, Row: pitch}, gemm.Operand{Data: scores, Row: width, Col: 1},
		gemm.Operand{Data: a.values[at:], Row: step, Col: 1}, gemm.Size{Batch: 1, M: n, N: a.depth, K: width}, gemm.Serial))
}

// weights turns the products of a query and the keys that it attends to into attention weights.
func (a *cachedAttention) weights(row []float32) {
	factor := a.scale
	if a.cap > 0 {
		factor /= a.cap
	}
	for i, v := range row {
		row[i] = v * factor
	}
	if a.cap > 0 {
		simd.Tanh(row, row)
		for i, v := range row {
			row[i] = v * a.cap
		}
	}
	simd.Softmax(row, row)
}

// must panics on errors that the shape rule has ruled out.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
