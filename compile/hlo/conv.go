package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

var convolutionLowerings = map[id.ID]Lowering{id.Conv1d: convolution, id.Convolution: convolution}

// Geometry describes how a kernel moves over the spatial dimensions.
type Geometry struct {
	Low, High, Strides, Dilation []int64
	Groups                       int64
}

// GeometryOf returns the geometry of a convolution.
func GeometryOf(n *dag.Node) Geometry {
	if n.Op.ID == id.Conv1d {
		padding := []int64{n.Attrs.Int("padding")}
		return Geometry{padding, padding, []int64{n.Attrs.Int("stride")}, []int64{1}, 1}
	}
	list := func(name string, none int64) []int64 {
		if v := n.Attrs.Ints(name); len(v) > 0 {
			return v
		}
		return slices.Repeat([]int64{none}, n.Inputs[0].Type.Shape.Rank()-2)
	}
	return Geometry{list("low", 0), list("high", 0), list("strides", 1), list("dilation", 1), n.Attrs.Int("groups")}
}

// convolution sums narrow floats in f32.
func convolution(p *Printer, n *dag.Node) {
	t, g := n.Outputs[0].Type, GeometryOf(n)
	wide := Wide(t)
	x, kernel := p.Convert(p.In(n, 0), wide.DType), p.Convert(p.In(n, 1), wide.DType)
	spatial, pads := make([]string, len(g.Low)), make([]string, len(g.Low))
	for i := range pads {
		spatial[i], pads[i] = fmt.Sprint(i), Ints([]int64{g.Low[i], g.High[i]})
	}
	dims := strings.Join(spatial, ", ")
	in := []Value{x, kernel}
	y := p.Def(wide, "stablehlo.convolution(%s) dim_numbers = [b, f, %[2]s]x[o, i, %[2]s]->[b, f, %[2]s], window = {stride = %[3]s, pad = [%[4]s], rhs_dilate = %[5]s} {batch_group_count = 1 : i64, feature_group_count = %[6]d : i64} : (%[7]s) -> %[8]s",
		Names(in), dims, Ints(g.Strides), strings.Join(pads, ", "), Ints(g.Dilation), g.Groups, p.Types(in), p.Type(wide))
	p.Bind(n, p.Convert(y, t.DType))
}
