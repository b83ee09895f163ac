package cpu

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Windows over one to three dimensions, with groups, steps, holes and padding on
// either side: gathered in strips they compute what convolution computes with slices,
// a concatenation and a plain product, which has been compared with external oracles.
func TestWindowsAreConvolution(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for trial := range 150 {
		n := 1 + r.IntN(3)
		w := windows{batch: r.IntN(3), groups: 1 + r.IntN(3)}
		w.channels, w.features = w.groups*(1+r.IntN(4)), w.groups*(1+r.IntN(20))
		attrs := op.Attrs{"groups": int64(w.groups)}
		x, k := []int64{int64(w.batch), int64(w.channels)}, []int64{int64(w.features), int64(w.channels / w.groups)}
		lists := map[string][]int64{}
		for range n {
			a := axis{taps: 1 + r.IntN(4), stride: 1 + r.IntN(3), low: r.IntN(5), dilation: 1 + r.IntN(2)}
			high, span := r.IntN(5), a.dilation*(a.taps-1)+1
			a.in = max(1, span-a.low-high) + r.IntN([]int{0, 200, 20, 8}[n])
			a.out = (a.in+a.low+high-span)/a.stride + 1
			w.axes = append(w.axes, a)
			x, k = append(x, int64(a.in)), append(k, int64(a.taps))
			for name, v := range map[string]int{"strides": a.stride, "low": a.low, "high": high, "dilation": a.dilation} {
				lists[name] = append(lists[name], int64(v))
			}
		}
		for name, list := range lists {
			attrs[name] = list
		}
		input, kernel := randomArray(r, dtype.F32, x...), randomArray(r, dtype.F32, k...)
		run := func(in ...array) array {
			b := newBuilder(t)
			b.Results = []*dag.Value{b.node("convolution", attrs, b.AddArg(in[0].typ), b.AddArg(in[1].typ))}
			out, err := load(t, graphOf(b.Block), noParams).Call(context.Background(), "main", in[0].value(), in[1].value())
			require.NoError(t, err)
			return fromValue(out[0])
		}
		want := plainly(func() array { return run(input, kernel) })
		sum := plainly(func() array { return run(absolute(input), absolute(kernel)) })
		got := w.convolve(input.data.(vec[float32]), kernel.data.(vec[float32]))
		depth := w.channels / w.groups * w.total(func(a axis) int { return a.taps })
		require.Len(t, got, want.data.len(), "trial %d: %+v", trial, w)
		requireSums(t, want, array{want.typ, got}, sum, depth)
		four := atProcessors(4, func() vec[float32] { return w.convolve(input.data.(vec[float32]), kernel.data.(vec[float32])) })
		require.Equal(t, got, four)
	}
}

// TestShiftedWindowsAreGatheredWindows compares bits: both are one chain of
// multiply-adds for each element.
func TestShiftedWindowsAreGatheredWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for trial := range 200 {
		n := 1 + r.IntN(3)
		w := windows{batch: r.IntN(3), groups: 1 + r.IntN(3)}
		w.channels, w.features = w.groups*(1+r.IntN(4)), w.groups*(1+r.IntN(20))
		for range n {
			a := axis{taps: 1 + r.IntN(4), stride: 1, low: r.IntN(3), dilation: 1 + r.IntN(2)}
			span := a.dilation*(a.taps-1) + 1
			a.in = span + r.IntN([]int{0, 300, 30, 8}[n])
			a.out = a.in + a.low + r.IntN(3) - span + 1
			w.axes = append(w.axes, a)
		}
		x := randomArray(r, dtype.F32, int64(w.batch*w.channels*w.total(func(a axis) int { return a.in }))).data.(vec[float32])
		k := randomArray(r, dtype.F32, int64(w.features*w.channels/w.groups*w.total(func(a axis) int { return a.taps }))).data.(vec[float32])
		sizes, _ := w.padded()
		require.Len(t, sizes, n)
		require.Equal(t, w.convolveGathered(x, k), w.convolveShifted(x, k, sizes), "trial %d: %+v", trial, w)
	}
}

// TestWindowsThatAreNotShifted covers windows that skip elements, and those most of
// whose runs would be wasted.
func TestWindowsThatAreNotShifted(t *testing.T) {
	plain := axis{in: 10, taps: 3, out: 10, stride: 1, low: 1, dilation: 1}
	step, cut, small := plain, plain, plain
	step.stride, step.out = 2, 5
	cut.low, cut.out = -1, 7
	small.in, small.low, small.out = 1, 1, 1
	for name, c := range map[string]struct {
		axes []axis
		want bool
	}{
		"plain": {[]axis{plain, plain}, true}, "steps": {[]axis{plain, step}, false}, "a cut": {[]axis{plain, cut}, false},
		"one row": {[]axis{small}, true}, "small rows": {[]axis{plain, small}, false},
	} {
		_, ok := windows{axes: c.axes}.padded()
		require.Equal(t, c.want, ok, name)
	}
}

// The convolution of bench/ops.
func BenchmarkConvolution(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x, k := randomArray(r, dtype.F32, 1, 64, 56, 56), randomArray(r, dtype.F32, 64, 64, 3, 3)
	a := axis{in: 56, taps: 3, out: 56, stride: 1, low: 1, dilation: 1}
	w := windows{batch: 1, channels: 64, features: 64, groups: 1, axes: []axis{a, a}}
	for b.Loop() {
		w.convolve(x.data.(vec[float32]), k.data.(vec[float32]))
	}
	b.ReportMetric(2*float64(b.N)*64*64*9*56*56/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
