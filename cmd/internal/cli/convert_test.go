package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/convert/diff"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// floats writes a safetensors file with "a/w" (2x32) and "b" (2), whose elements
// are v, 2v, 3v and so on.
func floats(t *testing.T, v float32) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w")
	var items []safetensors.Item
	for _, s := range []struct {
		name  string
		sizes []int64
	}{{"a/w", []int64{2, 32}}, {"b", []int64{2}}} {
		n, err := shape.Of(s.sizes...).Elements()
		require.NoError(t, err)
		data := make([]float32, n)
		for i := range data {
			data[i] = v * float32(i+1)
		}
		x, err := tensor.Of(data, s.sizes...)
		require.NoError(t, err)
		items = append(items, safetensors.Item{
			Spec: tensor.Spec{Name: s.name, DType: dtype.F32, Shape: x.Type.Shape, Bytes: int64(len(x.Bytes))}, Data: tensor.Owned(x.Bytes),
		})
	}
	require.NoError(t, safetensors.Write(path, items, map[string]string{"k": "v"}))
	return path
}

func storages(t *testing.T, path string) string {
	t.Helper()
	w, err := weights.Open(path)
	require.NoError(t, err)
	defer w.Close()
	x, err := w.Index()
	require.NoError(t, err)
	texts := []string{w.Format()}
	for _, s := range x.Tensors {
		texts = append(texts, s.Name+":"+s.DType.String()+":"+s.Encoding.String())
	}
	return strings.Join(texts, " ")
}

func TestConvert(t *testing.T) {
	in := floats(t, 1)
	for _, tt := range []struct {
		name, out string
		args      []string
		want      string
		stderr    string
	}{
		{"by name", "m.gguf", nil, "gguf a/w:f32:dense b:f32:dense", ""},
		{"by flag", "m", []string{"--format", "irpa"}, "irpa a/w:f32:dense b:f32:dense", "no place for 1 setting,"},
		{"element type", "m.safetensors", []string{"--dtype", "b=f16"}, "safetensors a/w:f32:dense b:f16:dense", "1 of 2 tensors lost precision, such as b (f32 to f16)"},
		{"all", "m.safetensors", []string{"--dtype", "bf16"}, "safetensors a/w:bf16:dense b:bf16:dense", "2 of 2"},
		{"encoding", "m.gguf", []string{"--encoding", "a/*=Q8_0"}, "gguf a/w:f32:Q8_0 b:f32:dense", "a/w (f32 to Q8_0)"},
		{"the last counts", "m.gguf", []string{"--encoding", "a/*=Q8_0", "--dtype", "**=f16"}, "gguf a/w:f16:dense b:f16:dense", "2 of 2"},
		{"selection", "m.gguf", []string{"--tensors", "b", "--jobs", "1"}, "gguf b:f32:dense", ""},
		{"exclusion", "m.gguf", []string{"--exclude", "a/*"}, "gguf b:f32:dense", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), tt.out)
			status, stdout, stderr := run(append([]string{"convert", in, "-o", out}, tt.args...)...)
			require.Zero(t, status, stderr)
			require.Empty(t, stdout)
			require.Contains(t, stderr, tt.stderr)
			// The input does not name its architecture, which GGUF requires.
			lacks := strings.HasPrefix(tt.want, "gguf ")
			require.Equal(t, lacks, strings.Contains(stderr, "the output has no general.architecture,"), stderr)
			require.Equal(t, tt.stderr == "", strings.Count(stderr, "\n") == map[bool]int{true: 1}[lacks], stderr)
			require.Equal(t, tt.want, storages(t, out))
		})
	}
	report := filepath.Join(t.TempDir(), "r.json")
	out := filepath.Join(t.TempDir(), "m.gguf")
	status, _, stderr := run("convert", in, "-o", out, "--max-shard-size", "100", "--report", report)
	require.Zero(t, status, stderr)
	b, err := os.ReadFile(report)
	require.NoError(t, err)
	require.Contains(t, string(b), "m-00001-of-00002.gguf")
	require.NoFileExists(t, out)

	fails(t, 1, "FILE_WRITE", "convert", in, "-o", "OUT/m.gguf", "--report", "OUT/none/r.json")
	fails(t, 2, "USAGE", "convert", in, "-o", "OUT/m.gguf", "--report", "OUT/./m.gguf")
	fails(t, 2, "USAGE", "convert", in, "-o", "OUT/m.gguf", "--report", in)
	fails(t, 1, "CONVERT_FORMAT", "convert", in, "-o", "OUT/m.bin")
	fails(t, 1, "CONVERT_FORMAT", "convert", in, "-o", "OUT/m.bin", "--format", "onnx")
	fails(t, 1, "CONVERT_NO_MATCH", "convert", in, "-o", "OUT/m.gguf", "--tensors", "none")
	fails(t, 1, "PACK_BAD_ROW", "convert", in, "-o", "OUT/m.gguf", "--encoding", "b=Q8_0")
	fails(t, 2, "USAGE", "convert", in, "-o", "OUT/m.gguf", "--dtype", "b=Q8_0")
	fails(t, 2, "USAGE", "convert", in, "-o", "OUT/m.gguf", "--encoding", "b=f16")
	require.Contains(t, fails(t, 2, "USAGE", "convert", in, "-o", "OUT/m.gguf", "--encoding", "b=none"), "ENCODING_UNKNOWN")
	require.Contains(t, fails(t, 2, "USAGE", "convert", in, "-o", "OUT/m.gguf", "--max-shard-size", "large"), "4GiB")
	require.Contains(t, fails(t, 2, "USAGE", "convert", in, "-o", "OUT/m.gguf", "--max-shard-size", "8EiB"), "more than 9223372036854775807 bytes")
	require.Contains(t, fails(t, 2, "USAGE", "convert", in, "-o", "OUT/m.gguf", "--jobs", "-3"), "0 for all")
	fails(t, 2, "USAGE", "convert", in)
}

// Files that an earlier run wrote under other numbers stay, and are reported.
func TestShardsOfAnEarlierRun(t *testing.T) {
	in := floats(t, 1)
	for _, format := range []string{"gguf", "irpa", "safetensors"} {
		dir := t.TempDir()
		out := filepath.Join(dir, "m."+format)
		shards := []string{"convert", in, "-o", out, "--max-shard-size", "12KiB"}
		if format != "irpa" {
			shards[5] = "100"
		}
		status, _, stderr := run("convert", in, "-o", out)
		require.Zero(t, status, stderr)
		require.NotContains(t, stderr, "earlier run")
		status, _, stderr = run(append(shards, "--report", filepath.Join(dir, "r.json"))...)
		require.Zero(t, status, stderr)
		require.Contains(t, stderr, "skainet: warning: 1 file of an earlier run beside the output, such as "+out+"; ")
		require.FileExists(t, out)
		b, err := os.ReadFile(filepath.Join(dir, "r.json"))
		require.NoError(t, err)
		require.Contains(t, string(b), "\"stale\": [\n  \""+out+"\"\n ]")
		status, _, stderr = run("pack", "--weights", in, "-o", out)
		require.Zero(t, status, stderr)
		require.Contains(t, stderr, " of an earlier run beside the output, such as "+filepath.Join(dir, "m-00001-of-0000"))
	}
}

// TestTextReplacesNoInput: the output of a command that only reads files.
func TestTextReplacesNoInput(t *testing.T) {
	w, other := floats(t, 1), floats(t, 2)
	before, err := os.ReadFile(w)
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(w, link))
	for _, args := range [][]string{
		{"inspect", w}, {"plan", w}, {"verify", w}, {"diff", other, w}, {"diff", w, other},
	} {
		for _, out := range []string{w, link, filepath.Dir(w) + "/./" + filepath.Base(w)} {
			fails(t, 2, "USAGE", append(args, "-o", out)...)
		}
	}
	fails(t, 2, "USAGE", "pack", "--weights", w, "-o", "OUT/m.irpa", "--report", w)
	after, err := os.ReadFile(w)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestDiff(t *testing.T) {
	a, b := floats(t, 1), floats(t, 1.0078125) // 1 + 1/128
	status, stdout, stderr := run("diff", a, a)
	require.Zero(t, status, stderr)
	require.Equal(t, "0 of 2 tensors differ, 0 only in the first, 0 only in the second\n", stdout)
	status, stdout, stderr = run("diff", a, b)
	require.Equal(t, 1, status)
	require.Equal(t, "skainet: DIFF_DIFFERENT: "+a+": 2 tensors differ from those of "+b+"\n", stderr)
	want := `TENSOR  FIRST      SECOND     DIFFERENT  MAX      RMS      COSINE
a/w     f32[2x32]  f32[2x32]  64         0.5      0.2921   1.000000
b       f32[2]     f32[2]     2          0.01562  0.01235  1.000000
2 of 2 tensors differ, 0 only in the first, 0 only in the second
`
	if d := cmp.Diff(want, stdout); d != "" {
		t.Error(d)
	}
	status, _, stderr = run("diff", a, b, "--tolerance", "0.5")
	require.Zero(t, status, stderr)
	status, _, _ = run("diff", a, b, "--tolerance", "0.4")
	require.Equal(t, 1, status)
	status, stdout, _ = run("diff", a, b, "--json", "--tensors", "b")
	require.Equal(t, 1, status)
	require.Contains(t, stdout, `"max_abs": 0.015625`)

	inf := floats(t, float32(math.Inf(1)))
	status, stdout, _ = run("diff", a, inf, "--tensors", "b")
	require.Equal(t, 1, status)
	require.Contains(t, stdout, "pairs differ by an infinity, NaNs are ")

	part := filepath.Join(t.TempDir(), "m.gguf")
	status, _, stderr = run("convert", a, "-o", part, "--tensors", "b")
	require.Zero(t, status, stderr)
	status, stdout, _ = run("diff", part, a, "--jobs", "1")
	require.Equal(t, 1, status)
	require.Equal(t, "only in the second: a/w\n0 of 1 tensors differ, 0 only in the first, 1 only in the second\n", stdout)
	status, stdout, _ = run("diff", a, part)
	require.Equal(t, 1, status)
	require.Contains(t, stdout, "only in the first: a/w\n")
	fails(t, 1, "FILE_OPEN", "diff", a, "OUT/none")
	fails(t, 1, "WEIGHTS_NO_INDEX", "diff", a, write(t, "u", badfiles.IRPAGood()))
	fails(t, 2, "USAGE", "diff", a)
	for _, bad := range []string{"NaN", "-1", "-0.5", "Inf", "1e999", "much"} {
		require.Contains(t, fails(t, 2, "USAGE", "diff", a, b, "--tolerance="+bad), "1e-5", bad)
	}
	status, _, stderr = run("diff", a, a, "--tolerance", "0")
	require.Zero(t, status, stderr)
	_, stdout, _ = run("diff", "--help")
	require.NotContains(t, stdout, "default")
}

// NaNs in the same places are equal; a NaN in only one file counts as
// infinitely far away.
func TestNear(t *testing.T) {
	f := diffFlags{tolerance: tolerance{true, 0.5}}
	require.True(t, f.near(&diff.Distance{Different: 1, NaNA: 2, NaNB: 2, MaxAbs: 0.5}))
	require.False(t, f.near(&diff.Distance{Different: 2, NaNA: 2, NaNB: 1, NaNOne: 1, MaxAbs: 0.5}))
	require.False(t, f.near(&diff.Distance{Different: 1, Infinite: 1}))
	require.False(t, f.near(&diff.Distance{Different: 1, MaxAbs: 0.6}))
}

func TestPlan(t *testing.T) {
	status, stdout, stderr := run("plan", floats(t, 1))
	require.Zero(t, status, stderr)
	for _, has := range []string{"format: safetensors\ntensors: 2\nelements: 66\n", "\nstored  ", "\nQ8_0  ", "\nvulkan  "} {
		require.Contains(t, stdout, has)
	}
	status, stdout, stderr = run("plan", floats(t, 1), "--json", "--context", "10")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, `"bytes": 264`)
	require.Equal(t, 88, strings.Count(stdout, `"target": "`), "JSON lists all")
	for _, tt := range []struct {
		args  []string
		rows  int
		shown string
	}{
		{nil, 8, "(80 rows not shown: --all, --target)"},
		{[]string{"--target", "vmvx"}, 8, "(80 rows not shown"},
		{[]string{"--target", "vmvx", "--target", "aarch64"}, 16, "vmvx "},
		{[]string{"--all"}, 88, "aarch64 "},
	} {
		status, stdout, stderr = run(append([]string{"plan", floats(t, 1)}, tt.args...)...)
		require.Zero(t, status, stderr)
		_, table, _ := strings.Cut(stdout, "TARGET ")
		require.Contains(t, table, tt.shown)
		table, _, _ = strings.Cut(table, "(")
		require.Equal(t, tt.rows+1, strings.Count(table, "\n"), table)
	}
	require.Contains(t, fails(t, 2, "USAGE", "plan", floats(t, 1), "--target", "tpu"), "cpu_x86_64_v3")
	fails(t, 2, "USAGE", "plan", floats(t, 1), "--target", "vmvx", "--all")
	fails(t, 1, "WEIGHTS_NO_INDEX", "plan", write(t, "u", badfiles.IRPAGood()), "-o", "OUT/p")
}

func TestConvertToCTranslate2(t *testing.T) {
	in := write(t, "in", badfiles.CT2Good())
	out := filepath.Join(t.TempDir(), "model.bin")
	status, _, stderr := run("convert", in, "-o", out, "--format", "ctranslate2", "--dtype", "w=f16")
	require.Zero(t, status, stderr)
	require.Equal(t, "ctranslate2 w:f16:dense v:f32:dense", storages(t, out))
	require.Contains(t, fails(t, 1, "CONVERT_FORMAT", "convert", floats(t, 1), "-o", "OUT/m", "--format", "ctranslate2"), "converters")
}

// A file that ggml refuses is written only where that is asked for, and verify says so.
func TestConvertBeyondGGML(t *testing.T) {
	path := write(t, "in.gguf", badfiles.GGUFNested())
	dir := t.TempDir()
	require.Contains(t, fails(t, 1, "GGUF_BEYOND_GGML", "convert", path, "-o", filepath.Join(dir, "a.gguf")), "--beyond-ggml")
	require.NoFileExists(t, filepath.Join(dir, "a.gguf"))
	status, _, stderr := run("convert", path, "-o", filepath.Join(dir, "a.gguf"), "--beyond-ggml")
	require.Zero(t, status, stderr)
	status, stdout, _ := run("verify", filepath.Join(dir, "a.gguf"))
	require.Equal(t, 1, status)
	require.Contains(t, stdout, "GGUF_BEYOND_GGML: "+filepath.Join(dir, "a.gguf"))
	require.Contains(t, stdout, "test.nested")
}
