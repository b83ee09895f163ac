package fromonnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// growing is a model whose cache past [1, p] becomes present [1, p+s] with x [1, s], and
// another node.
func growing(output onnx.ValueInfo, more ...onnx.Node) *onnx.Model {
	join := does("join", "Concat", "present.0", "past.0", "x")
	join.Attributes = map[string]onnx.Attribute{"axis": {Int: 1}}
	return built(infos(info("x", 1, 1, "s"), info("past.0", 1, 1, "p")), infos(output, info("present.0", 1, 1, "t")), append([]onnx.Node{join}, more...)...)
}

// The state has the steps that are asked for, whatever a call gives, and a count of those
// that are in it.
func TestGrowingStates(t *testing.T) {
	m := growing(info("y", 1, 1), does("sum", "ReduceMax", "y", "present.0"))
	for _, states := range []map[string]string{{"present.0": "past.0:6"}, {"present.*": "past.*:6"}} {
		g, err := Import(m, Options{Evaluate: open.Evaluate, States: states})
		require.NoError(t, err)
		require.Equal(t, []string{"x"}, g.Funcs[0].Args)
		require.Equal(t, []string{"y"}, g.Funcs[0].Results)
		var got []string
		for k, s := range g.States {
			got = append(got, s.Name+" "+s.Type.String())
			require.Equal(t, s.Name, g.Funcs[0].Writes[k].State)
		}
		require.Equal(t, []string{"past_0 f32[1x6]", "steps i32[scalar]"}, got)
	}
}

// What would depend on elements that mean nothing is refused with its node and with what
// to do, as is a state that is none.
func TestGrowingRefuses(t *testing.T) {
	y := info("y", 1)
	turned := does("turned", "Concat", "y", "x", "past.0")
	turned.Attributes = map[string]onnx.Attribute{"axis": {Int: 1}}
	keep := map[string]string{"present.0": "past.0:6"}
	for _, c := range []struct {
		name   string
		m      *onnx.Model
		states map[string]string
		code   errs.Code
		says   []string
	}{
		{"a result", growing(y, does("neg", "Neg", "y", "present.0")), keep, CodeState, []string{"the result y", "p+s", "--outputs"}},
		{"behind", growing(y, turned, does("max", "ReduceMax", "m", "y")), keep, CodeState, []string{"turned (Concat)", "only the first", "leave out the states"}},
		{"flat", growing(y, counts("two", 2, 1), does("twice", "Expand", "w", "present.0", "two"), counts("to", -1), does("flat", "Reshape", "f", "w", "to"), does("max", "ReduceMax", "y", "f")), keep, CodeState, []string{"flat (Reshape)", "2*p+2*s"}},
		{"by its place", growing(y, counts("first", 0), chosenAlong("part", "present.0", "first", "y")), keep, CodeState, []string{"part (Gather)", "p+s"}},
		{"the first ones", growing(y, counts("from", 0), counts("to", 1), counts("axes", 1), does("part", "Slice", "y", "present.0", "from", "to", "axes")), keep, CodeState, []string{"part (Slice)", "from 0 to 1"}},
		{"no growth", built(infos(info("x", 1, "n", 4)), infos(y), does("neg", "Neg", "y", "x")), map[string]string{"y": "x:6"}, CodeState, []string{"no state that grows", "--state y=x"}},
		{"no steps", growing(y, does("neg", "Neg", "y", "x")), map[string]string{"present.0": "past.0"}, CodeOption, []string{"--state OUTPUT=past.0:STEPS"}},
		{"none kept", growing(y, does("neg", "Neg", "y", "x")), map[string]string{"present.0": "past.0:0"}, CodeOption, []string{"keeps 0 steps"}},
		{"too many", growing(y, does("neg", "Neg", "y", "x")), map[string]string{"present.0": "past.0:9000000000"}, CodeOption, []string{"1 to 2^30"}},
		{"no such pattern", growing(y, does("neg", "Neg", "y", "x")), map[string]string{"presents.*": "past.*:6"}, CodeOption, []string{"presents.*", "its outputs are y, present.0"}},
		{"half a pattern", growing(y, does("neg", "Neg", "y", "x")), map[string]string{"present.*": "past.0:6"}, CodeOption, []string{"one * on each side"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Import(c.m, Options{Evaluate: open.Evaluate, States: c.states})
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			for _, word := range c.says {
				require.ErrorContains(t, err, word)
			}
		})
	}
}

func chosenAlong(name, x, at, y string) onnx.Node {
	n := does(name, "Gather", y, x, at)
	n.Attributes = map[string]onnx.Attribute{"axis": {Int: 1}}
	return n
}

// A mask of a size of its own name is as long as what it is added to.
func TestMaskHasTheSizeOfTheCache(t *testing.T) {
	m := growing(info("y", 1, 1), does("shown", "Add", "a", "present.0", "mask"), does("max", "ReduceMax", "y", "a"))
	m.Graph.Inputs = append(m.Graph.Inputs, info("mask", 1, 1, "total"))
	var notes []string
	g, err := Import(m, Options{Evaluate: open.Evaluate, States: map[string]string{"present.0": "past.0:6"}, Note: func(text string) { notes = append(notes, text) }})
	require.NoError(t, err)
	require.Equal(t, []string{"x", "mask"}, g.Funcs[0].Args)
	require.True(t, g.Funcs[0].Body.Args[1].Type.Shape.Same(shape.Shape{shape.N(1), shape.Named("s+6")}))
	require.Len(t, notes, 1)
	require.Contains(t, notes[0], "mask is f32[1xp+s?]")
}

// With a state GroupQueryAttention assumes nothing of how far its past is filled.
func TestFilledStatesAreNotAssumed(t *testing.T) {
	for _, c := range recordedCases(t) {
		if c.Name != "cache/GroupQueryAttention" {
			continue
		}
		m, err := onnx.ParseModel(c.Model)
		require.NoError(t, err)
		for _, states := range []map[string]string{nil, c.States} {
			var notes []string
			o := Options{Evaluate: open.Evaluate, States: states, Shapes: map[string]shape.Shape{"x": sizesIn("1,seq,8"), "mask": sizesIn("1,past+seq")}, Note: func(text string) { notes = append(notes, text) }}
			_, err = Import(m, o)
			require.NoError(t, err)
			require.Equal(t, states == nil, len(notes) == 1, notes)
		}
		return
	}
	t.Fatal("no case of GroupQueryAttention")
}
