package lang

import (
	"github.com/skainet-dev/skainet-go/tensor"
)

// ResizeOptions configures Resize; see the operation resize for the formulas.
type ResizeOptions struct {
	Mode           ResizeMode        // empty means Nearest
	Coordinates    ResizeCoordinates // empty means HalfPixel
	Rounding       ResizeRounding    // of Nearest; empty means RoundPreferFloor
	Scales         []float64         // for the coordinates, one per dimension; nil means those of the sizes
	Coefficient    float64           // of Cubic; 0 means -0.75
	ExcludeOutside bool              // of Cubic: weights of elements outside are 0
}

// Resize interpolates t to the given sizes, one per dimension.
func (t Tensor) Resize(sizes []int64, o ResizeOptions) Tensor {
	a := attrs{"sizes": sizes, "exclude_outside": o.ExcludeOutside}
	for name, v := range map[string]string{"mode": string(o.Mode), "coordinates": string(o.Coordinates), "rounding": string(o.Rounding)} {
		if v != "" {
			a[name] = v
		}
	}
	if o.Coefficient != 0 {
		a["coefficient"] = o.Coefficient
	}
	if o.Scales != nil {
		v, err := tensor.Of(o.Scales, int64(len(o.Scales)))
		if err != nil {
			panic(err)
		}
		a["scales"] = v
	}
	return t.f.add("resize", a, t)
}

// DepthToSpace moves channels of t [N, C, H, W] into blocks of pixels.
func (t Tensor) DepthToSpace(block int64, order DepthOrder) Tensor {
	return t.f.add("depth_to_space", attrs{"block": block, "order": string(order)}, t)
}

// SpaceToDepth undoes DepthToSpace of the same order.
func (t Tensor) SpaceToDepth(block int64, order DepthOrder) Tensor {
	return t.f.add("space_to_depth", attrs{"block": block, "order": string(order)}, t)
}

// PixelShuffle returns t [N, C b^2, H, W] as [N, C, H b, W b].
func (t Tensor) PixelShuffle(block int64) Tensor { return t.DepthToSpace(block, CRD) }

// QuantizeLinear returns t/scale + zero in zero's type (i8, u8, i16 or u16), rounded
// and saturated. scale and zero are scalars, or [K] for dimension axis of size K.
func (t Tensor) QuantizeLinear(scale, zero Tensor, axis int) Tensor {
	return t.f.add("quantize_linear", t.axisOf(scale, axis), t, scale, zero)
}

// DequantizeLinear returns (t - zero) scale in scale's type.
func (t Tensor) DequantizeLinear(scale, zero Tensor, axis int) Tensor {
	return t.f.add("dequantize_linear", t.axisOf(scale, axis), t, scale, zero)
}

func (t Tensor) axisOf(scale Tensor, axis int) attrs {
	if scale.Rank() == 0 {
		return nil
	}
	return attrs{"axis": int64(t.dim(axis))}
}
