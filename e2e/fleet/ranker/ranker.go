// Package ranker scales a sentence's vector as the first layer norm of MiniLM does.
package ranker

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Model computes y [384] = weight [384] * x [384] + bias [384].
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 384)
		f.Output("y", x.Mul(nn.Param(f, "embeddings.LayerNorm.weight")).Add(nn.Param(f, "embeddings.LayerNorm.bias")))
	})
}
