package gazelle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/bazel-gazelle/config"
	"github.com/bazelbuild/bazel-gazelle/label"
	"github.com/bazelbuild/bazel-gazelle/language"
	"github.com/bazelbuild/bazel-gazelle/rule"
	"github.com/bazelbuild/buildtools/build"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest" // for its effect
)

// recorder returns an extension that records what it would print.
func recorder(said *[]error) *extension {
	return &extension{report: func(err error) { *said = append(*said, err) }}
}

// TestOrder: before the Go extension this one sees no library, and says so.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	model := "package m\n\nimport \"" + langPath + "\"\n\nfunc Model(m *lang.Module) {}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.go"), []byte(model), 0o644))
	c := config.New()
	var said []error
	x := recorder(&said)
	x.Configure(c, "m", nil)
	args := language.GenerateArgs{Config: c, Dir: dir, Rel: "m", RegularFiles: []string{"m.go"}}
	require.Empty(t, x.GenerateRules(args).Gen)
	require.Len(t, said, 1)
	require.Equal(t, CodeLibrary, errs.CodeOf(said[0]))
	require.ErrorContains(t, said[0], "m/m.go:5: Model is a model constructor")

	// A file that is not a model is not reported.
	args.RegularFiles = []string{"other.go", "m_test.go", "below/m.go"}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.go"), []byte("package m\n\nfunc Broken( {\n"), 0o644))
	require.Empty(t, x.GenerateRules(args).Gen)
	require.Len(t, said, 1)

	// After it, with a file that is gone when it is read.
	args.OtherGen = []*rule.Rule{rule.NewRule("go_library", "m")}
	args.RegularFiles = []string{"m.go", "gone.go"}
	require.Empty(t, x.GenerateRules(args).Gen)
	require.Len(t, said, 2)
	require.Equal(t, CodeSource, errs.CodeOf(said[1]))
}

// TestLoads: the workspace chooses the apparent name of the module with the rules.
func TestLoads(t *testing.T) {
	for _, tt := range []struct{ workspace, apparent, want string }{
		{"w", "skainet", "@skainet//rules:defs.bzl"},
		{"w", "models_kit", "@models_kit//rules:defs.bzl"},
		{"w", "", "@skainet//rules:defs.bzl"}, // without MODULE.bazel
		{"skainet", "skainet", "//rules:defs.bzl"},
	} {
		x := &extension{}
		c := config.New()
		c.RepoName = tt.workspace
		require.NoError(t, x.CheckFlags(nil, c))
		got := x.ApparentLoads(func(string) string { return tt.apparent })
		require.Equal(t, []rule.LoadInfo{{Name: tt.want, Symbols: []string{"skainet_model"}}}, got)
	}
	require.Equal(t, "@skainet//rules:defs.bzl", (&extension{}).Loads()[0].Name)
}

func TestParseConstructor(t *testing.T) {
	for text, want := range map[string]constructor{
		"Encoder":               {text: "Encoder", symbol: "Encoder"},
		"Encoder enc":           {text: "Encoder", symbol: "Encoder", target: "enc"},
		"Heads(12)":             {text: "Heads(12)", symbol: "Heads", call: true},
		`Heads(12, "a b") bert`: {text: `Heads(12, "a b")`, symbol: "Heads", call: true, target: "bert"},
		"Heads( 12 )\tbert":     {text: "Heads( 12 )", symbol: "Heads", call: true, target: "bert"},
	} {
		got, ok := parseConstructor(text)
		require.True(t, ok, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "lang.Model", "Model lang.Model", "A B C", "func() {}", "12", "Heads(", "Encoder //a:b", "a.B(1) c"} {
		_, ok := parseConstructor(text)
		require.False(t, ok, text)
	}
}

func TestSnake(t *testing.T) {
	for camel, want := range map[string]string{
		"Model": "model", "MiniLM": "mini_lm", "LMHead": "lm_head", "Gemma3": "gemma3", "Two_Parts": "two_parts", "BERT": "bert", "Änderung": "änderung",
	} {
		require.Equal(t, want, snake(camel))
	}
}

// TestEntries: a directive sets the entries of its name, and leaves those that a person wrote.
func TestEntries(t *testing.T) {
	for _, tt := range []struct{ old, want string }{
		{`{"avx512": "cpu_x86_64_v4", "edge": "riscv64"}`, `{"avx512": "cpu_x86_64_v4", "cpu": "cpu_x86_64_v3", "edge": "aarch64"}`},
		{`{}`, `{"cpu": "cpu_x86_64_v3", "edge": "aarch64"}`},
		{"{\n\t\"edge\": \"riscv64\",  # keep\n}", `{"cpu": "cpu_x86_64_v3", "edge": "riscv64"}`},
	} {
		file, err := build.ParseBuild("BUILD", []byte("backends = "+tt.old))
		require.NoError(t, err)
		merged, ok := literal(entries{"cpu": "cpu_x86_64_v3", "edge": "aarch64"}.Merge(file.Stmt[0].(*build.AssignExpr).RHS))
		require.True(t, ok)
		got := map[string]string{}
		for _, pair := range merged.List {
			got[pair.Key.(*build.StringExpr).Value] = pair.Value.(*build.StringExpr).Value
		}
		want := map[string]string{}
		require.NoError(t, json.Unmarshal([]byte(tt.want), &want))
		require.Equal(t, want, got, tt.old)
	}
}

// TestRelative: a label that a directive names in one folder means the same below.
func TestRelative(t *testing.T) {
	for _, tt := range []struct{ written, in, read, want string }{
		{":pixel", "fleet", "fleet", ":pixel"},
		{":pixel", "fleet", "fleet/a", "//fleet:pixel"},
		{"w.gguf", "fleet", "fleet", ":w.gguf"},
		{"//fleet", "", "fleet", ":fleet"},
		{"//fleet", "", "", "//fleet"},
		{"@hub//:w.gguf", "fleet", "fleet", "@hub//:w.gguf"},
	} {
		d := directives{settings: &settings{}, rel: tt.in}
		absolute, ok := d.absolute(tt.written)
		require.True(t, ok)
		require.Equal(t, tt.want, relative(absolute, tt.read), tt.written)
		_, err := label.Parse(relative(absolute, tt.read))
		require.NoError(t, err)
	}
}
