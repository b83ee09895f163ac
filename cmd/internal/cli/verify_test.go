package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const goodProgram = `module @m {
  func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.negate %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
`

func TestVerifyProgram(t *testing.T) {
	path := write(t, "good.mlir", []byte(goodProgram))
	out := filepath.Join(t.TempDir(), "out")
	status, stdout, stderr := run("verify", path)
	require.Zero(t, status, stderr)
	require.Equal(t, path+": StableHLO text, no fault\n", stdout)
	status, _, stderr = run("verify", path, "-o", out)
	require.Zero(t, status, stderr)
	require.FileExists(t, out)

	bad := write(t, "bad.mlir", []byte("func.func @f(%x: tensor<2xf32>) -> tensor<3xf32> {\n  %0 = stablehlo.negate %y : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"))
	status, stdout, stderr = run("verify", bad)
	require.Equal(t, 1, status)
	require.Equal(t, "HLO_UNDEFINED: "+bad+": 2:25: %y is not defined\n"+
		"HLO_TYPE: "+bad+": 3:15: func.return gives tensor<2xf32> as value 0, needed is tensor<3xf32> (defined at 1:36)\n"+
		bad+": StableHLO text, 2 faults\n", stdout)
	require.Equal(t, "skainet: VERIFY_FAULTS: "+bad+": 2 faults; do not use the file; correct it or generate it again\n", stderr)
	status, stdout, _ = run("verify", bad, "--json")
	require.Equal(t, 1, status)
	require.Contains(t, stdout, `"node": "2:25"`)
	fails(t, 1, "HLO_FILE", "verify", filepath.Join(t.TempDir(), "none.mlir"))

	// All errors of several files, and no output unless all are valid.
	both := filepath.Join(t.TempDir(), "both")
	status, stdout, stderr = run("verify", path, bad, "-o", both)
	require.Equal(t, 1, status)
	require.True(t, strings.HasPrefix(stdout, path+": StableHLO text, no fault\nHLO_UNDEFINED: "), stdout)
	require.Equal(t, "skainet: VERIFY_FAULTS: "+bad+": 2 faults; do not use the file; correct it or generate it again\n", stderr)
	require.NoFileExists(t, both)
	status, _, stderr = run("verify", path, path, "-o", both)
	require.Zero(t, status, stderr)
	require.FileExists(t, both)
}

// Text and contract name the same encodings.
func TestVerifyAgainstContract(t *testing.T) {
	text := write(t, "m.mlir", []byte(encodedProgram))
	described := func(encoding, bytes string) string {
		return write(t, encoding+".json", []byte(`{"schema":1,"name":"m","text_sha256":"","entries":[],"parameters":[`+
			`{"scope":"model","key":"w","dtype":"f32","shape":[4,32],"encoding":"`+encoding+`","bytes":`+bytes+`,"source":"weights"}]}`))
	}
	status, stdout, stderr := run("verify", text, "--contract", described("Q8_0", "136"))
	require.Zero(t, status, stderr)
	require.Equal(t, text+": StableHLO text, no fault\n", stdout)
	status, stdout, _ = run("verify", text, "--contract", described("dense", "512"))
	require.Equal(t, 1, status)
	require.Contains(t, stdout, "HLO_ENCODING: ")
	require.Contains(t, stdout, "as Q8_0, the contract as dense")
	fails(t, 2, "USAGE", "verify", text, "--contract", described("Q8_0", "136"), "--archive", "w.irpa")
}
