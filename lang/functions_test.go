package lang

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var functionMethods = map[string]func(Tensor) Tensor{
	"sign": Tensor.Sign, "ceil": Tensor.Ceil, "round": Tensor.Round, "trunc": Tensor.Trunc, "cbrt": Tensor.Cbrt,
	"expm1": Tensor.Expm1, "log1p": Tensor.Log1p, "log2": Tensor.Log2, "log10": Tensor.Log10, "tan": Tensor.Tan,
	"asin": Tensor.Asin, "acos": Tensor.Acos, "atan": Tensor.Atan, "sinh": Tensor.Sinh, "cosh": Tensor.Cosh,
	"asinh": Tensor.Asinh, "acosh": Tensor.Acosh, "atanh": Tensor.Atanh, "erfc": Tensor.Erfc,
	"reciprocal": Tensor.Reciprocal, "square": Tensor.Square, "relu": Tensor.ReLU, "relu6": Tensor.ReLU6,
	"selu": Tensor.SELU, "silu": Tensor.SiLU, "softplus": Tensor.Softplus, "mish": Tensor.Mish,
	"gelu_tanh": Tensor.GELUTanh, "hardsigmoid": Tensor.Hardsigmoid, "hardswish": Tensor.Hardswish,
	"is_nan": Tensor.IsNaN, "is_inf": Tensor.IsInf, "is_finite": Tensor.IsFinite,
	"leaky_relu": func(t Tensor) Tensor { return t.LeakyReLU(0.1) },
	"elu":        func(t Tensor) Tensor { return t.ELU(1) },
	"clamp":      func(t Tensor) Tensor { return t.ClampScalar(0, 1) },
}

// Each method makes the operation of its name, keeps the shape, and refuses
// bools with an error that names the operation and its path.
func TestFunctionMethods(t *testing.T) {
	for name, method := range functionMethods {
		t.Run(name, func(t *testing.T) {
			g, err := capture(func(f *Func) { f.Output("y", method(f.Input("x", dtype.F16, 2, 1, 3))) })
			require.NoError(t, err)
			nodes := g.Funcs[0].Body.Nodes
			last := nodes[len(nodes)-1]
			require.Equal(t, name, last.Op.Name)
			want := tensor.TypeOf(dtype.F16, 2, 1, 3)
			if name[:3] == "is_" {
				want.DType = dtype.Bool
			}
			require.True(t, want.Equal(last.Outputs[0].Type), "%s", last.Outputs[0].Type)

			_, err = capture(func(f *Func) { method(f.Input("x", dtype.Bool, 2)) })
			require.Equal(t, op.CodeDType, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, "main/"+name)
			require.ErrorContains(t, err, "must be float")
		})
	}
}

func TestBinaryMethods(t *testing.T) {
	for name, tt := range map[string]struct {
		method func(a, b Tensor) Tensor
		good   dtype.DType
		bad    dtype.DType
	}{
		"xor":         {Tensor.Xor, dtype.Bool, dtype.F32},
		"shift_left":  {Tensor.ShiftLeft, dtype.U16, dtype.F32},
		"shift_right": {Tensor.ShiftRight, dtype.I8, dtype.Bool},
		"remainder":   {Tensor.Remainder, dtype.F32, dtype.Bool},
		"modulo":      {Tensor.Modulo, dtype.I64, dtype.Bool},
		"atan2":       {Tensor.Atan2, dtype.F64, dtype.I32},
	} {
		t.Run(name, func(t *testing.T) {
			got := typeOf(t, func(f *Func) Tensor {
				return tt.method(f.Input("a", tt.good, 2, 1), f.Input("b", tt.good, 3))
			})
			require.True(t, tensor.TypeOf(tt.good, 2, 3).Equal(got), "%s", got)
			_, err := capture(func(f *Func) { tt.method(f.Input("a", tt.bad, 2), f.Input("b", tt.bad, 2)) })
			require.Equal(t, op.CodeDType, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, "main/"+name)
			_, err = capture(func(f *Func) { tt.method(f.Input("a", tt.good, 2), f.Input("b", tt.good, 3)) })
			require.Equal(t, CodeMisuse, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, name+" of ")
		})
	}
}

func TestReductionMethods(t *testing.T) {
	x := func(f *Func) Tensor { return f.Input("x", dtype.F32, 2, 3, 4) }
	bools := func(f *Func) Tensor { return f.Input("x", dtype.Bool, 2, 3, 4) }
	for name, tt := range map[string]struct {
		build func(f *Func) Tensor
		want  tensor.Type
	}{
		"product":     {func(f *Func) Tensor { return x(f).Prod(false, -1) }, tensor.TypeOf(dtype.F32, 2, 3)},
		"mean":        {func(f *Func) Tensor { return x(f).Mean(true, 0, 2) }, tensor.TypeOf(dtype.F32, 1, 3, 1)},
		"mean of all": {func(f *Func) Tensor { return x(f).Mean(false, 0, 1, 2) }, tensor.TypeOf(dtype.F32)},
		"logsumexp":   {func(f *Func) Tensor { return x(f).LogSumExp(false, 1) }, tensor.TypeOf(dtype.F32, 2, 4)},
		"variance":    {func(f *Func) Tensor { return x(f).Variance(1, true, 1) }, tensor.TypeOf(dtype.F32, 2, 1, 4)},
		"any":         {func(f *Func) Tensor { return bools(f).Any(false, 0) }, tensor.TypeOf(dtype.Bool, 3, 4)},
		"all":         {func(f *Func) Tensor { return bools(f).All(true, 0) }, tensor.TypeOf(dtype.Bool, 1, 3, 4)},
		"argmin":      {func(f *Func) Tensor { return x(f).ArgMin(-2) }, tensor.TypeOf(dtype.I32, 2, 4)},
	} {
		got := typeOf(t, tt.build)
		require.True(t, tt.want.Equal(got), "%s: %s", name, got)
	}
	_, err := capture(func(f *Func) { x(f).Variance(2, false, 0) })
	require.Equal(t, op.CodeAttribute, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "main/reduce_variance: reduce_variance(f32[2x3x4]): correction = 2 of 2 elements")
}

func TestArrangements(t *testing.T) {
	x := func(f *Func) Tensor { return f.Input("x", dtype.I16, 2, 3, 4) }
	i16 := func(sizes ...int64) tensor.Type { return tensor.TypeOf(dtype.I16, sizes...) }
	for name, tt := range map[string]struct {
		build func(f *Func) Tensor
		want  tensor.Type
	}{
		"reverse":        {func(f *Func) Tensor { return x(f).Reverse(-1, 0) }, i16(2, 3, 4)},
		"tile":           {func(f *Func) Tensor { return x(f).Tile(1, 2, 0) }, i16(2, 6, 0)},
		"roll":           {func(f *Func) Tensor { return x(f).Roll(5, -2) }, i16(2, 3, 4)},
		"pad":            {func(f *Func) Tensor { return x(f).PadMode(Wrap, []int64{0, 1, 2}, []int64{2, 0, 0}) }, i16(4, 4, 6)},
		"triangle":       {func(f *Func) Tensor { return x(f).Tril(-1).Triu(-2) }, i16(2, 3, 4)},
		"sums":           {func(f *Func) Tensor { return x(f).CumSum(-1, ScanOptions{Exclusive: true}) }, i16(2, 3, 4)},
		"products":       {func(f *Func) Tensor { return x(f).CumProd(0, ScanOptions{Reverse: true}) }, i16(2, 3, 4)},
		"split":          {func(f *Func) Tensor { return x(f).Split(-1, 1, 0, 3)[2] }, i16(2, 3, 3)},
		"unsqueeze":      {func(f *Func) Tensor { return x(f).Unsqueeze(-1) }, i16(2, 3, 4, 1)},
		"unsqueeze two":  {func(f *Func) Tensor { return x(f).Unsqueeze(1) }, i16(2, 1, 3, 4)},
		"squeeze":        {func(f *Func) Tensor { return x(f).Unsqueeze(0).Squeeze(0) }, i16(2, 3, 4)},
		"squeeze of one": {func(f *Func) Tensor { return f.Input("x", dtype.I16, 1).Squeeze(0) }, i16()},
		"flatten":        {func(f *Func) Tensor { return x(f).Flatten(1, -1) }, i16(2, 12)},
		"swap":           {func(f *Func) Tensor { return x(f).SwapLast() }, i16(2, 4, 3)},
	} {
		got := typeOf(t, tt.build)
		require.True(t, tt.want.Equal(got), "%s: %s", name, got)
	}
	for name, tt := range map[string]struct {
		build func(f *Func)
		code  errs.Code
		says  string
	}{
		"split too long":  {func(f *Func) { x(f).Split(1, 2, 2) }, CodeMisuse, "main: a split of i16[2x3x4] along dimension 1 into [2 2]"},
		"split too short": {func(f *Func) { x(f).Split(1, 2) }, CodeMisuse, "which leaves a remainder"},
		"split negative":  {func(f *Func) { x(f).Split(1, 4, -1) }, CodeMisuse, "into [4 -1]"},
		"squeeze":         {func(f *Func) { x(f).Squeeze(1) }, CodeMisuse, "dimension 1 of i16[2x3x4], which is not of size 1"},
		"unsqueeze":       {func(f *Func) { x(f).Unsqueeze(4) }, CodeMisuse, "dimension 4"},
		"flatten":         {func(f *Func) { x(f).Flatten(2, 1) }, CodeMisuse, "from dimension 2 to 1"},
		"swap":            {func(f *Func) { f.Input("v", dtype.F32, 3).SwapLast() }, CodeMisuse, "dimension -2"},
		"pad":             {func(f *Func) { x(f).PadMode(Reflect, []int64{2, 0, 0}, []int64{0, 0, 0}) }, op.CodeAttribute, "main/pad_extend: pad_extend(i16[2x3x4])"},
		"mode":            {func(f *Func) { x(f).PadMode("mirror", []int64{0, 0, 0}, []int64{0, 0, 0}) }, op.CodeAttribute, `unknown mode "mirror"`},
		"tile":            {func(f *Func) { x(f).Tile(2) }, op.CodeAttribute, "main/tile"},
		"triangle":        {func(f *Func) { f.Input("v", dtype.F32, 3).Tril(0) }, op.CodeShape, "main/tril"},
		"sum of bools":    {func(f *Func) { f.Input("v", dtype.Bool, 3).CumSum(0, ScanOptions{}) }, op.CodeDType, "main/cumsum"},
	} {
		_, err := capture(tt.build)
		require.Equal(t, tt.code, errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, tt.says, name)
	}
}

func TestGatherMethods(t *testing.T) {
	x := func(f *Func) Tensor { return f.Input("x", dtype.F32, 2, 5, 4) }
	i := func(f *Func, sizes ...int64) Tensor { return f.Input("i", dtype.I32, sizes...) }
	f32 := func(sizes ...int64) tensor.Type { return tensor.TypeOf(dtype.F32, sizes...) }
	for name, tt := range map[string]struct {
		build func(f *Func) Tensor
		want  tensor.Type
	}{
		"gather":     {func(f *Func) Tensor { return x(f).Gather(i(f, 3, 1), -2) }, f32(2, 3, 1, 4)},
		"take along": {func(f *Func) Tensor { return x(f).TakeAlong(i(f, 2, 5, 9), -1) }, f32(2, 5, 9)},
		"gather nd":  {func(f *Func) Tensor { return x(f).GatherND(i(f, 7, 2)) }, f32(7, 4)},
		"scatter": {func(f *Func) Tensor {
			return x(f).Scatter(ScatterAdd, i(f, 3), f.Input("u", dtype.F32, 3, 5, 4))
		}, f32(2, 5, 4)},
		"scatter along": {func(f *Func) Tensor {
			return x(f).ScatterAlong(ScatterMax, 1, i(f, 2, 1, 4), f.Input("u", dtype.F32, 2, 1, 4))
		}, f32(2, 5, 4)},
		"scatter nd": {func(f *Func) Tensor {
			return x(f).ScatterND(ScatterSet, i(f, 6, 3), f.Input("u", dtype.F32, 6))
		}, f32(2, 5, 4)},
		"argsort": {func(f *Func) Tensor { return x(f).ArgSort(-1, true) }, tensor.TypeOf(dtype.I32, 2, 5, 4)},
		"sort":    {func(f *Func) Tensor { return x(f).Sort(0, false) }, f32(2, 5, 4)},
		"values":  {func(f *Func) Tensor { v, _ := x(f).TopK(3, 1, true); return v }, f32(2, 3, 4)},
		"indices": {func(f *Func) Tensor { _, v := x(f).TopK(3, 1, false); return v }, tensor.TypeOf(dtype.I32, 2, 3, 4)},
		"one hot": {func(f *Func) Tensor { return i(f, 2).OneHot(9, dtype.U8) }, tensor.TypeOf(dtype.U8, 2, 9)},
	} {
		got := typeOf(t, tt.build)
		require.True(t, tt.want.Equal(got), "%s: %s", name, got)
	}
	for name, tt := range map[string]struct {
		build func(f *Func)
		code  errs.Code
		says  string
	}{
		"gather":  {func(f *Func) { x(f).Gather(f.Input("i", dtype.F32, 2), 0) }, op.CodeDType, "main/gather: gather(f32[2x5x4], f32[2])"},
		"along":   {func(f *Func) { x(f).TakeAlong(i(f, 2), 0) }, op.CodeShape, "main/take_along"},
		"nd":      {func(f *Func) { x(f).GatherND(i(f, 7, 4)) }, op.CodeShape, "main/gather_nd"},
		"mode":    {func(f *Func) { x(f).ScatterND("xor", i(f, 6, 3), f.Input("u", dtype.F32, 6)) }, op.CodeAttribute, `main/scatter_nd`},
		"updates": {func(f *Func) { x(f).Scatter(ScatterSet, i(f, 3), f.Input("u", dtype.F32, 3)) }, op.CodeShape, "the updates must be f32[3x5x4]"},
		"k":       {func(f *Func) { x(f).TopK(6, 1, true) }, op.CodeAttribute, "main/top_k"},
		"sort":    {func(f *Func) { x(f).Sort(3, true) }, CodeMisuse, "dimension 3"},
		"depth":   {func(f *Func) { i(f, 2).OneHot(-1, dtype.F32) }, op.CodeAttribute, "main/one_hot"},
	} {
		_, err := capture(tt.build)
		require.Equal(t, tt.code, errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, tt.says, name)
	}
}
