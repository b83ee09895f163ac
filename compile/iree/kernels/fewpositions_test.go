package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What positions see is copied only where it does not lie side by side, and a wide form has
// more rows at a time.
func TestFewPositions(t *testing.T) {
	frames := FewPositions{Channels: 1, Length: 640, Positions: 4, Taps: 256, Stride: 128, Dilation: 1}
	padded := FewPositions{Channels: 129, Length: 4, Positions: 4, Taps: 3, Stride: 1, Dilation: 1, Low: 1}
	point := FewPositions{Channels: 128, Length: 1, Positions: 1, Taps: 1, Stride: 1, Dilation: 1}
	for _, k := range []struct {
		f            FewPositions
		copies       bool
		narrow, wide int // sums
	}{{frames, false, 4, 8}, {padded, true, 4, 8}, {point, false, 4, 8}} {
		require.True(t, k.f.Supported())
		for wide, sums := range map[bool]int{false: k.narrow, true: k.wide} {
			text := k.f.Text(Form{Wide: wide})
			require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
			require.Equal(t, k.copies, strings.Contains(text, "memref.alloca"))
			require.Equal(t, sums, most(text), "%s, wide %v", k.f.Symbol(), wide)
		}
	}
	padded.Epilogue = Epilogue{Bias: true, Low: Limit{Set: true}}
	require.Equal(t, "few_4_of_129x4_taps_3_stride_1_dilation_1_low_1_bias_from_0", padded.Symbol())
}

func TestFewPositionsSupported(t *testing.T) {
	good := FewPositions{Channels: 2, Length: 9, Positions: 7, Taps: 3, Stride: 1, Dilation: 1}
	require.True(t, good.Supported())
	for name, change := range map[string]func(f *FewPositions){
		"nothing":        func(f *FewPositions) { *f = FewPositions{} },
		"many positions": func(f *FewPositions) { f.Positions = 8 },
		"many copies":    func(f *FewPositions) { f.Taps, f.Length = 10, 20 },
		"much memory":    func(f *FewPositions) { f.Channels = 1000 },
	} {
		f := good
		change(&f)
		require.False(t, f.Supported(), name)
	}
}
