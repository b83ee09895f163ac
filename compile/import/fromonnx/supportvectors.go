package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// supportVectors is a regression by the kernels of support vectors, or by a plane.
func (n *node) supportVectors() []*dag.Value {
	x := n.features()
	w, rho, vectors, count := n.floatList("coefficients"), n.floatList("rho"), n.floatList("support_vectors"), n.int("n_supports", 0)
	width := extent(x, 1)
	if len(rho) < 1 || n.int("one_class", 0) != 0 {
		n.refuse("support vectors without an intercept, or of one class")
	}
	values := x // of the kernels
	if count > 0 {
		if int64(len(vectors)) != count*width || int64(len(w)) != count {
			n.refuse("%d elements and %d coefficients of %d support vectors of %d", len(vectors), len(w), count, width)
		}
		values = n.kernel(x, n.reals(x.Type.DType, vectors, count, width))
	} else if int64(len(w)) != width {
		n.refuse("%d coefficients for %d features", len(w), width)
	}
	y := n.product(values, n.reals(x.Type.DType, w, int64(len(w)), 1))
	return one(n.transformed(n.plus(y, rho[0]), n.str("post_transform", "NONE")))
}

// kernel compares each row of x with each vector.
func (n *node) kernel(x, vectors *dag.Value) *dag.Value {
	p := append(n.floatList("kernel_params"), 0, 0, 0)
	gamma, zero, degree := p[0], p[1], p[2]
	dot := n.add("dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{1}}, x, vectors)
	switch name := n.str("kernel_type", "LINEAR"); name {
	case "LINEAR":
		return dot
	case "POLY":
		return n.binary("power", n.plus(n.scale(dot, gamma), zero), n.splatOf(x.Type.DType, degree))
	case "SIGMOID":
		return n.add("tanh", nil, n.plus(n.scale(dot, gamma), zero))
	case "RBF":
		apart := n.binary("subtract", n.reshapeTo(x, dims(x)[0], shape.N(1), dims(x)[1]), vectors)
		square := n.add("reduce_sum", op.Attrs{"dims": []int64{2}}, n.binary("multiply", apart, apart))
		return n.add("exp", nil, n.scale(square, -gamma))
	default:
		n.refuse("the kernel %q", name)
	}
	return nil
}

// mostClasses bounds the number of classes that are told apart in pairs.
const mostClasses = 64

// supportClasses is a classifier by the kernels of support vectors. Each pair of classes
// has a score, which is a vote for one of the two. Scores become probabilities where the
// node has Platt's two numbers for each pair.
func (n *node) supportClasses() []*dag.Value {
	labels, x := n.labels("classlabels_ints"), n.convert(n.features(), dtype.F32)
	w, rho, vectors, perClass := n.floatList("coefficients"), n.floatList("rho"), n.floatList("support_vectors"), n.Attributes["vectors_per_class"].Ints
	classes, width := int64(len(labels)), extent(x, 1)
	pairs := classes * (classes - 1) / 2
	count := int64(0)
	for _, k := range perClass {
		if k < 0 || k > int64(len(w)) {
			n.refuse("%d support vectors of a class, and %d coefficients", k, len(w))
		}
		count += k
	}
	if classes < 2 || classes > mostClasses || int64(len(perClass)) != classes || int64(len(rho)) != pairs || count == 0 ||
		int64(len(vectors)) != count*width || int64(len(w)) != count*(classes-1) {
		n.refuse("%d classes, %d elements and %d coefficients of %d support vectors of %d, and %d intercepts: ours are pairs of 2 to %d classes",
			classes, len(vectors), len(w), count, width, len(rho), mostClasses)
	}
	// The coefficients of a pair, which has those of the vectors of its two classes.
	of := make([]float64, count*pairs) // [vectors, pairs]
	first, second := n.pairs(classes)  // [pairs, classes]
	for pair, v, i := int64(0), int64(0), int64(0); i < classes; i++ {
		u := v + perClass[i]
		for j := i + 1; j < classes; j++ {
			for k := range perClass[i] {
				of[(v+k)*pairs+pair] = w[(j-1)*count+v+k]
			}
			for k := range perClass[j] {
				of[(u+k)*pairs+pair] = w[i*count+u+k]
			}
			u += perClass[j]
			pair++
		}
		v += perClass[i]
	}
	reals := func(list []float64, sizes ...int64) *dag.Value { return n.reals(dtype.F32, list, sizes...) }
	scores := n.binary("add", n.product(n.kernel(x, reals(vectors, count, width)), reals(of, count, pairs)), reals(rho, pairs))
	votes := n.either(n.convert(n.compare(op.GT, scores, n.splat(scores, 0)), dtype.F32), reals(first, pairs, classes), reals(second, pairs, classes))
	label := n.rowsOf(n.list(labels), n.reshapeTo(n.position(votes, 1, "reduce_max", false), dims(x)[0]))
	transform, a, b := n.str("post_transform", "NONE"), n.floatList("prob_a"), n.floatList("prob_b")
	switch {
	case len(a) > 0 || len(b) > 0:
		if int64(len(a)) != pairs || int64(len(b)) != pairs {
			n.refuse("%d and %d numbers for the probabilities of %d pairs", len(a), len(b), pairs)
		}
		chance := n.add("logistic", nil, n.binary("add", n.binary("multiply", scores, reals(a, pairs)), reals(b, pairs)))
		scores = n.coupled(n.between(n.plus(n.scale(chance, -1), 1), 1e-7, 1-1e-7), classes)
	case classes == 2 && transform != "NONE":
		n.refuse("scores of two classes transformed by %s", transform)
	case classes == 2:
		scores = n.add("concatenate", op.Attrs{"dim": int64(1)}, n.scale(scores, -1), scores)
	}
	return []*dag.Value{label, n.transformed(scores, transform)}
}

// pairs returns matrices [pairs, classes]: which class is the first one of a pair, and
// which the second.
func (n *node) pairs(classes int64) (first, second []float64) {
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			row := func(at int64) []float64 {
				list := make([]float64, classes)
				list[at] = 1
				return list
			}
			first, second = append(first, row(i)...), append(second, row(j)...)
		}
	}
	return first, second
}

// either adds for each pair x times its row of yes and 1 - x times that of no.
func (n *node) either(x, yes, no *dag.Value) *dag.Value {
	return n.binary("add", n.product(x, yes), n.product(n.plus(n.scale(x, -1), 1), no))
}

// coupled returns the probabilities [N, classes] that agree best with those of the first
// classes of pairs [N, pairs] (Wu, Lin and Weng 2004, the second method): the iteration of
// LIBSVM, at most 100 times, until a row changes by less than 0.005 / classes.
func (n *node) coupled(x *dag.Value, classes int64) *dag.Value {
	c, all := shape.N(classes), dims(x)[0]
	first, second := n.pairs(classes)
	pairs := int64(len(first)) / classes
	yes, no := make([]float64, pairs*classes*classes), make([]float64, pairs*classes*classes)
	for p := range pairs {
		for i := range classes {
			for j := range classes {
				hit := first[p*classes+i] * second[p*classes+j]
				yes[(p*classes+i)*classes+j], no[(p*classes+j)*classes+i] = hit, hit
			}
		}
	}
	flat := classes * classes
	r := n.reshapeTo(n.either(x, n.reals(dtype.F32, yes, pairs, flat), n.reals(dtype.F32, no, pairs, flat)), all, c, c)
	turned := n.transpose(r, 0, 2, 1)
	own := n.add("reduce_sum", op.Attrs{"dims": []int64{2}, "keepdims": true}, n.binary("multiply", turned, turned))
	diagonal := n.compare(op.EQ, n.iota(dtype.I32, 0, classes, classes), n.iota(dtype.I32, 1, classes, classes))
	q := n.choose(diagonal, own, n.scale(n.binary("multiply", r, turned), -1)) // [N, classes, classes]
	rows := make([]*dag.Value, classes)
	for i := range classes {
		rows[i] = n.reshapeTo(n.window(q, 1, i, i+1, 1), all, c)
	}
	initial := []*dag.Value{n.splatOf(dtype.I32, 0), n.splatTo(dtype.F32, 1/float64(classes), all, c), n.splatOf(dtype.I32, 1)}
	test, body := &dag.Block{}, &dag.Block{}
	for _, v := range initial {
		test.AddArg(v.Type)
		body.AddArg(v.Type)
	}
	e := n.inner(test, n.env)
	test.Results = one(e.binary("and", e.compare(op.LT, test.Args[0], e.splatOf(dtype.I32, 100)), e.compare(op.GT, test.Args[2], e.splatOf(dtype.I32, 0))))
	e = n.inner(body, n.env)
	p := body.Args[1]
	sum := op.Attrs{"dims": []int64{1}, "keepdims": true}
	qp := e.add("reduce_sum", op.Attrs{"dims": []int64{2}}, e.binary("multiply", q, e.reshapeTo(p, all, shape.N(1), c))) // [N, classes]
	pqp := e.add("reduce_sum", sum, e.binary("multiply", p, qp))                                                         // [N, 1]
	apart := e.add("reduce_max", sum, e.add("abs", nil, e.binary("subtract", qp, pqp)))
	far := e.compare(op.GE, apart, e.splat(apart, 0.005/float64(classes)))
	next := p
	for i, row := range rows {
		at := int64(i)
		qpi, qii := e.window(qp, 1, at, at+1, 1), e.window(row, 1, at, at+1, 1)
		by := e.binary("divide", e.binary("subtract", pqp, qpi), qii)
		unit := make([]float64, classes)
		unit[i] = 1
		next = e.binary("add", next, e.binary("multiply", by, (&node{env: e}).reals(dtype.F32, unit, 1, classes)))
		over := e.plus(by, 1)
		more := e.binary("multiply", by, e.binary("add", e.binary("multiply", by, qii), e.scale(qpi, 2)))
		pqp = e.binary("divide", e.binary("divide", e.binary("add", pqp, more), over), over)
		qp = e.binary("divide", e.binary("add", qp, e.binary("multiply", by, row)), over)
		next = e.binary("divide", next, over)
	}
	open := e.add("reduce_max", op.Attrs{"dims": []int64{0, 1}}, e.convert(far, dtype.I32))
	body.Results = []*dag.Value{e.plus(body.Args[0], 1), e.choose(far, next, p), open}
	w, err := n.b.AddWhile(n.at, test, body, initial...)
	if err != nil {
		panic(refusal{err})
	}
	return w.Outputs[1]
}
