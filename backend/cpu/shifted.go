package cpu

import (
	"slices"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
)

// mostlyWindows bounds the wasted work of shifted windows, as a fraction of the
// useful work.
const mostlyWindows = 0.5

// padded returns the sizes of a channel with its padding, and whether windows that
// move by one element can be multiplied in place.
//
// The windows of one tap are then a run of the channel: its element q belongs to the
// window whose first element is at q. That run has some extra elements, those of
// windows that would wrap from the end of one row into the next.
func (w windows) padded() (sizes []int, ok bool) {
	all, wanted := 1, 1
	for _, a := range w.axes {
		size := a.out + (a.taps-1)*a.dilation
		if a.stride != 1 || a.low < 0 || a.out < 1 || size < a.low+a.in {
			return nil, false
		}
		sizes = append(sizes, size)
		wanted *= a.out
		all = (all-1)*size + a.out
	}
	return sizes, float64(all) <= (1+mostlyWindows)*float64(wanted)
}

// convolveShifted is convolve without gathering windows: rows of the right operand
// are runs of padded channels. Results are bit for bit the same.
func (w windows) convolveShifted(x, kernel vec[float32], sizes []int) vec[float32] {
	var in, out, low []int
	for _, a := range w.axes {
		in, out, low = append(in, a.in), append(out, a.out), append(low, a.low)
	}
	pitch := strides(sizes)
	plane, windows, size := product(in), product(out), product(sizes)
	channels, features := w.channels/w.groups, w.features/w.groups
	span, first := 1, 0 // elements of a run; offset of a channel in its padding
	for i, a := range w.axes {
		span += (a.out - 1) * pitch[i]
		first += low[i] * pitch[i]
	}
	at := w.tapsAt(channels, size, pitch)
	y := fresh[float32](w.batch * w.features * windows)
	input, result := vec[float32](nil), vec[float32](nil)
	if !slices.Equal(in, sizes) {
		input = made[float32](channels * size)
	}
	if !slices.Equal(out[1:], sizes[1:]) {
		result = fresh[float32](features * span)
		defer result.giveBack()
	}
	for i := range w.batch * w.groups {
		data, to := x[i*channels*plane:][:channels*plane], y[i*features*windows:][:features*windows]
		if input != nil {
			input.move(move{
				sizes: append([]int{channels}, in...), dst: append([]int{size}, pitch...), dstAt: first,
				src: append([]int{plane}, strides(in)...),
			}, data)
			data = input
		}
		c := to
		if result != nil {
			c = result
		}
		depth, group := len(at), i%w.groups
		err := gemm.MultiplyShifted(
			gemm.Result{Data: c, Row: span},
			gemm.Operand{Data: kernel[group*features*depth:][:features*depth], Row: depth, Col: 1},
			gemm.Shifted{Data: data, At: at}, gemm.Size{Batch: 1, M: features, N: span, K: depth}, parallel)
		if err != nil {
			panic(err) // the shape rule has checked this
		}
		if result != nil {
			to.move(move{
				sizes: append([]int{features}, out...), dst: append([]int{windows}, strides(out)...),
				src: append([]int{span}, pitch...),
			}, result)
		}
	}
	return y
}

// tapsAt returns where the run of each tap begins, channel by channel.
func (w windows) tapsAt(channels, size int, pitch []int) []int {
	at := []int{0}
	for i, a := range w.axes {
		var next []int
		for _, p := range at {
			for tap := range a.taps {
				next = append(next, p+tap*a.dilation*pitch[i])
			}
		}
		at = next
	}
	taps := at
	at = make([]int, 0, channels*len(taps))
	for c := range channels {
		for _, p := range taps {
			at = append(at, c*size+p)
		}
	}
	return at
}

func product(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}
