package cpu

import "github.com/skainet-dev/skainet-go/backend/cpu/gemm"

// axis of windows that slide over a spatial dimension: how long it is, how many
// taps a window has, and how many windows there are.
type axis struct {
	in, taps, out, stride, low, dilation int
}

// windows of x [N, C, S...] for a kernel [O, C/groups, K...].
type windows struct {
	batch, channels, features, groups int
	axes                              []axis
}

func (w windows) total(f func(a axis) int) int {
	n := 1
	for _, a := range w.axes {
		n *= f(a)
	}
	return n
}

// convolve multiplies the kernel by the windows of x, which are gathered (im2col)
// a strip at a time, straight into the panels of package gemm: no copy of all
// windows is ever made.
func (w windows) convolve(x, kernel vec[float32]) vec[float32] {
	in, taps := w.total(func(a axis) int { return a.in }), w.total(func(a axis) int { return a.taps })
	out := w.total(func(a axis) int { return a.out })
	channels, features := w.channels/w.groups, w.features/w.groups
	depth := channels * taps
	y := make(vec[float32], w.batch*w.features*out)
	for i := range w.batch * w.groups {
		group := i % w.groups
		plane := x[i*channels*in:][:channels*in]
		pack := func(dst []float32, width, k, n, j, cols int) {
			for p := range n {
				c, tap := (k+p)/taps, (k+p)%taps
				w.gather(dst[p*width:][:cols], plane[c*in:][:in], tap, j)
			}
		}
		err := gemm.MultiplyPacked(
			gemm.Result{Data: y[i*features*out:][:features*out], Row: out},
			gemm.Operand{Data: kernel[group*features*depth:][:features*depth], Row: depth, Col: 1},
			pack, gemm.Size{Batch: 1, M: features, N: out, K: depth}, parallel)
		if err != nil {
			panic(err) // the shape rule has checked this
		}
	}
	return y
}

// gather gives what one tap of the windows from window j on sees of a channel, 0
// outside. It goes along the last dimension, where stride 1 is a copy.
func (w windows) gather(dst, x []float32, tap, j int) {
	last := w.axes[len(w.axes)-1]
	for len(dst) > 0 {
		// The row of the channel in which windows j, j+1, ... begin.
		row, inside, scale := 0, true, 1
		at, t := j/last.out, tap/last.taps
		for i := len(w.axes) - 2; i >= 0; i-- {
			a := w.axes[i]
			p := at%a.out*a.stride - a.low + t%a.taps*a.dilation
			inside = inside && p >= 0 && p < a.in
			row += p * scale
			scale *= a.in
			at, t = at/a.out, t/a.taps
		}
		first := j % last.out
		run := dst[:min(len(dst), last.out-first)]
		if inside {
			along(run, x[row*last.in:][:last.in], first*last.stride-last.low+tap%last.taps*last.dilation, last.stride)
		} else {
			clear(run)
		}
		dst = dst[len(run):]
		j += len(run)
	}
}

// along gives x[at], x[at+stride], ..., 0 outside.
func along(dst, x []float32, at, stride int) {
	// Windows before the row, then in it, then behind it.
	before := min(len(dst), max(0, (stride-1-at)/stride))
	within := min(len(dst), max(before, (len(x)-at+stride-1)/stride))
	clear(dst[:before])
	clear(dst[within:])
	if stride == 1 && before < within {
		copy(dst[before:within], x[at+before:])
		return
	}
	for i := before; i < within; i++ {
		dst[i] = x[at+i*stride]
	}
}
