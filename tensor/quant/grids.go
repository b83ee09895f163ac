package quant

import (
	"encoding/base64"
	"math"
	"math/bits"
	"sync"
)

// A grid is a list of points with small integer coordinates, which the IQ types
// index. The coordinates are one of few levels, so a point is a number: digit i
// in base len(levels), the lowest first, is the level of coordinate i. Every
// grid lists its points in ascending order of that number, so it is kept as the
// set of its points: bit k%8 of byte k/8, in base64, reports whether point k
// belongs to it. grids_data.go has the sets.

// The grids, decoded when they are first used.
var (
	iq1Grid    = sync.OnceValue(func() [][8]int8 { return points([]int8{-1, 0, 1}, 8, iq1Set) })
	iq2xxsGrid = sync.OnceValue(func() [][8]int8 { return points(levels2, 8, iq2xxsSet) })
	iq2xsGrid  = sync.OnceValue(func() [][8]int8 { return points(levels2, 8, iq2xsSet) })
	iq2sGrid   = sync.OnceValue(func() [][8]int8 { return points(levels2, 8, iq2sSet) })
	iq3xxsGrid = sync.OnceValue(func() [][8]int8 { return points([]int8{4, 12, 20, 28, 36, 44, 52, 62}, 4, iq3xxsSet) })
	iq3sGrid   = sync.OnceValue(func() [][8]int8 { return points([]int8{1, 3, 5, 7, 9, 11, 13, 15}, 4, iq3sSet) })
)

var levels2 = []int8{8, 25, 43}

// points lists the points of a set; coordinates beyond width are zero.
func points(levels []int8, width int, set string) [][8]int8 {
	raw, err := base64.StdEncoding.DecodeString(set)
	if err != nil {
		panic("quant: a grid is no base64: " + err.Error()) // a constant of this package
	}
	var grid [][8]int8
	for k := range 8 * len(raw) {
		if raw[k/8]>>(k%8)&1 == 0 {
			continue
		}
		var p [8]int8
		for i, rest := 0, k; i < width; i, rest = i+1, rest/len(levels) {
			p[i] = levels[rest%len(levels)]
		}
		grid = append(grid, p)
	}
	return grid
}

// evenSigns returns the signs of eight elements of a code of seven bits: bit i is
// the sign of element i, and that of the last makes the number of minuses even.
func evenSigns(code uint32) uint32 {
	code &= 127
	return code | uint32(bits.OnesCount32(code)&1)<<7
}

// signed8 writes eight elements at a point of the grid, negated where signs
// has a bit.
func signed8(y *[8]float32, scale float32, g *[8]int8, signs uint32) {
	for j := range y {
		y[j] = negate(scale*float32(g[j]), signs>>j)
	}
}

// signed4 writes eight elements at two points of four coordinates.
func signed4(y *[8]float32, scale float32, first, second *[8]int8, signs uint32) {
	for j := range 4 {
		y[j] = negate(scale*float32(first[j]), signs>>j)
		y[j+4] = negate(scale*float32(second[j]), signs>>(j+4))
	}
}

// negate changes the sign of f where the lowest bit is set.
func negate(f float32, bit uint32) float32 {
	return math.Float32frombits(math.Float32bits(f) ^ bit<<31)
}
