package randgraph

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/dtype"
)

// fault is something that a backend computes wrongly, or not at all. Graphs stay
// away from it until it is put right, and then the line goes.
type fault struct {
	ops   []string // of the table
	types []dtype.DType
	when  func(n *dag.Node) bool // nil means always
	what  string
}

var (
	f64   = []dtype.DType{dtype.F64}
	wide  = []dtype.DType{dtype.F64, dtype.I64, dtype.U64}
	plain = []dtype.DType{dtype.U8, dtype.U16, dtype.U32, dtype.U64}
)

var faults = []fault{
	{
		ops: []string{"tanh", "sine", "cosine", "tan", "cbrt", "asin", "acos", "atan", "atan2", "mish"}, types: f64,
		what: "IREE 3.13.0: programs for processors are not linked to the C library's functions of f64",
	},
	{
		ops: []string{"log1p", "softplus", "expm1", "elu", "selu", "sinh", "asinh", "atanh"}, types: f64,
		what: "IREE 3.13.0: log1p and expm1 of f64 are log(1 + x) and e^x - 1, which lose small x",
	},
	{
		ops: []string{"abs"}, types: plain,
		what: "compile/hlo: stablehlo.abs has no unsigned operand",
	},
	{ops: []string{"iota"}, types: []dtype.DType{dtype.BF16}, what: "IREE 3.13.0: programs are not linked to the conversion of f32 to bf16"},
	{
		ops: []string{"pad"}, types: wide, when: func(n *dag.Node) bool { return !isZero(n.Inputs[1]) },
		what: "IREE 3.13.0: two paddings by one value of 64 bits other than 0 are not compiled (stream.yield)",
	},
	{
		ops: []string{"dynamic_slice"}, types: dtype.All(), when: func(n *dag.Node) bool { return len(n.Inputs) == 1 },
		what: "IREE 3.13.0: the compiler crashes on a dynamic slice of a scalar",
	},
	{
		ops: []string{"convolution", "conv1d"}, types: dtype.All(), when: func(n *dag.Node) bool { return product(n.Inputs[1].Type.Shape.Sizes()) == 0 },
		what: "IREE 3.13.0: the compiler crashes on a convolution over no channels",
	},
	{
		ops: []string{"scatter"}, types: dtype.All(), when: func(n *dag.Node) bool { return product(n.Inputs[2].Type.Shape.Sizes()) == 0 },
		what: "IREE 3.13.0: the compiler crashes on a scatter of no updates",
	},
}

// faulty says whether a node is a known fault.
func faulty(n *dag.Node) bool {
	return slices.ContainsFunc(faults, func(f fault) bool {
		return slices.Contains(f.ops, n.Op.Name) && slices.Contains(f.types, typed(n).Type.DType) && (f.when == nil || f.when(n))
	})
}

// dynamicFaults are those of nodes of dynamic sizes.
var dynamicFaults = []fault{
	{
		when: func(n *dag.Node) bool {
			return slices.ContainsFunc(slices.Concat(n.Inputs, n.Outputs), func(v *dag.Value) bool { return v.Type.DType.IsUnsigned() })
		},
		what: "compile/hlo: sizes of unsigned tensors, and indices of them, are not compiled",
	},
	{
		ops: []string{"dot_general"}, when: func(n *dag.Node) bool { return n.Inputs[0].Type.DType.IsInt() },
		what: "compile/hlo: some products of integers are not compiled (stablehlo.dynamic_reshape)",
	},
	{
		ops: []string{"compare", "subtract", "xor"}, when: func(n *dag.Node) bool { return n.Inputs[0] == n.Inputs[1] },
		what: "compile/hlo: a constant of a dynamic type, which a pass makes of a value compared with itself, is not compiled",
	},
}

// faultyDynamic says whether a node of dynamic sizes is a known fault.
func faultyDynamic(n *dag.Node) bool {
	if !slices.ContainsFunc(slices.Concat(n.Inputs, n.Outputs), func(v *dag.Value) bool { return !v.Type.Shape.IsStatic() }) {
		return false
	}
	return slices.ContainsFunc(dynamicFaults, func(f fault) bool {
		return (f.ops == nil || slices.Contains(f.ops, n.Op.Name)) && f.when(n)
	})
}

// typed is the operand that says what type a node computes in, or the result where
// there is none.
func typed(n *dag.Node) *dag.Value {
	if len(n.Inputs) > 0 {
		return n.Inputs[0]
	}
	return n.Outputs[0]
}

func isZero(v *dag.Value) bool {
	return v.Node != nil && v.Node.Op.Name == "splat" && v.Node.Attrs.Float("value") == 0
}
