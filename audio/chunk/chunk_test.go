package chunk

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

const rate = 1000

// talk returns seconds of a loud square wave with 0.3 s of near silence starting at each of pauses.
func talk(seconds float64, pauses ...float64) []float32 {
	x := make([]float32, int(seconds*rate))
	for i := range x {
		x[i] = 0.5 - float32(i%2)
	}
	for _, p := range pauses {
		for i := int(p * rate); i < int((p+0.3)*rate) && i < len(x); i++ {
			x[i] *= 0.001
		}
	}
	return x
}

func TestWindows(t *testing.T) {
	tests := []struct {
		name string
		x    []float32
		want []Range
	}{
		{"nothing", nil, nil},
		{"one sample", talk(0.001), []Range{{0, 1}}},
		{"exactly one window", talk(30), []Range{{0, 30000}}},
		{"cut in the pause", talk(40, 26), []Range{{0, 26200}, {26200, 40000}}},
		{"a pause too early does not count", talk(40, 20, 28), []Range{{0, 28200}, {28200, 40000}}},
		{"the quieter of two", louder(talk(40, 25, 28), 28, 10), []Range{{0, 25200}, {25200, 40000}}},
		{"no pause: as late as possible", talk(31), []Range{{0, 29900}, {29900, 31000}}},
		{"silence: as late as possible", make([]float32, 61000), []Range{{0, 29900}, {29900, 59800}, {59800, 61000}}},
		{"the search starts again at the cut", talk(70, 27, 55, 60), []Range{{0, 27200}, {27200, 55200}, {55200, 70000}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Windows(tt.x, rate)
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// louder scales the pause that starts at second p.
func louder(x []float32, p float64, by float32) []float32 {
	for i := int(p * rate); i < int((p+0.3)*rate); i++ {
		x[i] *= by
	}
	return x
}

// Whatever the samples, the windows tile the clip, none is over 30 s and none but
// the last under 24 s.
func TestWindowsTileTheClip(t *testing.T) {
	seed := uint32(7)
	for _, r := range []int{MinRate, 111, 8000, 44100} {
		x := make([]float32, 133*r+17)
		for i := range x {
			seed = seed*1664525 + 1013904223
			x[i] = float32(int32(seed)) / (1 << 31)
		}
		x[50*r], x[51*r] = float32(math.NaN()), float32(math.Inf(1))
		got, err := Windows(x, r)
		require.NoError(t, err)
		at := 0
		for i, w := range got {
			require.Equal(t, at, w.Start)
			require.LessOrEqual(t, w.End-w.Start, 30*r)
			if i < len(got)-1 {
				require.GreaterOrEqual(t, w.End-w.Start, 24*r)
			}
			at = w.End
		}
		require.Equal(t, len(x), at)
	}
}

func TestWindowsRefusesRatesTooLow(t *testing.T) {
	for _, r := range []int{-1, 0, MinRate - 1} {
		_, err := Windows(make([]float32, 10), r)
		require.Equal(t, CodeRate, errs.CodeOf(err))
	}
}
