package cpu

import "github.com/skainet-dev/skainet-go/backend/cpu/gemm"

// axis describes windows that slide over a spatial dimension: its length, the number of taps
// of a window, and the number of windows.
type axis struct {
	in, taps, out, stride, low, dilation int
}

// windows are those of x [N, C, S...] for a kernel [O, C/groups, K...].
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

// convolve multiplies the kernel by the windows of x.
func (w windows) convolve(x, kernel vec[float32]) vec[float32] {
	if sizes, ok := w.padded(); ok {
		return w.convolveShifted(x, kernel, sizes)
	}
	return w.convolveGathered(x, kernel)
}

// convolveGathered gathers windows (im2col) one strip at a time, directly into the
// strips of package gemm: there is never a copy of all windows.
func (w windows) convolveGathered(x, kernel vec[float32]) vec[float32] {
	in, taps := w.total(func(a axis) int { return a.in }), w.total(func(a axis) int { return a.taps })
	out := w.total(func(a axis) int { return a.out })
	channels, features := w.channels/w.groups, w.features/w.groups
	depth := channels * taps
	y := fresh[float32](w.batch * w.features * out)
	for i := range w.batch * w.groups {
		group := i % w.groups
		plane := x[i*channels*in:][:channels*in]
		pack := func(dst []float32, width, k, n, j, cols int) {
			var runs []run
			for tap := range min(taps, n) { // each tap once for all channels
				runs = w.runs(runs[:0], (k+tap)%taps, j, cols)
				for p := tap; p < n; p += taps {
					channel := plane[(k+p)/taps*in:][:in]
					row := dst[p*width:][:cols]
					for _, r := range runs {
						r.copy(row, channel)
					}
				}
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

// run is a part of a row of windows: n elements starting at to; elements before up to
// within are at, at+stride, ... of the channel, and the others 0.
type run struct {
	to, n, before, within int
	at, stride            int
}

// runs appends the elements of a channel under one tap of cols windows, starting at window
// j, in runs along the last dimension.
func (w windows) runs(all []run, tap, j, cols int) []run {
	last := w.axes[len(w.axes)-1]
	for to := 0; to < cols; {
		// The row of the channel under windows j, j+1, ...
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
		r := run{to: to, n: min(cols-to, last.out-first), stride: last.stride}
		if inside {
			p := first*last.stride - last.low + tap%last.taps*last.dilation
			r.before = min(r.n, max(0, (last.stride-1-p)/last.stride))
			r.within = min(r.n, max(r.before, (last.in-p+last.stride-1)/last.stride))
			r.at = row*last.in + p
		}
		all = append(all, r)
		to += r.n
		j += r.n
	}
	return all
}

func (r run) copy(row, channel []float32) {
	dst := row[r.to:][:r.n]
	clear(dst[:r.before])
	clear(dst[r.within:])
	if r.stride == 1 && r.before < r.within {
		copy(dst[r.before:r.within], channel[r.at+r.before:])
		return
	}
	for i := r.before; i < r.within; i++ {
		dst[i] = channel[r.at+i*r.stride]
	}
}
