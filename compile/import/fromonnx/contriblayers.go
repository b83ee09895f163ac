package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Layers as ONNX Runtime's optimizer writes them for its other devices, and operators of the
// packages that it came from: of pictures whose channels come last, of complex numbers, of
// spectra, of relative positions and of weights of 4 bits.

func init() {
	for name, r := range map[string]rule{
		"ComplexMul":     func(n *node) []*dag.Value { return one(n.complexProduct(1)) },
		"ComplexMulConj": func(n *node) []*dag.Value { return one(n.complexProduct(-1)) },
		"Irfft":          (*node).realInverse,
		"MatMulBnb4":     (*node).productOfCodes,
		"MulInteger": func(n *node) []*dag.Value {
			centred := func(i int) *dag.Value {
				x := n.convert(n.in(i), dtype.I32)
				if n.has(i + 1) {
					x = n.binary("subtract", x, n.convert(n.unit(n.in(i+1)), dtype.I32))
				}
				return x
			}
			return one(n.binary("multiply", centred(0), centred(2)))
		},
		"NhwcFusedConv": func(n *node) []*dag.Value {
			x, k := n.channelsFirst(n.in(0)), n.in(1)
			w := n.window2(x, sizesFrom(k, 2))
			attrs := w.attrs()
			attrs["groups"] = n.int("group", 1)
			y := n.channelsLast(n.bias(n.add("convolution", attrs, x, k), 2))
			if n.has(3) {
				y = n.binary("add", y, n.in(3))
			}
			return one(n.activated(y))
		},
		"NhwcMaxPool": func(n *node) []*dag.Value {
			x := n.channelsFirst(n.in(0))
			return one(n.channelsLast(n.add("max_pool", n.poolOf(x), x)))
		},
		"RelativePositionBias": (*node).relativeBias,
		"Rfft": func(n *node) []*dag.Value {
			n.oneSignal()
			x := n.in(0)
			last := int64(rank(x) - 1)
			x = n.reshapeTo(x, append(append(shape.Shape{}, dims(x)...), shape.N(1))...)
			return one(n.fourier(x, last, extent(x, last), false, n.int("onesided", 1) == 1))
		},
		"SkipGroupNorm": func(n *node) []*dag.Value {
			if n.int("channels_last", 1) != 1 {
				n.refuse("a norm of sums whose channels do not come last")
			}
			x, skip := n.in(0), n.in(3)
			if rank(skip) == 2 {
				d := dims(skip)
				skip = n.reshapeTo(skip, d[0], shape.N(1), shape.N(1), d[1])
			}
			sum := n.binary("add", x, skip)
			if n.has(4) {
				sum = n.binary("add", sum, n.in(4))
			}
			return []*dag.Value{n.groupNorm(sum), sum}
		},
	} {
		rules["com.microsoft."+name] = r
	}
}

// groupNorm normalizes x by inputs 1 and 2, and activates it where the node says so.
func (n *node) groupNorm(x *dag.Value) *dag.Value {
	last := n.int("channels_last", 1) == 1
	if last {
		x = n.channelsFirst(x)
	}
	gamma, beta := n.convert(n.in(1), x.Type.DType), n.convert(n.in(2), x.Type.DType)
	x = n.add("group_norm", op.Attrs{"epsilon": n.float("epsilon", 1e-5), "groups": n.int("groups", 1)}, x, gamma, beta)
	if n.int("activation", 0) == 1 {
		x = n.add("silu", nil, x)
	}
	if last {
		x = n.channelsLast(x)
	}
	return x
}

// complexProduct multiplies [..., 2], real and imaginary parts, by another tensor, or by its
// conjugate for the sign -1.
func (n *node) complexProduct(sign float64) *dag.Value {
	a, b := n.in(0), n.in(1)
	part := func(v *dag.Value, i int64) *dag.Value {
		last := int64(rank(v) - 1)
		if extent(v, last) != 2 {
			n.malformed("%s of a tensor [%s]: its last size is 2, of real and imaginary parts", n.Op, dims(v))
		}
		return n.window(v, last, i, i+1, 1)
	}
	c, d := part(b, 0), n.scale(part(b, 1), sign)
	a, ai := part(a, 0), part(a, 1)
	real := n.binary("subtract", n.binary("multiply", a, c), n.binary("multiply", ai, d))
	imaginary := n.binary("add", n.binary("multiply", a, d), n.binary("multiply", ai, c))
	return n.add("concatenate", op.Attrs{"dim": int64(rank(real) - 1)}, real, imaginary)
}

// oneSignal refuses transforms of several dimensions, and scaled ones, as ONNX Runtime does.
func (n *node) oneSignal() {
	if n.int("signal_ndim", 1) != 1 || n.int("normalized", 0) != 0 {
		n.refuse("a transform of %d dimensions with normalized=%d", n.int("signal_ndim", 1), n.int("normalized", 0))
	}
}

// realInverse returns the real signal [..., 2 (M - 1)] of a spectrum [..., M, 2].
func (n *node) realInverse() []*dag.Value {
	n.oneSignal()
	x := n.in(0)
	last := int64(rank(x) - 1)
	have := extent(x, last-1)
	length := 2 * (have - 1)
	if n.int("onesided", 1) != 1 || extent(x, last) != 2 || length < 1 {
		n.refuse("the signal of a spectrum [%s] that is not the half of one", dims(x))
	}
	n.bounded(length, have)
	cos, sin := make([]float64, 0, length*have), make([]float64, 0, length*have)
	for t := range length {
		for k := range have {
			weight := 2 / float64(length) // of a pair of frequencies
			if k == 0 || k == have-1 {
				weight /= 2
			}
			angle := 2 * math.Pi * float64(k*t%length) / float64(length)
			cos, sin = append(cos, weight*math.Cos(angle)), append(sin, -weight*math.Sin(angle))
		}
	}
	d := x.Type.DType
	side := func(i int64, table []float64) *dag.Value {
		part := n.reshapeTo(n.window(x, last, i, i+1, 1), dims(x)[:last]...)
		return n.project(part, n.matrix(d, table, length, have), last-1)
	}
	return one(n.binary("add", side(0, cos), side(1, sin)))
}

// relativeBias is T5's bias of scores [1, H, Q, K]: a row of a table [buckets, H] for each
// distance, exact ones for near keys and wider and wider ones up to max_distance.
func (n *node) relativeBias() []*dag.Value {
	table := n.in(0)
	q, _ := n.extents("", 1)
	k, _ := n.extents("", 2)
	buckets, farthest := extent(table, 0), n.int("max_distance", 0)
	both := n.int("is_bidirectional", 0) == 1
	if both {
		buckets /= 2
	}
	exact := buckets / 2
	if len(q) != 1 || len(k) != 1 || exact < 1 || farthest <= exact {
		n.malformed("RelativePositionBias of %d rows and max_distance=%d", extent(table, 0), farthest)
	}
	n.bounded(farthest)
	list := make([]int64, farthest+1)
	span := float32(math.Log(float64(float32(farthest) / float32(exact))))
	for i := range list {
		list[i] = int64(i)
		if int64(i) >= exact {
			far := float32(math.Log(float64(float32(i)/float32(exact)))) / span * float32(buckets-exact)
			list[i] = min(exact+int64(far), buckets-1)
		}
	}
	to := shape.Shape{q[0], k[0]}
	behind := n.binary("subtract", n.iotaTo(dtype.I32, 0, to...), n.iotaTo(dtype.I32, 1, to...)) // query less key
	away := n.binary("maximum", behind, n.splat(behind, 0))
	if both {
		away = n.add("abs", nil, behind)
	}
	bucket := n.add("take", nil, n.list(list), n.convert(n.binary("minimum", away, n.splat(away, float64(farthest))), dtype.I64))
	if both {
		bucket = n.choose(n.compare(op.LT, behind, n.splat(behind, 0)), n.plus(bucket, float64(buckets)), bucket)
	}
	y := n.transpose(n.add("take", nil, table, bucket), 2, 0, 1)
	return one(n.row(y))
}

// Values of codes of 4 bits: FP4, a sign and three bits, and NF4, the quantiles of a normal
// distribution (Dettmers et al., QLoRA).
var fourBits = [][]float64{
	{0, 5.208333333e-03, 0.66666667, 1, 0.33333333, 0.5, 0.16666667, 0.25, 0, -5.208333333e-03, -0.66666667, -1, -0.33333333, -0.5, -0.16666667, -0.25},
	{
		-1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0,
		0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1,
	},
}

// productOfCodes multiplies rows by weights [N, K] in codes of 4 bits, the higher bits of a
// byte first, with the greatest magnitude of each block of codes.
func (n *node) productOfCodes() []*dag.Value {
	x, most := n.in(0), n.in(2)
	k, rows, block, kind := n.int("K", 0), n.int("N", 0), n.int("block_size", 0), n.int("quant_type", 0)
	if kind < 0 || int(kind) >= len(fourBits) || block < 1 || k < 1 || rows < 1 || k > 1<<31 || rows > 1<<31 || k*rows%block != 0 || k*rows%2 != 0 {
		n.malformed("MatMulBnb4 of K=%d, N=%d, block_size=%d and quant_type=%d", k, rows, block, kind)
	}
	if n.int("training_mode", 0) != 0 || n.int("transB", 1) != 1 {
		n.refuse("a product of weights in codes for training, or that are not transposed")
	}
	b := n.reshape(n.in(1), k*rows/2, 1)
	high := n.binary("shift_right", b, n.splatOf(dtype.U8, 4))
	low := n.binary("and", b, n.splatOf(dtype.U8, 15))
	codes := n.reshape(n.add("concatenate", op.Attrs{"dim": int64(1)}, high, low), k*rows/block, block)
	w := n.add("take", nil, n.reals(dtype.F32, fourBits[kind], 16), n.convert(codes, dtype.I32))
	w = n.binary("multiply", w, n.convert(n.reshape(most, k*rows/block, 1), dtype.F32))
	w = n.convert(n.reshape(w, rows, k), x.Type.DType)
	return one(n.add("dot_general", op.Attrs{"lhs_contracting": []int64{int64(rank(x) - 1)}, "rhs_contracting": []int64{1}}, x, w))
}
