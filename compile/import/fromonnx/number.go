package fromonnx

import (
	"math"
	"strconv"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// number is an element of a small tensor as far as it is known before a program runs: an
// integer, or a polynomial of named sizes, over a divisor, which is 1 unless the tensor
// has floats. The zero number is an unknown one.
type number struct {
	known bool
	n     int64     // of an integer
	d     shape.Dim // of a polynomial, which has a name; it may be negative in some calls
	over  int64     // 1 or more
}

func integer(n int64) number { return number{known: true, n: n, over: 1} }

// sizeOf returns a size as a number.
func sizeOf(d shape.Dim) number {
	switch {
	case d.Size >= 0:
		return integer(d.Size)
	case d.Size == shape.Dynamic && d.Name != "":
		return number{known: true, d: d, over: 1}
	}
	return number{}
}

func (x number) isNamed() bool { return x.d.Name != "" }

// constant returns the integer that x is.
func (x number) constant() (int64, bool) { return x.n, x.known && !x.isNamed() && x.over == 1 }

// size returns x as a size, which is an integer of 0 or more, or has a name.
func (x number) size() (shape.Dim, bool) {
	switch {
	case !x.known || x.over != 1:
		return shape.Dim{}, false
	case x.isNamed():
		return x.d, true
	}
	return shape.N(x.n), x.n >= 0
}

func (x number) String() string {
	switch {
	case !x.known:
		return "a value of the call"
	case x.isNamed():
		return x.d.String()
	}
	return strconv.FormatInt(x.n, 10)
}

// top is the number x over, without its divisor.
func (x number) top() number { return number{x.known, x.n, x.d, 1} }

// dim is an integer numerator as a dimension, with its sign beside it.
func (x number) dim() (d shape.Dim, negative bool) {
	switch {
	case x.isNamed():
		return x.d, false
	case x.n < 0:
		return shape.N(-x.n), true
	}
	return shape.N(x.n), false
}

// reduced divides by what numerator and divisor share.
func (x number) reduced() number {
	if x.over == 1 || !x.known {
		return x
	}
	if x.isNamed() {
		for by := x.over; by > 1; by-- {
			if x.over%by == 0 && by <= maxOver && x.d.DivisibleBy(by) {
				x.d, x.over = x.d.FloorDiv(by), x.over/by
				return x.reduced()
			}
		}
		return x
	}
	a, b := x.n, x.over
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		a = -a
	}
	if a > 1 {
		x.n, x.over = x.n/a, x.over/a
	}
	return x
}

// maxOver bounds divisors, so that they do not overflow.
const maxOver = 1 << 12

// plus returns x + y.
func (x number) plus(y number) number {
	if !x.known || !y.known || x.over > maxOver || y.over > maxOver {
		return number{}
	}
	over := x.over
	if x.over == y.over {
		x, y = x.top(), y.top()
	} else {
		over *= y.over
		x, y = x.top().times(integer(y.over)), y.top().times(integer(x.over))
	}
	sum := x.sum(y)
	sum.over = over
	return sum.reduced()
}

// sum returns x + y of integers and polynomials.
func (x number) sum(y number) number {
	switch {
	case !x.known || !y.known:
		return number{}
	case !x.isNamed() && !y.isNamed():
		if s := x.n + y.n; (s > x.n) == (y.n > 0) {
			return integer(s)
		}
		return number{}
	case !x.isNamed():
		x, y = y, x
	}
	d, negative := y.dim()
	sum, minus := x.d.Plus(d), shape.N(0).Minus(x.d).Minus(d)
	if negative {
		sum, minus = x.d.Minus(d), shape.N(0).Minus(x.d).Plus(d)
	}
	if sum.Size < shape.Dynamic && minus.Size > 0 { // a negative integer is no dimension
		return integer(-minus.Size)
	}
	return sizeOf(sum)
}

func (x number) minus(y number) number { return x.plus(y.times(integer(-1))) }

// times returns x y.
func (x number) times(y number) number {
	switch {
	case !x.known || !y.known || x.over > maxOver || y.over > maxOver:
		return number{}
	case !x.isNamed() && !y.isNamed():
		p := x.n * y.n
		if x.n != 0 && (p/x.n != y.n || x.n == -1 && y.n == math.MinInt64) {
			return number{}
		}
		return number{known: true, n: p, over: x.over * y.over}.reduced()
	}
	if !x.isNamed() {
		x, y = y, x
	}
	d, negative := y.dim()
	p := x.d.Times(d)
	if negative {
		p = shape.N(0).Minus(p)
	}
	out := sizeOf(p)
	out.over = x.over * y.over
	return out.reduced()
}

// floor returns x rounded down.
func (x number) floor() number {
	switch {
	case !x.known || x.over == 1:
		return x
	case x.isNamed():
		return sizeOf(x.d.FloorDiv(x.over))
	}
	q := x.n / x.over
	if x.n%x.over < 0 {
		q--
	}
	return integer(q)
}

// ceil returns x rounded up.
func (x number) ceil() number { return x.times(integer(-1)).floor().times(integer(-1)) }

// dividedBy returns x/y as a fraction; y is an integer.
func (x number) dividedBy(y number) number {
	switch {
	case !x.known || !y.known:
		return number{}
	case y.isNamed():
		if x.over == 1 && y.over == 1 {
			if d, ok := x.size(); ok {
				return sizeOf(d.Over(y.d))
			}
		}
		return number{}
	case y.n == 0 || y.n == math.MinInt64 || y.n > maxOver || y.n < -maxOver:
		return number{}
	}
	sign := int64(1)
	if y.n < 0 {
		sign = -1
	}
	x = x.times(number{known: true, n: sign * y.over, over: 1})
	if !x.known || x.over > maxOver {
		return number{}
	}
	x.over *= sign * y.n
	return x.reduced()
}

// atLeast reports whether x is n or more whatever the call.
func (x number) atLeast(n int64) bool {
	if !x.known {
		return false
	}
	if !x.isNamed() {
		return x.over == 1 && x.n >= n || x.over > 1 && x.floor().n >= n
	}
	return x.d.AtLeast(n * x.over)
}

// order returns -1, 0 or 1 if x is less than, equal to or greater than y whatever the call.
func (x number) order(y number) (int, bool) {
	d := x.minus(y)
	switch {
	case !d.known:
		return 0, false
	case !d.isNamed() && d.n == 0:
		return 0, true
	case !d.isNamed() && d.n < 0:
		return -1, true
	case !d.isNamed():
		return 1, true
	case d.d.AtLeast(1):
		return 1, true
	case d.times(integer(-1)).d.AtLeast(1):
		return -1, true
	}
	return 0, false
}

// notBelow reports whether x >= y whatever the call.
func (x number) notBelow(y number) bool {
	d := x.minus(y)
	return d.known && (d.isNamed() && d.d.AtLeast(0) || !d.isNamed() && d.n >= 0)
}
