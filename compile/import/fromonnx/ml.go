package fromonnx

import (
	"math"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Classic models and their preprocessing, as converters of scikit-learn, XGBoost and
// LightGBM write them.
var mlRules = map[string]rule{
	"TreeEnsemble": func(n *node) []*dag.Value {
		aggregate, ok := map[int64]string{0: "AVERAGE", 1: "SUM", 2: "MIN", 3: "MAX"}[n.int("aggregate_function", 1)]
		transform, also := map[int64]string{0: "NONE", 1: "SOFTMAX", 2: "LOGISTIC", 3: "SOFTMAX_ZERO", 4: "PROBIT"}[n.int("post_transform", 0)]
		if !ok || !also {
			n.refuse("an ensemble of trees with another aggregate or transform")
		}
		return one(n.transformed(n.tally(n.newEnsemble(), n.features(), n.int("n_targets", 1), aggregate), transform))
	},
	"TreeEnsembleRegressor": func(n *node) []*dag.Value {
		x := n.features()
		y := n.tally(n.newForest("target"), x, n.int("n_targets", 1), n.str("aggregate_function", "SUM"))
		if base := n.floatList("base_values"); len(base) > 0 {
			y = n.binary("add", y, n.reals(x.Type.DType, base, int64(len(base))))
		}
		return one(n.convert(n.transformed(y, n.str("post_transform", "NONE")), dtype.F32))
	},
	"TreeEnsembleClassifier": (*node).forestClasses,
	"LinearRegressor": func(n *node) []*dag.Value {
		return one(n.transformed(n.linear(n.features(), n.int("targets", 1)), n.str("post_transform", "NONE")))
	},
	"LinearClassifier": func(n *node) []*dag.Value {
		labels := n.labels("classlabels_ints")
		rows := int64(len(n.Attributes["intercepts"].Floats))
		if rows == 0 {
			rows = int64(len(labels))
		}
		y := n.linear(n.features(), rows)
		if rows == 1 { // of two classes
			return n.ofTwo(y, labels, n.str("post_transform", "NONE"), 0, false)
		}
		return n.greatest(y, labels, n.str("post_transform", "NONE"))
	},
	"Scaler": func(n *node) []*dag.Value {
		x := n.features()
		list := func(name string) *dag.Value {
			f := n.floatList(name)
			return n.reals(x.Type.DType, f, int64(len(f)))
		}
		return one(n.binary("multiply", n.binary("subtract", x, list("offset")), list("scale")))
	},
	"Normalizer": func(n *node) []*dag.Value {
		x := n.features()
		keep := op.Attrs{"dims": []int64{int64(rank(x) - 1)}, "keepdims": true}
		var by *dag.Value
		switch kind := n.str("norm", "MAX"); kind {
		case "MAX":
			by = n.add("reduce_max", keep, x)
		case "L1":
			by = n.add("reduce_sum", keep, n.add("abs", nil, x))
		case "L2":
			by = n.add("sqrt", nil, n.add("reduce_sum", keep, n.binary("multiply", x, x)))
		default:
			n.refuse("the norm %q", kind)
		}
		return one(n.binary("divide", x, n.choose(n.compare(op.EQ, by, n.splat(by, 0)), n.splat(by, 1), by)))
	},
	"Binarizer": func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.convert(n.compare(op.GT, x, n.splat(x, n.float("threshold", 0))), x.Type.DType))
	},
	"OneHotEncoder": func(n *node) []*dag.Value {
		categories, ok := n.ints("cats_int64s", -1)
		if !ok {
			n.refuse(text)
		}
		x := n.convert(n.in(0), dtype.I64)
		x = n.reshapeTo(x, append(slices.Clone(dims(x)), shape.N(1))...)
		return one(n.convert(n.compare(op.EQ, x, n.list(categories)), dtype.F32))
	},
	"LabelEncoder": (*node).relabelled,
	"ArrayFeatureExtractor": func(n *node) []*dag.Value {
		x := n.in(0)
		at := n.reshapeTo(n.in(1), dims(n.in(1)).Product())
		if rank(x) == 1 {
			return one(n.reshapeTo(n.rowsOf(x, at), shape.N(1), dims(at)[0]))
		}
		return one(n.takeAlong(x, at, int64(rank(x)-1)))
	},
	"Imputer": func(n *node) []*dag.Value {
		x := n.in(0)
		var with *dag.Value
		lost := n.compare(op.EQ, x, n.splat(x, float64(n.int("replaced_value_int64", 0))))
		if list, ok := n.ints("imputed_value_int64s", -1); ok {
			with = n.convert(n.list(list), x.Type.DType)
		} else {
			list := n.floatList("imputed_value_floats")
			with = n.reals(x.Type.DType, list, int64(len(list)))
			if of := n.float("replaced_value_float", 0); math.IsNaN(of) {
				lost = n.compare(op.NE, x, x)
			} else {
				lost = n.compare(op.EQ, x, n.splat(x, of))
			}
		}
		return one(n.choose(lost, n.unit(with), x))
	},
	"FeatureVectorizer": func(n *node) []*dag.Value {
		var parts []*dag.Value
		for _, v := range n.all() {
			if rank(v) == 1 {
				v = n.reshapeTo(v, shape.N(1), dims(v)[0])
			}
			parts = append(parts, n.convert(v, dtype.F32))
		}
		return one(n.add("concatenate", op.Attrs{"dim": int64(1)}, parts...))
	},
}

func init() {
	for name, r := range mlRules {
		rules["ai.onnx.ml."+name] = r
	}
}

const text = "text: ours are tensors of numbers"

// features is input 0 as floats [N, F].
func (n *node) features() *dag.Value {
	x := n.in(0)
	if !x.Type.DType.IsFloat() {
		x = n.convert(x, dtype.F32)
	}
	if rank(x) == 1 {
		x = n.reshapeTo(x, shape.N(1), dims(x)[0])
	}
	return x
}

// linear multiplies x by the coefficients of each row and adds the intercepts.
func (n *node) linear(x *dag.Value, rows int64) *dag.Value {
	w, b := n.floatList("coefficients"), n.floatList("intercepts")
	if rows < 1 || int64(len(w)) != rows*extent(x, 1) || len(b) > 0 && int64(len(b)) != rows {
		n.refuse("%d coefficients and %d intercepts; an input of %d features and %d results need %d and %d", len(w), len(b), extent(x, 1), rows, rows*extent(x, 1), rows)
	}
	y := n.add("dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{1}}, x, n.reals(x.Type.DType, w, rows, extent(x, 1)))
	if len(b) > 0 {
		y = n.binary("add", y, n.reals(x.Type.DType, b, rows))
	}
	return n.convert(y, dtype.F32)
}

// transformed applies the transform that a node names to scores [N, C].
func (n *node) transformed(y *dag.Value, name string) *dag.Value {
	switch name {
	case "NONE":
		return y
	case "LOGISTIC":
		return n.add("logistic", nil, y)
	case "SOFTMAX":
		return n.add("softmax", op.Attrs{"dim": int64(1)}, y)
	}
	n.refuse("scores transformed by %s", name)
	return nil
}

// labels returns the numbers of the classes. Classes that have names are refused where
// something takes the label; else only their number counts.
func (n *node) labels(name string) []int64 {
	if list, ok := n.ints(name, -1); ok && len(list) > 0 {
		return list
	}
	names := n.Attributes["classlabels_strings"].Strings
	if len(names) == 0 || n.live == nil || n.live[n.Outputs[0]] {
		panic(refusal{n.numbered(unmapped(text))})
	}
	return make([]int64, len(names))
}

// numbered adds to an error which outputs of the model are tensors of numbers; for a map
// from labels it is the tensor that the map is made of.
func (e *env) numbered(err *errs.Error) *errs.Error {
	var names []string
	for _, o := range e.model.Graph.Outputs {
		switch m := e.root.makers[o.Name]; {
		case m != nil && operator(m) == "ai.onnx.ml.ZipMap" && len(m.Inputs) > 0:
			names = append(names, m.Inputs[0])
		case o.Kind == onnx.KindTensor && onnx.DType(o.Type).Valid():
			names = append(names, o.Name)
		}
	}
	if len(names) == 0 {
		return err
	}
	return err.Hint("choose results that are tensors of numbers: --outputs %s", strings.Join(names, ","))
}

// greatest returns the label of the greatest score, the first one of equals, and the
// scores transformed.
func (n *node) greatest(y *dag.Value, labels []int64, transform string) []*dag.Value {
	if int64(len(labels)) != extent(y, 1) {
		n.refuse("%d labels for %d classes", len(labels), extent(y, 1))
	}
	at := n.reshapeTo(n.position(y, 1, "reduce_max", false), dims(y)[0])
	return []*dag.Value{n.rowsOf(n.list(labels), at), n.transformed(y, transform)}
}

// ofTwo returns the label and the scores of two classes for the score [N, 1] of one: a
// probability, whose complement the other has, or a number with a sign.
func (n *node) ofTwo(y *dag.Value, labels []int64, transform string, limit float64, probability bool) []*dag.Value {
	if len(labels) != 2 {
		n.refuse("%d labels for two classes", len(labels))
	}
	hit := n.reshapeTo(n.compare(op.GT, y, n.splat(y, limit)), dims(y)[0])
	label := n.rowsOf(n.list(labels), n.convert(hit, dtype.I32))
	other := n.scale(y, -1)
	if probability {
		other = n.plus(other, 1)
	}
	both := n.add("concatenate", op.Attrs{"dim": int64(1)}, other, y)
	if !probability && transform != "SOFTMAX" {
		both = n.transformed(both, transform)
	}
	return []*dag.Value{label, both}
}

// forestClasses is a classifier. Of two classes the score of the second decides, or of the
// first if all leaves vote for it, by its sign or as a probability: ONNX's text says only
// that the top class is, and this is what ONNX Runtime and so all converters do.
func (n *node) forestClasses() []*dag.Value {
	labels := n.labels("classlabels_int64s")
	x, f := n.features(), n.newForest("class")
	classes := map[int64]bool{}
	positive := true
	for _, v := range f.votes {
		classes[v.target] = true
		positive = positive && v.weight >= 0
	}
	y, base, transform := n.tally(f, x, int64(len(labels)), "SUM"), n.floatList("base_values"), n.str("post_transform", "NONE")
	limit := 0.0
	if positive && len(classes) == 1 {
		limit = 0.5
	}
	if len(labels) == 2 && len(classes) == 1 && classes[0] {
		score := n.window(y, 1, 0, 1, 1)
		if len(base) > 0 {
			score = n.plus(score, base[len(base)-1])
		}
		return n.ofTwo(n.convert(score, dtype.F32), labels, transform, limit, positive)
	}
	if len(base) > 0 {
		y = n.binary("add", y, n.reals(x.Type.DType, base, int64(len(base))))
	}
	y = n.convert(y, dtype.F32)
	if len(labels) != 2 {
		return n.greatest(y, labels, transform)
	}
	second := n.reshapeTo(n.window(y, 1, 1, 2, 1), dims(y)[0])
	label := n.rowsOf(n.list(labels), n.convert(n.compare(op.GT, second, n.splat(second, limit)), dtype.I32))
	return []*dag.Value{label, n.transformed(y, transform)}
}

// relabelled maps keys to values, of which the last of equal keys counts.
func (n *node) relabelled() []*dag.Value {
	x := n.in(0)
	list := func(kind string) *dag.Value {
		if l, ok := n.ints(kind+"_int64s", -1); ok {
			return n.list(l)
		}
		if _, ok := n.Attributes[kind+"_floats"]; ok {
			l := n.floatList(kind + "_floats")
			return n.reals(dtype.F32, l, int64(len(l)))
		}
		if t := n.Attributes[kind+"_tensor"].Tensor; t != nil {
			v, err := t.Value()
			if err != nil {
				n.refuse(text)
			}
			return n.constant(v)
		}
		n.refuse(text)
		return nil
	}
	keys, values := list("keys"), list("values")
	if !dims(keys).Same(dims(values)) || rank(keys) != 1 {
		n.refuse("keys and values of different lengths")
	}
	usual := n.splatOf(values.Type.DType, n.float("default_float", 0))
	switch t := n.Attributes["default_tensor"].Tensor; {
	case t != nil:
		v, err := t.Value()
		if err != nil {
			n.refuse(text)
		}
		usual = n.reshape(n.constant(v))
	case values.Type.DType.IsInt():
		usual = n.splatOf(values.Type.DType, float64(n.int("default_int64", -1)))
	}
	thin := n.reshapeTo(x, append(slices.Clone(dims(x)), shape.N(1))...)
	hit := n.compare(op.EQ, thin, n.convert(keys, x.Type.DType))
	if x.Type.DType.IsFloat() {
		hit = n.binary("or", hit, n.binary("and", n.compare(op.NE, thin, thin), n.compare(op.NE, keys, keys)))
	}
	last := int64(rank(x))
	places := n.iota(dtype.I32, 0, extent(keys, 0))
	at := n.add("reduce_max", op.Attrs{"dims": []int64{last}}, n.choose(hit, places, n.splat(places, -1)))
	found := n.rowsOf(values, n.binary("maximum", at, n.splat(at, 0)))
	return one(n.choose(n.compare(op.GE, at, n.splat(at, 0)), found, usual))
}
