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
	list, _ = Refused(m, Options{Cut: []string{"b"}, Evaluate: open.Evaluate})
	require.Len(t, list, 1)
	require.ErrorContains(t, list[0], "first")
	// A model that is refused nowhere.
	list, unseen = Refused(built(infos(info("x", 1, "n", 4)), infos(info("y", 1)), does("neg", "Neg", "y", "x")), Options{Evaluate: open.Evaluate})
	require.Empty(t, list)
	require.Zero(t, unseen)
}
