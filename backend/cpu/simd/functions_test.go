package simd

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// every is the step of TestFunctions through the float32 values; 1 tests all.
var every = flag.Uint64("every", 4099, "compare functions at every n-th float32")

// functions are those of functions.go with formulas of package math that are
// accurate far beyond float32.
var functions = []struct {
	name  string
	ours  func(y, x []float32)
	plain func(x float64, table []float64) float64
	table []float64
	exact func(x float64) float64
}{
	{"tanh", Tanh, tanhOf, tanhTable, math.Tanh},
	{"erf", Erf, erfOf, erfTable, math.Erf},
	{"gelu", GELU, geluOf, geluTable, func(x float64) float64 { return x / 2 * math.Erfc(-x/math.Sqrt2) }},
	{"gelu_tanh", GELUTanh, siluOf, geluTanhTable, func(x float64) float64 {
		return x / (1 + math.Exp(-2*math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
	}},
	{"silu", SiLU, siluOf, siluTable, func(x float64) float64 { return x / (1 + math.Exp(-x)) }},
}

// TestFunctions compares with package math, and the kernels with the code in Go,
// which must return the same bits.
func TestFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	turns := append([]float32{}, special...)
	for _, v := range []float32{4, 11, 14.8, 20, 110} { // the limits of the tables
		turns = append(turns, v, -v, math.Nextafter32(v, 0), math.Nextafter32(v, 200), -math.Nextafter32(v, 0), -math.Nextafter32(v, 200))
	}
	for range 1 << 18 {
		turns = append(turns, float32(r.NormFloat64()*4))
	}
	for _, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			worst, at := 0.0, float32(0)
			check := func(x []float32) {
				y := make([]float32, len(x))
				f.ours(y, x)
				for i, v := range x {
					got, want := y[i], f.exact(float64(v))
					bits := float32(f.plain(float64(v), f.table))
					if math.Float32bits(got) != math.Float32bits(bits) && (got == got || bits == bits) {
						t.Fatalf("of %v is %v, in Go %v", v, got, bits)
					}
					switch {
					case want != want:
						if got == got {
							t.Fatalf("of %v is %v", v, got)
						}
					case math.IsInf(want, 0) || want == 0:
						if float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
							t.Fatalf("of %v is %v, want %v", v, got, want)
						}
					default:
						if d := ulps(got, want); !(d <= worst) {
							worst, at = d, v
						}
					}
				}
			}
			check(turns)
			x := make([]float32, 0, 1<<16)
			for b := uint64(0); b < 1<<32; b += *every {
				if x = append(x, math.Float32frombits(uint32(b))); len(x) == cap(x) {
					check(x)
					x = x[:0]
				}
			}
			check(x)
			t.Logf("at most %.5f units apart, at %v", worst, at)
			require.LessOrEqual(t, worst, 0.505, "at %v", at)
		})
	}
}

// TestFunctionsOfRows checks that rows of every length get their results, and that
// nothing is written after them.
func TestFunctionsOfRows(t *testing.T) {
	for _, f := range functions {
		for n := range 34 {
			x, y := make([]float32, n), make([]float32, n+1)
			for i := range x {
				x[i] = float32(i)/4 - 3
			}
			y[n] = 7
			f.ours(y, x)
			for i, v := range x {
				require.Equal(t, float32(f.plain(float64(v), f.table)), y[i], f.name)
			}
			require.Equal(t, float32(7), y[n], f.name)
			f.ours(x, x)
			require.Equal(t, y[:n], x, "%s in place", f.name)
		}
	}
}

// BenchmarkFunctions compares each function with package math, one element at a time.
func BenchmarkFunctions(b *testing.B) {
	x, y := make([]float32, 1024), make([]float32, 1024)
	for i := range x {
		x[i] = float32(i%97)/16 - 3
	}
	for _, f := range functions {
		for name, row := range map[string]func(y, x []float32){
			"rows": f.ours,
			"math": func(y, x []float32) {
				for i, v := range x {
					y[i] = float32(f.exact(float64(v)))
				}
			},
		} {
			b.Run(f.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					row(y, x)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/1024, "ns/element")
			})
		}
	}
}
