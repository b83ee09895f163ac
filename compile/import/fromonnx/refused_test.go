package fromonnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Every node that is refused is found, also behind another one whose type the file says;
// nodes that need a value of no known type are counted.
func TestRefused(t *testing.T) {
	odd := func(name, op, out, in string) onnx.Node {
		return onnx.Node{Name: name, Op: op, Domain: "com.example", Inputs: []string{in}, Outputs: []string{out}}
	}
	part := onnx.Node{Name: "part", Op: "Slice", Inputs: []string{"x"}, Outputs: []string{"p"},
		Attributes: map[string]onnx.Attribute{"starts": {Ints: []int64{2}}, "ends": {Ints: []int64{9}}, "axes": {Ints: []int64{0}}}}
	m := built(infos(info("x", 1, "n", 4)), infos(info("e", 1), info("p", 1), info("s", 1)),
		odd("first", "Foo", "a", "x"), does("", "Neg", "b", "a"), does("sum", "Add", "s", "b", "x"),
		odd("second", "Bar", "c", "b"), does("", "Neg", "d", "c"), odd("third", "Foo", "e", "d"),
		part, odd("unused", "Foo", "u", "x"))
	m.Opsets[""] = 9 // of a Slice by attributes
	m.Graph.Values = infos(info("a", 1, "n", 4), info("c", 1, "k?"))
	m.Graph.Values[1].Ranked = false
	nodes := func(o Options) (names []string, unseen int) {
		o.Evaluate = open.Evaluate
		list, unseen := Refused(m, o)
		for _, err := range list {
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			names = append(names, e.Node)
		}
		return names, unseen
	}
	names, unseen := nodes(Options{})
	require.Equal(t, []string{"first (com.example.Foo)", "second (com.example.Bar)", "part (Slice)"}, names)
	require.Equal(t, 2, unseen)
	// A size that is fixed is no reason, and neither is what no chosen output needs.
	names, unseen = nodes(Options{Shapes: map[string]shape.Shape{"x": shape.Of(16, 4)}, Outputs: []string{"p", "s"}})
	require.Equal(t, []string{"first (com.example.Foo)"}, names)
	require.Zero(t, unseen)
	names, _ = nodes(Options{Shapes: map[string]shape.Shape{"x": shape.Of(16, 4)}, Outputs: []string{"p"}})
	require.Empty(t, names)
	// Options and a cut are as for Import.
	list, _ := Refused(m, Options{Shapes: map[string]shape.Shape{"q": nil}})
	require.Len(t, list, 1)
	require.Equal(t, CodeOption, errs.CodeOf(list[0]))
	names, unseen = nodes(Options{Cut: []string{"b"}})
	require.Equal(t, []string{"first (com.example.Foo)", "second (com.example.Bar)", "part (Slice)"}, names)
	require.Equal(t, 2, unseen)
	names, unseen = nodes(Options{Cut: []string{"c"}}) // of no known type
	require.Equal(t, []string{"first (com.example.Foo)", "second (com.example.Bar)", "part (Slice)"}, names)
	require.Equal(t, 2, unseen)
	names, unseen = nodes(Options{Cut: []string{"d"}, Outputs: []string{"s", "e"}}) // behind one of no known type; both parts need "first"
	require.Equal(t, []string{"first (com.example.Foo)", "second (com.example.Bar)"}, names)
	require.Equal(t, 2, unseen)
	names, _ = nodes(Options{Cut: []string{"b", "x"}, Shapes: map[string]shape.Shape{"x": shape.Of(16, 4)}, Outputs: []string{"p"}})
	require.Equal(t, []string{"first (com.example.Foo)"}, names)
	list, _ = Refused(m, Options{Cut: []string{"none"}, Evaluate: open.Evaluate})
	require.Len(t, list, 1)
	require.ErrorContains(t, list[0], `"none", which no node makes`)
	// What is refused once all nodes are there is found beside another node: places of what is
	// not zero, as a result or behind a size, and a sequence.
	late := built(infos(info("x", 1, "n", 4)), infos(info("z", 7), info("y", 1), info("l", 1), info("k", 7)),
		does("m", "Neg", "m", "x"), does("nz", "NonZero", "z", "m"), odd("foo", "Foo", "y", "m"),
		does("split", "SplitToSequence", "l", "m"), does("other", "NonZero", "w", "x"), does("count", "Size", "k", "w"))
	list, unseen = Refused(late, Options{Evaluate: open.Evaluate})
	names = nil
	for _, err := range list {
		var e *errs.Error
		require.ErrorAs(t, err, &e)
		names = append(names, e.Node)
	}
	require.Equal(t, []string{"nz (NonZero)", "foo (com.example.Foo)", "split (SplitToSequence)", "other (NonZero)", "count (Size)"}, names)
	require.Zero(t, unseen)
	// A model that is refused nowhere.
	list, unseen = Refused(built(infos(info("x", 1, "n", 4)), infos(info("y", 1)), does("neg", "Neg", "y", "x")), Options{Evaluate: open.Evaluate})
	require.Empty(t, list)
	require.Zero(t, unseen)
}

// A classifier whose classes have names, with a map from them to probabilities, as
// converters of scikit-learn write it: the message says which tensor of numbers there is,
// and with that one the model is imported.
func TestTextLabels(t *testing.T) {
	classifier := onnx.Node{Name: "lines", Op: "LinearClassifier", Domain: "ai.onnx.ml", Inputs: []string{"x"}, Outputs: []string{"label", "p"},
		Attributes: map[string]onnx.Attribute{"classlabels_strings": {Strings: []string{"a", "b"}}, "coefficients": {Floats: []float32{1, 2, 3, 4}}, "intercepts": {Floats: []float32{0, 1}}}}
	zip := onnx.Node{Name: "zip", Op: "ZipMap", Domain: "ai.onnx.ml", Inputs: []string{"p"}, Outputs: []string{"map"}}
	maps := onnx.ValueInfo{Name: "map", Kind: onnx.KindSequence}
	m := built(infos(info("x", 1, "n", 2)), append(infos(info("label", 8, "n")), maps), classifier, zip)
	for _, outputs := range [][]string{nil, {"label", "p"}, {"map"}} {
		_, err := Import(m, Options{Evaluate: open.Evaluate, Outputs: outputs})
		require.Equal(t, CodeUnmapped, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "--outputs p")
	}
	_, err := Import(m, Options{Evaluate: open.Evaluate, Outputs: []string{"p"}})
	require.NoError(t, err)
}

// A detector's last node, whose result has as many rows as values say: the message names
// what it takes of other nodes.
func TestEndBefore(t *testing.T) {
	m := built(infos(info("b", 1, 1, "n", 4), info("s", 1, 1, 2, "n")), infos(info("y", 7, "k", 3)),
		does("boxes", "Abs", "boxes", "b"), does("scores", "Sigmoid", "scores", "s"), does("nms", "NonMaxSuppression", "y", "boxes", "scores"))
	_, err := Import(m, Options{Evaluate: open.Evaluate})
	require.ErrorContains(t, err, "nms (NonMaxSuppression)")
	require.ErrorContains(t, err, "--outputs boxes,scores")
	g, err := Import(m, Options{Evaluate: open.Evaluate, Outputs: []string{"boxes", "scores"}})
	require.NoError(t, err)
	require.Equal(t, []string{"boxes", "scores"}, g.Funcs[0].Results)
}
