package kernels

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func pairs(kernel, strides, dilation [2]int64) Conv {
	return Conv{Kernel: kernel, Strides: strides, Dilation: dilation}
}

var unit = [2]int64{1, 1}

// The name says what the text depends on, so that no two texts share one.
func TestConvSymbol(t *testing.T) {
	tests := []struct {
		c               Conv
		conv, depthwise string
	}{
		{pairs(unit, unit, unit), "product", "depthwise_1x1"},
		{pairs([2]int64{3, 3}, unit, unit), "conv_3x3", "depthwise_3x3"},
		{pairs([2]int64{3, 3}, [2]int64{2, 1}, unit), "conv_3x3_stride_2x1", "depthwise_3x3_stride_2x1"},
		{pairs([2]int64{1, 7}, unit, [2]int64{1, 3}), "conv_1x7_dilation_1x3", "depthwise_1x7_dilation_1x3"},
	}
	for _, tt := range tests {
		require.True(t, tt.c.Supported())
		require.True(t, Depthwise{tt.c}.Supported())
		require.Equal(t, tt.conv, tt.c.Symbol())
		require.Equal(t, tt.depthwise, Depthwise{tt.c}.Symbol())
		for _, text := range []string{tt.c.Text(Form{}), Depthwise{tt.c}.Text(Form{}), VecMat{}.Text(Form{})} {
			require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
		}
	}
}

// A wide form has the same name and operands; the sums of its tiles are 24 vectors, and the
// columns beyond the last panel of three are taken one by one.
func TestConvWide(t *testing.T) {
	c := pairs([2]int64{3, 3}, unit, unit)
	narrow, wide := c.Text(Form{}), c.Text(Form{Wide: true})
	name := regexp.MustCompile(`stream.executable.export public @(.*)`)
	require.Equal(t, name.FindString(narrow), name.FindString(wide))
	require.Equal(t, strings.Count(wide, "{"), strings.Count(wide, "}"))
	require.Equal(t, 6, most(narrow))
	require.Equal(t, 24, most(wide))
	require.Contains(t, narrow, "() -> memref<378x16xf32>")
	require.Contains(t, wide, "() -> memref<126x48xf32>")
}

// most is the largest number of vectors that a loop carries.
func most(text string) int {
	most := 0
	for _, types := range regexp.MustCompile(`iter_args.*-> \((.*)\)`).FindAllStringSubmatch(text, -1) {
		most = max(most, strings.Count(types[1], "vector<16xf32>"))
	}
	return most
}

// The text of a kernel does not grow with the taps beyond those that are written out, nor does
// its panel.
func TestConvOfManyTaps(t *testing.T) {
	for _, f := range []Form{{}, {Wide: true}} {
		most, many := pairs([2]int64{1, maxTaps}, unit, unit).Text(f), pairs([2]int64{3, 4096}, [2]int64{2, 16}, [2]int64{1, 2}).Text(f)
		require.Less(t, strings.Count(many, "\n"), strings.Count(most, "\n"))
		require.Contains(t, many, map[bool]string{false: "memref<384x16xf32>", true: "memref<128x48xf32>"}[f.Wide])
		require.Equal(t, strings.Count(many, "{"), strings.Count(many, "}"))
	}
}

// An epilogue is in the name, and a bias is one more operand.
func TestEpilogue(t *testing.T) {
	plain := pairs([2]int64{3, 3}, unit, unit)
	for want, e := range map[string]Epilogue{
		"conv_3x3_bias":                         {Bias: true},
		"conv_3x3_bias_from_0_to_6":             {Bias: true, Low: Limit{Set: true}, High: Limit{Set: true, At: 6}},
		"conv_3x3_from_minus_0_5_to_1eminus_05": {Low: Limit{true, -0.5}, High: Limit{true, 1e-5}},
		"conv_3x3_bias_leaky_0_1":               {Bias: true, Slope: Limit{true, 0.1}},
	} {
		c := plain
		c.Epilogue = e
		require.Equal(t, want, c.Symbol())
		require.Equal(t, "depthwise_"+strings.TrimPrefix(want, "conv_"), Depthwise{c}.Symbol())
		for _, text := range []string{c.Text(Form{}), Depthwise{c}.Text(Form{})} {
			require.Equal(t, e.Bias, strings.Contains(text, "%b3: !stream.binding"))
			require.Equal(t, e.Low.Set, strings.Contains(text, "arith.cmpf ogt"))
			require.Equal(t, e.High.Set || e.Slope.Set, strings.Contains(text, "arith.cmpf olt"))
		}
	}
}

// Without a border of zeros the first tap is left of and above its position, in another phase
// with a stride; the name says where.
func TestConvSame(t *testing.T) {
	c := pairs([2]int64{3, 5}, [2]int64{1, 2}, [2]int64{2, 1})
	c.Same, c.Low = true, [2]int64{2, 1}
	require.Equal(t, "conv_3x5_stride_1x2_dilation_2x1_same_2x1", c.Symbol())
	for dim, want := range [][][2]int64{{{-2, 0}, {0, 0}, {2, 0}}, {{-1, 1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}}} {
		for tap := range want {
			distance, phase := c.shift(dim, int64(tap))
			got := [2]int64{distance, phase}
			require.Equal(t, want[tap], got, "dimension %d, tap %d", dim, tap)
		}
	}
	for _, f := range []Form{{}, {Wide: true}} {
		text := c.Text(f)
		require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
		require.Contains(t, text, map[bool]string{false: "memref<15x16xi32>", true: "memref<15x48xi32>"}[f.Wide])
	}
}

// Positions in a line need no copy, and rows that do not fill a vector are faster so.
func TestDepthwiseSame(t *testing.T) {
	d := Depthwise{pairs([2]int64{5, 3}, unit, [2]int64{1, 2})}
	d.Same, d.Low, d.Bias = true, [2]int64{2, 2}, true
	require.True(t, d.Supported())
	require.Equal(t, "depthwise_5x3_dilation_1x2_same_2x2_bias", d.Symbol())
	require.Equal(t, []int64{-2, 2, -2, 2}, []int64{d.distance(0, 0), d.distance(0, 4), d.distance(1, 0), d.distance(1, 2)})
	text := d.Text(Form{})
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
	require.Contains(t, text, "memref<32x5x16xi32>")
	require.NotContains(t, text, "() -> memref<57")
	for _, tt := range []struct {
		rows, columns int64
		want          bool
	}{{7, 7, true}, {14, 14, true}, {1, 15, false}, {3, 5, false}, {4, 4, true}, {16, 16, false}} {
		require.Equal(t, tt.want, InLine(tt.rows, tt.columns), "%d x %d", tt.rows, tt.columns)
	}
}

// Columns that would leave most of a panel empty are computed alone: the last of a workgroup,
// from a line of the panel's elements. Integers in pairs have none.
func TestFewColumns(t *testing.T) {
	for _, f := range []Form{{}, {Wide: true}} {
		text := Product.Text(f)
		require.Equal(t, 1, strings.Count(text, "() -> memref<"+map[bool]string{false: "384", true: "128"}[f.Wide]+"xf32>"))
		require.Equal(t, map[bool]int{false: 6 + 1, true: 8 + 1}[f.Wide], strings.Count(text, "vector.reduction <add>"))
		require.NotContains(t, IntegerProduct{}.Text(f), "vector.reduction")
	}
}

// A direct product copies no panel; its sums are of as many elements.
func TestDirect(t *testing.T) {
	c := Product
	c.Direct, c.Bias = true, true
	require.Equal(t, "product_direct_bias", c.Symbol())
	text := c.Text(Form{Wide: true})
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
	require.NotContains(t, text, "x48xf32>")
	require.Contains(t, text, "() -> memref<128xf32>")
}

func TestNear(t *testing.T) {
	for _, tt := range []struct {
		k, n int64
		want bool
	}{
		{1152, 49, true}, {480, 196, true}, {144, 3136, true}, {32, 12544, true}, {384, 1536, true}, {1536, 384, true}, {1, 1, true},
		{256, 1024, true}, {257, 1024, false}, {64, 4096, true}, {65, 4096, false}, {3072, 768, false}, {768, 30522, false}, {16, 1 << 40, true}, {17, 1 << 40, false},
	} {
		require.Equal(t, tt.want, Form{Wide: true}.Near(tt.k, tt.n), "%d x %d", tt.k, tt.n)
		require.False(t, Form{}.Near(tt.k, tt.n), "%d x %d", tt.k, tt.n)
	}
}

func TestConvSupported(t *testing.T) {
	for _, c := range []Conv{
		{}, pairs([2]int64{0, 3}, unit, unit), pairs(unit, [2]int64{0, 1}, unit), pairs(unit, unit, [2]int64{1, 0}),
	} {
		require.False(t, c.Supported(), c)
		require.False(t, Depthwise{c}.Supported(), c)
	}
	many := pairs([2]int64{9, 8}, unit, unit) // too many taps to write out
	require.True(t, many.Supported())
	require.False(t, many.Listed())
	require.False(t, Depthwise{many}.Supported())
	many.Same = true
	require.False(t, many.Supported())
	steps := pairs([2]int64{3, 3}, [2]int64{1, 3}, unit)
	require.True(t, steps.Supported())
	require.False(t, Depthwise{steps}.Supported(), "a vector takes every third of 48 neighbours")
	far := pairs([2]int64{3, 3}, [2]int64{3, 1}, [2]int64{28, 1}) // 57 rows of 56
	require.False(t, Depthwise{far}.Supported(), "the rows that a result sees do not fit the memory")
}

// Each row of the memory holds what the last vector reads, and the memory is less than
// half of the stack that the build rules allow (toolchains/iree/targets.bzl).
func TestDepthwiseMemory(t *testing.T) {
	for _, d := range []Depthwise{
		{pairs([2]int64{3, 3}, unit, unit)}, {pairs([2]int64{5, 5}, [2]int64{2, 2}, unit)},
		{pairs([2]int64{2, 9}, [2]int64{3, 2}, [2]int64{4, 5})}, {pairs([2]int64{1, 64}, unit, unit)},
	} {
		require.True(t, d.Supported())
		last := (partColumns/lanes*lanes)*d.Strides[1] + (d.Kernel[1]-1)*d.Dilation[1]
		require.LessOrEqual(t, last+lanes*d.Strides[1], d.pitch())
		require.LessOrEqual(t, (d.partRows()-1)*d.Strides[0]+d.extent(0), d.memoryRows())
		require.LessOrEqual(t, 4*d.memoryRows()*d.pitch(), int64(128<<10))
	}
}
