package fromonnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Coordinates of a window are recognised, with negative ones, and all others are not.
func TestBoxed(t *testing.T) {
	x := shape.Of(1, 4, 5)
	for name, tt := range map[string]struct {
		list  []int64
		sizes shape.Shape
		want  []int64
	}{
		"a window":          {[]int64{0, 1, 2, 0, 1, 3, 0, 2, 2, 0, 2, 3}, shape.Of(1, 2, 2), []int64{0, 1, 2}},
		"counted from ends": {[]int64{0, -3, -2, 0, 1, -1}, shape.Of(1, 1, 2), []int64{0, 1, 3}},
		"rows":              {[]int64{0, 2, 0, 3}, shape.Of(1, 2), []int64{0, 2, 0}},
		"another order":     {[]int64{0, 2, 0, 1}, shape.Of(1, 2), nil},
		"a step of two":     {[]int64{0, 0, 0, 2}, shape.Of(1, 2), nil},
		"beyond the end":    {[]int64{0, 3, 0, 4}, shape.Of(1, 2), nil},
		"before the start":  {[]int64{0, -5}, shape.Of(1, 1), nil},
		"one place twice":   {[]int64{0, 1, 0, 1}, shape.Of(1, 2), nil},
		"nothing":           {nil, shape.Of(1, 0), nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, boxed(tt.list, tt.sizes, x)) })
	}
	require.Nil(t, boxed([]int64{0, 0}, shape.Of(1, 1), shape.Shape{shape.N(1), shape.Named("n")}), "any n may be less")
}
