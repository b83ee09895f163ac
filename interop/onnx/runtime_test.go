package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

// peerTensor and peerCase are read from testdata/runtime.json and testdata/contrib.json.
type peerTensor struct {
	Type int64
	Dims []int64
	Data string
}

type peerCase struct {
	Name, Op        string
	Attributes      map[string]int64
	Model           []byte // in place of an operator and its attributes
	Exact           bool
	Absolute        float64
	Subnormal       bool
	Inputs, Outputs []peerTensor
}

func (p peerTensor) value(t *testing.T) tensor.Value {
	t.Helper()
	data, err := hex.DecodeString(p.Data)
	require.NoError(t, err)
	return tensor.Value{Type: tensor.TypeOf(onnx.DType(p.Type), p.Dims...), Bytes: data}
}

// model writes the model of one node.
func (c peerCase) model() []byte {
	if c.Model != nil {
		return c.Model
	}
	var names []string
	var fields, attributes [][]byte
	for i, in := range c.Inputs {
		names = append(names, fmt.Sprintf("x%d", i))
		fields = append(fields, Field(11, Value(names[i], in.Type)))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Attributes)) {
		attributes = append(attributes, Message(Field(1, name), Field(3, c.Attributes[name]), Field(20, int64(2))))
	}
	node := Node(c.Op, "y0", names, attributes...)
	for i, out := range c.Outputs {
		name := fmt.Sprintf("y%d", i)
		if i > 0 {
			node = append(node, Field(2, name)...)
		}
		fields = append(fields, Field(12, Value(name, out.Type)))
	}
	return Model(append(fields, Field(1, node))...)
}

func (c peerCase) load(t *testing.T) *nodeTest {
	t.Helper()
	test := &nodeTest{outcome: outcome{test: c.Name, op: c.Op}, absolute: c.Absolute}
	for _, in := range c.Inputs {
		test.inputs = append(test.inputs, in.value(t))
	}
	for _, out := range c.Outputs {
		test.want = append(test.want, out.value(t))
	}
	m, err := onnx.ParseModel(c.model())
	require.NoError(t, err)
	test.graph, err = fromonnx.Graph(m, test.inputs, open.Evaluate)
	require.NoError(t, err, c.Name)
	return test
}

// same checks results bit by bit; any NaN equals any other, and 0 equals -0.
func same(got, want []tensor.Value) error {
	for i := range want {
		d := want[i].Type.DType
		size := d.Bits() / 8
		for at := 0; at+size <= len(want[i].Bytes); at += size {
			g, w := got[i].Bytes[at:at+size], want[i].Bytes[at:at+size]
			if x, y := float(d, g), float(d, w); !bytes.Equal(g, w) && !(d.IsFloat() && (x == y || math.IsNaN(x) && math.IsNaN(y))) {
				return fmt.Errorf("output %d: element %d has the bytes %x, want %x", i, at/size, g, w)
			}
		}
	}
	return nil
}

// TestRuntime compares nodes with ONNX Runtime: on IREE where the BUILD file names a
// compiler, else on the CPU backend.
func TestRuntime(t *testing.T) {
	o := options{tests: "none", open: open.Options{Backend: open.CPU}}
	if compilerFile != "" {
		o.open.Backend = open.IREE
		require.NoError(t, o.complete())
	}
	var cases []peerCase
	for _, file := range []string{"testdata/runtime.json", "testdata/contrib.json"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var more []peerCase
		require.NoError(t, json.Unmarshal(data, &more))
		cases = append(cases, more...)
	}
	require.Greater(t, len(cases), 100)
	if compilerFile != "" { // IREE's runtime flushes subnormal numbers to zero
		cases = slices.DeleteFunc(cases, func(c peerCase) bool { return c.Subnormal })
	}
	var tests []*nodeTest
	for _, c := range cases {
		tests = append(tests, c.load(t))
	}
	for batch := range slices.Chunk(tests, together) {
		runBatch(context.Background(), batch, o.open)
	}
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			require.Empty(t, tests[i].reason)
			if c.Exact {
				require.NoError(t, same(tests[i].got, tests[i].want))
			}
		})
	}
}

// What ONNX Runtime runs in integers has no product of f32 that were not integers. A Gemm
// whose factor scales the product alone stays one of floats.
func TestGroupsAreIntegers(t *testing.T) {
	data, err := os.ReadFile("testdata/contrib.json")
	require.NoError(t, err)
	var cases []peerCase
	require.NoError(t, json.Unmarshal(data, &cases))
	products := map[bool]int{} // by whether they are of integers
	for _, c := range cases {
		name, ok := strings.CutPrefix(c.Name, "groups/")
		if !ok {
			continue
		}
		body := c.load(t).graph.Funcs[0].Body
		body.Sweep(map[*dag.Value]bool{body.Results[0]: true})
		floats := strings.HasPrefix(name, "gemm/") && strings.HasSuffix(name, "/float")
		for _, n := range body.Nodes {
			if n.Op.Name != "dot_general" && n.Op.Name != "convolution" {
				continue
			}
			x := n.Inputs[0]
			integers := x.Type.DType.IsInt() || x.Node.Op.Name == "convert" && x.Node.Inputs[0].Type.DType.IsInt()
			require.Equal(t, !floats, integers, c.Name)
			products[integers]++
		}
	}
	require.Equal(t, map[bool]int{true: 18, false: 3}, products)
}

// A range is refused before any work if it has too many elements, or no number of them.
func TestRangeIsBounded(t *testing.T) {
	integers := func(v ...int64) (all []tensor.Value) {
		for _, x := range v {
			s, err := tensor.Of([]int64{x})
			require.NoError(t, err)
			all = append(all, s)
		}
		return all
	}
	floats := func(v ...float64) (all []tensor.Value) {
		for _, x := range v {
			s, err := tensor.Of([]float64{x})
			require.NoError(t, err)
			all = append(all, s)
		}
		return all
	}
	const many, infinite = "a range of more than 2^28 elements", "a range whose number of elements is not finite"
	for reason, inputs := range map[string][][]tensor.Value{
		many: {
			integers(math.MinInt64, math.MaxInt64, 1), integers(0, 1<<28+1, 1), integers(math.MaxInt64, math.MinInt64, -1),
			floats(0, 1e300, 1e-3), floats(0, -1e18, -1),
		},
		infinite: {integers(0, 1, 0), floats(0, 1, 0), floats(0, math.Inf(1), 1), floats(math.NaN(), 1, 1), floats(0, 0, 0)},
	} {
		for _, in := range inputs {
			c := peerCase{Op: "Range", Inputs: make([]peerTensor, 3), Outputs: make([]peerTensor, 1)}
			m, err := onnx.ParseModel(c.model())
			require.NoError(t, err)
			start := time.Now()
			_, err = fromonnx.Graph(m, in, open.Evaluate)
			require.Equal(t, reason, fromonnx.Reason(err))
			require.Less(t, time.Since(start), time.Minute)
		}
	}
	c := peerCase{Op: "Range", Inputs: make([]peerTensor, 3), Outputs: make([]peerTensor, 1)}
	m, err := onnx.ParseModel(c.model())
	require.NoError(t, err)
	g, err := fromonnx.Graph(m, integers(0, 1<<28, 1), open.Evaluate)
	require.NoError(t, err)
	require.Equal(t, "i64[268435456]", g.Funcs[0].Body.Results[0].Type.String())
}

// Steps and counts that divide nothing, and frames that a signal does not hold, are refused with their reason.
func TestDivisionsAreRefused(t *testing.T) {
	of := func(v ...int64) tensor.Value {
		x, err := tensor.Of(v, int64(len(v)))
		require.NoError(t, err)
		return x
	}
	scalar := func(v int64) tensor.Value {
		x, err := tensor.Of([]int64{v})
		require.NoError(t, err)
		return x
	}
	signal, err := tensor.Of(make([]float32, 8), 1, 8, 1)
	require.NoError(t, err)
	window, err := tensor.Of(make([]float32, 4), 4)
	require.NoError(t, err)
	wide, err := tensor.Of(make([]float32, 9), 9)
	require.NoError(t, err)
	for _, c := range []struct {
		op, reason string
		attributes map[string]int64
		inputs     []tensor.Value
	}{
		{"STFT", "an STFT of frames of 4 elements by steps of 0, of a signal of 8", nil, []tensor.Value{signal, scalar(0), window}},
		{"STFT", "an STFT of frames of 4 elements by steps of -1, of a signal of 8", nil, []tensor.Value{signal, scalar(-1), window}},
		{"STFT", "an STFT of frames of 9 elements by steps of 1, of a signal of 8", nil, []tensor.Value{signal, scalar(1), wide}},
		{"STFT", "an STFT of frames of 0 elements by steps of 1, of a signal of 8", nil, []tensor.Value{signal, scalar(1)}},
		{"Slice", "a slice by steps of 0", nil, []tensor.Value{window, of(0), of(4), of(0), of(0)}},
		{"Split", "a split into 0 parts", map[string]int64{"num_outputs": 0}, []tensor.Value{window}},
	} {
		m, err := onnx.ParseModel(peerCase{Op: c.op, Attributes: c.attributes, Inputs: make([]peerTensor, len(c.inputs)), Outputs: make([]peerTensor, 1)}.model())
		require.NoError(t, err)
		_, err = fromonnx.Graph(m, c.inputs, open.Evaluate)
		require.Equal(t, c.reason, fromonnx.Reason(err))
	}
}
