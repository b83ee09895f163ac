package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// nodeTest is a test with its findings so far.
type nodeTest struct {
	outcome
	inputs, want, got []tensor.Value
	graph             *dag.Graph // nil if there is nothing to run
	absolute          float64    // tolerance in place of the usual one, if it is not 0
}

// disputed are patterns of tests whose expected values differ from ours, with the reason.
var disputed = []struct{ pattern, reason string }{
	{"test_cast_FLOAT_to_BFLOAT16", cutOff},
	{"test_castlike_FLOAT_to_BFLOAT16*", cutOff},
	{"test_adam_multiple", "expected values of an epsilon that the model does not name"},
	{"test_qlinearmatmul_?D_int8_float*", "expected i8 that wrap around, where the operator's text and ours saturate"},
	{"test_attention_*_expanded", ""}, // which say what they do
	{"test_attention_3d*", reordered},
	{"test_attention_4d_gqa*", reordered},
	{"test_attention_4d_with_qk_matmul_bias", reordered},
	{"test_attention_4d_with_qk_matmul_softcap", reordered},
	{"test_attention_4d_with_past_and_present_qk_matmul_bias", reordered},
}

const (
	cutOff    = "expected bf16 that are cut off, where ours are rounded to the nearest"
	reordered = "expected attention of ONNX 1.18's reference, whose orders of heads and of the soft cap 1.19 corrected"
)

// dispute returns the reason why the expected values of a test are not ours, or "".
func dispute(name string) string {
	for _, d := range disputed {
		if ok, err := path.Match(d.pattern, name); ok && err == nil {
			return d.reason
		}
	}
	return ""
}

func (t *nodeTest) fail(err error) { t.reason, t.failed, t.graph = err.Error(), true, nil }

// load reads and converts a test.
func load(suite fs.FS, name string) *nodeTest {
	t := &nodeTest{outcome: outcome{test: name, op: "?"}}
	data, err := fs.ReadFile(suite, name+"/model.onnx")
	if err != nil {
		t.fail(err)
		return t
	}
	m, err := onnx.ParseModel(data)
	if err != nil {
		t.fail(err)
		return t
	}
	if len(m.Graph.Nodes) > 0 {
		t.op = m.Graph.Nodes[len(m.Graph.Nodes)-1].Op
	}
	if strings.HasSuffix(t.test, "_expanded") || len(m.Graph.Nodes) > 1 {
		t.op = "(several)"
	}
	if t.reason = dispute(t.test); t.reason != "" {
		return t
	}
	if t.inputs, t.want, err = values(suite, name, m); err != nil {
		t.reason = strange(m)
		return t
	}
	declared(t.inputs, m.Graph.Inputs)
	declared(t.want, m.Graph.Outputs)
	g, err := fromonnx.Graph(m, t.inputs, open.Evaluate)
	if err != nil {
		t.reason = fromonnx.Reason(err)
		return t
	}
	doc, err := graphjson.Marshal(g)
	if err == nil {
		t.graph, err = graphjson.Parse(doc)
	}
	if err != nil {
		t.fail(err)
	}
	return t
}

// strange returns the kind of a model's value that programs do not support.
func strange(m *onnx.Model) string {
	for _, v := range append(slices.Clone(m.Graph.Inputs), m.Graph.Outputs...) {
		if v.Type == 8 {
			return "text: ours are tensors of numbers"
		}
	}
	return "data that do not fit the model"
}

// together is the number of tests in one program: starting the compiler costs more
// than compiling a test.
const together = 40

// runAll runs the tests that have a graph, several in a program.
func runAll(ctx context.Context, tests []*nodeTest, o open.Options) {
	var batch []*nodeTest
	for _, t := range tests {
		if t.graph == nil {
			continue
		}
		if batch = append(batch, t); len(batch) == together {
			runBatch(ctx, batch, o)
			batch = nil
		}
	}
	if len(batch) > 0 {
		runBatch(ctx, batch, o)
	}
}

// runBatch halves a batch that cannot be loaded, down to the test at fault.
func runBatch(ctx context.Context, batch []*nodeTest, o open.Options) {
	g := &dag.Graph{Name: "tests"}
	for i, t := range batch {
		f := *t.graph.Funcs[0]
		f.Name = fmt.Sprintf("t%d", i)
		g.Funcs = append(g.Funcs, &f)
	}
	x, err := open.Graph(ctx, g, o)
	switch {
	case err == nil:
		defer x.Close()
	case len(batch) > 1:
		runBatch(ctx, batch[:len(batch)/2], o)
		runBatch(ctx, batch[len(batch)/2:], o)
		return
	default:
		if c := errs.CodeOf(err); c == cpu.CodeDType || c == hlo.CodeDType {
			batch[0].reason = "refused: " + string(c)
			return
		}
		batch[0].fail(err)
		return
	}
	for i, t := range batch {
		var err error
		t.got, err = x.Call(ctx, g.Funcs[i].Name, t.inputs[:len(g.Funcs[i].Args)]...)
		if err == nil {
			err = compareWithin(cmp.Or(t.absolute, absolute), t.got, t.want)
		}
		if err != nil {
			t.fail(err)
		}
	}
}

// declared gives tensors the type that the model declares if their files hold
// the same bits as another type: files made from NumPy arrays have no bf16. Elements that
// no program computes in become their codes.
func declared(values []tensor.Value, infos []onnx.ValueInfo) {
	for i := range min(len(values), len(infos)) {
		if values[i].Type.DType == dtype.U16 && onnx.DType(infos[i].Type) == dtype.BF16 {
			values[i].Type.DType = dtype.BF16
		}
		values[i] = fromonnx.Carrier(values[i])
	}
}
