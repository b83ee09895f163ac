package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// found formats an error without the file.
func found(t *testing.T, err error) string {
	t.Helper()
	var e *errs.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "x.mlir", e.File)
	return fmt.Sprintf("%s %s %s", e.Node, e.Code, e.What)
}

// The texts of testdata/faults have the expected error at the end of a line:
//
//	... // want COLUMN CODE words of the message
//
// and no other errors are allowed. "// -----" begins a new text, as in MLIR's
// own tests.
func TestFaults(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "faults", "*.mlir"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for i, text := range strings.Split(string(data), "// -----\n") {
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(file), i), func(t *testing.T) {
				var want []string
				for n, line := range strings.Split(text, "\n") {
					_, wanted, ok := strings.Cut(line, "// want ")
					for ok {
						var one string
						one, wanted, ok = strings.Cut(wanted, "// want ")
						want = append(want, fmt.Sprintf("%d:%s", n+1, strings.TrimSpace(one)))
					}
				}
				require.NotEmpty(t, want, "a text without an error")
				var got []string
				for k, err := range Text("x.mlir", []byte(text)) {
					s := found(t, err)
					if k < len(want) && len(want[k]) < len(s) && strings.HasPrefix(want[k], s[:strings.Index(s, "HLO_")]) {
						code, words, _ := strings.Cut(want[k], " HLO_")
						of, message, _ := strings.Cut(words, " ")
						if place, rest, _ := strings.Cut(s, " HLO_"); place == code && strings.HasPrefix(rest, of+" ") && strings.Contains(rest, message) {
							s = want[k]
						}
					}
					got = append(got, s)
				}
				require.Empty(t, cmp.Diff(want, got))
			})
		}
	}
}

// Texts written by other tools that the compiler accepts.
func TestNoFaults(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "good", "*.mlir"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for i, text := range strings.Split(string(data), "// -----\n") {
			require.Empty(t, Text("x.mlir", []byte(text)), "%s/%d", file, i)
		}
	}
}

func TestLimits(t *testing.T) {
	in := func(attr string) string {
		return "func.func @f() {\n  %0 = stablehlo.constant " + attr + "\n  return\n}"
	}
	nested := strings.Repeat("[", MaxDepth+1)
	for name, c := range map[string]struct{ text, want string }{
		"lists":      {in("dense<" + nested), "HLO_LIMIT nested more than 100 deep"},
		"skipped":    {"stream.executable @k {" + strings.Repeat("{", MaxDepth+1), "HLO_LIMIT nested more than 100 deep"},
		"regions":    {"func.func @f() {" + strings.Repeat("\"a.b\"() ({", MaxDepth+1), "HLO_LIMIT nested more than 100 deep"},
		"dimension":  {in("dense<0> : tensor<4611686018427387904xi8>"), "HLO_LIMIT a dimension of size 4611686018427387904"},
		"elements":   {in("dense<0> : tensor<4294967296x4294967296xi8>"), "HLO_LIMIT a tensor with more than 2^61 elements"},
		"dimensions": {in("dense<0> : tensor<" + strings.Repeat("1x", MaxRank+1) + "i8>"), "HLO_LIMIT a tensor with more than 64 dimensions"},
		"tokens":     {in("dense<[" + strings.Repeat("1,", MaxTokens/2)), "HLO_LIMIT the text has more than 2097152 tokens"},
		"attributes": {"func.func @f() {\n  a.b" + keys(MaxKeys+1), "HLO_LIMIT an operation with more than 64 attributes"},
		"number":     {in("dense<18446744073709551616> : tensor<i64>"), "HLO_LIMIT a number of more than 64 bits"},
	} {
		t.Run(name, func(t *testing.T) {
			faults := Text("x.mlir", []byte(c.text))
			require.Len(t, faults, 1)
			require.Contains(t, found(t, faults[0]), c.want)
		})
	}
	// A declared number of results allocates nothing.
	faults := Text("x.mlir", []byte("func.func @f() {\n %x:2147483647 = stablehlo.constant dense<1> : tensor<2305843009213693951xi32>\n return\n}"))
	require.Len(t, faults, 1)
	require.Contains(t, found(t, faults[0]), "2:2 HLO_COUNT stablehlo.constant has 1 result, fewer than are named")
}

func keys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " k%d = 1,", i)
	}
	return b.String()
}

// Messages stay short whatever names they contain.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", 100_000)
	types := strings.Repeat("tensor<f32>, ", 10_000) + "tensor<f32>"
	for _, text := range []string{
		"func.func @f() {\n  return %" + long + " : tensor<f32>\n}",
		"func.func @f() {\n  \"" + long + "\"() : () -> ()\n  return\n}",
		"func.func @f() -> (" + types + ") {\n  return\n}",
		"func.func @f(%" + long,
		"func.func @f() {\n  a.b " + long + " = 1, " + long + " = 1",
	} {
		faults := Text("x.mlir", []byte(text))
		require.NotEmpty(t, faults)
		for _, err := range faults {
			require.Less(t, len(err.Error()), 700)
		}
	}
}

// An empty file, as left by a full disk, is not a program.
func TestNothing(t *testing.T) {
	for _, text := range []string{"", "\n", " // a comment\n"} {
		faults := Text("x.mlir", []byte(text))
		require.Len(t, faults, 1, "%q", text)
		require.Equal(t, CodeSyntax, errs.CodeOf(faults[0]), "%v", faults[0])
	}
}

func TestManyFaults(t *testing.T) {
	text := "func.func @f() {\n" + strings.Repeat("  util.global.load @g : tensor<f32>\n", MaxFaults+5) + "  return\n}"
	faults := Text("x.mlir", []byte(text))
	require.Len(t, faults, MaxFaults)
	require.Contains(t, found(t, faults[MaxFaults-1]), fmt.Sprintf("%d:20 HLO_UNKNOWN_SYMBOL", MaxFaults+1))
}

func TestFile(t *testing.T) {
	faults, err := File(filepath.Join(t.TempDir(), "none.mlir"))
	require.Equal(t, CodeFile, errs.CodeOf(err))
	require.Empty(t, faults)
	path := filepath.Join(t.TempDir(), "a.mlir")
	require.NoError(t, os.WriteFile(path, []byte("module {\n  module\n}"), 0o644))
	faults, err = File(path)
	require.NoError(t, err)
	require.Len(t, faults, 1)
	require.EqualError(t, faults[0], "HLO_SYNTAX: "+path+`: 2:3: expected func.func, util.func, util.global, stream.executable or the end of the module, found "module"`)

	large := filepath.Join(t.TempDir(), "large.mlir")
	require.NoError(t, os.WriteFile(large, nil, 0o644))
	require.NoError(t, os.Truncate(large, MaxText+1)) // sparse
	faults, err = File(large)
	require.NoError(t, err)
	require.Len(t, faults, 1)
	require.Equal(t, CodeLimit, errs.CodeOf(faults[0]))
	_, err = File(t.TempDir())
	require.Equal(t, CodeFile, errs.CodeOf(err))
}
