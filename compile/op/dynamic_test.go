package op

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func dimsOf(t *testing.T, text string) shape.Shape {
	t.Helper()
	s, err := shape.Parse(text)
	require.NoError(t, err)
	return s
}

// What rules prove about named sizes, and what they reject because some
// call could have incompatible sizes; says is part of the error with its hint.
func TestRulesWithNames(t *testing.T) {
	list := func(name, text string) Attrs { return Attrs{name: dimsOf(t, text)} }
	window := func(start, limit string, by ...int64) Attrs {
		return Attrs{"start": dimsOf(t, start), "limit": dimsOf(t, limit), "strides": by}
	}
	for _, tt := range []struct {
		op, in string
		attrs  Attrs
		out    string
		says   string
	}{
		{"add", "f32[n?x3] f32[n?x3]", nil, "f32[n?x3]", ""},
		{"add", "f32[n?x3] f32[m?x3]", nil, "", "n? and m? are equal in some calls only: give the dimensions of the inputs the same name, or the same size"},
		{"add", "f32[n?x3] f32[2x3]", nil, "", "n? and 2 are equal in some calls only"},
		{"add", "f32[?x3] f32[?x3]", nil, "", "give the dimension of the input a name"},
		{"clamp", "f32[scalar] f32[n?] f32[n?]", nil, "f32[n?]", ""},
		{"select", "bool[n?] f32[n?] f32[m?]", nil, "", "equal in some calls only"},
		{"select", "bool[m?] f32[n?] f32[n?]", nil, "", "equal in some calls only"},
		{"reshape", "f32[n?x6]", list("sizes", "2xn?x3"), "f32[2xn?x3]", ""},
		{"reshape", "f32[b?xt?x4]", list("sizes", "b*t?x4"), "f32[b*t?x4]", ""},
		{"reshape", "f32[n?x6]", list("sizes", "n?x5"), "", "whatever the dynamic sizes are"},
		{"reshape", "f32[n?x6]", list("sizes", "?x6"), "", "every size must be a number or have a name"},
		{"reshape", "f32[?x6]", list("sizes", "n?x6"), "", `dimension 0 of operand "x" has no size and no name`},
		{"broadcast_in_dim", "f32[1x3]", with(list("sizes", "n?x3"), "dims", ints(0, 1)), "f32[n?x3]", ""},
		{"broadcast_in_dim", "f32[m?x3]", with(list("sizes", "n?x3"), "dims", ints(0, 1)), "", "equal in some calls only"},
		{"broadcast_in_dim", "f32[1]", with(list("sizes", "?"), "dims", ints(0)), "", "must be a number or have a name"},
		{"concatenate", "f32[past?x4] f32[seq?x4] f32[1x4]", dim(0), "f32[past+seq+1?x4]", ""},
		{"concatenate", "f32[past?x4] f32[seq?xn?]", dim(0), "", "equal in some calls only"},
		{"concatenate", "f32[?] f32[2]", dim(0), "", "give the dimension of the input a name"},
		{"slice", "f32[n?x5]", window("0x1", "n?x3", 1, 1), "f32[n?x2]", ""},
		{"slice", "f32[n?x5]", window("n-1?x0", "n?x5", 1, 2), "f32[1x3]", ""},
		{"slice", "f32[2*n+1?]", window("0", "2*n+1?", 2), "f32[n+1?]", ""},
		{"slice", "f32[n?]", window("0", "n?", 2), "f32[(n+1)/2?]", ""},
		{"slice", "f32[n?]", window("0", "2", 1), "", "n? is at least 1, and the part must be inside for every such size"},
		{"slice", "f32[n?]", window("n-2?", "n?", 1), "", "the part must be inside"},
		{"slice", "f32[n?]", window("0", "n+1?", 1), "", "the part must be inside"},
		{"slice", "f32[?]", window("0", "1", 1), "", "the part must be inside"},
		{"pad", "f32[n?x2] f32[scalar]", Attrs{"low": ints(1, 0), "high": ints(2, 0)}, "f32[n+3?x2]", ""},
		{"dot_general", "f32[b?xn?x4] f32[b?x4xm?]", dots(ints(0), ints(0), ints(2), ints(1)), "f32[b?xn?xm?]", ""},
		{"dot_general", "f32[n?xk?] f32[j?x3]", dots(ints(), ints(), ints(1), ints(0)), "", "k? and j? are equal in some calls only"},
		{"convolution", "f32[n?x3xs?] f32[5x3x4]", Attrs{"strides": ints(2), "low": ints(1), "high": ints(2)}, "f32[n?x5x(s+1)/2?]", ""},
		{"convolution", "f32[n?x3xs?] f32[5x3x4]", nil, "", "s? is at least 1"},
		{"convolution", "f32[1xc?x9] f32[5xc?x4]", nil, "", `dimension 1 of operand "kernel" is c? and must be static`},
		{"conv1d", "f32[n?x3xs?] f32[5x3x3]", Attrs{"padding": int64(1)}, "f32[n?x5xs?]", ""},
		{"conv1d", "f32[n?xc?x9] f32[5x3x3]", nil, "", `dimension 1 of operand "x" is c? and must be static`},
		{"conv_transpose", "f32[n?x3xs?] f32[3x2x4]", Attrs{"strides": ints(2)}, "f32[n?x2x2*s+2?]", ""},
		{"max_pool", "f32[n?xc?xs?]", Attrs{"kernel": ints(2), "strides": ints(2), "high": ints(1)}, "f32[n?xc?x(s+1)/2?]", ""},
		{"max_pool", "f32[n?xc?xs?]", Attrs{"kernel": ints(1), "strides": ints(2), "ceil": true}, "", "do not use ceil"},
		{"adaptive_avg_pool", "f32[n?x3xs?]", Attrs{"sizes": ints(1)}, "f32[n?x3x1]", ""},
		{"adaptive_avg_pool", "f32[n?x3xs?]", Attrs{"sizes": ints(2)}, "", `dimension 2 of operand "x" is s? and must be static; give that dimension of the input a fixed size`},
		{"take", "f32[v?x3] i32[n?xm?]", nil, "f32[n?xm?x3]", ""},
		{"take", "f32[3000000000] i32[2]", nil, "", "more rows than an i32 can index; use indices of i64"},
		{"scatter", "i8[3000000000] i32[2] i8[2]", nil, "", "more rows than an i32 can index"},
		{"dynamic_slice", "f32[n?x4] i32[scalar] i32[scalar]", list("sizes", "1x2"), "f32[1x2]", ""},
		{"dynamic_slice", "f32[n?x4] i32[scalar] i32[scalar]", list("sizes", "2x2"), "", "n? is at least 1"},
		{"dynamic_update_slice", "f32[n+m?] f32[n?] i32[scalar]", nil, "f32[m+n?]", ""},
		{"dynamic_update_slice", "f32[9] f32[m?] i32[scalar]", nil, "", "a dynamic size may be more than 9: use take or scatter, whose indices are clamped"},
		{"slice", "f32[9]", window("0", "n?", 1), "", "a dynamic size may be more than 9"},
		{"dynamic_slice", "f32[9] i32[scalar]", list("sizes", "n?"), "", "a dynamic size may be more than 9"},
		{"dynamic_update_slice", "f32[n?] f32[m?] i32[scalar]", nil, "", "n? is at least 1"},
		{"gather_nd", "f32[n?x5] i32[2xk?]", nil, "", `dimension 1 of operand "indices" is k? and must be static`},
		{"take_along", "f32[n?x5] i32[m?x2]", dim(1), "", "equal in some calls only"},
		{"top_k", "f32[n?x5]", with(dim(1), "k", int64(2)), "f32[n?x2] i32[n?x2]", ""},
		{"top_k", "f32[n+4?]", with(dim(0), "k", int64(5)), "f32[5] i32[5]", ""},
		{"top_k", "f32[n?]", with(dim(0), "k", int64(2)), "", "k = 2 of n? elements; give that dimension of the input a fixed size"},
		{"argmax", "f32[n?xm?]", dim(1), "i32[n?]", ""},
		{"roll", "f32[n?x5]", with(dim(1), "shift", int64(7)), "f32[n?x5]", ""},
		{"roll", "f32[n?x5]", with(dim(0), "shift", int64(-1)), "f32[n?x5]", ""},
		{"roll", "f32[n?x5]", with(dim(0), "shift", int64(2)), "", "n?, which may be less than the shift 2; give that dimension"},
		{"pad_extend", "f32[n?]", extend(Edge, ints(3), ints(0)), "f32[n+3?]", ""},
		{"pad_extend", "f32[n?]", extend(Reflect, ints(1), ints(0)), "", "n? elements, by 1 and 0 in mode reflect; dimension 0 of \"x\", n?, must be valid in every call: give that dimension of the input a fixed size"},
		{"tile", "f32[n?x2]", Attrs{"repeats": ints(3, 2)}, "f32[3*n?x4]", ""},
		{"space_to_depth", "f32[n?x3x2*h?x4]", Attrs{"block": int64(2)}, "f32[n?x12xh?x2]", ""},
		{"space_to_depth", "f32[n?x3xh?x4]", Attrs{"block": int64(2)}, "", "blocks of 2 x 2 do not divide h? x 4 pixels; dimension 0 of"},
		{"resize", "f32[n?x4]", Attrs{"sizes": dimsOf(t, "n?x7")}, "f32[n?x7]", ""},
		{"resize", "f32[n?x4]", Attrs{"sizes": dimsOf(t, "5x7")}, "", "or leave it unchanged, without a scale"},
		{"attention", "f32[b?x4xq?x8] f32[b?x2xk?x8] f32[b?x2xk?x6] f32[q?xk?]", nil, "f32[b?x4xq?x6]", ""},
		{"attention", "f32[b?x4xq?x8] f32[b?x2xk?x8] f32[b?x2xj?x6]", nil, "", "k? and j? are equal in some calls only"},
		{"attention", "f32[b?x4xq?x8] f32[b?x2xk?x8] f32[b?x2xk?x6] f32[k?xk?]", nil, "", "the mask does not broadcast"},
		{"attention", "f32[b?xh?xq?x8] f32[b?xh?xk?x8] f32[b?xh?xk?x6]", nil, "", `dimension 1 of operand "q" is h? and must be static`},
		{"rotary", "f32[b?x2xt?x8] i32[b?xt?]", nil, "f32[b?x2xt?x8]", ""},
		{"rotary", "f32[b?x2xt?xd?] i32[t?]", nil, "", `dimension 3 of operand "x" is d?`},
		{"gru_cell", "f32[b?x3] f32[b?x4] f32[12x3] f32[12x4] f32[24]", nil, "f32[b?x4]", ""},
		{"gru_cell", "f32[b?x3] f32[b?xh?] f32[12x3] f32[12x4] f32[24]", nil, "", `dimension 1 of operand "h" is h?`},
		{"reduce_variance", "f32[n?x3]", with(over(0), "correction", int64(1)), "f32[3]", ""},
		{"splat", "", Attrs{"type": tensor.Type{DType: dtype.C64, Shape: dimsOf(t, "n?")}, "value": 1.0}, "", "no operation supports"},
		{"parameter", "", Attrs{"type": tensor.Type{DType: dtype.F32, Shape: dimsOf(t, "n?")}, "key": "w"}, "", "no fixed number of elements"},
	} {
		t.Run(tt.op+" "+tt.in, func(t *testing.T) {
			out, _, err := Infer(tt.op, types(t, tt.in), tt.attrs)
			if tt.says != "" {
				require.Error(t, err)
				require.Contains(t, []errs.Code{CodeShape, CodeAttribute, CodeDType}, errs.CodeOf(err))
				require.ErrorContains(t, err, tt.op+"(")
				require.ErrorContains(t, err, tt.says)
				return
			}
			require.NoError(t, err)
			require.Equal(t, types(t, tt.out), out)
		})
	}
}

// Sizes that are all numbers have one canonical form.
func TestSizesOfNumbersHaveOneForm(t *testing.T) {
	_, attrs, err := Infer("reshape", types(t, "f32[6]"), Attrs{"sizes": shape.Of(2, 3)})
	require.NoError(t, err)
	require.Equal(t, Attrs{"sizes": ints(2, 3)}, attrs)
	require.Equal(t, shape.Of(2, 3), attrs.Dims("sizes"))
	_, attrs, err = Infer("reshape", types(t, "f32[n?x6]"), Attrs{"sizes": dimsOf(t, "6xn?")})
	require.NoError(t, err)
	require.Equal(t, ints(6, shape.Dynamic), attrs.Ints("sizes"))
	require.Equal(t, dimsOf(t, "6xn?"), attrs.Dims("sizes"))
}
