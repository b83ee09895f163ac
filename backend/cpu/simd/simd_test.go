package simd

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// ulps returns how far got is from the exact value, in units in the last place of
// float32 there.
func ulps(got float32, exact float64) float64 {
	_, e := math.Frexp(exact)
	return math.Abs(float64(got)-exact) / math.Ldexp(1, max(e-24, -149))
}

// special are values at which functions and their kernels switch branches.
var special = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 0x1p-149, -0x1p-149, 0x1p-126, 88.72283, 88.72284, 89, 100, 101, 1e30, math.MaxFloat32,
	-87.33655, -103.27893, -103.97207, -103.97208, -104, -110, -111, -1e30, -math.MaxFloat32,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

// TestExpAndLogistic compares with package math over special values, every 4099th
// float32, and rows of every length up to beyond two vectors.
func TestExpAndLogistic(t *testing.T) {
	x := append([]float32{}, special...)
	for b := uint64(0); b < 1<<32; b += 4099 {
		x = append(x, math.Float32frombits(uint32(b)))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1 << 18 {
		x = append(x, float32(r.Float64()*200-110))
	}
	for name, f := range map[string]struct {
		ours  func(y, x []float32)
		exact func(float64) float64
	}{
		"exp":      {Exp, math.Exp},
		"logistic": {Logistic, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
	} {
		for _, n := range []int{len(x), 0, 1, 2, 7, 8, 9, 15, 16, 17, 23} {
			y := make([]float32, n+1)
			y[n] = 7
			f.ours(y, x[:n])
			require.Equal(t, float32(7), y[n], "an element after the row")
			for i, v := range x[:n] {
				want := f.exact(float64(v))
				switch {
				case want != want:
					if y[i] == y[i] {
						t.Fatalf("%s(%v) is %v", name, v, y[i])
					}
				case math.IsInf(float64(float32(want)), 1) || want == 0:
					if float64(y[i]) != float64(float32(want)) {
						t.Fatalf("%s(%v) is %v, want %v", name, v, y[i], want)
					}
				case !(ulps(y[i], want) <= 0.51):
					t.Fatalf("%s(%v) is %v, want %v: %v ulps apart", name, v, y[i], want, ulps(y[i], want))
				}
			}
		}
	}
}

// plain is softmax with package math in float64, each element of it within a few
// 2^-53.
func plain(x []float32) []float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, float64(v))
	}
	y := make([]float64, len(x))
	var sum float64
	for i, v := range x {
		y[i] = math.Exp(float64(v) - top)
		sum += y[i]
	}
	for i := range y {
		y[i] /= sum
	}
	return y
}

func TestSoftmax(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 80 {
		for _, spread := range []float64{0, 1, 40, 300} {
			x, y := make([]float32, n*n), make([]float32, n*n)
			for i := range x {
				x[i] = float32(r.NormFloat64() * spread)
				if r.IntN(9) == 0 && i > 0 {
					x[i] = float32(math.Inf(-1)) // masked
				}
			}
			Softmax(y, x)
			for i, want := range plain(x) {
				if want == 0 {
					require.Zero(t, y[i])
				} else if !(ulps(y[i], want) <= 2) {
					t.Fatalf("element %d of %d is %v, want %v", i, n*n, y[i], want)
				}
			}
		}
	}
	for _, n := range []int{1, 8, 19} {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			x, y := make([]float32, n), make([]float32, n)
			x[n/2] = float32(bad)
			Softmax(y, x)
			for i := range y {
				require.True(t, math.IsNaN(float64(y[i])), "%v in %d elements: %v", bad, n, y)
			}
		}
	}
}

// TestSumAndNorm compares with sums of big.Float, which are exact.
func TestSumAndNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 1; n < 600; n += 1 + n/9 {
		x, g, b, y := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n+1)
		sum := new(big.Float).SetPrec(500)
		var size float64
		for i := range x {
			x[i], g[i], b[i] = float32(r.NormFloat64()*3+5), float32(r.NormFloat64()), float32(r.NormFloat64())
			sum.Add(sum, big.NewFloat(float64(x[i])))
			size += math.Abs(float64(x[i]))
		}
		want, _ := sum.Float64()
		require.InDelta(t, want, Sum(x), float64(n)*0x1p-53*size)

		y[n] = 7
		Norm(y[:n], x, g, b, 1e-5)
		require.Equal(t, float32(7), y[n])
		mean := new(big.Float).SetPrec(500).Quo(sum, big.NewFloat(float64(n)))
		squares := new(big.Float).SetPrec(500)
		for _, v := range x {
			d := new(big.Float).Sub(new(big.Float).SetPrec(500).SetFloat64(float64(v)), mean)
			squares.Add(squares, d.Mul(d, d))
		}
		variance, _ := squares.Quo(squares, big.NewFloat(float64(n))).Float64()
		m, _ := mean.Float64()
		for i := range x {
			term := (float64(x[i]) - m) / math.Sqrt(variance+1e-5) * float64(g[i])
			exact := term + float64(b[i])
			bound := 0x1p-24*math.Abs(exact) + 0x1p-40*(math.Abs(term)+math.Abs(float64(b[i]))) + 0x1p-45*float64(n)
			if !(math.Abs(float64(y[i])-exact) <= bound) {
				t.Fatalf("element %d of %d is %v, want %v", i, n, y[i], exact)
			}
		}
	}
}

// TestProcessorsGiveTheSameBits guards the order of operations: this sum was computed
// with AVX2, and all others must return the same.
func TestProcessorsGiveTheSameBits(t *testing.T) {
	sum := sha256.New()
	r := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{1, 7, 8, 100, 1000} {
		x, g, b, y := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], g[i], b[i] = (r.Float32()-0.5)*20, r.Float32(), r.Float32()
		}
		for _, f := range []func(){
			func() { Exp(y, x) }, func() { Logistic(y, x) }, func() { Softmax(y, x) }, func() { Norm(y, x, g, b, 1e-5) },
			func() { y[0] = float32(Sum(x)) },
		} {
			f()
			require.NoError(t, binary.Write(sum, binary.LittleEndian, y))
		}
	}
	require.Equal(t, "21cf9fbbbc6bccceecd9f46b90f3c626c8c5d2927378d755a599d346b1c33d5e", hex.EncodeToString(sum.Sum(nil)))
}

func BenchmarkRows(b *testing.B) {
	x, y := make([]float32, 1024), make([]float32, 1024)
	for i := range x {
		x[i] = float32(i%97)/16 - 3
	}
	for name, f := range map[string]func(){
		"exp":      func() { Exp(y, x) },
		"logistic": func() { Logistic(y, x) },
		"softmax":  func() { Softmax(y, x) },
		"norm":     func() { Norm(y, x, x, x, 1e-5) },
		"sum":      func() { Sum(x) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(4096)
			for b.Loop() {
				f()
			}
		})
	}
}
