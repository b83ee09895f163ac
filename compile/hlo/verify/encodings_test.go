package verify

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// textWith has the attribute and a parameter of Q8_0 blocks.
func textWith(attribute string) []byte {
	return []byte("module @m attributes {skainet.tensor_encodings = " + attribute + `} {
  util.global private @"0/w" = #flow.parameter.named<"model"::"0/w"> : tensor<4x1x34xi8> // Q8_0 f32[4x32]
  func.func @f(%x: tensor<f32>) -> (tensor<f32>) {
    return %x : tensor<f32>
  }
}
`)
}

func TestEncodings(t *testing.T) {
	list, err := Encodings("m", textWith(`{"0/w" = "Q8_0", "a \22b\22\0A" = "opaque/IQ9_Z", raw = "Q4_K", w = "dense"}`))
	require.NoError(t, err)
	require.Equal(t, []Encoded{
		{"0/w", "Q8_0", "tensor<4x1x34xi8>", "f32[4x32]"}, {"a \"b\"\n", quant.Opaque("IQ9_Z"), "", ""}, {"raw", "Q4_K", "", ""}, {"w", quant.Dense, "", ""},
	}, list)
	list, err = Encodings("m", []byte("module @m {\n}\n"))
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestBadEncodings(t *testing.T) {
	for attribute, want := range map[string]struct {
		code errs.Code
		what string
	}{
		`"Q8_0"`:                      {CodeAttribute, "not a dictionary"},
		`{w}`:                         {CodeAttribute, "not a string"},
		`{w = 3}`:                     {CodeAttribute, "not a string"},
		`{w = "Q9"}`:                  {CodeAttribute, `unknown encoding "Q9"`},
		`{w = ""}`:                    {CodeAttribute, "unknown encoding"},
		`{w = "Q8_0", "w" = "Q8_0"}`:  {CodeAttribute, "twice"},
		`{"0/w" = "Q4_0"}`:            {CodeType, "not that of blocks of Q4_0"},
		`{"0/\77" = "Q4_0", w = "F"}`: {CodeType, "not that of blocks of Q4_0"},
		`{w = "Q8_0"`:                 {CodeSyntax, ""},
	} {
		_, err := Encodings("m", textWith(attribute))
		require.Equal(t, want.code, errs.CodeOf(err), "%s: %v", attribute, err)
		require.ErrorContains(t, err, want.what, attribute)
	}
}

// The contract and the text name the same encodings, or both are refused.
func TestAgainst(t *testing.T) {
	w := contract.Parameter{Scope: "model", Key: "0/w", DType: dtype.F32, Shape: shape.Of(4, 32), Encoding: "Q8_0", Bytes: 4 * 34}
	for name, tt := range map[string]struct {
		attribute string
		encoding  quant.Encoding
		want      string
	}{
		"the same":        {`{"0/w" = "Q8_0", raw = "Q4_K"}`, "Q8_0", ""},
		"dense":           {`{}`, quant.Dense, ""},
		"dense and said":  {`{"0/w" = "dense"}`, quant.Dense, ""},
		"another":         {`{"0/w" = "Q8_0"}`, "Q8_1", "as Q8_0, the contract as Q8_1"},
		"not in the text": {`{}`, "Q8_0", "as dense, the contract as Q8_0"},
		"only there":      {`{"0/w" = "Q8_0"}`, quant.Dense, "as Q8_0, the contract as dense"},
	} {
		path := filepath.Join(t.TempDir(), "m.mlir")
		require.NoError(t, os.WriteFile(path, textWith(tt.attribute), 0o600))
		p := w
		p.Encoding = tt.encoding
		faults, err := Against(path, &contract.Contract{Parameters: []contract.Parameter{p}})
		require.NoError(t, err, name)
		if tt.want == "" {
			require.Empty(t, faults, name)
			continue
		}
		require.Len(t, faults, 1, name)
		require.Equal(t, CodeEncoding, errs.CodeOf(faults[0]))
		require.ErrorContains(t, faults[0], tt.want, name)
	}
	path := filepath.Join(t.TempDir(), "m.mlir")
	require.NoError(t, os.WriteFile(path, textWith(`{"0/w" = "Q8_0"}`), 0o600))
	other, bytes := w, w
	other.Key, other.Encoding = "w", quant.Dense
	bytes.DType, bytes.Shape, bytes.Encoding, bytes.Source = dtype.I8, shape.Of(4, 1, 34), quant.Dense, contract.FromConstant
	for what, list := range map[string][]contract.Parameter{"as Q8_0, the contract has no such parameter": {other}, "the contract has no": nil, "": {bytes}} {
		faults, err := Against(path, &contract.Contract{Parameters: list})
		require.NoError(t, err)
		if what == "" { // a constant in an archive, of bytes that the program reads as blocks
			require.Empty(t, faults)
			continue
		}
		require.Len(t, faults, 1, what)
		require.Equal(t, CodeEncoding, errs.CodeOf(faults[0]))
		require.ErrorContains(t, faults[0], what)
	}
	_, err := Against("none", &contract.Contract{})
	require.Equal(t, CodeFile, errs.CodeOf(err))
}
