package fromonnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// What ONNX Runtime refuses, too: words that an attribute cannot be, indices outside a
// dimension, the place of an extremum among no elements, two functions of one name.
func TestFaultyModels(t *testing.T) {
	constant := func(list ...int64) onnx.Node {
		return onnx.Node{Op: "Constant", Outputs: []string{"i"}, Attributes: map[string]onnx.Attribute{"value_ints": {Ints: list}}}
	}
	node := func(op string, attributes map[string]onnx.Attribute, in ...string) onnx.Node {
		return onnx.Node{Name: "it", Op: op, Inputs: in, Outputs: []string{"y"}, Attributes: attributes}
	}
	function := onnx.Function{Domain: "my", Name: "F", Inputs: []string{"a"}, Outputs: []string{"b"}, Nodes: []onnx.Node{does("", "Neg", "b", "a")}}
	for says, m := range map[string]*onnx.Model{
		`reduction="x": it is one of none, add, mul, max, min`: built(infos(info("x", 1, 4)), infos(info("y", 1)), constant(1, 2),
			node("ScatterElements", map[string]onnx.Attribute{"reduction": {String: "x"}}, "x", "i", "x")),
		`direction="up": it is one of LEFT, RIGHT`:    built(infos(info("x", 13, 4)), infos(info("y", 13)), node("BitShift", map[string]onnx.Attribute{"direction": {String: "up"}}, "x", "x")),
		"the index 4 into 4 elements":                 built(infos(info("x", 1, 4, "n")), infos(info("y", 1)), constant(0, 4), node("Gather", nil, "x", "i")),
		"the index -5 into 4 elements":                built(infos(info("x", 1, 4)), infos(info("y", 1)), constant(-5), node("GatherElements", nil, "x", "i")),
		"the index 9 into 4 elements":                 built(infos(info("x", 1, 3, 4)), infos(info("y", 1)), constant(2, 9), node("GatherND", nil, "x", "i")),
		"the place of the extremum among no elements": built(infos(info("x", 1, 3, 0)), infos(info("y", 7)), node("ArgMax", map[string]onnx.Attribute{"axis": {Int: 1}}, "x")),
	} {
		_, err := Import(m, Options{Evaluate: open.Evaluate})
		require.Equal(t, CodeUnmapped, errs.CodeOf(err), "%s: %v", says, err)
		require.ErrorContains(t, err, says)
	}
	m := built(infos(info("x", 1, 4)), infos(info("y", 1)), does("", "Neg", "y", "x"))
	m.Functions = []onnx.Function{function, function}
	_, err := Import(m, Options{Evaluate: open.Evaluate})
	require.ErrorContains(t, err, `two functions "F" of the domain "my"`)
}
