//go:build integration

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/families"
)

// A language model of another family than this repository's answers with the same tokens on
// both backends.
func TestChatWithAFile(t *testing.T) {
	var tokens []string
	for c := 'a'; c <= 'z'; c++ {
		tokens = append(tokens, string(c))
	}
	for c := 'A'; len(tokens) < 48; c++ {
		tokens = append(tokens, string(c))
	}
	all := families.All()
	f := all[slices.IndexFunc(all, func(f families.Family) bool { return f.Name == "qwen2" })]
	data, err := f.With(
		gguf.Pair{Key: "tokenizer.ggml.model", Value: "gpt2"}, gguf.Pair{Key: "tokenizer.ggml.pre", Value: "qwen2"},
		gguf.Pair{Key: "tokenizer.ggml.tokens", Value: tokens}, gguf.Pair{Key: "tokenizer.ggml.merges", Value: []string{}},
		gguf.Pair{Key: "tokenizer.ggml.eos_token_id", Value: uint32(47)}, gguf.Pair{Key: "tokenizer.ggml.add_bos_token", Value: false},
	).Encode()
	require.NoError(t, err)
	dir := t.TempDir()
	file := filepath.Join(dir, "model.gguf")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	answer := func(more ...string) (text, said string) {
		t.Helper()
		var out, stderr bytes.Buffer
		args := append([]string{"chat", file, "--prompt", "abc", "--tokens=6", "--context=64"}, more...)
		require.Zero(t, cli.Main(args, &out, &stderr), stderr.String())
		return out.String(), stderr.String()
	}
	iree := []string{"--backend=iree", "--threads=1", "--cache", filepath.Join(dir, "cache"),
		"--compiler", path(t, "IREE_COMPILE"), "--linker", path(t, "IREE_LLD"), "--library", path(t, "IREERT_LIBRARY")}
	want, _ := answer()
	require.Len(t, want, 7)
	got, said := answer(iree...)
	require.Equal(t, want, got)
	require.Contains(t, said, "skainet: compiling chat for cpu_x86_64_v")
	got, said = answer(iree...)
	require.Equal(t, want, got)
	require.NotContains(t, said, "compiling")
}

// unused returns what is said after the line that names the target, its compiler and the
// runtime.
func unused(t *testing.T, stderr string) string {
	t.Helper()
	line, rest, _ := strings.Cut(stderr, "\n")
	require.Regexp(t, `^skainet: cpu_x86_64_v[1-4](_vnni)?, compiled by \S+, run by \S+$`, line)
	return rest
}

// A model in a file is compiled for this processor once, kept, and computes what ONNX
// Runtime does; other weights of the same shapes are only packed.
func TestRunOfAModelFile(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	skainet := func(args ...string) (stdout, stderr string) {
		t.Helper()
		var out, said bytes.Buffer
		args = append(args, "--threads=1", "--cache", cache,
			"--compiler", path(t, "IREE_COMPILE"), "--linker", path(t, "IREE_LLD"), "--library", path(t, "IREERT_LIBRARY"))
		require.Zero(t, cli.Main(args, &out, &said), said.String())
		return out.String(), said.String()
	}
	arrays, err := npy.ReadArchive(path(t, "CONV_CASE"))
	require.NoError(t, err)
	recorded := map[string]tensor.Value{}
	for _, a := range arrays {
		recorded[a.Name] = a.Value
		require.NoError(t, npy.WriteFile(filepath.Join(dir, a.Name+".npy"), a.Value))
	}
	call := func(model string, more ...string) (stderr string) {
		t.Helper()
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "out")))
		_, stderr = skainet(append([]string{"run", path(t, model), "--backend=iree", "--input", "image=@" + filepath.Join(dir, "image.npy"), "--output", filepath.Join(dir, "out")}, more...)...)
		return unused(t, stderr)
	}
	scores := func() tensor.Value {
		got, err := npy.ReadFile(filepath.Join(dir, "out", "scores.npy"))
		require.NoError(t, err)
		return got
	}
	agrees := func() {
		t.Helper()
		r, err := parity.Compare("conv", []string{"scores"}, []tensor.Value{scores()}, []tensor.Value{recorded["scores"]}, parity.Default())
		require.NoError(t, err)
		require.NoError(t, r.Err())
	}
	require.Regexp(t, `^skainet: compiling model for cpu_x86_64_v[1-4](_vnni)?, .*\n$`, call("CONV"))
	agrees()
	require.Empty(t, call("CONV"), "the second start compiles nothing")
	agrees()
	require.Empty(t, call("CONV_TUNED"), "a fine-tune compiles nothing")
	require.NotEqual(t, recorded["scores"], scores())
	require.NotEmpty(t, call("CONV", "--shape", "image=batch,3,16,16"), "a program of any size")
	agrees()
	stdout, stderr := skainet("bench", path(t, "CONV"), "--backend=iree", "--rounds=2", "image="+filepath.Join(dir, "image.npy"))
	require.Contains(t, stdout, "main ")
	require.Empty(t, unused(t, stderr), "the program of run")
	stdout, stderr = skainet("parity", path(t, "CONV"), "--input", "image=@"+filepath.Join(dir, "image.npy"), "--recorded", "picture="+path(t, "CONV_CASE"))
	require.Regexp(t, `(?m)^main: main: agree$`, stdout)
	require.Regexp(t, `(?m)^picture: main, the program against the recorded results: agree$`, stdout)
	require.Empty(t, unused(t, stderr))
}
