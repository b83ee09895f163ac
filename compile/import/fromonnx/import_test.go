package fromonnx

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// info declares a value; a size is a number, a name, or "?" for an open one.
func info(name string, d int64, sizes ...any) onnx.ValueInfo {
	v := onnx.ValueInfo{Name: name, Kind: onnx.KindTensor, Type: d, Ranked: true}
	for _, s := range sizes {
		switch s := s.(type) {
		case int:
			v.Shape = append(v.Shape, onnx.Dim{Known: true, Size: int64(s)})
		case string:
			v.Shape = append(v.Shape, onnx.Dim{Param: strings.Trim(s, "?")})
		}
	}
	return v
}

func built(inputs, outputs []onnx.ValueInfo, nodes ...onnx.Node) *onnx.Model {
	return &onnx.Model{Opsets: map[string]int64{"": 18}, Graph: onnx.Graph{Nodes: nodes, Inputs: inputs, Outputs: outputs}}
}

func infos(v ...onnx.ValueInfo) []onnx.ValueInfo { return v }

func does(name, op, out string, in ...string) onnx.Node {
	return onnx.Node{Name: name, Op: op, Inputs: in, Outputs: []string{out}}
}

// counts is a constant of integers.
func counts(out string, of ...int64) onnx.Node {
	return onnx.Node{Op: "Constant", Outputs: []string{out}, Attributes: map[string]onnx.Attribute{"value_ints": {Ints: of}}}
}

// Names of the file become names of arguments, results and sizes; options bind, rename
// and fix sizes in every input that has them.
func TestSizesOfInputs(t *testing.T) {
	add := does("sum", "Add", "y.0", "in:0", "1b")
	for _, c := range []struct {
		name   string
		in     []onnx.ValueInfo
		shapes map[string]string
		want   string
	}{
		{"names", infos(info("in:0", 1, "batch", "seq"), info("1b", 1, "batch", "seq")), nil, "in_0 f32[batch?xseq?] _1b f32[batch?xseq?]"},
		{"names of other letters", infos(info("in:0", 1, "batch size"), info("1b", 1, "batch size")), nil, "in_0 f32[batch_size?] _1b f32[batch_size?]"},
		{"two that become one", infos(info("in:0", 1, "a b", "a.b"), info("1b", 1, "a b", "a.b")), nil, "in_0 f32[a_b?xa_b_2?] _1b f32[a_b?xa_b_2?]"},
		{"open", infos(info("in:0", 1, "?", 3), info("1b", 1, 3)), nil, "in_0 f32[in_0_0?x3] _1b f32[3]"},
		{"fixed in one", infos(info("in:0", 1, "batch", "seq"), info("1b", 1, "batch", "seq")), map[string]string{"1b": "1,seq"}, "in_0 f32[1xseq?] _1b f32[1xseq?]"},
		{"renamed", infos(info("in:0", 1, "batch", "seq"), info("1b", 1, "batch", "seq")), map[string]string{"1b": "n,seq"}, "in_0 f32[n?xseq?] _1b f32[n?xseq?]"},
		{"arithmetic", infos(info("in:0", 1, "past", "seq", "past+seq"), info("1b", 1, "seq", "past + seq")), map[string]string{"in:0": "2,seq,2+seq"}, "in_0 f32[2xseq?xseq+2?] _1b f32[seq?xseq+2?]"},
		{"multiples", infos(info("in:0", 1, "h", "w"), info("1b", 1, "h", "w")), map[string]string{"in:0": "32*h,8*k+1"}, "in_0 f32[32*h?x8*k+1?] _1b f32[32*h?x8*k+1?]"},
		{"arithmetic of no names", infos(info("in:0", 1, "a+b"), info("1b", 1, "a+b")), nil, "in_0 f32[a_b?] _1b f32[a_b?]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Evaluate: open.Evaluate, Shapes: map[string]shape.Shape{}}
			for name, text := range c.shapes {
				o.Shapes[name] = sizesIn(text)
			}
			g, err := Import(built(c.in, infos(info("y.0", 1)), add), o)
			require.NoError(t, err)
			var got []string
			for i, name := range g.Funcs[0].Args {
				got = append(got, name, g.Funcs[0].Body.Args[i].Type.String())
			}
			require.Equal(t, c.want, strings.Join(got, " "))
			require.Equal(t, []string{"y_0"}, g.Funcs[0].Results)
			require.Regexp(t, `^main/sum/`, g.Funcs[0].Body.Nodes[0].Path)
		})
	}
}

// A refusal says what, at which node, and which option helps.
func TestImportRefuses(t *testing.T) {
	x, y := infos(info("x", 1, "n", 4)), infos(info("y", 1))
	neg := does("neg", "Neg", "y", "x")
	in := func(d ...any) []onnx.ValueInfo { return infos(info("x", 1, d...)) }
	from, to, halves := counts("from", 2), counts("to", 9000), counts("halves", 11, -1)
	part, half := does("part", "Slice", "y", "x", "from", "to"), does("half", "Reshape", "y", "x", "halves")
	two := infos(info("x", 1, "n"), info("z", 1, "n+1"))
	squeezed := onnx.Graph{Nodes: []onnx.Node{does("", "Squeeze", "a", "x")}, Outputs: infos(info("a", 1))}
	kept := onnx.Graph{Nodes: []onnx.Node{does("", "Unsqueeze", "b", "x", "axes")}, Outputs: infos(info("b", 1))}
	branching := onnx.Node{Name: "if", Op: "If", Inputs: []string{"is"}, Outputs: []string{"y"}, Attributes: map[string]onnx.Attribute{"then_branch": {Graph: &squeezed}, "else_branch": {Graph: &kept}}}
	again := onnx.Graph{Inputs: infos(info("i", 7), info("c", 9), info("a", 1, 4)), Outputs: infos(info("c2", 9), info("d", 1, 4), info("e", 1, 4)),
		Nodes: []onnx.Node{does("", "Identity", "c2", "c"), does("", "Neg", "d", "a"), does("", "Identity", "e", "d")}}
	turning := onnx.Node{Name: "loop", Op: "Loop", Inputs: []string{"turns", "", "x"}, Outputs: []string{"y", "ys"}, Attributes: map[string]onnx.Attribute{"body": {Graph: &again}}}
	number := func(out string, v float32) onnx.Node {
		return onnx.Node{Op: "Constant", Outputs: []string{out}, Attributes: map[string]onnx.Attribute{"value_float": {Float: v}}}
	}
	highest := does("max", "ReduceMax", "m", "x")
	highest.Attributes = map[string]onnx.Attribute{"keepdims": {Int: 0}}
	integer := does("int", "Cast", "n", "m")
	integer.Attributes = map[string]onnx.Attribute{"to": {Int: 7}}
	loop := built(x, y, onnx.Node{Name: "call", Op: "F", Domain: "d", Inputs: []string{"x"}, Outputs: []string{"y"}})
	loop.Functions = []onnx.Function{{Domain: "d", Name: "F", Inputs: []string{"a"}, Outputs: []string{"b"},
		Nodes: []onnx.Node{{Name: "inner", Op: "F", Domain: "d", Inputs: []string{"a"}, Outputs: []string{"b"}}}}}
	old, future := built(x, y, neg), built(x, y, neg)
	old.Opsets[""], future.Opsets[""] = 6, 99
	for _, c := range []struct {
		name string
		m    *onnx.Model
		o    Options
		code errs.Code
		says []string
	}{
		{"old", old, Options{}, CodeOpset, []string{"version 6", "older than 7"}},
		{"future", future, Options{}, CodeOpset, []string{"version 99", "neg (Neg)"}},
		{"domain", built(x, y, onnx.Node{Name: "odd", Op: "Neg", Domain: "com.example", Inputs: []string{"x"}, Outputs: []string{"y"}}), Options{}, CodeUnmapped, []string{"odd (com.example.Neg)", "no rule for com.example.Neg"}},
		{"no type", built(infos(onnx.ValueInfo{Name: "x"}), y, neg), Options{}, CodeInput, []string{`"x"`, "of no type"}},
		{"text", built(infos(info("x", 8, 1)), y, neg), Options{}, CodeInput, []string{"element type string", "tensors of numbers"}},
		{"no rank", built(infos(onnx.ValueInfo{Name: "x", Kind: onnx.KindTensor, Type: 1}), y, neg), Options{}, CodeInput, []string{"--shape x="}},
		{"unknown input", built(x, y, neg), Options{Shapes: map[string]shape.Shape{"q": nil}}, CodeOption, []string{`"q"`, "its inputs are x"}},
		{"unknown constant", built(x, y, neg), Options{Constants: map[string]tensor.Value{"q": {}}}, CodeOption, []string{`"q"`}},
		{"unknown state", built(x, y, neg), Options{States: map[string]string{"q": "x"}}, CodeOption, []string{`"q"`, "its outputs are y"}},
		{"open state", built(x, y, neg), Options{States: map[string]string{"y": "x"}}, CodeOption, []string{"f32[n?x4]", "--shape x="}},
		{"rank", built(x, y, neg), Options{Shapes: map[string]shape.Shape{"x": shape.Of(1)}}, CodeOption, []string{"2 dimensions"}},
		{"size", built(x, y, neg), Options{Shapes: map[string]shape.Shape{"x": shape.Of(1, 5)}}, CodeOption, []string{"dimension 1", "5", "4"}},
		{"two sizes", built(infos(info("x", 1, "n"), info("z", 1, "n")), y, neg), Options{Shapes: map[string]shape.Shape{"x": shape.Of(1), "z": shape.Of(2)}}, CodeOption, []string{"n is 2", "and 1"}},
		{"free arithmetic", built(x, y, neg), Options{Shapes: map[string]shape.Shape{"x": sizesIn("k*l,4")}}, CodeOption, []string{"k*l", "no argument has a dimension k"}},
		{"unequal names", built(two, y, does("sum", "Add", "y", "x", "z")), Options{}, "OP_SHAPE", []string{"sum (Add)", "the same name", "--shape x=NUMBER"}},
		{"part", built(in("n"), y, from, to, part), Options{}, CodeUnmapped, []string{"part (Slice)", "from 2 to 9000", "n?", "--shape x=NUMBER"}},
		{"no quotient", built(in("n"), y, halves, half), Options{}, CodeUnmapped, []string{"half (Reshape)", "n? over 11", "--shape x=NUMBER"}},
		{"values", built(infos(info("x", 1, 4), info("to", 7, 2)), y, does("r", "Reshape", "y", "x", "to")), Options{}, CodeUnmapped, []string{"r (Reshape)", `elements of "to"`, "--fix to="}},
		{"branches", built(in("n", 4), y, counts("axes", 0), counts("many", 40000), does("", "Size", "all", "x"), does("", "Equal", "is", "all", "many"), branching), Options{}, CodeUnmapped,
			[]string{"if (If)", "different shapes", "--shape x=NUMBER,4"}},
		{"a flag", built(infos(info("x", 1, 1, 4), info("is", 9)), y, counts("axes", 0), branching), Options{}, CodeUnmapped, []string{"if (If)", "f32[4] and f32[1x1x4]", "--fix is=1 or --fix is=0"}},
		{"a rate", built(infos(info("x", 1, 1, 4), info("rate", 7)), y, counts("axes", 0), counts("high", 16000), does("", "Equal", "is", "rate", "high"), branching), Options{}, CodeUnmapped,
			[]string{"if (If)", "different shapes", "--fix rate=16000, with which the file compares it"}},
		{"turns", built(infos(info("x", 1, 4), info("turns", 7)), infos(info("y", 1), info("ys", 1)), turning), Options{}, CodeUnmapped, []string{"loop (Loop)", "as many times as a value says", "--fix turns=VALUE"}},
		{"computed turns", built(infos(info("x", 1, 4), info("z", 7, 3)), infos(info("y", 1), info("ys", 1)), does("max", "ReduceMax", "m", "z"), does("turns", "Neg", "turns", "m"), turning), Options{}, CodeUnmapped, []string{"loop (Loop)", "--cut turns"}},
		{"a range of floats", built(infos(info("x", 1, "n")), y, number("zero", 0), number("one", 1), highest, does("range", "Range", "y", "zero", "m", "one")), Options{}, CodeUnmapped, []string{"range (Range)", `the elements of "x"`, "--outputs m"}},
		{"a rank", built(infos(info("x", 1, "n", "m", 3, "k")), y, does("flat", "Squeeze", "s", "x"), does("gru", "GRU", "y", "s", "x", "x")), Options{}, CodeNode, []string{"gru (GRU)", "--shape x=NUMBER,NUMBER,3,NUMBER"}},
		{"random", built(x, y, does("noise", "RandomNormalLike", "y", "x")), Options{}, CodeUnmapped, []string{"noise (RandomNormalLike)", "--noise"}},
		{"noise", built(x, y, neg), Options{Noise: "loud"}, CodeOption, []string{"loud"}},
		{"a function in a circle", loop, Options{}, CodeUnmapped, []string{"64 deep"}},
		{"cut twice", built(x, y, neg), Options{Cut: []string{"y", "y"}}, CodeOption, []string{"twice"}},
		{"no such output", built(x, y, neg), Options{Outputs: []string{"q"}}, CodeUnmapped, []string{"--outputs", `"q"`, "similar names are x, y"}},
		{"a length", built(infos(info("x", 7, 3)), y, counts("one", 1), does("max", "ReduceMax", "n", "x"), does("wide", "Expand", "y", "one", "n")), Options{}, CodeUnmapped, []string{"wide (Expand)", "--cut n; or", "--fix x="}},
		{"a computed length", built(infos(info("x", 1, 3)), y, counts("one", 1), does("max", "ReduceMax", "m", "x"), integer, does("wide", "Expand", "y", "one", "n")), Options{}, CodeUnmapped, []string{"wide (Expand)", "--cut n"}},
		{"a search", built(x, y, does("neg", "Neg", "a", "x"), does("all", "Unique", "y", "a")), Options{}, CodeUnmapped, []string{"all (Unique)", "--outputs a"}},
		{"first", built(x, y, does("all", "Unique", "y", "x")), Options{}, CodeUnmapped, []string{"all (Unique)", "outside of the program"}},
		{"a sequence", built(infos(info("x", 1, 4)), y, does("parts", "SplitToSequence", "y", "x")), Options{}, CodeUnmapped, []string{"parts (SplitToSequence)", "is a sequence"}},
		{"no such cut", built(x, y, neg), Options{Cut: []string{"far away"}}, CodeUnmapped, []string{"--cut", `"far away"`, "outputs are y"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Evaluate = open.Evaluate
			_, err := Import(c.m, c.o)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			for _, word := range c.says {
				require.ErrorContains(t, err, word)
			}
		})
	}
}

// Random numbers are an argument that the distribution's attributes scale, or its mean.
func TestRandomNumbers(t *testing.T) {
	uniform := onnx.Node{Op: "RandomUniformLike", Inputs: []string{"x"}, Outputs: []string{"noise"},
		Attributes: map[string]onnx.Attribute{"low": {Float: 1}, "high": {Float: 3}}}
	m := built(infos(info("x", 1, "n")), infos(info("y", 1)), uniform, does("sum", "Add", "y", "x", "noise"))
	x := tensor.Value{Type: tensor.TypeOf(dtype.F32, 1), Bytes: []byte{0, 0, 0x80, 0x3f}}
	half := tensor.Value{Type: x.Type, Bytes: []byte{0, 0, 0, 0x3f}}
	for noise, want := range map[string][]tensor.Value{NoiseZero: {x}, NoiseArgument: {x, half}} {
		g, err := Import(m, Options{Evaluate: open.Evaluate, Noise: noise})
		require.NoError(t, err)
		require.Len(t, g.Funcs[0].Args, len(want))
		got, err := open.Evaluate(context.Background(), g, want)
		require.NoError(t, err)
		if diff := cmp.Diff([]tensor.Value{of(t, []float32{3}, 1)}, got); diff != "" {
			t.Error(noise, diff)
		}
	}
}

// What Bernoulli and Multinomial draw is told by numbers from 0 to 1, by the formulas of ONNX's
// function and of ONNX Runtime's kernel: one is less than the probability, or how many sums of
// probabilities are not above it. Without numbers it is what 1/2 gives.
func TestDraws(t *testing.T) {
	p := of(t, []float32{0.25, 0.5, 0.75}, 1, 3)
	thirds := of(t, []float32{1, 1, 1}, 1, 3)
	hidden := of(t, []float32{float32(math.Inf(-1)), 0, 0}, 1, 3)
	numbers := func(v ...float32) tensor.Value { return of(t, v, 1, int64(len(v))) }
	count := map[string]onnx.Attribute{"sample_size": {Int: 4}, "dtype": {Int: 7}}
	for _, c := range []struct {
		name, op    string
		attributes  map[string]onnx.Attribute
		x           tensor.Value
		noise, want tensor.Value // without a type: the option is NoiseZero
	}{
		{"chances", "Bernoulli", nil, p, numbers(0.2, 0.6, 0.7), numbers(1, 0, 1)},
		{"bounds", "Bernoulli", nil, of(t, []float32{0, 1, 0.5}, 1, 3), numbers(0, 0.9999, 0.5), numbers(0, 1, 0)},
		{"integers", "Bernoulli", map[string]onnx.Attribute{"dtype": {Int: 7}}, p, numbers(0.2, 0.6, 0.7), of(t, []int64{1, 0, 1}, 1, 3)},
		{"likely", "Bernoulli", nil, p, tensor.Value{}, numbers(0, 0, 1)},
		{"thirds", "Multinomial", count, thirds, numbers(0, 0.32, 0.34, 0.99), of(t, []int64{0, 0, 1, 2}, 1, 4)},
		{"hidden", "Multinomial", count, hidden, numbers(0, 0.4, 0.6, 0.99), of(t, []int64{1, 1, 2, 2}, 1, 4)},
		{"middle", "Multinomial", count, thirds, tensor.Value{}, of(t, []int64{1, 1, 1, 1}, 1, 4)},
	} {
		t.Run(c.name, func(t *testing.T) {
			node := onnx.Node{Op: c.op, Inputs: []string{"x"}, Outputs: []string{"y"}, Attributes: c.attributes}
			m := built(infos(info("x", 1, 1, 3)), infos(info("y", 1)), node)
			_, err := Import(m, Options{Evaluate: open.Evaluate})
			require.Equal(t, CodeUnmapped, errs.CodeOf(err))
			require.ErrorContains(t, err, "--noise")
			o, in := Options{Evaluate: open.Evaluate, Noise: NoiseArgument}, []tensor.Value{c.x, c.noise}
			if c.noise.Bytes == nil {
				o.Noise, in = NoiseZero, in[:1]
			}
			g, err := Import(m, o)
			require.NoError(t, err)
			got, err := open.Evaluate(context.Background(), g, in)
			require.NoError(t, err)
			if diff := cmp.Diff([]tensor.Value{c.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What is computed from constants is counted before it is computed: 2^29 integers here, of
// which the places of those that are not zero are asked for.
func TestMemoryOfConstants(t *testing.T) {
	m := built(nil, infos(info("y", 7, 2, "k")), counts("s", 1<<15, 1<<14), does("ones", "ConstantOfShape", "c", "s"), does("nz", "NonZero", "y", "c"))
	before := allocated()
	for _, limit := range []int64{0, 1 << 20} {
		_, err := Import(m, Options{Evaluate: open.Evaluator(limit), MaxMemory: limit})
		require.Equal(t, CodeMemory, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "--max-memory")
	}
	require.Less(t, allocated()-before, uint64(1<<24))
}

// Functions that call each other more and more often are counted before they are expanded.
func TestFunctionsThatMultiply(t *testing.T) {
	m := built(infos(info("x", 1, 2)), infos(info("y", 1, 2)))
	call := func(k int, in, out string) onnx.Node {
		if k < 0 {
			return does("", "Neg", out, in)
		}
		return onnx.Node{Op: "F" + strconv.Itoa(k), Domain: "d", Inputs: []string{in}, Outputs: []string{out}}
	}
	for k := range 30 {
		m.Functions = append(m.Functions, onnx.Function{Domain: "d", Name: "F" + strconv.Itoa(k), Inputs: []string{"a"}, Outputs: []string{"c"},
			Nodes: []onnx.Node{call(k-1, "a", "b"), call(k-1, "b", "c")}})
	}
	m.Graph.Nodes = []onnx.Node{call(3, "x", "y")}
	g, err := Import(m, Options{Evaluate: open.Evaluate})
	require.NoError(t, err)
	require.Equal(t, "f32[2]", g.Funcs[0].Body.Results[0].Type.String())
	m.Graph.Nodes = []onnx.Node{call(29, "x", "y")}
	before := allocated()
	_, err = Import(m, Options{Evaluate: open.Evaluate})
	require.Equal(t, CodeUnmapped, errs.CodeOf(err))
	require.ErrorContains(t, err, "2^20 nodes")
	require.Less(t, allocated()-before, uint64(1<<20))
}

// A long model takes time in proportion to its nodes, also where each size follows from
// the one before: 3 10^4 of them in far less than a minute.
func TestLongModels(t *testing.T) {
	m := built(infos(info("x", 1, "n", 4)), infos(info("y", 1)))
	last := "x"
	for i := range 10000 {
		name := "v" + shape.N(int64(i)).String()
		m.Graph.Nodes = append(m.Graph.Nodes, does("", "Shape", "s"+name, last), does("", "Neg", "n"+name, last), does("", "Reshape", name, "n"+name, "s"+name))
		last = name
	}
	m.Graph.Nodes = append(m.Graph.Nodes, does("", "Abs", "y", last))
	g, err := Import(m, Options{Evaluate: open.Evaluate})
	require.NoError(t, err)
	require.Equal(t, "f32[n?x4]", g.Funcs[0].Body.Results[0].Type.String())
}
