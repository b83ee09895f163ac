package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Programs have no random numbers: those of a model are an argument or zero, as the
// options say. What Bernoulli and Multinomial draw is one of the uniform numbers from 0 to 1
// for each of their results, and 1/2 in place of zero.
var randomRules = map[string]rule{
	"RandomNormal":      func(n *node) []*dag.Value { return one(n.random(n.asked(), "scale", 1, "mean", 0)) },
	"RandomNormalLike":  func(n *node) []*dag.Value { return one(n.random(n.like(), "scale", 1, "mean", 0)) },
	"RandomUniform":     func(n *node) []*dag.Value { return one(n.random(n.asked(), "high", 1, "low", 0)) },
	"RandomUniformLike": func(n *node) []*dag.Value { return one(n.random(n.like(), "high", 1, "low", 0)) },
	"Bernoulli": func(n *node) []*dag.Value {
		p := n.in(0)
		return one(n.convert(n.compare(op.LT, n.drawn(p.Type, 0.5), p), n.like().DType))
	},
	"Multinomial": func(n *node) []*dag.Value {
		logits, count := n.convert(n.in(0), dtype.F32), n.int("sample_size", 1)
		if rank(logits) != 2 || count < 1 {
			n.malformed("Multinomial of %d draws of classes [%s]: it takes [B, C]", count, dims(logits))
		}
		n.bounded(count)
		rows, classes := dims(logits)[0], dims(logits)[1]
		u := n.drawn(tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, shape.N(count)}}, 0.5)
		up := n.add("cumsum", op.Attrs{"dim": int64(1)}, n.add("softmax", op.Attrs{"dim": int64(1)}, logits))
		// The class is the number of those whose sums of probabilities are not above the number
		// drawn; the last sum is one.
		below := n.window(up, 1, 0, extent(up, 1)-1, 1)
		below = n.reshapeTo(below, rows, shape.N(1), shape.N(classes.Size-1))
		passed := n.compare(op.LE, below, n.reshapeTo(u, rows, shape.N(count), shape.N(1)))
		class := n.add("reduce_sum", op.Attrs{"dims": []int64{2}}, n.convert(passed, dtype.I32))
		return one(n.convert(class, n.dtypeOf(n.int("dtype", 6))))
	},
}

// asked is the type that the attributes of a node say.
func (n *node) asked() tensor.Type {
	to, ok := n.extents("shape", -1)
	if !ok {
		n.refuse("random numbers without a shape")
	}
	return tensor.Type{DType: n.dtypeOf(n.int("dtype", 1)), Shape: to}
}

// like is the type of a node's input, with another element type if an attribute says it.
func (n *node) like() tensor.Type {
	t := n.in(0).Type
	if to := n.int("dtype", 0); to != 0 {
		t.DType = n.dtypeOf(to)
	}
	return t
}

// random returns the numbers of a distribution that a standard one gives by a factor and
// what is added: mean + scale N(0, 1), or low + (high - low) U(0, 1). The argument has
// those of the standard one; zero stands for its mean.
func (n *node) random(t tensor.Type, factor string, usualFactor float64, plus string, usualPlus float64) *dag.Value {
	low, high := n.float(plus, usualPlus), n.float(factor, usualFactor)
	middle := low
	if factor == "high" {
		high -= low
		middle = low + high/2
	}
	if n.noise == NoiseZero {
		return n.splatTo(t.DType, middle, t.Shape...)
	}
	return n.plus(n.scale(n.drawn(t, 0), high), low)
}

// drawn returns numbers of a standard distribution: an argument, or their mean.
func (n *node) drawn(t tensor.Type, mean float64) *dag.Value {
	switch n.noise {
	case NoiseZero:
		return n.splatTo(t.DType, mean, t.Shape...)
	case NoiseArgument:
		if n.function == nil {
			break
		}
		x := n.argument(n.Outputs[0], tensor.Type{DType: t.DType, Shape: append(shape.Shape{}, t.Shape...)}, dtype.Invalid)
		delete(n.root.values, n.Outputs[0])
		return x
	}
	panic(refusal{unmapped("%s", chance).Hint("make them an argument, or their mean: --noise %s or --noise %s", NoiseArgument, NoiseZero)})
}
