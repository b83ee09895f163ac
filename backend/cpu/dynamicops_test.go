package cpu

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A naming gives dimensions of one size the name n: all of them, or those at one
// position.
type naming struct {
	size  int64
	place int // -1 means all
}

func (m naming) of(s shape.Shape) shape.Shape {
	out := slices.Clone(s)
	for i, d := range out {
		if d.Size == m.size && (m.place < 0 || i == m.place) {
			out[i] = shape.Named("n")
		}
	}
	return out
}

// runNamed computes a case in which a size has a name; the error is that of an
// operation that rejects it.
func (c compositeCase) runNamed(t *testing.T, m naming) ([]tensor.Value, error) {
	o, err := op.Lookup(c.Op)
	require.NoError(t, err)
	b := &dag.Block{}
	var args []tensor.Value
	for _, text := range c.In {
		v := parseTensor(t, text)
		args = append(args, v)
		b.AddArg(tensor.Type{DType: v.Type.DType, Shape: m.of(v.Type.Shape)})
	}
	attrs := c.attrs(t, o)
	for _, a := range o.Attributes {
		if v, ok := attrs[a.Name].([]int64); ok && a.Kind == op.KindDims {
			attrs[a.Name] = m.of(shape.Of(v...))
		}
	}
	n, err := b.Add(c.Op, "case/"+c.Op, attrs, b.Args...)
	if err != nil {
		return nil, err
	}
	for _, v := range n.Outputs {
		require.True(t, v.Type.Shape.IsKnown(), "the result is %s", v.Type)
	}
	b.Results = n.Outputs
	x := load(t, graphOf(b), noParams)
	return x.Call(context.Background(), "main", args...)
}

// A case with a dynamic size computes what the oracle computes, or is rejected when the
// graph is built. Every dimension of the first operand is made dynamic in turn; the
// lists hold the operations that reject all cases of a dynamic first dimension (the
// batch of most), and of a dynamic last one.
func TestEveryOperationWithADynamicSize(t *testing.T) {
	var file struct{ Cases []compositeCase }
	require.NoError(t, json.Unmarshal(compositeJSON, &file))
	for _, c := range readCases(t) {
		file.Cases = append(file.Cases, compositeCase{opCase: c, Outs: []string{c.Out}})
	}
	refused, taken := [2]map[string]error{{}, {}}, [2]map[string]int{{}, {}}
	for i, c := range file.Cases {
		var dims shape.Shape
		if len(c.In) > 0 {
			dims = parseTensor(t, c.In[0]).Type.Shape
		}
		for d, n := range dims {
			ends := []int{} // which of the lists
			if d == 0 {
				ends = append(ends, 0)
			}
			if d == len(dims)-1 && d > 0 {
				ends = append(ends, 1)
			}
			for _, m := range []naming{{n.Size, d}, {n.Size, -1}} {
				if n.Size < 1 {
					continue
				}
				got, err := c.runNamed(t, m)
				if err != nil {
					require.True(t, strings.HasPrefix(string(errs.CodeOf(err)), "OP_"), "%s/%d: %v", c.Op, i, err)
				} else {
					require.Len(t, got, len(c.Outs))
				}
				for _, end := range ends {
					if err == nil {
						taken[end][c.Op]++
					} else {
						refused[end][c.Op] = err
					}
				}
				for j, v := range got {
					t.Run(fmt.Sprintf("%s/%d/%d/%d", c.Op, i, d, m.place), func(t *testing.T) {
						requireClose(t, parseTensor(t, c.Outs[j]), v, c.ULPs, c.Abs)
					})
				}
			}
		}
	}
	for end, want := range [][]string{refuseFirst, refuseLast} {
		names := []string{}
		for name, err := range refused[end] {
			if taken[end][name] == 0 {
				names = append(names, name)
				t.Logf("%s: %s", name, err)
			}
		}
		slices.Sort(names)
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("dimension %d (0 first, 1 last): %s", end, diff)
		}
	}
	for _, o := range op.All() {
		if len(o.Operands) > 0 && refused[0][o.Name] == nil && !slices.Contains(elsewhere, o.Name) {
			require.Positive(t, taken[0][o.Name], o.Name)
		}
	}
}

// elsewhere are the operations of dynamic_test.go and blocks_test.go.
var elsewhere = []string{"call", "cond", "while", "dim_size", "top_k", "dequantize_blocks", "dequant_take", "dequant_matmul"}

// The operations that reject, and why; see the hint of each error. Those marked "here"
// accept suitable sizes: see dynamic_test.go.
var (
	refuseFirst = []string{
		"reshape",     // here: no size of the result is that of the operand
		"update_rows", // here: a cache is of a known size
	}
	refuseLast = []string{
		"cached_attention",     // a cache is of a known size
		"col2im",               // the number of its windows is computed from static sizes
		"dynamic_update_slice", // here: the update is not the whole of the dimension
		"rotary",               // its frequencies are constants that depend on the size
		"space_to_depth",       // here: a block does not divide every size
		"update_rows",          // a cache is of a known size
	}
)
