package cpu

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// The oracles are NumPy and the reference evaluator of ONNX:
// testdata/composite/gen.py made the file and names the versions in it.
//
//go:embed testdata/composite/cases.json
var compositeJSON []byte

// compositeCase is an opCase with any number of results.
type compositeCase struct {
	opCase
	Outs   []string
	Oracle string
}

// A composite operation is computed by its decomposition. Each case states its tolerance
// beside its oracle.
func TestCompositeOpsAgainstOracles(t *testing.T) {
	var file struct {
		Origin string
		Cases  []compositeCase
	}
	require.NoError(t, json.Unmarshal(compositeJSON, &file))
	require.Contains(t, file.Origin, "NumPy")
	n := map[string]int{"top_k": 1}  // in sort_test.go
	for _, c := range readCases(t) { // those with one result may be there
		n[c.Op]++
	}
	for i, c := range file.Cases {
		n[c.Op]++
		t.Run(fmt.Sprintf("%s/%d", c.Op, i), func(t *testing.T) {
			require.NotEmpty(t, c.Oracle)
			got := c.run(t)
			require.Len(t, got, len(c.Outs))
			for j, want := range c.Outs {
				requireClose(t, parseTensor(t, want), got[j], c.ULPs, c.Abs)
			}
		})
	}
	for _, o := range op.All() {
		if o.IsComposite() {
			require.Nil(t, kernels[o.ID], o.Name)
			require.Positive(t, n[o.Name], "%s has no case", o.Name)
		}
	}
}

func (c compositeCase) run(t *testing.T) []tensor.Value {
	o, err := op.Lookup(c.Op)
	require.NoError(t, err)
	b := &dag.Block{}
	var args []tensor.Value
	for _, text := range c.In {
		v := parseTensor(t, text)
		args = append(args, v)
		b.AddArg(v.Type)
	}
	n, err := b.Add(c.Op, "case/"+c.Op, c.attrs(t, o), b.Args...)
	require.NoError(t, err)
	for _, inner := range b.Nodes {
		if !o.IsComposite() {
			break
		}
		require.True(t, strings.HasPrefix(inner.Path, n.Path+"/"), inner.Path)
	}
	b.Results = n.Outputs
	out, err := load(t, graphOf(b), noParams).Call(context.Background(), "main", args...)
	require.NoError(t, err)
	for _, v := range out {
		require.NoError(t, v.Check())
	}
	return out
}
