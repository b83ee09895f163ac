// Package simd computes rows of float32: exponentials, the functions of neural
// networks, sums and the parts of softmax and layer norm. All arithmetic is in
// float64 and rounded to float32 once, so that a result is within 0.51 units in
// the last place of the exact one, except Softmax and Norm, whose docs state their errors.
//
// # Errors
//
// This package returns no errors. The slices of one call must be at least as long
// as the first; a shorter one panics.
//
// # Determinism
//
// A result depends only on its row. Sums are in an order that depends on the length of
// the row, in eight parts. All processors return the same bits, except for NaN
// payloads; those without fused operations are slow.
package simd

import "math"

// The kernels (in plain.go, those in Go) take multiples of eight elements. The remainder is
// computed in a row of eight, or in Go.
const width = 8

// Exp computes y[i] = exp(x[i]).
func Exp(y, x []float32) { exp(y[:len(x)], x, 0) }

// exp computes y = exp(x - c) and returns the sum of y before its rounding.
func exp(y, x []float32, c float64) (sum float64) {
	n := len(x) &^ (width - 1)
	if n > 0 {
		sum = exps(y[:n], x[:n], c)
	}
	if n < len(x) {
		var rest [width]float32
		copy(rest[:], x[n:])
		exps(rest[:], rest[:], c)
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
	n := len(x) &^ (width - 1)
	if n > 0 {
		logistics(y[:n], x[:n])
	}
	if n < len(x) {
		var rest [width]float32
		copy(rest[:], x[n:])
		logistics(rest[:], rest[:])
		copy(y[n:], rest[:])
	}
}

// Softmax computes y[i] = exp(x[i] - m)/s with the greatest element m and the sum
// s of the exponentials, within 2 units in the last place. A row with a NaN or
// +Inf, or with only -Inf, is NaN.
func Softmax(y, x []float32) {
	y = y[:len(x)]
	top := float32(math.Inf(-1))
	n := len(x) &^ (width - 1)
	if n > 0 {
		top = greatest(x[:n])
	}
	for _, v := range x[n:] {
		if v > top {
			top = v
		}
	}
	f := 1 / exp(y, x, float64(top))
	if n > 0 {
		scale(y[:n], f)
	}
	for i, v := range y[n:] {
		y[n+i] = float32(float64(v) * f)
	}
}

// Sum returns the sum of x.
func Sum(x []float32) (total float64) {
	n := len(x) &^ (width - 1)
	if n > 0 {
		total = sum(x[:n])
	}
	for _, v := range x[n:] {
		total += float64(v)
	}
	return total
}

// Norm computes y[i] = (x[i] - m)/sqrt(v + epsilon) g[i] + b[i] with the mean m
// and the variance v of x. Where the two terms cancel, accuracy is lost: the
// error is within half a unit in the last place of y, and 2^-50 of the terms.
func Norm(y, x, g, b []float32, epsilon float64) {
	y, g, b = y[:len(x)], g[:len(x)], b[:len(x)]
	mean := Sum(x) / float64(len(x))
	var variance float64
	n := len(x) &^ (width - 1)
	if n > 0 {
		variance = squares(x[:n], mean)
	}
	for _, v := range x[n:] {
		d := float64(v) - mean
		variance += float64(d * d) // never fused
	}
	scale := 1 / math.Sqrt(variance/float64(len(x))+epsilon)
	if n > 0 {
		norms(y[:n], x[:n], g[:n], b[:n], mean, scale)
	}
	for i := n; i < len(x); i++ {
		y[i] = float32(float64((float64(x[i])-mean)*scale*float64(g[i])) + float64(b[i])) // never fused
	}
}
