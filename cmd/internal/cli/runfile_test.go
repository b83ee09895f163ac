package cli

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/test/families"
)

const onnxModels = "../../../rules/tests/onnx/"

// recordedArrays writes the arrays of a recorded case as files in dir, and returns them.
func recordedArrays(t *testing.T, dir, name string) map[string]tensor.Value {
	t.Helper()
	arrays, err := npy.ReadArchive(onnxModels + name)
	require.NoError(t, err)
	all := map[string]tensor.Value{}
	for _, a := range arrays {
		all[a.Name] = a.Value
		require.NoError(t, npy.WriteFile(filepath.Join(dir, a.Name+".npy"), a.Value))
	}
	return all
}

// near compares an array of numbers in a file with another implementation's.
func near(t *testing.T, want tensor.Value, path string) {
	t.Helper()
	got, err := npy.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want.Type.String(), got.Type.String())
	a, err := tensor.Slice[float32](want)
	require.NoError(t, err)
	b, err := tensor.Slice[float32](got)
	require.NoError(t, err)
	require.InDeltaSlice(t, a, b, 1e-4)
}

// Results are those of ONNX Runtime; the size of the batch is that of the array.
func TestRunAnONNXFile(t *testing.T) {
	dir := t.TempDir()
	want := recordedArrays(t, dir, "conv_case.npz")
	image, out := "image=@"+filepath.Join(dir, "image.npy"), filepath.Join(dir, "new", "out")
	status, stdout, stderr := run("run", onnxModels+"conv.onnx", "--input", image, "--output", out)
	require.Zero(t, status, stderr)
	require.Empty(t, stderr)
	require.Regexp(t, `^RESULT +TYPE +VALUES +FILE\nscores +f32\[2x5\] +0\.17\S* 0\.35\S* \S+ \S+ \S+ \S+ \.\.\. +`+out+`/scores\.npy\n$`, stdout)
	near(t, want["scores"], filepath.Join(out, "scores.npy"))

	// The same for a program of any size, and with weights in another file.
	for _, args := range [][]string{{onnxModels + "conv.onnx", "--shape", "image=batch,3,16,16"}, {onnxModels + "conv_outside.onnx", "--inline=100"}} {
		require.NoError(t, os.RemoveAll(out))
		status, _, stderr = run(append(append([]string{"run"}, args...), image, "--results", out)...)
		require.Zero(t, status, stderr)
		near(t, want["scores"], filepath.Join(out, "scores.npy"))
	}
	status, stdout, stderr = run("run", onnxModels+"conv.onnx", image, "--json")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, `"shape":[2,5]`)
	status, stdout, stderr = run("run", onnxModels+"conv.onnx", image, "--json", "--results", out)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, `"results":[]`, "it is in its file")
	_, stdout, _ = run("run", "--help")
	require.Contains(t, stdout, "Of a program, and with --json, results that --results writes to\nfiles are not printed.")
}

// Two inputs have their sizes in common, and a size that --shape names stays a name.
func TestRunTakesSizesFromArrays(t *testing.T) {
	dir := t.TempDir()
	want := recordedArrays(t, dir, "encoder_case.npz")
	vector, err := npy.ReadFile(onnxModels + "vector.npy")
	require.NoError(t, err)
	require.Equal(t, int64(3), want["input_ids"].Type.Shape[0].Size)
	args := []string{"run", onnxModels + "encoder.onnx", "input_ids=" + filepath.Join(dir, "input_ids.npy"), "attention_mask=" + filepath.Join(dir, "attention_mask.npy"), "--output", dir}
	for _, more := range [][]string{nil, {"--shape", "input_ids=batch,seq"}, {"--shape", "attention_mask=3,seq"}} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "vector.npy")))
		status, _, stderr := run(append(args, more...)...)
		require.Zero(t, status, stderr)
		near(t, vector, filepath.Join(dir, "vector.npy"))
	}
	other, err := tensor.Of(make([]int64, 8), 2, 4)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "other.npy")
	require.NoError(t, npy.WriteFile(path, other))
	require.Contains(t, fails(t, 1, "ONNX_OPTION", "run", onnxModels+"encoder.onnx", args[2], "attention_mask="+path), "a size of one name is one size in all inputs")
}

// StableHLO text of JAX, against JAX's own results.
func TestRunStableHLO(t *testing.T) {
	const models = "../../../compile/import/fromhlo/testdata/"
	var recorded struct{ Inputs, Outputs []struct{ Data string } }
	require.NoError(t, json.Unmarshal([]byte(read(t, models+"mlp.json")), &recorded))
	array := func(text string, sizes ...int64) tensor.Value {
		data, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		return tensor.Value{Type: tensor.TypeOf(dtype.F32, sizes...), Bytes: data}
	}
	dir := t.TempDir()
	require.NoError(t, npy.WriteFile(filepath.Join(dir, "x.npy"), array(recorded.Inputs[0].Data, 4, 16)))
	status, stdout, stderr := run("run", models+"mlp.mlir", "arg0=@"+filepath.Join(dir, "x.npy"), "--output", dir)
	require.Zero(t, status, stderr)
	require.Equal(t, 3, strings.Count(stdout, "\n"))
	near(t, array(recorded.Outputs[1].Data, 4, 10), filepath.Join(dir, "result_probabilities.npy"))
}

// A graph file, without weights and with weights in another file, and a language model.
func TestRunOtherFiles(t *testing.T) {
	graph := exported(t) + ".graph.json"
	status, stdout, stderr := run("run", graph, "x=1,2")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "f32[2]")
	status, evaluated, stderr := run("eval", "--graph", graph, "--input", "x=1,2")
	require.Zero(t, status, stderr)
	require.Contains(t, evaluated, strings.Join(strings.Fields(strings.Split(stdout, "\n")[1])[2:], " "))

	dir := t.TempDir()
	want := recordedArrays(t, dir, "conv_case.npz")
	status, _, stderr = run("import", onnxModels+"conv.onnx", "--prefix", filepath.Join(dir, "conv"), "--shape", "image=2,3,16,16")
	require.Zero(t, status, stderr)
	conv := []string{"run", filepath.Join(dir, "conv.graph.json"), "image=" + filepath.Join(dir, "image.npy")}
	status, _, stderr = run(append(conv, "--weights", onnxModels+"conv.onnx", "--output", dir)...)
	require.Zero(t, status, stderr)
	near(t, want["scores"], filepath.Join(dir, "scores.npy"))
	require.Contains(t, fails(t, 1, "PACK_NO_WEIGHTS", conv...), "weight")
	fails(t, 2, "USAGE", "run", onnxModels+"conv.onnx", "image="+filepath.Join(dir, "image.npy"), "--weights", onnxModels+"conv.onnx")

	data, err := families.All()[0].Encode()
	require.NoError(t, err)
	status, stdout, stderr = run("run", write(t, "m.gguf", data), "--entry", "decode", "--context", "64", "token=1")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "logits")
}

func TestRunRefusesModelFiles(t *testing.T) {
	dir := t.TempDir()
	recordedArrays(t, dir, "conv_case.npz")
	image, conv := "image="+filepath.Join(dir, "image.npy"), onnxModels+"conv.onnx"
	require.Contains(t, fails(t, 1, "BACKEND_BAD_ARGUMENT", "run", conv), "the arguments are: image f32[batch?x3x16x16]")
	fails(t, 1, "BACKEND_BAD_ARGUMENT", "run", conv, "picture="+filepath.Join(dir, "image.npy"))
	fails(t, 1, "BACKEND_BAD_ARGUMENT", "run", conv, image, "--input", image)
	fails(t, 1, "BACKEND_BAD_ARGUMENT", "run", conv, "image")
	require.Contains(t, fails(t, 1, "BACKEND_BAD_ARGUMENT", "run", conv, "image="+filepath.Join(dir, "scores.npy")), "the file holds f32[2x5]")
	whole, err := tensor.Of(make([]int64, 3*256), 1, 3, 16, 16)
	require.NoError(t, err)
	require.NoError(t, npy.WriteFile(filepath.Join(dir, "whole.npy"), whole))
	require.Contains(t, fails(t, 1, "BACKEND_BAD_ARGUMENT", "run", conv, "image="+filepath.Join(dir, "whole.npy")), "the file holds i64[1x3x16x16]")
	require.Contains(t, fails(t, 1, "BACKEND_BAD_ARGUMENT", "run", conv, "image=1,2"), "use a .npy file")
	fails(t, 1, "NPY_BAD_MAGIC", "run", conv, "image=@"+conv)
	cut, err := os.ReadFile(filepath.Join(dir, "image.npy"))
	require.NoError(t, err)
	fails(t, 1, "NPY_SIZE", "run", conv, "image="+write(t, "cut.npy", cut[:200]))
	fails(t, 1, "FILE_OPEN", "run", conv, "image=OUT/none.npy")
	fails(t, 1, "EVAL_BACKEND", "run", conv, image, "--backend=tpu")
	fails(t, 1, "MODELFILE_TARGET", "run", conv, image, "--device=nope")
	fails(t, 1, "VMFB_TARGET", "run", conv, image, "--target=nope")
	fails(t, 1, "IMPORT_OPTION", "run", conv, image, "--inline=-1")
	fails(t, 1, "EVAL_MEMORY", "run", conv, image, "--max-memory=1000")
	fails(t, 1, "ONNX_OPTION", "run", conv, image, "--shape=image=3,3,16")
	fails(t, 2, "USAGE", "run", conv, image, "--archive=x.irpa")
	require.Contains(t, fails(t, 2, "USAGE", "run", conv, image, "--plugin=x.so"), "--plugin is for XLA, and the backend is cpu")
	require.Contains(t, fails(t, 2, "USAGE", "run", conv, image, "--backend=iree", "--weight-form=packed"), "--weight-form is for XLA, and the backend is iree")
	require.Contains(t, fails(t, 2, "USAGE", "run", write(t, "p.vmfb", []byte("PK\x03\x04rest")), image, "--contract=x.json", "--plugin=x.so"), "--plugin is for a file of XLA's programs, and this is a program of IREE")
	fails(t, 2, "USAGE", "run", conv, image, "--results=scores="+conv)
	fails(t, 2, "USAGE", "run", conv, image, "--results=none=OUT/x.npy")
	require.Contains(t, fails(t, 1, "MODELFILE_UNKNOWN", "run", write(t, "m.txt", []byte("text")), image), "needs --contract")
	require.Contains(t, fails(t, 2, "USAGE", "run", write(t, "m.vmfb", []byte("PK\x03\x04rest")), image), "--contract is not given")
	for _, command := range []string{"run", "bench"} {
		fails(t, 1, "FILE_OPEN", command, "OUT/none.onnx")
		fails(t, 1, "FILE_OPEN", command, t.TempDir())
	}
	data, err := os.ReadFile(conv)
	require.NoError(t, err)
	require.Contains(t, fails(t, 1, "ONNX_TRUNCATED", "run", write(t, "cut.onnx", data[:len(data)/2]), image), "cut.onnx")
}

// bench makes up what is not given.
func TestBenchAModelFile(t *testing.T) {
	dir := t.TempDir()
	recordedArrays(t, dir, "conv_case.npz")
	for _, more := range [][]string{nil, {"image=" + filepath.Join(dir, "image.npy")}, {"--entry=main"}} {
		status, stdout, stderr := run(append([]string{"bench", onnxModels + "conv.onnx", "--rounds=2"}, more...)...)
		require.Zero(t, status, stderr)
		require.Regexp(t, `(?m)^main +(batch=1 +)?2 +[0-9.]+ ms`, stdout)
	}
	fails(t, 1, "BACKEND_BAD_ARGUMENT", "bench", onnxModels+"conv.onnx", "image=1")
}

// Elements tell the size of a graph that is open in one dimension.
func TestElementsTellASize(t *testing.T) {
	graph := write(t, "rows.json", []byte(strings.ReplaceAll(doublingGraph, `"shape": [2]`, `"shape": ["n?", 3]`)))
	status, stdout, stderr := run("run", graph, "x=1,2,3,-1,0,0.5")
	require.Zero(t, status, stderr)
	require.Equal(t, "RESULT  TYPE      VALUES\ny       f32[2x3]  2 4 6 -2 0 1\n", stdout)
	status, stdout, stderr = run("eval", "--graph", graph, "--input", "1,2,3")
	require.Zero(t, status, stderr)
	require.Equal(t, "y: f32[1x3] = [[2 4 6]]\n", stdout)
	require.Contains(t, fails(t, 1, "BACKEND_BAD_ARGUMENT", "run", graph, "x=1,2,3,4"), "f32[n?x3], and its sizes do not follow from 4 elements")
}
