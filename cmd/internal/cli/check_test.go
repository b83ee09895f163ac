package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/checkfile"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/plan"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/test/families"
	"github.com/skainet-dev/skainet-go/test/onnxtest"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// checked is the report of a file.
func checked(t *testing.T, status int, args ...string) checkfile.Report {
	t.Helper()
	got, stdout, stderr := run(append([]string{"check", "--json"}, args...)...)
	require.Equal(t, status, got, stderr)
	var r checkfile.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	return r
}

func TestCheckAnONNXFile(t *testing.T) {
	status, stdout, stderr := run("check", onnxModels+"encoder.onnx")
	require.Zero(t, status, stderr)
	require.Empty(t, stderr)
	for _, want := range []string{
		`^format: onnx\nproducer: make_models.py\n`,
		`(?m)^INPUT +TYPE\ninput_ids +i64\[batch\?xseq\?\]$`,
		`(?m)^SIZE +INPUTS\nbatch +input_ids, attention_mask\nseq +input_ids, attention_mask$`,
		`(?m)^main +input_ids .*attention_mask .* +vector f32\[batch\?x16\]`,
		`(?m)^OPERATOR +NODES\nMatMul +6$`,
		`(?m)^f32 +12 +9488$`,
		`(?m)^--backend=cpu +- +9\.3 KiB +-\ncpu_x86_64_v3 +9\.3 KiB`,
		`and those whose sizes a call chooses\n\nto give:\n  for a program of fixed sizes, which is faster: --shape input_ids=NUMBER,NUMBER\n\nverdict: nothing is refused\n$`,
	} {
		require.Regexp(t, want, stdout)
	}

	r := checked(t, 0, onnxModels+"encoder.onnx", "--shape", "input_ids=2,9")
	require.Equal(t, "i64[2x9]", r.Entries[0].Args[0].Type)
	require.False(t, r.Memory.Dynamic)
	require.EqualValues(t, 9472, r.Memory.Weights)
	require.Positive(t, r.Memory.Values)
	require.Empty(t, r.Options)
	for _, row := range r.Memory.Rows {
		if row.Target == "vulkan" {
			require.Equal(t, r.Memory.Weights+r.Memory.Values, row.Device)
		}
	}

	// A state is memory of its own.
	detector := []string{onnxModels + "detector.onnx", "--fix", "rate=8000"}
	plain, stateful := checked(t, 0, detector...), checked(t, 0, append(detector, "--state", "next_state=state")...)
	require.EqualValues(t, 0, plain.Memory.States)
	require.EqualValues(t, 24, stateful.Memory.States)
}

func TestCheckOtherFiles(t *testing.T) {
	r := checked(t, 0, "../../../compile/import/fromhlo/testdata/mlp.mlir")
	require.Equal(t, "stablehlo", r.Format)
	require.NotEmpty(t, r.Operators)
	require.NotEmpty(t, r.Weights)
	data, err := families.All()[0].Encode()
	require.NoError(t, err)
	r = checked(t, 0, write(t, "m.gguf", data), "--context", "64")
	require.Equal(t, "gguf", r.Format)
	// The cache as plan counts it, in f16, and the position, an i32.
	w, err := weights.Open(write(t, "m.gguf", data))
	require.NoError(t, err)
	defer w.Close()
	p, err := plan.Of(w, plan.Options{Context: 64})
	require.NoError(t, err)
	require.Equal(t, p.Cache.Bytes+4, r.Memory.States)
	require.Equal(t, 2*p.Cache.Bytes+4, r.Memory.Held, "the CPU backend holds f16 as f32")
	r = checked(t, 0, exported(t)+".graph.json")
	require.Equal(t, "graph", r.Format)
	require.Len(t, r.Entries, 1)
	// A graph with weights in another file.
	prefix := t.TempDir() + "/conv"
	status, _, stderr := run("import", onnxModels+"conv.onnx", "--prefix", prefix)
	require.Zero(t, status, stderr)
	r = checked(t, 0, prefix+".graph.json", "--weights", onnxModels+"conv.onnx")
	require.NotEmpty(t, r.Weights)
	fails(t, 1, "MODELFILE_UNKNOWN", "check", write(t, "m", []byte("text")))
	fails(t, 1, "IMPORT_OPTION", "check", onnxModels+"conv.onnx", "--shape=x=1")
	fails(t, 2, "USAGE", "check", onnxModels+"conv.onnx", "-o", onnxModels+"conv.onnx")
}

// The tokenizer of a GGUF file is refused as chat refuses it; without one the model is
// whole.
func TestCheckReadsTheTokenizer(t *testing.T) {
	f := families.All()[0]
	file := func(name string, pairs ...gguf.Pair) string {
		data, err := f.With(pairs...).Encode()
		require.NoError(t, err)
		return write(t, name, data)
	}
	r := checked(t, 0, file("plain.gguf"))
	require.Contains(t, r.Options[len(r.Options)-1], "--tokenizer FILE")
	require.True(t, r.NoTokenizer)
	status, stdout, stderr := run("check", file("plain.gguf"))
	require.Zero(t, status, stderr)
	require.Regexp(t, `(?m)^tokenizer: none$`, stdout)
	require.Regexp(t, `\n\nverdict: nothing of the model is refused; chat refuses the file without --tokenizer, for it has none\n$`, stdout)
	r = checked(t, 1, file("odd.gguf", gguf.Pair{Key: "tokenizer.ggml.model", Value: "odd"}))
	require.Len(t, r.Refused, 1)
	require.Equal(t, tokenizer.CodeModel, r.Refused[0].Code)
	require.Equal(t, "tokenizer.ggml.model", r.Refused[0].Node)
	require.NotEmpty(t, r.Entries, "the model itself is examined")
	words := []gguf.Pair{{Key: "tokenizer.ggml.model", Value: "gpt2"}, {Key: "tokenizer.ggml.tokens", Value: []string{"a", "b"}}, {Key: "tokenizer.ggml.merges", Value: []string{}}, {Key: "tokenizer.ggml.pre", Value: "odd"}}
	r = checked(t, 1, file("pre.gguf", words...))
	require.Len(t, r.Refused, 1)
	require.Contains(t, r.Refused[0].What, "odd")

	// With a tokenizer, the template is read.
	words = words[:3]
	status, stdout, stderr = run("check", file("words.gguf", words...))
	require.Zero(t, status, stderr)
	require.Regexp(t, `(?m)^tokenizer: 2 tokens\nchat template: none: chat continues a text$`, stdout)
	require.Regexp(t, `\n\nverdict: nothing is refused\n$`, stdout)
	r = checked(t, 0, file("good.gguf", append(words, gguf.Pair{Key: "tokenizer.chat_template", Value: "{{ messages[0].content }}"})...))
	require.Equal(t, checkfile.Fact{Name: "chat template", Value: "yes"}, r.Facts[len(r.Facts)-1])
	r = checked(t, 1, file("bad.gguf", append(words, gguf.Pair{Key: "tokenizer.chat_template", Value: "{{ x | frobnicate }}"})...))
	require.Len(t, r.Refused, 1)
	require.Equal(t, "tokenizer.chat_template", r.Refused[0].Node)
}

// What is refused is in the report, all of it, and the exit status says so.
func TestCheckListsWhatIsRefused(t *testing.T) {
	value := func(name string) []byte { return onnxtest.Value(name, 1) }
	model := write(t, "odd.onnx", append(onnxtest.Field(1, int64(8)), onnxtest.Model(
		onnxtest.Field(1, onnxtest.Node("Odd", "a", []string{"x"})), onnxtest.Field(1, onnxtest.Node("Strange", "b", []string{"x"})),
		onnxtest.Field(1, onnxtest.Node("Add", "y", []string{"a", "b"})),
		onnxtest.Field(11, onnxtest.Message(value("x"))), onnxtest.Field(12, value("y")),
	)...))
	status, stdout, stderr := run("check", model, "--shape", "x=2,3")
	require.Equal(t, 1, status)
	require.Equal(t, "skainet: CHECK_REFUSED: "+model+": 2 parts of the model would be refused\n", stderr)
	require.Regexp(t, `(?m)^REFUSED +BYTE +CODE +WHY\n.*Odd.* +[0-9]+ +ONNX_UNMAPPED +no rule for Odd\n.*Strange.* +[0-9]+ +ONNX_UNMAPPED +no rule for Strange$`, stdout)
	require.Contains(t, stdout, "1 node behind them could not be examined\n\nto give:\n  ")
	require.Regexp(t, `\n\nverdict: 2 parts of the model are refused\n$`, stdout)
	r := checked(t, 1, model)
	require.Len(t, r.Refused, 1, "the input has no number of dimensions")
	require.Contains(t, r.Options[0], "--shape x=")
}

// What the import assumes of open sizes is said once, on the stream of errors.
func TestNotesOfTheImport(t *testing.T) {
	value := func(name string) []byte { return onnxtest.Value(name, 1) }
	model := write(t, "sum.onnx", append(onnxtest.Field(1, int64(8)), onnxtest.Model(
		onnxtest.Field(1, onnxtest.Node("Add", "y", []string{"x", "z"})),
		onnxtest.Field(11, onnxtest.Message(value("x"))), onnxtest.Field(11, onnxtest.Message(value("z"))), onnxtest.Field(12, value("y")),
	)...))
	sizes := []string{"--shape", "x=n,7", "--shape", "z=m,7"}
	for _, args := range [][]string{{"check", model}, {"import", model, "--prefix", t.TempDir() + "/sum"}} {
		status, _, stderr := run(append(args, sizes...)...)
		require.Zero(t, status, stderr)
		require.Equal(t, 1, strings.Count(stderr, "note: "), stderr)
		require.Contains(t, stderr, "f32[n?x7], sizes for which the whole model was found to hold; for any size it does not: ")
	}
	// Sizes that no option speaks of are better fixed.
	for _, c := range []struct {
		shape []string
		notes int
	}{{nil, 1}, {[]string{"--shape", "input_ids=1,32"}, 0}, {[]string{"--shape", "input_ids=batch,seq"}, 0}} {
		status, _, stderr := run(append([]string{"import", onnxModels + "encoder.onnx", "--prefix", t.TempDir() + "/encoder"}, c.shape...)...)
		require.Zero(t, status, stderr)
		require.Equal(t, c.notes, strings.Count(stderr, "--shape input_ids=NUMBER,NUMBER"), stderr)
	}
}
