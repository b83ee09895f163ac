package kernels

import (
	"strconv"
	"strings"
)

// Epilogue is what is done to a sum before it is stored: a bias is added, of the row of y for
// products and of the channel for convolutions, what is less than 0 is multiplied by Slope (a
// leaky ReLU), and the result is limited.
type Epilogue struct {
	Bias      bool
	Slope     Limit
	Low, High Limit
}

// Limit is a limit of numbers, if Set.
type Limit struct {
	Set bool
	At  float64
}

// word is the number as a part of a symbol.
func (l Limit) word() string {
	return strings.NewReplacer("-", "minus_", ".", "_", "+", "").Replace(strconv.FormatFloat(l.At, 'g', -1, 32))
}

// named adds the epilogue to a kernel's name.
func (e Epilogue) named(name string) string {
	if e.Bias {
		name += "_bias"
	}
	if e.Slope.Set {
		name += "_leaky_" + e.Slope.word()
	}
	if e.Low.Set {
		name += "_from_" + e.Low.word()
	}
	if e.High.Set {
		name += "_to_" + e.High.word()
	}
	return name
}

// finish writes the epilogue for sums v, a vector, and their bias. A NaN stays one.
func (e Epilogue) finish(b *builder, v, bias value) value {
	if e.Bias {
		v = b.add(v, bias)
	}
	if e.Slope.Set {
		less := b.mul(v, b.number(v.typ, e.Slope.At))
		v = b.choose(b.compare("olt", v, b.zeros(v.typ)), less, v)
	}
	if e.Low.Set {
		low := b.number(v.typ, e.Low.At)
		v = b.choose(b.compare("ogt", low, v), low, v)
	}
	if e.High.Set {
		high := b.number(v.typ, e.High.At)
		v = b.choose(b.compare("olt", high, v), high, v)
	}
	return v
}
