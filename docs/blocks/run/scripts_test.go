//go:build integration

package run

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// script is a row: what a reader of the page has before the first command.
type script struct {
	part   string            // the test that runs it: "" for run_test, else PART_test
	files  map[string]source // by name
	before string            // lines of another page, such as variables
}

// source writes a file.
type source func(t *testing.T, path string)

var scripts = map[string]script{
	"call-from-go": {},
	"command-line": {files: map[string]source{
		"encoder.onnx": runfile("ENCODER"), "picture.onnx": runfile("CONV"), "cat.npz": runfile("CONV_CASE"),
		"ids.npy": array("ENCODER_CASE", "input_ids", 2), "mask.npy": array("ENCODER_CASE", "attention_mask", 2),
	}},
	"first-model": {files: map[string]source{"in.jpg": runfile("PICTURE")}},
	"formats":     {files: map[string]source{"model.gguf": language, "model.safetensors": weights, "linear.mlir": runfile("LINEAR_TEXT")}},
	"graphs": {files: map[string]source{
		"x.npy": floats(2), "libireert.so": runfile("IREERT"), "iree-compile": runfile("IREE_COMPILE"), "iree-lld": runfile("IREE_LLD"),
	}},
	"fine-tune": {files: map[string]source{"base.onnx": perceptron(3), "tuned.onnx": perceptron(5), "x.npy": floats(2, 8)}},
	"import": {files: map[string]source{
		"encoder.onnx": runfile("ENCODER"), "detector.onnx": detector, "decoder.onnx": decoder,
		"ids.npy": array("ENCODER_CASE", "input_ids", 3), "mask.npy": array("ENCODER_CASE", "attention_mask", 3),
	}},
	"iree-by-hand": {files: map[string]source{
		"line.mlir": runfile("AFFINE_TEXT"), "external.vmfb": runfile("LINEAR_PROGRAM"), "external_irpa.irpa": runfile("LINEAR_ARCHIVE"),
		"linear.safetensors": linear, "venv/bin/iree-compile": runfile("IREE_COMPILE"), "venv/bin/iree-run-module": runfile("IREE_RUN_MODULE"),
	}},
	"operations":    {},
	"own-gguf":      {files: map[string]source{"mine.gguf": language}},
	"start":         {},
	"wrong-numbers": {files: map[string]source{"base.onnx": perceptron(3), "x.npy": floats(2, 8)}},

	"embed":       {part: "models"},
	"gemma":       {part: "models"},
	"graphs-int8": {part: "models", files: map[string]source{"model.bin": runfile("WHISPER")}},
	"smollm2":     {part: "models"},
	"whisper":     {part: "models"},

	"diff-run":        {part: "onnxruntime", before: "skainet=skainet\n", files: map[string]source{"model.onnx": perceptron(3), "x.npy": floats(2, 8)}},
	"diff-run-faulty": {part: "onnxruntime", before: faulty, files: map[string]source{"base.onnx": perceptron(3), "x.npy": floats(2, 8)}},

	"xla": {part: "xla", files: map[string]source{"model.onnx": squares, "x.npy": floats(1, 4), "gemma.gguf": runfile("GEMMA")}},
}

// runfile is a file of this test's data.
func runfile(variable string) source {
	return func(t *testing.T, path string) {
		require.NoError(t, os.Symlink(file(t, variable), path))
	}
}

// array is one of an archive's arrays, or its first rows.
func array(variable, name string, rows int64) source {
	return func(t *testing.T, path string) {
		list, err := npy.ReadArchive(file(t, variable))
		require.NoError(t, err)
		for _, a := range list {
			if a.Name != name {
				continue
			}
			sizes := a.Value.Type.Shape.Sizes()
			row := int64(len(a.Value.Bytes)) / sizes[0]
			sizes[0] = rows
			require.NoError(t, npy.WriteFile(path, tensor.Value{Type: tensor.TypeOf(a.Value.Type.DType, sizes...), Bytes: a.Value.Bytes[:rows*row]}))
			return
		}
		t.Fatalf("%s has no array %s", variable, name)
	}
}

// faulty are the lines of the page that has the script wrong-numbers, before its last ones.
const faulty = `cat > faulty <<END
#!/bin/sh
/usr/bin/sed s/stablehlo.maximum/stablehlo.minimum/ | $(command -v iree-compile) "\$@"
END
chmod +x faulty
`
