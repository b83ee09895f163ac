package op

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func oneType(t *testing.T, text string) tensor.Type {
	t.Helper()
	name, sizes, ok := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	require.True(t, ok, text)
	d, err := dtype.Parse(name)
	require.NoError(t, err)
	s, err := shape.Parse(sizes)
	require.NoError(t, err)
	return tensor.Type{DType: d, Shape: s}
}

// types parses a list such as "f32[2x3] i32[scalar]".
func types(t *testing.T, text string) []tensor.Type {
	t.Helper()
	out := []tensor.Type{}
	for _, f := range strings.Fields(text) {
		out = append(out, oneType(t, f))
	}
	return out
}

func typed(d dtype.DType, sizes ...int64) Attrs {
	return Attrs{"type": tensor.TypeOf(d, sizes...)}
}

func with(a Attrs, name string, v any) Attrs { a[name] = v; return a }

func ints(v ...int64) []int64 { return append([]int64{}, v...) }

func dots(lb, rb, lc, rc []int64) Attrs {
	return Attrs{"lhs_batching": lb, "rhs_batching": rb, "lhs_contracting": lc, "rhs_contracting": rc}
}

func sliced(start, limit, strides []int64) Attrs {
	return Attrs{"start": start, "limit": limit, "strides": strides}
}

// An inference is a call that is valid (code "", out the results) or not.
type inference struct {
	op    string
	in    string
	attrs Attrs
	out   string
	code  errs.Code
}

func value(d dtype.DType, n int, sizes ...int64) Attrs {
	return Attrs{"value": tensor.Value{Type: tensor.TypeOf(d, sizes...), Bytes: make([]byte, n)}}
}

var inferences = []inference{
	{"constant", "", value(dtype.F32, 8, 2), "f32[2]", ""},
	{"constant", "", value(dtype.F32, 7, 2), "", CodeAttribute},
	{"constant", "f32[2]", value(dtype.F32, 8, 2), "", CodeOperands},
	{"constant", "", value(dtype.F8E5M2, 2, 2), "", CodeDType},
	{"splat", "", with(typed(dtype.I32, 2, 0), "value", 3.0), "i32[2x0]", ""},
	{"splat", "", with(typed(dtype.I32, shape.Dynamic), "value", 3.0), "", CodeShape},
	{"splat", "", with(typed(dtype.F32, 1<<62, 8), "value", 3.0), "", CodeShape},
	{"splat", "", with(typed(dtype.Invalid), "value", 3.0), "", CodeDType},
	{"splat", "", with(typed(dtype.I32), "value", int64(3)), "", CodeAttribute},
	{"parameter", "", with(typed(dtype.F16, 3), "key", "w"), "f16[3]", ""},
	{"parameter", "", typed(dtype.F16, 3), "", CodeAttribute},
	{"parameter", "", with(typed(dtype.F16, 3), "key", ""), "", CodeAttribute},
	{"state", "", with(typed(dtype.F16, 3), "name", "kv"), "f16[3]", ""},
	{"state", "", with(typed(dtype.DType(99), 3), "name", "kv"), "", CodeDType},
	{"parameter", "", with(typed(dtype.C64, 3), "key", "w"), "", CodeDType},
	{"dim_size", "bool[2x3]", dim(1), "i32[scalar]", ""},
	{"dim_size", "bool[2x?]", dim(1), "i32[scalar]", ""},
	{"dim_size", "bool[2x3]", dim(2), "", CodeAttribute},
	{"dim_size", "bool[3000000000]", dim(0), "", CodeShape},
	{"iota", "", with(typed(dtype.I64, 2, 3), "dim", int64(1)), "i64[2x3]", ""},
	{"iota", "", with(typed(dtype.I64, 2, 3), "dim", int64(2)), "", CodeAttribute},
	{"iota", "", with(typed(dtype.I64), "dim", int64(0)), "", CodeAttribute},
	{"iota", "", with(typed(dtype.Bool, 2), "dim", int64(0)), "", CodeDType},

	{"compare", "f32[2] f32[2]", Attrs{"direction": LT}, "bool[2]", ""},
	{"compare", "bool[2] bool[2]", Attrs{"direction": EQ}, "bool[2]", ""},
	{"compare", "f32[2] f32[3]", Attrs{"direction": LT}, "", CodeShape},
	{"compare", "f32[2] f32[2]", Attrs{"direction": "lt"}, "", CodeAttribute},
	{"select", "bool[2] f32[2] f32[2]", nil, "f32[2]", ""},
	{"select", "bool[scalar] f32[2] f32[2]", nil, "f32[2]", ""},
	{"select", "bool[1] f32[2] f32[2]", nil, "", CodeShape},
	{"select", "bool[2] f32[2] f16[2]", nil, "", CodeShape},
	{"select", "i8[2] f32[2] f32[2]", nil, "", CodeDType},
	{"convert", "f32[2x?]", Attrs{"dtype": dtype.I8}, "i8[2x?]", ""},
	{"convert", "f32[2]", Attrs{"dtype": dtype.I4}, "", CodeDType},
	{"negate", "i4[2]", nil, "", CodeDType},
	{"bitcast", "i8[2]", Attrs{"dtype": dtype.U4}, "", CodeDType},
	{"convert", "f32[2]", Attrs{"dtype": dtype.Invalid}, "", CodeDType},
	{"convert", "f32[2]", Attrs{"dtype": dtype.F8E4M3FN}, "", CodeDType},
	{"convert", "f8e4m3fn[2]", Attrs{"dtype": dtype.F32}, "", CodeDType},
	{"convert", "f32[2]", Attrs{"dtype": "f16"}, "", CodeAttribute},

	{"reshape", "f32[2x6]", Attrs{"sizes": ints(3, 4)}, "f32[3x4]", ""},
	{"reshape", "f32[1]", Attrs{"sizes": ints()}, "f32[scalar]", ""},
	{"reshape", "f32[0x2]", Attrs{"sizes": ints(7, 0)}, "f32[7x0]", ""},
	{"reshape", "f32[2x6]", Attrs{"sizes": ints(5)}, "", CodeShape},
	{"reshape", "f32[2x6]", Attrs{"sizes": ints(-3, -4)}, "", CodeShape},
	{"reshape", "f32[?x6]", Attrs{"sizes": ints(6)}, "", CodeShape},
	{"transpose", "f32[2x3x4]", Attrs{"permutation": ints(2, 0, 1)}, "f32[4x2x3]", ""},
	{"transpose", "f32[2x3]", Attrs{"permutation": ints(0)}, "", CodeAttribute},
	{"transpose", "f32[2x3]", Attrs{"permutation": ints(0, 0)}, "", CodeAttribute},
	{"transpose", "f32[2x3]", Attrs{"permutation": ints(0, 2)}, "", CodeAttribute},
	{"broadcast_in_dim", "f32[1x3]", Attrs{"sizes": ints(2, 4, 3), "dims": ints(0, 2)}, "f32[2x4x3]", ""},
	{"broadcast_in_dim", "f32[scalar]", Attrs{"sizes": ints(), "dims": ints()}, "f32[scalar]", ""},
	{"broadcast_in_dim", "f32[2]", Attrs{"sizes": ints(4), "dims": ints(0)}, "", CodeShape},
	{"broadcast_in_dim", "f32[2x3]", Attrs{"sizes": ints(3, 2), "dims": ints(1, 0)}, "", CodeShape},
	{"broadcast_in_dim", "f32[2]", Attrs{"sizes": ints(2), "dims": ints()}, "", CodeAttribute},
	{"broadcast_in_dim", "f32[2]", Attrs{"sizes": ints(2), "dims": ints(1)}, "", CodeAttribute},
	{"broadcast_in_dim", "f32[1]", Attrs{"sizes": ints(-2), "dims": ints(0)}, "", CodeShape},
	{"concatenate", "f32[2x3] f32[2x0] f32[2x4]", Attrs{"dim": int64(1)}, "f32[2x7]", ""},
	{"concatenate", "", Attrs{"dim": int64(0)}, "", CodeOperands},
	{"concatenate", "f32[2x3] f32[3x3]", Attrs{"dim": int64(1)}, "", CodeShape},
	{"concatenate", "f32[2] f16[2]", Attrs{"dim": int64(0)}, "", CodeShape},
	{"concatenate", "f32[2] f32[2x1]", Attrs{"dim": int64(0)}, "", CodeShape},
	{"concatenate", "f32[scalar]", Attrs{"dim": int64(0)}, "", CodeAttribute},
	{"concatenate", "i8[5000000000000000000] i8[5000000000000000000]", Attrs{"dim": int64(0)}, "", CodeShape},
	{"slice", "f32[5x4]", sliced(ints(1, 4), ints(5, 4), ints(2, 1)), "f32[2x0]", ""},
	{"slice", "f32[5]", sliced(ints(0), ints(5), ints(3)), "f32[2]", ""},
	{"slice", "f32[5]", sliced(ints(0), ints(6), ints(1)), "", CodeShape},
	{"slice", "f32[5]", sliced(ints(3), ints(2), ints(1)), "", CodeShape},
	{"slice", "f32[5]", sliced(ints(-1), ints(2), ints(1)), "", CodeShape},
	{"slice", "f32[5]", sliced(ints(0), ints(2), ints(0)), "", CodeShape},
	{"slice", "f32[5]", sliced(ints(0), ints(2), ints()), "", CodeAttribute},
	{"slice", "f32[5]", sliced(ints(0), ints(5), ints(1<<62)), "f32[1]", ""},
	{"pad", "f32[2x3] f32[scalar]", Attrs{"low": ints(1, 0), "high": ints(0, 2)}, "f32[3x5]", ""},
	{"pad", "f32[2] f32[1]", Attrs{"low": ints(1), "high": ints(0)}, "", CodeShape},
	{"pad", "f32[2] i32[scalar]", Attrs{"low": ints(1), "high": ints(0)}, "", CodeShape},
	{"pad", "f32[2] f32[scalar]", Attrs{"low": ints(-1), "high": ints(0)}, "", CodeAttribute},
	{"pad", "f32[2] f32[scalar]", Attrs{"low": ints(1), "high": ints()}, "", CodeAttribute},
	{"pad", "f32[?x2] f32[scalar]", Attrs{"low": ints(0, 1), "high": ints(0, 0)}, "f32[?x3]", ""},
	{"pad", "f32[?] f32[scalar]", Attrs{"low": ints(2), "high": ints(0)}, "", CodeShape},
	{"concatenate", "f32[?] f32[2]", Attrs{"dim": int64(0)}, "", CodeShape},
	{"pad", "f32[2] f32[scalar]", Attrs{"low": ints(1<<63 - 1), "high": ints(1)}, "", CodeShape},

	{"dot_general", "f32[5x2x3] f32[3x5x7]", dots(ints(0), ints(1), ints(2), ints(0)), "f32[5x2x7]", ""},
	{"dot_general", "i8[2] i8[3]", dots(ints(), ints(), ints(), ints()), "i8[2x3]", ""},
	{"dot_general", "f32[2] f16[2]", dots(ints(), ints(), ints(0), ints(0)), "", CodeDType},
	{"dot_general", "bool[2] bool[2]", dots(ints(), ints(), ints(0), ints(0)), "", CodeDType},
	{"dot_general", "f32[2] f32[3]", dots(ints(), ints(), ints(0), ints(0)), "", CodeShape},
	{"dot_general", "f32[2x2] f32[2x2]", dots(ints(), ints(), ints(0, 1), ints(0)), "", CodeAttribute},
	{"dot_general", "f32[2x2] f32[2x2]", dots(ints(0), ints(0), ints(0), ints(1)), "", CodeAttribute},
	{"dot_general", "f32[2x2] f32[2x2]", dots(ints(), ints(), ints(2), ints(0)), "", CodeAttribute},
	{"dot_general", "f32[2x2] f32[2x2]", dots(ints(), ints(), ints(0), ints(-1)), "", CodeAttribute},
	{"conv1d", "f32[2x80x3000] f32[384x80x3]", Attrs{"padding": int64(1)}, "f32[2x384x3000]", ""},
	{"conv1d", "f32[1x4x10] f32[5x4x3]", Attrs{"padding": int64(1), "stride": int64(2)}, "f32[1x5x5]", ""},
	{"conv1d", "f32[1x4x10] f16[5x4x3]", nil, "", CodeDType},
	{"conv1d", "f32[1x4x10] f32[5x3x3]", nil, "", CodeShape},
	{"conv1d", "f32[4x10] f32[5x4x3]", nil, "", CodeShape},
	{"conv1d", "f32[1x4x2] f32[5x4x3]", nil, "", CodeShape},
	{"conv1d", "f32[1x4x2] f32[5x4x0]", nil, "", CodeShape},
	{"conv1d", "f32[1x4x?] f32[5x4x3]", Attrs{"padding": int64(9)}, "", CodeShape},
	{"conv1d", "f32[1x4x10] f32[5x4x3]", Attrs{"stride": int64(0)}, "", CodeAttribute},
	{"conv1d", "f32[1x4x10] f32[5x4x3]", Attrs{"padding": int64(-1)}, "", CodeAttribute},
	{"conv1d", "f32[1x4x10] f32[5x4x3]", Attrs{"padding": int64(1 << 62)}, "", CodeAttribute},

	{"reduce_sum", "f32[2x3x4]", Attrs{"dims": ints(0, 2)}, "f32[3]", ""},
	{"reduce_max", "i8[2x3]", Attrs{"dims": ints(1), "keepdims": true}, "i8[2x1]", ""},
	{"reduce_min", "f32[2]", Attrs{"dims": ints()}, "f32[2]", ""},
	{"reduce_sum", "bool[2]", Attrs{"dims": ints(0)}, "", CodeDType},
	{"reduce_max", "f32[2]", Attrs{"dims": ints(1)}, "", CodeAttribute},
	{"reduce_min", "f32[2x2]", Attrs{"dims": ints(1, 1)}, "", CodeAttribute},
	{"argmax", "f16[2x3]", Attrs{"dim": int64(1)}, "i32[2]", ""},
	{"argmax", "f16[2x0]", Attrs{"dim": int64(1)}, "", CodeShape},
	{"argmax", "i8[3000000000]", Attrs{"dim": int64(0)}, "", CodeShape},
	{"argmax", "f16[2x3]", Attrs{"dim": int64(-1)}, "", CodeAttribute},

	{"take", "f32[5x3] i32[2x4]", nil, "f32[2x4x3]", ""},
	{"take", "f32[5] u8[scalar]", nil, "f32[scalar]", ""},
	{"take", "f32[0x3] i32[2]", nil, "", CodeShape},
	{"take", "f32[scalar] i32[2]", nil, "", CodeShape},
	{"take", "f32[5x3] f32[2]", nil, "", CodeDType},
	{"dynamic_slice", "f32[4x5] i32[scalar] i32[scalar]", Attrs{"sizes": ints(2, 5)}, "f32[2x5]", ""},
	{"dynamic_slice", "f32[scalar]", Attrs{"sizes": ints()}, "f32[scalar]", ""},
	{"dynamic_slice", "f32[4x5] i32[scalar]", Attrs{"sizes": ints(2, 5)}, "", CodeOperands},
	{"dynamic_slice", "f32[4] i32[1]", Attrs{"sizes": ints(2)}, "", CodeShape},
	{"dynamic_slice", "f32[4x4] i32[scalar] i64[scalar]", Attrs{"sizes": ints(2, 2)}, "", CodeShape},
	{"dynamic_slice", "f32[4] f32[scalar]", Attrs{"sizes": ints(2)}, "", CodeDType},
	{"dynamic_slice", "f32[4] i32[scalar]", Attrs{"sizes": ints(5)}, "", CodeShape},
	{"dynamic_slice", "f32[4] i32[scalar]", Attrs{"sizes": ints(-1)}, "", CodeShape},
	{"dynamic_slice", "f32[4] i32[scalar]", Attrs{"sizes": ints(1, 1)}, "", CodeAttribute},
	{"dynamic_update_slice", "f32[4x5] f32[2x1] i32[scalar] i32[scalar]", nil, "f32[4x5]", ""},
	{"dynamic_update_slice", "f32[4x5] f32[2x6] i32[scalar] i32[scalar]", nil, "", CodeShape},
	{"dynamic_update_slice", "f32[4x5] f16[2x1] i32[scalar] i32[scalar]", nil, "", CodeShape},
	{"dynamic_update_slice", "f32[4x5] f32[2] i32[scalar] i32[scalar]", nil, "", CodeShape},
	{"dynamic_update_slice", "f32[4x5] f32[2x1] i32[scalar]", nil, "", CodeOperands},

	{"softmax", "f32[2x3]", Attrs{"dim": int64(1)}, "f32[2x3]", ""},
	{"softmax", "f32[2x3]", Attrs{"dim": int64(2)}, "", CodeAttribute},
	{"softmax", "i32[2x3]", Attrs{"dim": int64(1)}, "", CodeDType},
	{"layer_norm", "f32[2x3] f32[3] f32[3]", nil, "f32[2x3]", ""},
	{"layer_norm", "f32[2x3] f32[2] f32[3]", nil, "", CodeShape},
	{"layer_norm", "f32[2x3] f32[3] f16[3]", nil, "", CodeShape},
	{"layer_norm", "f32[scalar] f32[scalar] f32[scalar]", nil, "", CodeShape},
	{"layer_norm", "f32[2x0] f32[0] f32[0]", nil, "", CodeShape},
	{"layer_norm", "f32[2x3] f32[3] f32[3]", Attrs{"epsilon": -1.0}, "", CodeAttribute},
	{"layer_norm", "f32[2x3] f32[3]", nil, "", CodeOperands},

	{"while", "i32[scalar] f32[2]", nil, "i32[scalar] f32[2]", ""},
	{"while", "i32[scalar]", Attrs{"limit": int64(3)}, "", CodeAttribute},
	{"call", "f32[2]", Attrs{"function": "f"}, "", ""},
	{"call", "f32[2]", nil, "", CodeAttribute},
	{"barrier", "bool[2x?]", nil, "bool[2x?]", ""},
	{"barrier", "f32[2] f32[2]", nil, "", CodeOperands},
	{"shard", "bool[2x?]", Attrs{"axes": "data,"}, "bool[2x?]", ""},
	{"shard", "f32[2x3]", Attrs{"axes": "data"}, "", CodeAttribute},
	{"shard", "f32[2x3]", Attrs{"axes": "data,data"}, "", CodeAttribute},
	{"shard", "f32[scalar]", Attrs{"axes": ""}, "", CodeShape},
	{"shard", "f32[2]", nil, "", CodeAttribute},
}

// all adds the elementwise operations of one shape of rule.
func all() []inference {
	list := append(append([]inference{}, inferences...), elementwiseInferences...)
	for _, o := range elementwiseOps {
		if len(o.Attributes) > 0 || len(o.Operands) > 2 || strings.HasPrefix(o.Name, "is_") {
			continue
		}
		good, bad := "f32[2x3]", "bool[2x3]"
		if !o.Operands[0].Class.Has(dtype.F32) {
			good, bad = "i8[2x3]", "f32[2x3]"
		}
		if len(o.Operands) == 1 {
			list = append(list, inference{o.Name, good, nil, good, ""}, inference{o.Name, bad, nil, "", CodeDType},
				inference{o.Name, good + " " + good, nil, "", CodeOperands})
			continue
		}
		other := strings.Replace(good, "2x3", "2x4", 1)
		list = append(list, inference{o.Name, good + " " + good, nil, good, ""},
			inference{o.Name, bad + " " + bad, nil, "", CodeDType},
			inference{o.Name, good + " " + other, nil, "", CodeShape},
			inference{o.Name, good, nil, "", CodeOperands})
	}
	return list
}

func TestInfer(t *testing.T) {
	good, bad := map[string]int{}, map[string]int{}
	for _, tt := range all() {
		t.Run(tt.op+" "+tt.in, func(t *testing.T) {
			out, _, err := Infer(tt.op, types(t, tt.in), tt.attrs)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			if tt.code != "" {
				bad[tt.op]++
				require.Nil(t, out)
				require.ErrorContains(t, err, tt.op+"(")
				return
			}
			good[tt.op]++
			require.NoError(t, err)
			if diff := cmp.Diff(types(t, tt.out), append([]tensor.Type{}, out...)); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, o := range All() {
		require.Positive(t, good[o.Name], "%s has no call that is right: give its row Examples", o.Name)
		require.Positive(t, bad[o.Name], "%s has no call that is wrong", o.Name)
	}
}

// An element type that only files hold is named, with what to do.
func TestStorageTypesAreNamed(t *testing.T) {
	for d, do := range map[dtype.DType]string{
		dtype.I4:       "i4 is an integer type for storage alone: unpack the elements to i8 before the program",
		dtype.U4:       "u4 is an integer type for storage alone: unpack the elements to u8 before the program",
		dtype.F8E4M3FN: "f8e4m3fn is a type for storage alone: convert the elements to f32 before the program",
	} {
		x := tensor.TypeOf(d, 2)
		for _, call := range []struct {
			name  string
			in    []tensor.Type
			attrs Attrs
		}{
			{"convert", []tensor.Type{x}, Attrs{"dtype": dtype.I8}},
			{"convert", []tensor.Type{tensor.TypeOf(dtype.I8, 2)}, Attrs{"dtype": d}},
			{"negate", []tensor.Type{x}, nil},
			{"splat", nil, Attrs{"type": x, "value": 0.0}},
		} {
			_, _, err := Infer(call.name, call.in, call.attrs)
			require.Equal(t, CodeDType, errs.CodeOf(err), call.name)
			require.ErrorContains(t, err, "no operation supports the element type "+d.String()+"; "+do)
		}
	}
}
