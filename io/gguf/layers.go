package gguf

import (
	"math"
	"strings"
)

// maxLayers is the length of the arrays that Index holds, at most: a number for each layer.
const maxLayers = 1 << 10

// layers returns the numbers of a short array that is not of the tokenizer, 1 for true; nil
// of anything else, and of numbers that are not finite.
func (v Value) layers() []float64 {
	if strings.HasPrefix(v.key, "tokenizer.") {
		return nil
	}
	a, err := v.Array()
	if err != nil || a.Len() == 0 || a.Len() > maxLayers {
		return nil
	}
	if a.Type() == Bool {
		flags, err := Collect(a.Bools())
		if err != nil {
			return nil
		}
		list := make([]float64, len(flags))
		for i, set := range flags {
			if set {
				list[i] = 1
			}
		}
		return list
	}
	if !a.Type().isInt() {
		list, err := Collect(a.Floats())
		for _, n := range list {
			if math.IsNaN(n) || math.IsInf(n, 0) {
				return nil
			}
		}
		if err != nil {
			return nil
		}
		return list
	}
	numbers, err := Collect(a.Ints())
	if err != nil {
		return nil
	}
	list := make([]float64, len(numbers))
	for i, n := range numbers {
		list[i] = float64(n)
	}
	return list
}
