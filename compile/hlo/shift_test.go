package hlo

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A shift by a known number in range needs no check; one by a
// number out of range, or by a tensor, does.
func TestShiftsByNumbers(t *testing.T) {
	for name, tt := range map[string]struct {
		d       dtype.DType
		by      float64
		guarded bool
		want    string
	}{
		"none":            {dtype.I32, 0, false, "shift_right_arithmetic"},
		"all but one":     {dtype.I32, 31, false, "shift_right_arithmetic"},
		"all":             {dtype.I32, 32, true, "shift_right_arithmetic"},
		"backwards":       {dtype.I32, -1, true, "shift_right_arithmetic"},
		"bytes":           {dtype.I8, 7, false, "shift_right_arithmetic"},
		"all of bytes":    {dtype.I8, 8, true, "shift_right_arithmetic"},
		"without a sign":  {dtype.U8, 7, false, "shift_right_logical"},
		"all without one": {dtype.U8, 8, true, "shift_right_logical"},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := lang.CaptureWith("m", nil, func(m *lang.Module) {
				m.Entry("main", func(f *lang.Func) {
					x := f.Input("x", tt.d, 3)
					f.Output("left", x.ShiftLeft(f.Splat(tt.d, tt.by)))
					f.Output("right", x.ShiftRight(f.Splat(tt.d, tt.by)))
				})
			})
			require.NoError(t, err)
			m, err := Emit(g, Options{})
			require.NoError(t, err)
			text := string(m.Text)
			require.Equal(t, tt.guarded, strings.Contains(text, "stablehlo.compare"), text)
			require.Equal(t, tt.guarded, strings.Contains(text, "stablehlo.select"), text)
			require.Equal(t, 1, strings.Count(text, "stablehlo.shift_left"))
			require.Equal(t, 1, strings.Count(text, "stablehlo."+tt.want))
		})
	}
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.I32, 3).ShiftLeft(f.Input("by", dtype.I32, 3))) })
	})
	require.NoError(t, err)
	m, err := Emit(g, Options{})
	require.NoError(t, err)
	require.Contains(t, string(m.Text), "stablehlo.compare")
}
