package dag

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var (
	i32  = tensor.TypeOf(dtype.I32)
	vec  = tensor.TypeOf(dtype.F32, 4)
	half = tensor.TypeOf(dtype.F16, 4)
)

// sample is a valid graph with one of everything, and its parts for tests to
// break.
type sample struct {
	g             *Graph
	private, main *Func
	square, twice *Node // in private: multiply; in main: call of private
	weight, old   *Node // in main: parameter, state
	loop          *Node // in main, over (i32, vec)
	cond, body    *Block
	less, next    *Node // in cond: compare; in body: add
	sum           *Node // last in main
}

func node(t *testing.T, b *Block, name, path string, attrs op.Attrs, in ...*Value) *Node {
	t.Helper()
	n, err := b.Add(name, path, attrs, in...)
	require.NoError(t, err)
	return n
}

func newSample(t *testing.T) *sample {
	s := &sample{}
	p := &Block{}
	x := p.AddArg(vec)
	s.square = node(t, p, "multiply", "private/square", nil, x, x)
	p.Results = s.square.Outputs
	s.private = &Func{Name: "private", Args: []string{"x"}, Results: []string{"y"}, Body: p}

	m := &Block{}
	limit, start := m.AddArg(i32), m.AddArg(vec)
	s.weight = node(t, m, "parameter", "main/weight", op.Attrs{"type": vec, "key": "w"})
	s.old = node(t, m, "state", "main/old", op.Attrs{"type": vec, "name": "kv"})
	var err error
	s.twice, err = m.AddCall("main/twice", s.private, start)
	require.NoError(t, err)
	zero := node(t, m, "splat", "main/zero", op.Attrs{"type": i32, "value": 0.0})
	s.cond, s.body = &Block{}, &Block{}
	for _, b := range []*Block{s.cond, s.body} {
		b.AddArg(i32)
		b.AddArg(vec)
	}
	s.less = node(t, s.cond, "compare", "main/loop/less", op.Attrs{"direction": op.LT}, s.cond.Args[0], limit)
	s.cond.Results = s.less.Outputs
	one := node(t, s.body, "splat", "main/loop/one", op.Attrs{"type": i32, "value": 1.0})
	s.next = node(t, s.body, "add", "main/loop/next", nil, s.body.Args[0], one.Outputs[0])
	grown := node(t, s.body, "add", "main/loop/grown", nil, s.body.Args[1], s.weight.Outputs[0])
	s.body.Results = []*Value{s.next.Outputs[0], grown.Outputs[0]}
	s.loop, err = m.AddWhile("main/loop", s.cond, s.body, zero.Outputs[0], s.twice.Outputs[0])
	require.NoError(t, err)
	s.sum = node(t, m, "add", "main/sum", nil, s.loop.Outputs[1], s.old.Outputs[0])
	m.Results = s.sum.Outputs
	s.main = &Func{
		Name: "main", Entry: true, Args: []string{"limit", "start"}, Results: []string{"sum"}, Body: m,
		Writes: []Write{{State: "kv", Value: s.sum.Outputs[0]}},
	}
	s.g = &Graph{Name: "sample", States: []*State{{Name: "kv", Type: vec}}, Funcs: []*Func{s.private, s.main}}
	return s
}

func TestTheSampleIsValid(t *testing.T) { require.NoError(t, Verify(newSample(t).g)) }

func TestVerify(t *testing.T) {
	tests := []struct {
		name string
		edit func(t *testing.T, s *sample)
		code errs.Code
		says string
	}{
		{"module name", func(t *testing.T, s *sample) { s.g.Name = "a-b" }, "DAG_NAME", `"a-b"`},
		{"empty module name", func(t *testing.T, s *sample) { s.g.Name = "" }, "DAG_NAME", `""`},
		{"state name", func(t *testing.T, s *sample) { s.g.States[0].Name = "k v" }, "DAG_NAME", `"k v"`},
		{"two states of one name", func(t *testing.T, s *sample) { s.g.States = append(s.g.States, s.g.States[0]) }, "DAG_NAME", `"kv"`},
		{"a state of no element, too wide", func(t *testing.T, s *sample) { s.g.States[0].Type.Shape = shape.Of(1<<62, 0) }, shape.CodeOverflow, "kv"},
		{"an argument of no element, too wide", func(t *testing.T, s *sample) {
			s.main.Args = append(s.main.Args, "wide")
			s.main.Body.Args = append(s.main.Body.Args, &Value{Type: tensor.TypeOf(dtype.F32, 1<<31, 0, 1<<31), Port: 2})
		}, shape.CodeOverflow, "main"},
		{"function name", func(t *testing.T, s *sample) { s.main.Name = "1st" }, "DAG_NAME", `"1st"`},
		{"two functions of one name", func(t *testing.T, s *sample) { s.main.Name = "private" }, "DAG_NAME", `"private"`},
		{"argument name", func(t *testing.T, s *sample) { s.main.Args[0] = "a.b" }, "DAG_NAME", `"a.b"`},
		{"two arguments of one name", func(t *testing.T, s *sample) { s.main.Args[0] = "start" }, "DAG_NAME", `"start"`},
		{"result name", func(t *testing.T, s *sample) { s.main.Results[0] = "" }, "DAG_NAME", "main"},
		{"names and arguments", func(t *testing.T, s *sample) { s.main.Args = s.main.Args[:1] }, "DAG_SIGNATURE", "main"},
		{"names and results", func(t *testing.T, s *sample) { s.private.Results = nil }, "DAG_SIGNATURE", "private"},

		{"use before definition", func(t *testing.T, s *sample) {
			n := s.main.Body.Nodes
			n[len(n)-1], n[len(n)-2] = n[len(n)-2], n[len(n)-1]
		}, "DAG_UNDEFINED", "main/sum"},
		{"no input", func(t *testing.T, s *sample) { s.sum.Inputs[0] = nil }, "DAG_UNDEFINED", "main/sum"},
		{"input from another function", func(t *testing.T, s *sample) { s.sum.Inputs[0] = s.square.Outputs[0] }, "DAG_UNDEFINED", "main/sum"},
		{"input from inside a loop", func(t *testing.T, s *sample) { s.sum.Inputs[0] = s.body.Results[1] }, "DAG_UNDEFINED", "main/sum"},
		{"a loop's argument outside", func(t *testing.T, s *sample) { s.sum.Inputs[0] = s.body.Args[1] }, "DAG_UNDEFINED", "main/sum"},
		{"condition's value in the body", func(t *testing.T, s *sample) { s.next.Inputs[0] = s.cond.Args[0] }, "DAG_UNDEFINED", "main/loop/next"},
		{"a loop that feeds itself", func(t *testing.T, s *sample) { s.next.Inputs[0] = s.loop.Outputs[0] }, "DAG_UNDEFINED", "main/loop/next"},
		{"undefined result", func(t *testing.T, s *sample) { s.main.Body.Results = []*Value{s.square.Outputs[0]} }, "DAG_UNDEFINED", "main"},
		{"no result", func(t *testing.T, s *sample) { s.main.Body.Results = []*Value{nil} }, "DAG_UNDEFINED", "main"},
		{"undefined result of a block", func(t *testing.T, s *sample) { s.body.Results[0] = s.loop.Outputs[0] }, "DAG_UNDEFINED", "main/loop"},

		{"result type", func(t *testing.T, s *sample) { s.square.Outputs[0].Type = half }, "DAG_TYPES", "private/square"},
		{"operand type", func(t *testing.T, s *sample) { s.sum.Inputs[0] = s.loop.Outputs[0] }, "DAG_TYPES", "main/sum"},
		{"one result too many", func(t *testing.T, s *sample) {
			s.square.Outputs = append(s.square.Outputs, &Value{Type: vec, Node: s.square, Port: 1})
		}, "DAG_TYPES", "private/square"},
		{"attribute left out", func(t *testing.T, s *sample) { delete(s.weight.Attrs, "scope") }, "DAG_TYPES", "main/weight"},
		{"attribute that is not known", func(t *testing.T, s *sample) { s.sum.Attrs["x"] = int64(1) }, "DAG_TYPES", "main/sum"},

		{"output of another node", func(t *testing.T, s *sample) { s.sum.Outputs[0].Node = s.loop }, "DAG_PORTS", "main/sum"},
		{"ports exchanged", func(t *testing.T, s *sample) { s.loop.Outputs[0].Port, s.loop.Outputs[1].Port = 1, 0 }, "DAG_PORTS", "main/loop"},
		{"arguments exchanged", func(t *testing.T, s *sample) { s.main.Body.Args[0].Port = 1 }, "DAG_PORTS", "main"},
		{"argument of a node", func(t *testing.T, s *sample) { s.body.Args[0].Node = s.loop }, "DAG_PORTS", "main/loop"},

		{"loop without body", func(t *testing.T, s *sample) { s.loop.Blocks = s.loop.Blocks[:1] }, "DAG_BLOCKS", "main/loop"},
		{"sum with a block", func(t *testing.T, s *sample) { s.sum.Blocks = []*Block{{}} }, "DAG_BLOCKS", "main/sum"},

		{"callee missing", func(t *testing.T, s *sample) { s.g.Funcs = []*Func{s.main} }, "DAG_CALL", "main/twice"},
		{"callee after its caller", func(t *testing.T, s *sample) { s.g.Funcs = []*Func{s.main, s.private} }, "DAG_CALL", "main/twice"},
		{"callee is an entry point", func(t *testing.T, s *sample) { s.private.Entry = true }, "DAG_CALL", "main/twice"},
		{"call with another argument", func(t *testing.T, s *sample) { s.twice.Inputs[0] = s.main.Body.Args[0] }, "DAG_CALL", "main/twice"},
		{"call with another result", func(t *testing.T, s *sample) { s.twice.Outputs[0].Type = half }, "DAG_CALL", "main/twice"},

		{"condition gives no bool", func(t *testing.T, s *sample) { s.cond.Results = s.cond.Args[:1] }, "DAG_WHILE", "main/loop"},
		{"condition gives two", func(t *testing.T, s *sample) { s.cond.Results = []*Value{s.less.Outputs[0], s.less.Outputs[0]} }, "DAG_WHILE", "main/loop"},
		{"condition takes one", func(t *testing.T, s *sample) { s.cond.Args = s.cond.Args[:1] }, "DAG_WHILE", "main/loop"},
		{"body takes another type", func(t *testing.T, s *sample) { s.body.Args[1].Type = half }, "DAG_WHILE", "main/loop"},
		{"body gives its values in another order", func(t *testing.T, s *sample) {
			s.body.Results[0], s.body.Results[1] = s.body.Results[1], s.body.Results[0]
		}, "DAG_WHILE", "main/loop"},

		{"a choice of nothing", func(t *testing.T, s *sample) {
			limit := s.main.Body.Args[0]
			p := node(t, s.main.Body, "compare", "main/p", op.Attrs{"direction": op.LT}, limit, limit)
			_, err := s.main.Body.AddCond("main/choice", &Block{}, &Block{}, p.Outputs[0])
			require.NoError(t, err)
		}, "DAG_COND", "main/choice"},

		{"state of no variable", func(t *testing.T, s *sample) { s.old.Attrs["name"] = "other" }, "DAG_STATE", "main/old"},
		{"argument that is only stored", func(t *testing.T, s *sample) {
			s.main.Body.Args[0].Type.DType = dtype.F8E4M3FN
		}, "DAG_TYPES", "main"},
		{"state variable that is only stored", func(t *testing.T, s *sample) {
			s.g.States[0].Type.DType = dtype.C64
		}, "DAG_STATE", "kv"},
		{"state of another type", func(t *testing.T, s *sample) { s.g.States[0].Type = half }, "DAG_STATE", "main/old"},
		{"state in a private function", func(t *testing.T, s *sample) {
			node(t, s.private.Body, "state", "private/state", op.Attrs{"type": vec, "name": "kv"})
		}, "DAG_STATE", "private/state"},
		{"state in a loop", func(t *testing.T, s *sample) {
			node(t, s.body, "state", "main/loop/state", op.Attrs{"type": vec, "name": "kv"})
		}, "DAG_STATE", "main/loop/state"},
		{"state variable of dynamic shape", func(t *testing.T, s *sample) {
			s.g.States[0].Type.Shape = shape.Of(shape.Dynamic)
		}, "DAG_STATE", "kv"},
		{"state variable with an invalid initial value", func(t *testing.T, s *sample) {
			s.g.States[0].Type.DType, s.g.States[0].Init = dtype.U8, 300
		}, "DAG_STATE", "initial value 300"},
		{"state variable of no type", func(t *testing.T, s *sample) { s.g.States[0].Type = tensor.Type{} }, "DAG_STATE", "kv"},

		{"write of no variable", func(t *testing.T, s *sample) { s.main.Writes[0].State = "other" }, "DAG_NO_STATE", `"other"`},
		{"write twice", func(t *testing.T, s *sample) { s.main.Writes = append(s.main.Writes, s.main.Writes[0]) }, "DAG_WRITE", `main: state "kv" is written twice`},
		{"write by a private function", func(t *testing.T, s *sample) {
			s.private.Writes = []Write{{"kv", s.square.Outputs[0]}}
		}, "DAG_WRITE", "by a private function"},
		{"write of nothing", func(t *testing.T, s *sample) { s.main.Writes[0].Value = nil }, "DAG_WRITE", "does not compute"},
		{"write from inside a loop", func(t *testing.T, s *sample) { s.main.Writes[0].Value = s.body.Results[1] }, "DAG_WRITE", "only inside a loop"},
		{"write of another type", func(t *testing.T, s *sample) { s.main.Writes[0].Value = s.loop.Outputs[0] }, "DAG_WRITE", `state "kv" is f32[4], and is written with a value of type `},

		{"parameter of two types", func(t *testing.T, s *sample) {
			node(t, s.private.Body, "parameter", "private/weight", op.Attrs{"type": half, "key": "w"})
		}, "DAG_PARAM_TYPE", "main/weight"},
		{"parameter of two scopes", func(t *testing.T, s *sample) {
			node(t, s.private.Body, "parameter", "private/weight", op.Attrs{"type": vec, "scope": "adapter", "key": "w"})
		}, "DAG_PARAM_TYPE", "main/weight"},
	}
	violated := map[errs.Code]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSample(t)
			tt.edit(t, s)
			err := Verify(s.g)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.says)
		})
		violated[tt.code] = true
	}
	for _, r := range nodeRules {
		require.True(t, violated[r.code], "no graph violates %s", r.code)
	}
}
