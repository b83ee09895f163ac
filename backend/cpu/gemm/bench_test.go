package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/skainet-dev/skainet-go/bench/harness"
)

func BenchmarkMultiply(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range []Size{{1, 1024, 1024, 1024}, {1, 64, 3136, 576}, {1, 1500, 384, 384}, {6, 1500, 1500, 64}, {1, 4, 4096, 4096}, {1, 1, 4096, 4096}} {
		for _, turned := range []bool{false, true} {
			x := Operand{random(r, s.Batch*s.M*s.K), s.M * s.K, s.K, 1}
			y := Operand{random(r, s.Batch*s.K*s.N), s.K * s.N, s.N, 1}
			if turned {
				y.Row, y.Col = 1, s.K
			}
			c := Result{make([]float32, s.Batch*s.M*s.N), s.M * s.N, s.N}
			for _, v := range available() {
				b.Run(fmt.Sprintf("%s/%dx%dx%dx%d/turned=%v", v.name, s.Batch, s.M, s.N, s.K, turned), func(b *testing.B) {
					use(b, v)
					begun := harness.CPU()
					for b.Loop() {
						if err := Multiply(c, x, y, s, Serial); err != nil {
							b.Fatal(err)
						}
					}
					work := 2 * float64(b.N) * float64(s.Batch*s.M*s.N*s.K) / 1e9
					b.ReportMetric(work/b.Elapsed().Seconds(), "GFLOP/s")
					if spent := harness.CPU() - begun; spent > 0 { // other load on the machine does not count
						b.ReportMetric(work/spent, "GFLOP/cpu-s")
					}
				})
			}
		}
	}
}
