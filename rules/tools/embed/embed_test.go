package main

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func named(name string, d dtype.DType, dims ...shape.Dim) contract.Named {
	return contract.Named{Name: name, DType: d, Shape: dims}
}

// files writes a program, its archive and its contract.
func files(t *testing.T, c *contract.Contract) options {
	t.Helper()
	dir := t.TempDir()
	o := options{
		name: "demo", label: "//p:demo", scope: "model",
		program: filepath.Join(dir, "program.vmfb"), archives: []string{filepath.Join(dir, "parameters.irpa")}, contract: filepath.Join(dir, "contract.json"),
		header: filepath.Join(dir, "demo.h"), source: filepath.Join(dir, "demo_data.c"), includeName: "p/demo.h",
	}
	text, err := c.Marshal()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(o.contract, text, 0o666))
	require.NoError(t, os.WriteFile(o.program, []byte{0, 1, 255}, 0o666))
	require.NoError(t, os.WriteFile(o.archives[0], []byte("irpa"), 0o666))
	return o
}

func demo(entries ...contract.Entry) *contract.Contract {
	return &contract.Contract{Schema: contract.Schema, Name: "linear", Entries: entries, IREE: "3.13.0"}
}

// The header for a fixed shape, a scalar and a dynamic shape.
func TestHeader(t *testing.T) {
	c := demo(contract.Entry{
		Name: "main",
		Args: []contract.Named{
			named("x", dtype.F32, shape.Dim{Size: 2}, shape.Dim{Size: 3}),
			named("n", dtype.I64),
		},
		Results: []contract.Named{named("y", dtype.F16, shape.Dim{Size: shape.Dynamic, Name: "n"})},
	})
	o := files(t, c)
	require.NoError(t, write(o))
	got, err := os.ReadFile(o.header)
	require.NoError(t, err)
	want := `extern const unsigned char demo_program[3];
#define DEMO_PROGRAM_SIZE 3

extern const unsigned char demo_archive[4];
#define DEMO_ARCHIVE_SIZE 4
#define DEMO_SCOPE "model"

// Entry point main.
#define DEMO_MAIN_FUNCTION "linear.main"
#define DEMO_MAIN_ARGS 2
// x: f32[2x3]
#define DEMO_MAIN_ARG_X_INDEX 0
#define DEMO_MAIN_ARG_X_DTYPE 0x21000020
#define DEMO_MAIN_ARG_X_RANK 2
#define DEMO_MAIN_ARG_X_DIMS {2, 3}
#define DEMO_MAIN_ARG_X_BYTES 24
// n: i64[scalar]
#define DEMO_MAIN_ARG_N_INDEX 1
#define DEMO_MAIN_ARG_N_DTYPE 0x10000040
#define DEMO_MAIN_ARG_N_RANK 0
#define DEMO_MAIN_ARG_N_DIMS {0}
#define DEMO_MAIN_ARG_N_BYTES 8
#define DEMO_MAIN_RESULTS 1
// y: f16[n?]
#define DEMO_MAIN_RESULT_Y_INDEX 0
#define DEMO_MAIN_RESULT_Y_DTYPE 0x21000010
#define DEMO_MAIN_RESULT_Y_RANK 1
#define DEMO_MAIN_RESULT_Y_DIMS {-1}
`
	_, body, _ := strings.Cut(string(got), "extern \"C\" {\n#endif\n\n")
	body, _, _ = strings.Cut(body, "\n#ifdef __cplusplus")
	require.Empty(t, cmp.Diff(want, body))
	source, err := os.ReadFile(o.source)
	require.NoError(t, err)
	require.Contains(t, string(source), "#include \"p/demo.h\"\n\n__attribute__((aligned(64))) const unsigned char demo_program[3] = {\n  0, 1, 255,\n};\n")
}

// The Go source is gofmt-formatted, with an archive and without.
func TestGoSource(t *testing.T) {
	for _, archive := range []bool{true, false} {
		o := files(t, demo())
		o.goOut, o.goPackage = filepath.Join(t.TempDir(), "embed.go"), "program"
		if !archive {
			o.archives = nil
		}
		require.NoError(t, write(o))
		got, err := os.ReadFile(o.goOut)
		require.NoError(t, err)
		formatted, err := format.Source(got)
		require.NoError(t, err)
		require.Equal(t, string(formatted), string(got))
		require.Contains(t, string(got), "//go:embed program.vmfb\nvar Program []byte\n")
		require.Equal(t, archive, strings.Contains(string(got), "//go:embed parameters.irpa\nvar Archive []byte\n"))
		require.Equal(t, archive, strings.Contains(string(got), "const Scope = \"model\"\n"))
	}
}

func TestRefused(t *testing.T) {
	main := contract.Entry{Name: "main", Args: []contract.Named{named("x", dtype.F32), named("X", dtype.F32)}}
	weights := contract.Parameter{Scope: "model", Key: "w", DType: dtype.F32, Bytes: 4, Source: contract.FromConstant}
	for _, c := range []struct {
		name   string
		code   errs.Code
		change func(c *contract.Contract, o *options)
	}{
		{"no archive", CodeArchive, func(c *contract.Contract, o *options) {
			c.Parameters, o.archives = []contract.Parameter{weights}, nil
		}},
		{"another scope", CodeArchive, func(c *contract.Contract, o *options) {
			c.Parameters, o.scope = []contract.Parameter{weights}, "adapter"
		}},
		{"names of C", CodeNames, func(c *contract.Contract, _ *options) { c.Entries = []contract.Entry{main} }},
		{"an element type", CodeNames, func(c *contract.Contract, _ *options) {
			c.Entries = []contract.Entry{{Name: "main", Args: []contract.Named{named("z", dtype.C64)}}}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := demo()
			var changed options
			c.change(doc, &changed)
			o := files(t, doc)
			if changed.scope != "" {
				o.scope = changed.scope
			}
			if c.name == "no archive" {
				o.archives = nil
			}
			err := write(o)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			require.NoFileExists(t, o.header)
		})
	}
}

func TestTooLarge(t *testing.T) {
	o := files(t, demo())
	require.NoError(t, os.Truncate(o.archives[0], maxBytes+1))
	err := write(o)
	require.Equal(t, CodeLarge, errs.CodeOf(err))
	require.Contains(t, err.Error(), o.archives[0])

	// The limit applies to all archives together.
	o = split(t, files(t, demo()))
	require.NoError(t, os.Truncate(o.archives[0], maxBytes/2))
	require.NoError(t, os.Truncate(o.archives[1], maxBytes/2+1))
	err = write(o)
	require.Equal(t, CodeLarge, errs.CodeOf(err))
	require.Contains(t, err.Error(), o.archives[1])
}

// split adds a second archive.
func split(t *testing.T, o options) options {
	second := filepath.Join(filepath.Dir(o.program), "parameters-2.irpa")
	require.NoError(t, os.WriteFile(second, []byte("more"), 0o666))
	o.archives = append(o.archives, second)
	return o
}

// All archives of one scope are embedded, in order.
func TestSplit(t *testing.T) {
	o := split(t, files(t, demo()))
	require.NoError(t, write(o))
	header, err := os.ReadFile(o.header)
	require.NoError(t, err)
	require.Contains(t, string(header), `
extern const unsigned char demo_archive_1[4];
extern const unsigned char demo_archive_2[4];
struct demo_archive_part { const unsigned char* data; long long size; };
extern const struct demo_archive_part demo_archives[2];
#define DEMO_ARCHIVES 2
#define DEMO_SCOPE "model"
`)
	source, err := os.ReadFile(o.source)
	require.NoError(t, err)
	require.Contains(t, string(source), "demo_archive_2[4] = {\n  109, 111, 114, 101,\n};\n")
	require.Contains(t, string(source), "demo_archives[2] = {\n  {demo_archive_1, 4},\n  {demo_archive_2, 4},\n};\n")

	o.goOut, o.goPackage = filepath.Join(t.TempDir(), "embed.go"), "program"
	require.NoError(t, write(o))
	got, err := os.ReadFile(o.goOut)
	require.NoError(t, err)
	formatted, err := format.Source(got)
	require.NoError(t, err)
	require.Equal(t, string(formatted), string(got))
	require.Contains(t, string(got), "var Archives = [][]byte{archive0, archive1}\n")
	require.Contains(t, string(got), "\t//go:embed parameters-2.irpa\n\tarchive1 []byte\n")
	require.NotContains(t, string(got), "var Archive ")
}

// Names are written into source and must not break out of it.
func TestNames(t *testing.T) {
	for name, change := range map[string]func(o *options){
		"a name with a space":          func(o *options) { o.name = "a b" },
		"a name with brackets":         func(o *options) { o.name = "a[3]" },
		"no name":                      func(o *options) { o.name = "" },
		"an include with a quote":      func(o *options) { o.includeName = "p\"x" },
		"an include with a line":       func(o *options) { o.includeName = "p\n.h" },
		"a label with a line":          func(o *options) { o.label = "//p:x\nint x;" },
		"a label that is no text":      func(o *options) { o.label = "\xff" },
		"a scope with a NUL":           func(o *options) { o.scope = "a\x00b" },
		"a package with a space":       func(o *options) { o.goOut, o.goPackage = o.source, "a b" },
		"a package with a line":        func(o *options) { o.goOut, o.goPackage = o.source, "a\nvar X int" },
		"a package that is a keyword":  func(o *options) { o.goOut, o.goPackage = o.source, "func" },
		"a package without a name":     func(o *options) { o.goOut, o.goPackage = o.source, "_" },
		"an embedded file of brackets": func(o *options) { o.goOut, o.goPackage, o.program = o.source, "p", "x/[a].vmfb" },
		"an embedded file of words":    func(o *options) { o.goOut, o.goPackage, o.contract = o.source, "p", "a b.json" },
	} {
		o := files(t, demo())
		change(&o)
		require.Equal(t, CodeNames, errs.CodeOf(write(o)), name)
		require.NoFileExists(t, o.header, name)
		require.NoFileExists(t, o.source, name)
	}
	o := files(t, demo(contract.Entry{Name: "main", Args: []contract.Named{named("x", dtype.F32, shape.Dim{Size: shape.Dynamic, Name: "n\nint x;"})}}))
	require.Equal(t, contract.CodeBad, errs.CodeOf(write(o)))
	require.NoFileExists(t, o.header)
}

// The header and the source are written together or not at all, and
// neither overwrites an input.
func TestOutputs(t *testing.T) {
	o := files(t, demo())
	o.source = filepath.Join(t.TempDir(), "none", "x.c")
	require.Error(t, write(o))
	require.NoFileExists(t, o.header)

	for _, read := range []func(o *options) string{
		func(o *options) string { return o.program },
		func(o *options) string { return o.archives[0] },
		func(o *options) string { return o.contract },
	} {
		for _, to := range []func(o *options) *string{
			func(o *options) *string { return &o.header },
			func(o *options) *string { return &o.source },
			func(o *options) *string { o.goPackage = "p"; return &o.goOut },
		} {
			o := files(t, demo())
			in := read(&o)
			before, err := os.ReadFile(in)
			require.NoError(t, err)
			*to(&o) = in
			require.Equal(t, CodeOutput, errs.CodeOf(write(o)))
			after, err := os.ReadFile(in)
			require.NoError(t, err)
			require.Equal(t, before, after)
		}
	}
}
