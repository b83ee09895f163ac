package passes

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// while keeps values that a loop accumulates in f32; caches become narrow.
func (n *narrower) while(m *dag.Node, in []*dag.Value) []*dag.Value {
	cond, body := m.Blocks[0], m.Blocks[1]
	types := make([]tensor.Type, len(in))
	for i, v := range m.Inputs {
		types[i] = v.Type
		if n.changes(v.Type.DType) {
			types[i].DType = dtype.F32
			if analysis.Updated(n.g, body.Results[i], true) == body.Args[i] {
				types[i].DType = n.To
			}
		}
		in[i] = n.as(in[i], types[i].DType)
	}
	carried := func(old *dag.Block) *dag.Block {
		return n.block(old, func(b *dag.Block) {
			for i, v := range old.Args {
				n.now[v] = b.AddArg(types[i])
			}
		}, nil, func(i int, r *dag.Value) dtype.DType {
			if old == cond {
				return r.Type.DType
			}
			return types[i].DType
		})
	}
	made, err := n.into.block.AddWhile(m.Path, carried(cond), carried(body), in...)
	if err != nil {
		panic(err)
	}
	made.Origin = m.Origin
	return made.Outputs
}

// cond returns f32 if both blocks do, else narrow.
func (n *narrower) cond(m *dag.Node, in []*dag.Value) []*dag.Value {
	var made [2]*dag.Block
	for i, old := range m.Blocks {
		made[i] = n.block(old, func(*dag.Block) {}, nil, func(_ int, r *dag.Value) dtype.DType { return n.now[r].Type.DType })
	}
	for port := range made[0].Results {
		if made[0].Results[port].Type.DType == made[1].Results[port].Type.DType {
			continue
		}
		for _, b := range made {
			n.into = &scope{block: b, casts: map[cast]*dag.Value{}, outer: n.into}
			b.Results[port] = n.as(b.Results[port], n.To)
			n.into = n.into.outer
		}
	}
	choice, err := n.into.block.AddCond(m.Path, made[0], made[1], in[0])
	if err != nil {
		panic(err)
	}
	choice.Origin = m.Origin
	return choice.Outputs
}

func (n *narrower) call(m *dag.Node, in []*dag.Value) []*dag.Value {
	f := n.funcs[m.Attrs.String("function")]
	for i, a := range f.Body.Args {
		in[i] = n.as(in[i], a.Type.DType)
	}
	made, err := n.into.block.AddCall(m.Path, f, in...)
	if err != nil {
		panic(err)
	}
	made.Origin = m.Origin
	return made.Outputs
}

// rounded returns v rounded to a float type; a finite number stays finite.
func rounded(d dtype.DType, v float64) float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	switch d {
	case dtype.F16:
		const largest = 65504
		v = max(min(v, largest), -largest)
	case dtype.BF16:
		largest := float64(tensor.BF16ToF32(0x7f7f))
		v = max(min(v, largest), -largest)
	default:
		return v
	}
	return tensor.Round(d, v)
}
