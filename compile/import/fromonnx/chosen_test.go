package fromonnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// What a mask chooses has a number of elements that values decide: all that would need it
// is refused, at its node.
func TestMixedRowsAreRefused(t *testing.T) {
	ints := func(n onnx.Node, name string, of ...int64) onnx.Node {
		n.Attributes = map[string]onnx.Attribute{name: {Ints: of, Int: append(of, 0)[0]}}
		return n
	}
	chosen := []onnx.Node{
		does("mask", "IsNaN", "m", "x"), does("found", "NonZero", "f", "m"), ints(does("turn", "Transpose", "at", "f"), "perm", 1, 0),
		does("rows", "GatherND", "r", "x", "at"), // [of the n x 4 of x]
		counts("axis", 0), counts("flat", -1), counts("two", -1, 2),
		does("other", "IsInf", "m2", "x"), does("found2", "NonZero", "f2", "m2"), ints(does("turn2", "Transpose", "at2", "f2"), "perm", 1, 0),
		does("count", "Size", "k", "r"),
	}
	for _, c := range []struct {
		name  string
		says  string
		nodes []onnx.Node
	}{
		{"a sum", "total (ReduceSum)", []onnx.Node{does("total", "ReduceSum", "s", "r", "axis"), does("", "Add", "y", "x", "s")}},
		{"a softmax", "soft (Softmax)", []onnx.Node{does("soft", "Softmax", "s", "r"), does("", "ScatterND", "y", "x", "at", "s")}},
		{"an operator that is not by rows", "order (TopK)", []onnx.Node{does("order", "TopK", "s", "r", "axis"), does("", "ScatterND", "y", "x", "at", "s")}},
		{"all in a circle", "turned (Slice)", []onnx.Node{does("turned", "Slice", "s", "r", "flat", "axis"), does("", "ScatterND", "y", "x", "at", "s")}},
		{"pairs", "pairs (Reshape)", []onnx.Node{does("pairs", "Reshape", "s", "r", "two"), does("", "Abs", "y", "s")}},
		{"joined", "joined (Concat)", []onnx.Node{ints(does("joined", "Concat", "s", "r", "r"), "axis", 0), does("", "Abs", "y", "s")}},
		{"another mask", "back (ScatterND)", []onnx.Node{does("back", "ScatterND", "y", "x", "at2", "r")}},
		{"two masks", "both (Add)", []onnx.Node{does("rows2", "GatherND", "r2", "x", "at2"), does("both", "Add", "y", "r", "r2")}},
		{"a result", `result "y"`, []onnx.Node{does("", "Abs", "y", "r")}},
		{"the number", "count (Size)", []onnx.Node{ints(does("", "Cast", "s", "k"), "to", 1), does("", "Mul", "y", "x", "s")}},
		{"whether there are some", "count (Size)", []onnx.Node{does("", "Equal", "e", "k", "axis"), ints(does("", "Cast", "s", "e"), "to", 1), does("", "Mul", "y", "x", "s")}},
		{"the places", "found (NonZero)", []onnx.Node{ints(does("", "Cast", "y", "f"), "to", 1)}},
		{"the places of another tensor", "far (GatherND)", []onnx.Node{counts("wide", 4, -1), does("", "Reshape", "z", "x", "wide"), does("far", "GatherND", "y", "z", "at")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Import(built(infos(info("x", 1, "n", 4)), infos(info("y", 1)), append(append([]onnx.Node{}, chosen...), c.nodes...)...), Options{Evaluate: open.Evaluate})
			require.Equal(t, CodeUnmapped, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
		})
	}
}
