//go:build integration

// Package e2e tests the compile driver, the runtime library and the tool
// together, on programs of a few lines. The paths of the tools come from the
// environment, which the Bazel target sets; a path that is not set is a failed
// test, not a skipped one.
package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var ctx = context.Background()

// path returns the absolute path of the file that an environment variable names,
// as a runfile or by its absolute path.
func path(t testing.TB, variable string) string {
	t.Helper()
	p := os.Getenv(variable)
	require.NotEmpty(t, p, "%s must name the file; run this test through Bazel", variable)
	if !filepath.IsAbs(p) {
		var err error
		p, err = runfiles.Rlocation(p)
		require.NoError(t, err)
		p, err = filepath.Abs(p)
		require.NoError(t, err)
	}
	require.FileExists(t, p)
	return p
}

// cpuFlags are those of the target x86-64-v3, which CI machines support.
var cpuFlags = func() []string {
	flags, err := target.Flags("cpu_x86_64_v3", "")
	if err != nil {
		panic(err)
	}
	return flags
}()

func source(t testing.TB, name string, replace ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return []byte(strings.NewReplacer(replace...).Replace(string(b)))
}

// compiled caches each text's program: compiling takes a second.
var compiled = map[string][]byte{}

// compile returns the path of the compiled program.
func compile(t testing.TB, text []byte) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program.vmfb")
	if b, ok := compiled[string(text)]; ok {
		require.NoError(t, os.WriteFile(out, b, 0o644))
		return out
	}
	_, err := compiler.Compile(ctx, compiler.Options{
		Compiler: path(t, "IREE_COMPILE"), Linker: path(t, "IREE_LLD"),
		Flags: cpuFlags, Text: text, TextName: t.Name() + ".mlir", Out: out,
	})
	require.NoError(t, err)
	compiled[string(text)], err = os.ReadFile(out)
	require.NoError(t, err)
	return out
}

// form is one way to run a program.
type form struct {
	name string
	set  func(t testing.TB, o *iree.Options)
}

var inProcess = form{"in process", func(t testing.TB, o *iree.Options) { o.Library = path(t, "IREERT_LIBRARY") }}

var byTool = form{"tool", func(t testing.TB, o *iree.Options) { o.Tool = path(t, "IREE_RUN_MODULE") }}

var forms = []form{inProcess, byTool}

// eachForm runs a test in process and through the tool.
func eachForm(t *testing.T, test func(t *testing.T, f form)) {
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) { test(t, f) })
	}
}

// open opens a program in one form and closes it with the test.
func open(t testing.TB, f form, o iree.Options) backend.Executable {
	t.Helper()
	f.set(t, &o)
	x, err := iree.Open(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x
}

func named(name string, d dtype.DType, sizes ...int64) contract.Named {
	return contract.Named{Name: name, DType: d, Shape: shape.Of(sizes...)}
}

func of[T tensor.Element](t testing.TB, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}
