package lang

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Einsum computes the sums of products that an equation names, as numpy.einsum does: "ij,jk->ik" is a matrix product. Each operand's dimensions have letters;
// those that are not in the result are summed over. A letter twice in an operand
// takes its diagonal. Without "->" the result has the letters that occur once, in
// alphabetical order. "..." stands for the dimensions without letters, which
// broadcast from the last one and come first where the result is not written. A
// dimension of size 1 is repeated to the size that its letter has elsewhere.
//
// Operands are multiplied from left to right, each pair as one dot_general.
func (f *Func) Einsum(equation string, ts ...Tensor) Tensor {
	e := &einsum{f: f, equation: equation, sizes: map[rune]shape.Dim{}}
	operands, result := e.parse(ts)
	acc := e.prepare(0, ts[0], operands, result)
	for i := 1; i < len(ts); i++ {
		acc = e.multiply(acc, e.prepare(i, ts[i], operands, result), append(slices.Concat(operands[i+1:]...), result...))
	}
	return e.arrange(acc, result)
}

type einsum struct {
	f        *Func
	equation string
	sizes    map[rune]shape.Dim
}

// labelled is a tensor whose dimensions have letters, each once.
type labelled struct {
	t      Tensor
	labels []rune
}

func (e *einsum) fail(what string, args ...any) {
	panic(e.f.misuse("einsum %q: "+what, append([]any{e.equation}, args...)...).
		Hint(`write one term an operand, as in "bij,bjk->bik"`))
}

// unnamed stands for the dimension that is i from the last of those in "..."; it is not
// a letter.
func unnamed(i int) rune { return rune(-1 - i) }

// parse returns the letters of the operands and of the result, and sets the sizes.
func (e *einsum) parse(ts []Tensor) (operands [][]rune, result []rune) {
	left, right, explicit := strings.Cut(strings.ReplaceAll(e.equation, " ", ""), "->")
	terms := strings.Split(left, ",")
	if len(ts) == 0 || len(terms) != len(ts) {
		e.fail("%d terms for %d operands", len(terms), len(ts))
	}
	dots := 0
	for i, term := range terms {
		labels, more := e.term(term, ts[i].Rank())
		operands, dots = append(operands, labels), max(dots, more)
		for d, l := range labels {
			n := ts[i].DimOf(d)
			if old, ok := e.sizes[l]; ok && old.Size != 1 && n.Size != 1 && !n.Same(old) {
				e.fail("a dimension of size %s has the letter of one of size %s", n, old)
			} else if !ok || old.Size == 1 {
				e.sizes[l] = n
			}
		}
	}
	if explicit {
		named := strings.Replace(right, "...", "", 1)
		result, _ = e.term(right, len(named)+dots)
		for i, l := range result {
			if _, ok := e.sizes[l]; !ok || slices.Contains(result[:i], l) {
				e.fail("the result's dimension %d is of no operand, or there twice", i)
			}
		}
		return operands, result
	}
	for i := dots; i > 0; i-- {
		result = append(result, unnamed(i-1))
	}
	count := map[rune]int{}
	for _, l := range slices.Concat(operands...) {
		count[l]++
	}
	var once []rune
	for l, n := range count {
		if l > 0 && n == 1 {
			once = append(once, l)
		}
	}
	slices.Sort(once)
	return operands, append(result, once...)
}

// term returns the letters of a term for a tensor of some rank, and how many
// dimensions its "..." stands for.
func (e *einsum) term(text string, rank int) (labels []rune, dots int) {
	before, after, ellipsis := strings.Cut(text, "...")
	for _, l := range before + after {
		if (l < 'a' || l > 'z') && (l < 'A' || l > 'Z') {
			e.fail("%q is not a letter", l)
		}
	}
	dots = rank - len(before) - len(after)
	if dots < 0 || dots > 0 && !ellipsis {
		e.fail("the term %q does not name the dimensions of a tensor of rank %d", text, rank)
	}
	labels = []rune(before)
	for i := dots; i > 0; i-- {
		labels = append(labels, unnamed(i-1))
	}
	return append(labels, []rune(after)...), dots
}

// prepare takes diagonals, drops dimensions that others repeat, and sums over
// those that nothing else has.
func (e *einsum) prepare(i int, t Tensor, operands [][]rune, result []rune) labelled {
	x := labelled{t, slices.Clone(operands[i])}
	for d := 0; d < len(x.labels); {
		if x.t.DimOf(d).Size == 1 && e.sizes[x.labels[d]].Size != 1 {
			x.t = x.t.Squeeze(d)
			x.labels = slices.Delete(x.labels, d, d+1)
		} else if first := slices.Index(x.labels, x.labels[d]); first < d {
			x, d = x.diagonal(first, d), 0
		} else {
			d++
		}
	}
	var others []rune
	for j, labels := range operands {
		if j != i {
			others = append(others, labels...)
		}
	}
	return x.sumOver(func(l rune) bool { return !slices.Contains(others, l) && !slices.Contains(result, l) })
}

// diagonal joins dimensions a < b of one letter and size: elements of both are
// n + 1 apart where they are one dimension of n n elements.
func (x labelled) diagonal(a, b int) labelled {
	perm, labels := []int{a, b}, []rune{x.labels[a]}
	for d, l := range x.labels {
		if d != a && d != b {
			perm, labels = append(perm, d), append(labels, l)
		}
	}
	n := x.t.Dim(a) // static, since it is the stride of a slice
	t := x.t.Transpose(perm...)
	t = t.ReshapeOf(append(shape.Shape{shape.N(n * n)}, t.Dims()[2:]...)...).SliceBy(0, 0, n*n, n+1)
	return labelled{t, labels}
}

func (x labelled) sumOver(dead func(rune) bool) labelled {
	var dims []int
	var labels []rune
	for d, l := range x.labels {
		if dead(l) {
			dims = append(dims, d)
		} else {
			labels = append(labels, l)
		}
	}
	if dims == nil {
		return x
	}
	return labelled{x.t.Sum(false, dims...), labels}
}

// multiply contracts the letters of both that are not in later.
func (e *einsum) multiply(a, b labelled, later []rune) labelled {
	var batching, contracting Dims
	var labels, rest []rune
	for d, l := range a.labels {
		switch other := slices.Index(b.labels, l); {
		case other < 0:
			rest = append(rest, l)
		case slices.Contains(later, l):
			batching.LHS, batching.RHS = append(batching.LHS, d), append(batching.RHS, other)
			labels = append(labels, l)
		default:
			contracting.LHS, contracting.RHS = append(contracting.LHS, d), append(contracting.RHS, other)
		}
	}
	for _, l := range b.labels {
		if !slices.Contains(a.labels, l) {
			rest = append(rest, l)
		}
	}
	y := labelled{a.t.Dot(b.t, batching, contracting), append(labels, rest...)}
	return y.sumOver(func(l rune) bool { return !slices.Contains(later, l) })
}

// arrange brings the dimensions into the order of the result.
func (e *einsum) arrange(x labelled, result []rune) Tensor {
	perm := make([]int, len(result))
	sorted := true
	for i, l := range result {
		perm[i] = slices.Index(x.labels, l)
		sorted = sorted && perm[i] == i
	}
	if sorted {
		return x.t
	}
	return x.t.Transpose(perm...)
}
