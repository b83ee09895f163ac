// Command ours is this repository's side of the benchmark of operations: see
// bench/ops/contestant. An operation is a graph of one node, called as a model is,
// with weights as parameters; copies of arguments and results count.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/bench/ops/contestant"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func main() {
	ready := contestant.Ready{Version: "this repository's CPU backend", Do: []string{
		contestant.MatMul, contestant.GEMV, contestant.Conv, contestant.LayerNorm, contestant.Softmax,
	}}
	if err := contestant.Serve(os.Stdin, os.Stdout, ready, prepare); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

// operation is a node of the graph: x is its argument, the others are parameters.
type operation struct {
	name  string
	attrs op.Attrs
	x     []int64
	w     [][]int64
	xLast bool // x is the second operand
}

var operations = map[string]operation{
	contestant.MatMul:    {"dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{0}}, []int64{1024, 1024}, [][]int64{{1024, 1024}}, false},
	contestant.GEMV:      {"dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{0}}, []int64{4096}, [][]int64{{4096, 4096}}, true},
	contestant.Conv:      {"convolution", op.Attrs{"low": []int64{1, 1}, "high": []int64{1, 1}}, []int64{1, 64, 56, 56}, [][]int64{{64, 64, 3, 3}}, false},
	contestant.LayerNorm: {"layer_norm", op.Attrs{"epsilon": 1e-5}, []int64{512, 768}, [][]int64{{768}, {768}}, false},
	contestant.Softmax:   {"softmax", op.Attrs{"dim": int64(1)}, []int64{512, 1024}, nil, false},
}

func prepare(do string) (contestant.Run, error) {
	o, ok := operations[do]
	if !ok {
		return nil, errs.New(contestant.CodeProtocol, "asked to %q", do)
	}
	b := &dag.Block{}
	x := b.AddArg(tensor.TypeOf(dtype.F32, o.x...))
	in := []*dag.Value{x}
	values := map[string]tensor.Value{}
	for i, sizes := range o.w {
		key := fmt.Sprintf("w%d", i)
		v, err := operand(1+len(o.w)+i, sizes) // w is 2, g and b are 3 and 4
		if err != nil {
			return nil, err
		}
		values[key] = v
		n, err := b.Add("parameter", key, op.Attrs{"type": v.Type, "key": key})
		if err != nil {
			return nil, err
		}
		in = append(in, n.Outputs[0])
	}
	if o.xLast {
		in[0], in[1] = in[1], in[0]
	}
	n, err := b.Add(o.name, do, o.attrs, in...)
	if err != nil {
		return nil, err
	}
	b.Results = n.Outputs
	g := &dag.Graph{Name: "bench", Funcs: []*dag.Func{{Name: "main", Entry: true, Body: b, Args: []string{"x"}, Results: []string{"y"}}}}
	result := n.Outputs[0].Type
	c := &contract.Contract{Schema: contract.Schema, Name: g.Name, Entries: []contract.Entry{{
		Name:    "main",
		Args:    []contract.Named{{Name: "x", DType: x.Type.DType, Shape: x.Type.Shape}},
		Results: []contract.Named{{Name: "y", DType: result.DType, Shape: result.Shape}},
	}}}
	program, err := cpu.Load(g, c, func(scope, key string) (tensor.Value, error) { return values[key], nil })
	if err != nil {
		return nil, err
	}
	argument, err := operand(1, o.x)
	if err != nil {
		return nil, err
	}
	return func() (contestant.Result, error) {
		out, err := program.Call(context.Background(), "main", argument)
		if err != nil {
			return nil, err
		}
		return func() ([]float32, error) { return tensor.Slice[float32](out[0]) }, nil
	}, nil
}

func operand(number int, sizes []int64) (tensor.Value, error) {
	n := 1
	for _, s := range sizes {
		n *= int(s)
	}
	return tensor.Of(contestant.Numbers(number, n), sizes...)
}
