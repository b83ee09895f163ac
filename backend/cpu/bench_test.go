package cpu

import (
	"testing"

	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// The shapes are those of the encoder of Whisper tiny.
func BenchmarkGemm(b *testing.B) {
	for _, s := range []struct {
		name           string
		batch, m, n, k int
	}{
		{"projection", 1, 1500, 384, 384},
		{"mlp", 1, 1500, 1536, 384},
		{"scores", 6, 1500, 1500, 64},
		{"mix", 6, 1500, 64, 1500},
		{"logits", 1, 1, 51864, 384},
	} {
		b.Run(s.name, func(b *testing.B) {
			x, y := make(vec[float32], s.batch*s.m*s.k), make(vec[float32], s.batch*s.n*s.k)
			for b.Loop() {
				x.gemm(y, s.batch, s.m, s.n, s.k)
			}
			b.ReportMetric(float64(b.N)*float64(s.batch*s.m*s.n*s.k)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}

func BenchmarkSoftmax(b *testing.B) {
	x := make(vec[float32], 6*1500*1500)
	for b.Loop() {
		x.softmaxRows(1500, 1)
	}
}

func BenchmarkUnary(b *testing.B) {
	x := make(vec[float32], 1500*1536)
	for i := range x {
		x[i] = float32(i%97)/16 - 3
	}
	for _, name := range []string{"gelu", "gelu_tanh", "silu", "tanh", "erf", "exp", "negate"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x.unary(id.Of(name))
			}
		})
	}
}
