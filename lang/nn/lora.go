package nn

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// LoRA is low-rank updates of linear layers (Hu et al. 2021), whose parameters are in a
// scope of their own: an archive of the scope is an adapter, and a program takes any of
// them when it is opened. One of zeros leaves the model as it is.
type LoRA struct {
	Scope string // of the parameters
	Rank  int64  // r
}

// Delta returns s B A x [..., out] for x f32 [..., in], to be added to what the layer
// gives. A [r, in] is key.lora_A.weight, B [out, r] is key.lora_B.weight and s [1]
// key.lora_scale, as package io/peft has them, all f32. rows, if not nil, changes the
// order of B's rows to that of the layer's weight.
func (l LoRA) Delta(f *lang.Func, key string, x lang.Tensor, out int64, rows func(b lang.Tensor) lang.Tensor) lang.Tensor {
	if l.Rank < 1 {
		panic(errs.New(lang.CodeMisuse, "an adapter of rank %d", l.Rank).On(key).Hint("give nn.LoRA the rank, r in adapter_config.json, from 1"))
	}
	var y lang.Tensor
	within(f, key, func() {
		transposed := lang.Dims{LHS: []int{-1}, RHS: []int{1}}
		a := f.ParamIn(l.Scope, key+".lora_A.weight", dtype.F32, l.Rank, x.Dim(-1))
		b := f.ParamIn(l.Scope, key+".lora_B.weight", dtype.F32, out, l.Rank)
		if rows != nil {
			b = rows(b)
		}
		y = x.Dot(a, lang.Dims{}, transposed).Dot(b, lang.Dims{}, transposed).
			Mul(f.ParamIn(l.Scope, key+".lora_scale", dtype.F32, 1))
	})
	return y
}
