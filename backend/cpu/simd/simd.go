// Package simd computes rows of float32: exponentials, the functions of neural
// networks, sums and what softmax and layer norm are made of. All arithmetic is in
// float64 and rounded to float32 once, so that a result is within 0.51 units in
// the last place of the exact one, but for Softmax and Norm, whose doc says more.
//
// # Errors
//
// This package never fails. Slices of one call must be as long as the first, or
// longer; shorter ones are a panic.
//
// # Determinism
//
// A result depends on its row alone. Sums are in an order that depends on the
// length of the row. amd64 processors with AVX2 and FMA and all arm64 processors
// give the same bits; they sum in eight parts. Others sum in one and have another
// exponential, so that they may differ in the last place of a result. Tanh, Erf,
// GELU, GELUTanh and SiLU have the same bits on all processors, but for the bits
// of NaN; those without fused operations are slow at it.
package simd

import "math"

// The kernels take multiples of eight. What is left is done in a row of eight, or
// in Go.
const width = 8

// Exp computes y[i] = exp(x[i]).
func Exp(y, x []float32) { exp(y[:len(x)], x, 0) }

// exp computes y = exp(x - c) and gives the sum of y before its rounding.
func exp(y, x []float32, c float64) (sum float64) {
	if !wide {
		for i, v := range x {
			e := math.Exp(float64(v) - c)
			y[i] = float32(e)
			sum += e
		}
		return sum
	}
	n := len(x) &^ (width - 1)
	if n > 0 {
		sum = expRow(n, &x[0], &y[0], c)
	}
	if n < len(x) {
		var rest [width]float32
		copy(rest[:], x[n:])
		expRow(width, &rest[0], &rest[0], c)
		for i := range x[n:] {
			y[n+i] = rest[i]
			sum += float64(rest[i])
		}
	}
	return sum
}

// Logistic computes y[i] = 1/(1 + exp(-x[i])).
func Logistic(y, x []float32) {
	y = y[:len(x)]
	if !wide {
		for i, v := range x {
			y[i] = float32(1 / (1 + math.Exp(-float64(v))))
		}
		return
	}
	n := len(x) &^ (width - 1)
	if n > 0 {
		logisticRow(n, &x[0], &y[0])
	}
	if n < len(x) {
		var rest [width]float32
		copy(rest[:], x[n:])
		logisticRow(width, &rest[0], &rest[0])
		copy(y[n:], rest[:])
	}
}

// Softmax computes y[i] = exp(x[i] - m)/s with the greatest element m and the sum
// s of exponentials, within 2 units in the last place. A row with a NaN or
// +Inf, or of -Inf alone, is NaN.
func Softmax(y, x []float32) {
	y = y[:len(x)]
	top := float32(math.Inf(-1))
	n := 0
	if wide && len(x) >= width {
		n = len(x) &^ (width - 1)
		top = maxRow(n, &x[0])
	}
	for _, v := range x[n:] {
		if v > top {
			top = v
		}
	}
	f := 1 / exp(y, x, float64(top))
	n = 0
	if wide && len(x) >= width {
		n = len(x) &^ (width - 1)
		scaleRow(n, &y[0], f)
	}
	for i, v := range y[n:] {
		y[n+i] = float32(float64(v) * f)
	}
}

// Sum gives the sum of x.
func Sum(x []float32) (sum float64) {
	n := 0
	if wide && len(x) >= width {
		n = len(x) &^ (width - 1)
		sum = sumRow(n, &x[0])
	}
	for _, v := range x[n:] {
		sum += float64(v)
	}
	return sum
}

// Norm computes y[i] = (x[i] - m)/sqrt(v + epsilon) g[i] + b[i] with the mean m
// and the variance v of x. Where the two terms cancel, so do correct digits: the
// error is within half a unit in the last place of y, and 2^-50 of the terms.
func Norm(y, x, g, b []float32, epsilon float64) {
	y, g, b = y[:len(x)], g[:len(x)], b[:len(x)]
	mean := Sum(x) / float64(len(x))
	var squares float64
	n := 0
	if wide && len(x) >= width {
		n = len(x) &^ (width - 1)
		squares = squaresRow(n, &x[0], mean)
	}
	for _, v := range x[n:] {
		d := float64(v) - mean
		squares += float64(d * d) // never fused
	}
	scale := 1 / math.Sqrt(squares/float64(len(x))+epsilon)
	if n > 0 {
		normRow(n, &x[0], &g[0], &b[0], &y[0], mean, scale)
	}
	for i := n; i < len(x); i++ {
		y[i] = float32(float64((float64(x[i])-mean)*scale*float64(g[i])) + float64(b[i])) // never fused
	}
}
