package dispatch

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// array is a tensor's sizes and the bits of an element.
type array struct {
	sizes []int64
	bits  int64
}

var elementType = regexp.MustCompile(`^(?:f|bf|i|si|ui)([0-9]+)$`)

// parse reads what stands between the brackets of a tensor type. It reports false for a
// size or an element that is not known.
func parse(text string) (array, bool) {
	parts := strings.Split(text, "x")
	m := elementType.FindStringSubmatch(parts[len(parts)-1])
	if m == nil {
		return array{}, false
	}
	bits, err := strconv.ParseInt(m[1], 10, 16)
	if err != nil {
		return array{}, false
	}
	if bits == 1 {
		bits = 8 // a bool is a byte in memory
	}
	sizes, ok := numbers(parts[:len(parts)-1])
	return array{sizes, bits}, ok
}

func numbers(texts []string) ([]int64, bool) {
	var list []int64
	for _, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}

// product multiplies numbers; it reports false if the result does not fit.
func product(list ...int64) (int64, bool) {
	n := int64(1)
	for _, x := range list {
		if x != 0 && n > math.MaxInt64/x {
			return 0, false
		}
		n *= x
	}
	return n, true
}

// bytes returns the size in memory.
func (a array) bytes() (int64, bool) {
	n, ok := product(append(slices.Clone(a.sizes), a.bits)...)
	return (n + 7) / 8, ok
}

// last is the size of the last dimension.
func (a array) last() int64 {
	if len(a.sizes) == 0 {
		return 0
	}
	return a.sizes[len(a.sizes)-1]
}

// table has the products among compile/iree/kernels, by how their symbols begin. An
// element of the result is the sum of as many products as the last dimension of the operand has
// elements; of a convolution, also those elements beyond the end of a row that nobody reads.
var table = []struct {
	symbol  string
	operand int
}{
	{"matmul_", 1}, {"matvec_", 1}, {"integer_product_", 1}, {"vecmat", 1}, // w, x
	{"product", 0}, {"conv", 0}, // the rows of weights, with all taps
	{"depthwise", 0}, // taps
}

// kernel returns the arithmetic of one of our kernels, and whether it is in the table.
func (u use) kernel(name string) (flops int64, ok bool) {
	for _, k := range table {
		if !strings.HasPrefix(name, k.symbol) || len(u.operands) <= k.operand || len(u.results) != 1 {
			continue
		}
		return product(append(slices.Clone(u.results[0].sizes), 2, u.operands[k.operand].last())...)
	}
	return 0, false
}

// generated is the name of a dispatch that IREE made: the operation that it does most
// of, its loops, and its types.
var generated = regexp.MustCompile(`_dispatch_[0-9]+(?:_([a-z][a-z0-9_]*?)_([0-9D]+(?:x[0-9D]+)*)(?:_[a-z0-9x]+)?)?$`)

// products are the operations whose loops each do a multiplication and an addition.
var products = regexp.MustCompile(`^(?:batch_)?(?:matmul|matvec|vecmat|mmt4d)|(?:^|_)conv(?:_|$)|^contract`)

// named returns the arithmetic that a name tells.
func named(m []string) (int64, bool) {
	if !products.MatchString(m[1]) {
		return 0, false
	}
	loops, ok := numbers(strings.Split(m[2], "x"))
	if !ok {
		return 0, false
	}
	return product(append(loops, 2)...)
}

// work returns the arithmetic and the bytes of a dispatch that a call runs a number of times,
// 0 where they are not known.
func (t *Text) work(entry, name string, count int) (flops, bytes int64) {
	m := generated.FindStringSubmatch(name)
	if m != nil {
		if n, ok := named(m); ok {
			flops, _ = product(n, int64(count))
		}
	}
	if t == nil {
		return flops, 0
	}
	uses := t.uses[entry][name]
	if len(uses) == 0 || len(uses) != count {
		return flops, 0 // in a loop, or in a function that the entry point calls
	}
	sum, all := int64(0), int64(0)
	for _, u := range uses {
		if !u.known {
			return flops, 0
		}
		n, ok := u.kernel(name)
		if m == nil && !ok {
			return 0, 0 // what a kernel that is not in the table reads is not known
		}
		if sum > math.MaxInt64-n {
			return 0, 0
		}
		sum += n
		for _, a := range append(slices.Clone(u.operands), u.results...) {
			n, ok := a.bytes()
			if !ok || all > math.MaxInt64-n {
				return flops, 0
			}
			all += n
		}
	}
	if m == nil {
		flops = sum
	}
	return flops, all
}
