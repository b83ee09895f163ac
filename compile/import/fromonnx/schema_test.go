package fromonnx

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

// Each operator that has a rule, but those that only old versions of ONNX Runtime have, has
// a schema, and each row of ranks is of an operator and has no more inputs than it.
func TestSchemas(t *testing.T) {
	all, err := readSignatures(schemasText)
	require.NoError(t, err)
	var lacking []string
	for _, name := range Operators() {
		if len(all[name]) == 0 {
			lacking = append(lacking, name)
		}
	}
	require.Empty(t, lacking)
	for name := range ranks {
		require.NotNil(t, rules[name], name)
		row := rankOf()[name]
		most := 0
		for _, s := range all[name] {
			most = max(most, len(s.inputs))
		}
		require.LessOrEqual(t, len(row), most, name)
	}
	for _, text := range []string{"x", "1..", "=0-y", "a+", "1-b"} {
		_, err := readPlaces(text)
		require.Error(t, err, text)
	}
	for _, text := range []string{"Odd 1\nOdd 1 1..1 1..1 X:9 -", "A 1 1..1 1..1 X a:WORD", "A b 1..1 1..1 X -", "A 1 1 1..1 X -", "A 1 1..1 1 X -", "one two three"} {
		_, err := readSignatures(text)
		require.Error(t, err, text)
	}
}

// A version of the operators chooses the schema.
func TestSignatures(t *testing.T) {
	require.EqualValues(t, 1, signatureOf("TopK", 7).since)
	require.EqualValues(t, 10, signatureOf("TopK", 10).since)
	require.EqualValues(t, 11, signatureOf("TopK", 23).since)
	require.EqualValues(t, 23, signatureOf("Attention", 18).since, "before its time")
	require.EqualValues(t, 1, signatureOf("com.microsoft.FusedMatMul", 0).since)
	require.Nil(t, signatureOf("Odd", 1))
	p, ok := signatureOf("Concat", 13).parameter(5)
	require.True(t, ok && p.variadic)
	_, ok = signatureOf("Abs", 13).parameter(1)
	require.False(t, ok)
}

// typed is a name of ONNX's number for each element type of a schema.
var typed = map[string]int64{"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "bool": 9, "f16": 10, "f64": 11, "u32": 12, "u64": 13, "bf16": 16}

// Without one of its required attributes, or with one of another type, each operator is
// refused by a code, and the message names the node, the attribute and what to do.
func TestRequiredAttributes(t *testing.T) {
	tried := 0
	for _, name := range Operators() {
		for _, s := range signatures()[name] {
			for _, a := range s.attributes {
				if !a.required || s.since > newest {
					continue
				}
				tried++
				for _, wrong := range []bool{false, true} {
					n, inputs := bare(name, s)
					n.Attributes = map[string]onnx.Attribute{}
					for _, other := range s.attributes {
						n.Attributes[other.name] = onnx.Attribute{Type: other.kind, Graph: &onnx.Graph{}}
					}
					delete(n.Attributes, a.name)
					if wrong {
						n.Attributes[a.name] = onnx.Attribute{Type: schema.AttributeProto_TYPE_PROTO}
					}
					m := built(inputs, infos(info("y", 1)), n)
					m.Opsets[""] = max(s.since, 7)
					if n.Domain != "" {
						m.Opsets[n.Domain] = s.since
					}
					_, err := Import(m, Options{Evaluate: open.Evaluate, Noise: NoiseZero})
					require.Equal(t, CodeNode, errs.CodeOf(err), "%s %d: %v", name, s.since, err)
					require.ErrorContains(t, err, "attribute "+a.name)
					require.ErrorContains(t, err, "bad ("+name+")")
					require.ErrorContains(t, err, "onnx.checker")
				}
			}
		}
	}
	require.Greater(t, tried, 60)
}

// bare is a node that has the inputs that its schema requires, of f32 where that may be.
func bare(name string, s signature) (onnx.Node, []onnx.ValueInfo) {
	n := onnx.Node{Name: "bad", Op: name, Outputs: []string{"y"}}
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		n.Domain, n.Op = name[:at], name[at+1:]
	}
	var inputs []onnx.ValueInfo
	for i := range s.min {
		p, _ := s.parameter(i)
		d := int64(1)
		if len(p.types) > 0 && !slices.Contains(p.types, "f32") {
			for _, kind := range p.types {
				if typed[kind] != 0 {
					d = typed[kind]
				}
			}
		}
		in := info(fmt.Sprintf("x%d", i), d, 2, 2, 2)
		n.Inputs = append(n.Inputs, in.Name)
		inputs = append(inputs, in)
	}
	return n, inputs
}

// What a schema and the ranks forbid is refused before a rule sees it.
func TestNodesThatSchemasForbid(t *testing.T) {
	x := infos(info("x", 1, 2, 3), info("i", 7, 2))
	for _, c := range []struct {
		node onnx.Node
		says []string
	}{
		{does("n", "Add", "y", "x"), []string{"n (Add)", "1 inputs", "at least 2 (A, B)"}},
		{does("n", "Neg", "y", "x", "x"), []string{"2 inputs", "at most 1"}},
		{does("n", "Gather", "y", "x", ""), []string{"without its input 1, indices"}},
		{does("n", "Not", "y", "x"), []string{"Not of f32 in its input 0, X: it takes bool"}},
		{does("n", "Conv", "y", "x", "x"), []string{"a tensor of 2 dimensions in its input 0, X, [2x3]: it takes at least 3"}},
		{does("n", "Slice", "y", "x", "x", "i", "i"), []string{"Slice of f32 in its input 1, starts: it takes i32, i64"}},
		{does("n", "TopK", "y", "i", "x"), []string{"K: it takes i64"}},
		{onnx.Node{Name: "n", Op: "Neg", Inputs: []string{"x"}, Outputs: []string{"y", "z"}}, []string{"2 outputs: it has at most 1"}},
		{onnx.Node{Name: "n", Op: "Softmax", Inputs: []string{"x"}, Outputs: []string{"y"}, Attributes: map[string]onnx.Attribute{"axis": {Type: schema.AttributeProto_FLOAT, Float: 1}}},
			[]string{"the attribute axis of the type FLOAT: it is of the type INT"}},
		{onnx.Node{Name: "n", Op: "If", Inputs: []string{"x"}, Outputs: []string{"y"}, Attributes: map[string]onnx.Attribute{"then_branch": {}, "else_branch": {}}}, []string{"it takes bool"}},
		{onnx.Node{Name: "n", Op: "Softmax", Inputs: []string{"x"}, Outputs: []string{"y"}, Attributes: map[string]onnx.Attribute{"axis": {Type: schema.AttributeProto_INT, Int: 2}}},
			[]string{"the axis 2 of Softmax of a tensor of 2 dimensions"}},
	} {
		_, err := Import(built(x, infos(info("y", 1)), c.node), Options{Evaluate: open.Evaluate})
		require.Equal(t, CodeNode, errs.CodeOf(err), "%v", err)
		for _, word := range append(c.says, "onnx.checker") {
			require.ErrorContains(t, err, word)
		}
	}
}
