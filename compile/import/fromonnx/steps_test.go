package fromonnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// repeats is a model that adds 1 to a start so many times, and makes a list of that length
// if the start is a constant.
func repeats(turns int64, constant, stacked bool) *onnx.Model {
	body := &onnx.Graph{Inputs: infos(info("i", 7), info("c", 9), info("s", 7, 1)), Outputs: infos(info("c2", 9), info("t", 7, 1)),
		Nodes: []onnx.Node{does("", "Identity", "c2", "c"), does("", "Add", "t", "s", "one")}}
	loop := onnx.Node{Name: "loop", Op: "Loop", Inputs: []string{"m", "", "x"}, Outputs: []string{"y"}, Attributes: map[string]onnx.Attribute{"body": {Graph: body}}}
	nodes, outputs := []onnx.Node{counts("m", turns), counts("one", 1)}, infos(info("y", 7))
	if constant {
		loop.Inputs[2] = "one"
		outputs = infos(info("z", 1))
	}
	if stacked {
		body.Nodes, body.Outputs = append(body.Nodes, does("", "Neg", "u", "t")), append(body.Outputs, info("u", 7, 1))
		loop.Outputs, outputs = append(loop.Outputs, "all"), append(outputs, info("all", 7))
	}
	nodes = append(nodes, loop, does("wide", "ConstantOfShape", "z", "y"))
	return built(infos(info("x", 7, 1)), outputs, nodes...)
}

// A loop of any number of turns becomes a loop. One over constants, whose result decides a
// size, is computed when a model is imported: up to a number of operations, whatever the
// machine is.
func TestManyTurns(t *testing.T) {
	for _, stacked := range []bool{false, true} {
		g, err := Import(repeats(1<<40, false, stacked), Options{Evaluate: open.Evaluate})
		require.NoError(t, err)
		require.Less(t, len(g.Funcs[0].Body.Nodes), 100)
	}
	g, err := Import(repeats(1000, true, false), Options{Evaluate: open.Evaluate})
	require.NoError(t, err)
	require.Equal(t, "f32[1001]", g.Funcs[0].Body.Results[0].Type.String())
	for _, turns := range []int64{1 << 24, 1 << 40} {
		_, err = Import(repeats(turns, true, false), Options{Evaluate: open.Evaluate})
		require.Equal(t, CodeExpansion, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "loop")
		require.ErrorContains(t, err, "make the turns fewer")
	}
	_, err = Import(repeats(1<<40, true, true), Options{Evaluate: open.Evaluate})
	require.Contains(t, []errs.Code{CodeExpansion, CodeMemory}, errs.CodeOf(err), "%v", err)
}

// What a node is written out as has a limit.
func TestWrittenOut(t *testing.T) {
	split := onnx.Node{Name: "split", Op: "Split", Inputs: []string{"x"}, Outputs: []string{"y"}, Attributes: map[string]onnx.Attribute{"num_outputs": {Int: 1 << 18}}}
	_, err := Import(built(infos(info("x", 1, 1<<20)), infos(info("y", 1)), split), Options{Evaluate: open.Evaluate})
	require.Equal(t, CodeExpansion, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "split (Split)")
	require.ErrorContains(t, err, "2^17")
	// A loop that grows what it carries, and never ends.
	body := &onnx.Graph{Inputs: infos(info("i", 7), info("c", 9), info("s", 1)), Outputs: infos(info("c2", 9), info("t", 1)),
		Nodes: []onnx.Node{does("", "Identity", "c2", "c"), {Op: "Concat", Inputs: []string{"s", "x"}, Outputs: []string{"t"}, Attributes: map[string]onnx.Attribute{"axis": {Int: 0}}}}}
	grows := onnx.Node{Name: "grows", Op: "Loop", Inputs: []string{"m", "", "x"}, Outputs: []string{"y"}, Attributes: map[string]onnx.Attribute{"body": {Graph: body}}}
	_, err = Import(built(infos(info("x", 1, 1)), infos(info("y", 1)), counts("m", 1<<40), grows), Options{Evaluate: open.Evaluate})
	require.Equal(t, CodeExpansion, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "grows (Loop)")
	require.ErrorContains(t, err, "4096")
}
