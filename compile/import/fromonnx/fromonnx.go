// Package fromonnx converts ONNX models to graphs of this project, as far as the table
// of operations allows. It serves the ONNX backend node tests: sizes that a model reads
// from tensors are taken from the test's inputs, and the graph is valid for these
// inputs.
//
// # Errors
//
// ONNX_UNMAPPED, with the reason, for what has no counterpart, and our own code
// (OP_*) if an operation does not accept the operands.
//
// # Determinism
//
// The graph depends only on the model and the inputs.
package fromonnx

import (
	"errors"
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
)

// CodeUnmapped is the code of a model that has no counterpart here.
const CodeUnmapped errs.Code = "ONNX_UNMAPPED" // smallest input: a model without nodes, of one output

// CodeFault is the code of a node at which a rule of this package fails.
const CodeFault errs.Code = "ONNX_FAULT" // no input is known

// rule converts an ONNX node to its outputs.
type rule func(n *node) []*dag.Value

// rules maps ONNX operators to rules, filled from the families' files.
var rules = func() map[string]rule {
	all := map[string]rule{}
	for _, family := range []map[string]rule{
		elementwiseRules, comparisonRules, reduceRules, shapeRules, sliceRules, indexRules, gatherRules, normRules, convRules, windowRules, productRules,
		lossRules, attentionRules, recurrentRules, linearRules, resizeRules, gridRules, integerRules, quantizedRules, signalRules, tableRules, trainingRules, moreRules, randomRules,
	} {
		for name, r := range family {
			all[name] = r
		}
	}
	return all
}()

// Graph returns the graph of a model for inputs, in the order of the model's inputs
// without initializers; a missing optional input has no type. It serves ONNX's node tests:
// sizes that a model reads from tensors are taken from the inputs, with which values are
// computed by evaluate, and the graph is valid for these inputs.
func Graph(m *onnx.Model, inputs []tensor.Value, evaluate Evaluator) (g *dag.Graph, err error) {
	defer recovered(&err)
	s := newSession(m, evaluate, math.MaxInt64)
	e := s.enter(&m.Graph)
	f := &dag.Func{Name: "main", Entry: true, Body: e.b}
	next := 0
	for _, in := range m.Graph.Inputs {
		name := in.Name
		if e.find(name) != nil || next >= len(inputs) {
			continue
		}
		v := e.coded(e.b.AddArg(inputs[next].Type), onnx.DType(in.Type))
		s.samples[v], e.values[name] = inputs[next], v
		f.Args = append(f.Args, fmt.Sprintf("x%d", next))
		next++
	}
	f.Body.Results = e.nodes(&m.Graph)
	for i := range m.Graph.Outputs {
		f.Results = append(f.Results, fmt.Sprintf("y%d", i))
	}
	return &dag.Graph{Name: "node", Funcs: []*dag.Func{f}}, nil
}

// recovered turns a refusal of a rule into an error.
func recovered(err *error) {
	switch r := recover().(type) {
	case nil:
	case refusal:
		*err = r.error
	default:
		*err = fault(r)
	}
}

// fault is the error for a panic of a rule: the rule relies on what conforms does not check.
func fault(r any) *errs.Error {
	return errs.New(CodeFault, "a rule failed: %v", r).Hint("the file is damaged, or this program is at fault: report it with the node")
}

func unmapped(reason string, args ...any) *errs.Error {
	return errs.New(CodeUnmapped, reason, args...)
}

// refusal carries an error out of a rule.
type refusal struct{ error }

// Reason returns the reason in an error of Graph, for a table; "" for nil.
func Reason(err error) string {
	var e *errs.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e) && e.Code == CodeUnmapped:
		return e.What
	case errors.As(err, &e):
		return "refused: " + string(e.Code)
	}
	return err.Error()
}
