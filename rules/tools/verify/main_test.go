package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

const text = `module @m attributes {skainet.tensor_encodings = {w = "Q8_0"}} {
  util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<4x1x34xi8>
  func.func @f(%x: tensor<f32>) -> (tensor<f32>) {
    return %x : tensor<f32>
  }
}
`

// The action writes its file for a text and a contract that agree, and fails without one
// for those that do not.
func TestAgainstContract(t *testing.T) {
	for name, tt := range map[string]struct {
		key      string
		encoding quant.Encoding
		bytes    int64
		want     string
	}{
		"the same":         {"w", "Q8_0", 136, ""},
		"another encoding": {"w", "Q8_1", 144, "the text stores the parameter as Q8_0, the contract as Q8_1"},
		"dense":            {"w", quant.Dense, 512, "the text stores the parameter as Q8_0, the contract as dense"},
		"no parameter":     {"v", quant.Dense, 512, "the text stores the parameter as Q8_0, the contract has no such parameter"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			program, described, out := filepath.Join(dir, "m.mlir"), filepath.Join(dir, "m.contract.json"), filepath.Join(dir, "ok")
			require.NoError(t, os.WriteFile(program, []byte(text), 0o600))
			c := contract.Contract{Schema: contract.Schema, Name: "m", Parameters: []contract.Parameter{
				{Scope: contract.DefaultScope, Key: tt.key, DType: dtype.F32, Shape: shape.Of(4, 32), Encoding: tt.encoding, Bytes: tt.bytes, Source: contract.FromWeights},
			}}
			data, err := c.Marshal()
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(described, data, 0o600))
			var stdout, stderr bytes.Buffer
			status := command.RunTool(context.Background(), newCommand(), []string{program, "--contract", described, "--output", out}, &stdout, &stderr)
			if tt.want == "" {
				require.Zero(t, status, stderr.String())
				require.FileExists(t, out)
				return
			}
			require.NotZero(t, status)
			require.NoFileExists(t, out)
			require.Contains(t, stdout.String()+stderr.String(), tt.want)
			require.Contains(t, stdout.String()+stderr.String(), "HLO_ENCODING")
		})
	}
}
