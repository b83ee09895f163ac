package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Programs have no random numbers: those of a model are an argument or zero, as the
// options say.
var randomRules = map[string]rule{
	"RandomNormal":      func(n *node) []*dag.Value { return one(n.random(n.asked(), "scale", 1, "mean", 0)) },
	"RandomNormalLike":  func(n *node) []*dag.Value { return one(n.random(n.like(), "scale", 1, "mean", 0)) },
	"RandomUniform":     func(n *node) []*dag.Value { return one(n.random(n.asked(), "high", 1, "low", 0)) },
	"RandomUniformLike": func(n *node) []*dag.Value { return one(n.random(n.like(), "high", 1, "low", 0)) },
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
	switch n.noise {
	case NoiseZero:
		return n.splatTo(t.DType, middle, t.Shape...)
	case NoiseArgument:
		if n.function == nil {
			break
		}
		x := n.argument(n.Outputs[0], tensor.Type{DType: t.DType, Shape: append(shape.Shape{}, t.Shape...)}, dtype.Invalid)
		delete(n.root.values, n.Outputs[0])
		return n.plus(n.scale(x, high), low)
	}
	panic(refusal{unmapped("%s", chance).Hint("make them an argument, or their mean: --noise %s or --noise %s", NoiseArgument, NoiseZero)})
}
