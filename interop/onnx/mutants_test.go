package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Models with a fault in a node, its attributes or its inputs are refused by a code, and no
// rule fails at one: the first two of each operator that ONNX Runtime has recorded.
func TestMutants(t *testing.T) {
	seen := map[string]int{}
	var r refusals
	for _, file := range []string{"testdata/runtime.json", "testdata/contrib.json"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var cases []peerCase
		require.NoError(t, json.Unmarshal(data, &cases))
		for _, c := range cases {
			m, err := onnx.ParseModel(c.model())
			require.NoError(t, err)
			if seen[m.Graph.Nodes[0].Op]++; seen[m.Graph.Nodes[0].Op] > 2 {
				continue
			}
			var inputs []tensor.Value
			for _, in := range c.Inputs {
				inputs = append(inputs, in.value(t))
			}
			for _, err := range r.faults(c.Name, m, inputs) {
				t.Error(err)
			}
		}
	}
	require.Greater(t, len(seen), 60)
	require.Greater(t, r.refused, 3000)
	require.Greater(t, r.made-r.refused, 1000, "some changes do no harm")
}

// The command says how many mutants there are, and fails where the importer does.
func TestMutantsOfSuite(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "test_neg", "Neg", []byte{1}, []byte{255})
	out, err := runOnnx("--tests", dir, "--mutants")
	require.NoError(t, err)
	require.Regexp(t, `\d\d changed models: \d+ refused, at 0 the importer fails`, out)
	_, err = runOnnx("--tests", dir, "--mutants", "--update", dir)
	require.Equal(t, codeFlags, errs.CodeOf(err))
}
