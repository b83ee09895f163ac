package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A line takes what its columns see, whatever the taps, and the sums of a tile are those of
// other products.
func TestLine(t *testing.T) {
	l := Line{Taps: 7, Dilation: 12, Low: 36}
	require.True(t, l.Supported())
	narrow, wide := l.Text(Form{}), l.Text(Form{Wide: true})
	require.Equal(t, 6, most(narrow))
	require.Equal(t, 24, most(wide))
	require.Contains(t, narrow, "() -> memref<64x112xf32>") // 16 + 72 columns, and a vector
	require.Contains(t, wide, "() -> memref<48x144xf32>")   // 48 + 72
	for _, text := range []string{narrow, wide} {
		require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
		require.NotContains(t, text, "arith.cmpf")
		require.NotContains(t, text, "%b3")
	}
}

// What the text depends on is in the name; a bias and an addend are operands.
func TestLineSymbol(t *testing.T) {
	plain := Line{Taps: 3, Dilation: 2, Low: 2}
	for want, change := range map[string]func(l *Line){
		"line_3_dilation_2_low_2":                       func(*Line) {},
		"line_3_dilation_2_low_2_leaky_0_1":             func(l *Line) { l.Leaky = Limit{true, 0.1} },
		"line_3_dilation_2_low_2_plus":                  func(l *Line) { l.Addend = true },
		"line_3_dilation_2_low_2_plus_bias":             func(l *Line) { l.Addend, l.Bias = true, true },
		"line_3_dilation_2_low_2_plus_bias_leaky_0_2":   func(l *Line) { l.Addend, l.Epilogue = true, Epilogue{Bias: true, Slope: Limit{true, 0.2}} },
		"line_3_dilation_2_low_2_leaky_0_1_bias_from_0": func(l *Line) { l.Leaky, l.Epilogue = Limit{true, 0.1}, Epilogue{Bias: true, Low: Limit{Set: true}} },
	} {
		l := plain
		change(&l)
		require.Equal(t, want, l.Symbol())
		text := l.Text(Form{Wide: true})
		operands := strings.Count(want, "_plus") + strings.Count(want, "_bias")
		require.Contains(t, text, "%b"+string(rune('2'+operands))+": !stream.binding")
		require.NotContains(t, text, "%b"+string(rune('3'+operands)))
	}
}

func TestLineSupported(t *testing.T) {
	for _, l := range []Line{
		{}, {Taps: 1, Dilation: 1}, {Taps: 17, Dilation: 1}, {Taps: 3}, {Taps: 3, Dilation: 1, Low: -1},
		{Taps: 3, Dilation: 129}, // too far apart
	} {
		require.False(t, l.Supported(), l)
	}
	require.True(t, Line{Taps: 16, Dilation: 1, Low: 300}.Supported())
}
