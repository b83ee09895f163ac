package cli

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

func contractFile(t *testing.T, params ...contract.Parameter) string {
	t.Helper()
	data, err := (&contract.Contract{Schema: contract.Schema, Name: "m", Parameters: params}).Marshal()
	require.NoError(t, err)
	return write(t, "m.contract.json", data)
}

func param(key string, source contract.Source, d dtype.DType, n int64) contract.Parameter {
	return contract.Parameter{Scope: "model", Key: key, DType: d, Shape: shape.Of(n), Bytes: d.Bytes(n), Source: source}
}

func TestPackThenVerify(t *testing.T) {
	c := contractFile(t, param("c", contract.FromConstant, dtype.I8, 3), param("w2", contract.FromWeights, dtype.F32, 2))
	w := write(t, "model.bin", badfiles.CT2Good())
	constants := filepath.Join(t.TempDir(), "constants.irpa")
	require.NoError(t, irpa.Write(constants, []irpa.Item{irpa.Bytes("c", []byte("abc"))}))
	out := filepath.Join(t.TempDir(), "m.irpa")
	status, stdout, stderr := run("pack", "--contract", c, "--weights", w, "--constants", constants, "-o", out)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout+stderr)
	status, stdout, stderr = run("verify", "--contract", c, "--archive", out)
	require.Zero(t, status, stderr)
	require.Equal(t, "m: scope \"model\" is complete\n", stdout)

	// An archive is of the scope that it names, else of --scope.
	for _, args := range [][]string{{"--archive", "model=" + out, "--scope", "q"}, {"--archive", out, "--scope", "model"}} {
		status, stdout, stderr = run(append([]string{"verify", "--contract", c}, args...)...)
		require.Zero(t, status, stderr)
		require.Equal(t, "m: scope \"model\" is complete\n", stdout)
	}
	fails(t, 1, "CONTRACT_NO_SCOPE", "verify", "--contract", c, "--archive", out, "--scope", "q")
	fails(t, 1, "CONTRACT_NO_SCOPE", "verify", "--contract", c, "--archive", out, "--archive", "q="+out)

	fails(t, 1, "PACK_NO_WEIGHTS", "pack", "--contract", c, "--constants", constants, "-o", "OUT/m.irpa")
	require.Contains(t, fails(t, 1, "PACK_MISSING_KEY", "pack", "--contract", c, "--weights", w, "-o", "OUT/m.irpa"), "--constants")
	other := contractFile(t, param("c", contract.FromWeights, dtype.I8, 3))
	require.Contains(t, fails(t, 1, "PACK_MISSING_KEY", "pack", "--contract", other, "--weights", w, "-o", "OUT/m.irpa"), "--weights")
	whole := contractFile(t, param("w2", contract.FromWeights, dtype.I32, 2))
	require.Contains(t, fails(t, 1, "PACK_TYPE_MISMATCH", "pack", "--contract", whole, "--weights", w, "-o", "OUT/m.irpa"), "skainet export --weights")
	fails(t, 1, "CONTRACT_NO_SCOPE", "pack", "--contract", c, "--weights", w, "--constants", constants, "--scope", "q", "-o", "OUT/m.irpa")
	untyped := write(t, "untyped.irpa", badfiles.IRPAGood())
	fails(t, 1, "WEIGHTS_NO_INDEX", "pack", "--contract", c, "--weights", untyped, "--constants", constants, "-o", "OUT/m.irpa")
	fails(t, 1, "IRPA_BAD_MAGIC", "pack", "--contract", c, "--weights", w, "--constants", w, "-o", "OUT/m.irpa")
	fails(t, 1, "CONTRACT_BAD", "pack", "--contract", w, "--weights", w, "-o", "OUT/m.irpa")
	fails(t, 1, "FILE_OPEN", "pack", "--contract", "OUT/none", "-o", "OUT/m.irpa")
	fails(t, 1, "CONTRACT_EXTRA_KEY", "verify", "--contract", contractFile(t, param("c", contract.FromConstant, dtype.I8, 3)), "--archive", out, "-o", "OUT/ok")
	fails(t, 1, "CONTRACT_MISSING_KEY", "verify", "--contract", c, "--archive", constants, "-o", "OUT/ok")
	fails(t, 1, "CONTRACT_LENGTH", "verify", "--contract", contractFile(t, param("c", contract.FromConstant, dtype.I8, 2)), "--archive", constants)
	fails(t, 1, "CONTRACT_DUPLICATE_KEY", "verify", "--contract", c, "--archive", out, "--archive", constants)
	fails(t, 1, "IRPA_TRUNCATED", "verify", "--contract", c, "--archive", write(t, "x", badfiles.IRPAGood()[:500]))
}

func TestPackWithoutContract(t *testing.T) {
	w := write(t, "model.bin", badfiles.CT2Good())
	out := filepath.Join(t.TempDir(), "m.irpa")
	status, stdout, stderr := run("pack", "--weights", w, "-o", out)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	require.Equal(t, "skainet: warning: the output has no place for 4 settings, such as binary_version\n", stderr)
	_, table, _ := run("inspect", out)
	require.Contains(t, table, "w       data  f32   2      dense     8")
	_, index, _ := run("inspect", out, "--index")
	x, err := tensor.ParseIndex([]byte(index))
	require.NoError(t, err)
	require.Len(t, x.Tensors, 2)
	fails(t, 2, "USAGE", "pack", "--weights", w, "--constants", out, "-o", "OUT/m.irpa")
	fails(t, 2, "USAGE", "pack", "--weights", w, "--max-shard-size", "0", "-o", "OUT/m.irpa")
}

// Each shard is a complete archive; opening any of them opens all.
func TestPackIntoShards(t *testing.T) {
	dir := t.TempDir()
	data := bytes.Repeat([]byte{1, 2, 3, 4}, 1024)
	items := []safetensors.Item{}
	for _, name := range []string{"a", "b", "c"} {
		items = append(items, safetensors.Item{
			Spec: tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(1024), Bytes: 4096}, Data: tensor.Owned(data),
		})
	}
	w := filepath.Join(dir, "w")
	require.NoError(t, safetensors.Write(w, items, nil))
	status, _, stderr := run("pack", "--weights", w, "--max-shard-size", "12KiB", "-o", filepath.Join(dir, "m.irpa"))
	require.Zero(t, status, stderr)
	files, err := filepath.Glob(filepath.Join(dir, "m-*.irpa"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, f := range files {
		st, err := os.Stat(f)
		require.NoError(t, err)
		require.LessOrEqual(t, st.Size(), int64(12<<10))
		status, table, stderr := run("inspect", f)
		require.Zero(t, status, stderr)
		require.Contains(t, table, "\n3 tensors, ")
		status, _, stderr = run("verify", f)
		require.Zero(t, status, stderr)
	}
	fails(t, 1, "IRPA_LIMIT", "pack", "--weights", w, "--max-shard-size", "4KiB", "-o", "OUT/m.irpa")
	for _, n := range []string{"-1", "0"} {
		require.Contains(t, fails(t, 2, "USAGE", "pack", "--weights", w, "--shards", n, "-o", "OUT/m.irpa"), n+" shards; give a number of at least 1")
	}
	require.Contains(t, fails(t, 1, "IRPA_LIMIT", "pack", "--weights", w, "--shards", "100", "-o", "OUT/m.irpa"), "give a number from 1 to")
	require.NoError(t, os.Remove(files[1]))
	fails(t, 1, "FILE_OPEN", "inspect", files[0])
	status, text, _ := run("verify", files[0])
	require.Equal(t, 1, status)
	require.Contains(t, text, files[1])
}

// No output replaces a file that is read with the one that is named: external data, a
// shard of the set, the tensors of an index.
func TestOutputsAreApart(t *testing.T) {
	model, err := base64.StdEncoding.DecodeString(
		"CA46VAoOCgF4CgF3EgF5IgNBZGQSAWcqHQgEEAFCAXdqEgoIbG9jYXRpb24SBnc0LmJpbnABWg8KAXgSCgoICAESBAoCCARiDwoBeRIKCggIARIECgIIBEIECgAQEkIRCg1jb20ubWljcm9zb2Z0EAE=")
	require.NoError(t, err) // y = x + w, w in w4.bin
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(in("m.onnx"), model, 0o600))
	require.NoError(t, os.WriteFile(in("w4.bin"), []byte("sixteen elements"), 0o600))
	for _, args := range [][]string{
		{"pack", "--weights", in("m.onnx"), "-o", in("a.irpa"), "--report", in("w4.bin")},
		{"pack", "--weights", in("m.onnx"), "-o", in("w4.bin")},
		{"convert", in("m.onnx"), "--format", "safetensors", "-o", in("w4.bin")},
		{"inspect", in("m.onnx"), "-o", in("w4.bin")},
	} {
		status, _, stderr := run(args...)
		require.Equal(t, 2, status, "%s: %s", args, stderr)
		require.Contains(t, stderr, "w4.bin: this file is also read")
		data, err := os.ReadFile(in("w4.bin"))
		require.NoError(t, err)
		require.Equal(t, "sixteen elements", string(data))
	}
	var items []safetensors.Item
	for _, name := range []string{"a", "b"} {
		items = append(items, safetensors.Item{Spec: tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(4), Bytes: 16}, Data: tensor.Owned(make([]byte, 16))})
	}
	require.NoError(t, safetensors.Write(in("w"), items, nil))
	status, _, stderr := run("pack", "--weights", in("w"), "--shards", "2", "-o", in("s.irpa"))
	require.Zero(t, status, stderr)
	_, err = safetensors.WriteSet(in("m.safetensors.index.json"), items, nil, 20)
	require.NoError(t, err)
	for _, args := range [][]string{
		{"pack", "--weights", in("s-00001-of-00002.irpa"), "-o", in("s-00002-of-00002.irpa")},
		{"pack", "--weights", in("s-00001-of-00002.irpa"), "--shards", "2", "-o", in("s.irpa")},
		{"convert", in("m.safetensors.index.json"), "-o", in("m-00001-of-00002.safetensors")},
		{"convert", in("m-00001-of-00002.safetensors"), "--max-shard-size", "1KiB", "-o", in("m.safetensors.index.json")},
	} {
		status, _, stderr := run(args...)
		require.Equal(t, 2, status, "%s: %s", args, stderr)
		require.Contains(t, stderr, "this file is also read")
	}
}

// Lost precision is reported, and overflow is an error.
func TestLosses(t *testing.T) {
	v, err := tensor.Of([]float32{0.1, 70000}, 2)
	require.NoError(t, err)
	dir := t.TempDir()
	w, out, report := filepath.Join(dir, "w"), filepath.Join(dir, "m.irpa"), filepath.Join(dir, "r.json")
	require.NoError(t, safetensors.Write(w, []safetensors.Item{{
		Spec: tensor.Spec{Name: "w", DType: dtype.F32, Shape: shape.Of(2), Bytes: 8}, Data: tensor.Owned(v.Bytes),
	}}, nil))
	c := contractFile(t, param("w", contract.FromWeights, dtype.F16, 2))
	require.Contains(t, fails(t, 1, "PACK_OVERFLOW", "pack", "--contract", c, "--weights", w, "-o", "OUT/m.irpa"), "--allow-overflow")
	status, stdout, stderr := run("pack", "--contract", c, "--weights", w, "-o", out, "--allow-overflow", "--report", report, "--jobs", "1")
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	require.Equal(t, "skainet: warning: 1 of 1 parameters lost precision, such as w (f32 to f16); 1 value became infinite\n", stderr)
	b, err := os.ReadFile(report)
	require.NoError(t, err)
	want := `{"files": ["` + out + `"], "parameters": [{"key": "w", "source": "weights",
		"from": {"dtype": "f32", "encoding": "dense"}, "to": {"dtype": "f16", "encoding": "dense"},
		"transform": "narrow", "exact": false, "overflow": 1, "bytes": 4}]}`
	require.JSONEq(t, want, string(b))
}
