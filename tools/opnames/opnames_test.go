package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestLists(t *testing.T) {
	p, err := read(data)
	require.NoError(t, err)
	const imports = "package x\n\nimport (\n\t\"" + "github.com/skainet-dev/skainet-go/compile/op\"\n\t\"github.com/skainet-dev/skainet-go/compile/op/id\"\n)\n"
	for _, tt := range []struct {
		name, code string
		want       []string
	}{
		{"switch on a name", `func f(n string) bool { switch n { case "softmax", "other": return true }; return false }`, []string{"softmax in a switch"}},
		{"switch on an ID", `func f(i op.ID) bool { switch i { case id.While, (id.Cond): return true }; return false }`, []string{"While in a switch", "Cond in a switch"}},
		{"slice", `var wide = []string{"exp", "log"}`, []string{"exp in a list", "log in a list"}},
		{"slice of one", `var wide = []op.ID{id.Exp}`, []string{"Exp in a list"}},
		{"array", `var wide = [...]op.ID{id.Exp}`, []string{"Exp in a list"}},
		{"keys of a map", `var wide = map[string]bool{"update_rows": true}`, []string{"update_rows in a list"}},
		{"values of a map", `var wide = map[int]op.ID{1: id.UpdateRows}`, []string{"UpdateRows in a list"}},
		{"rows", `var rows = []struct{ i op.ID; x int }{{id.Exp, 1}, {i: id.Log}}`, []string{"Exp in a list", "Log in a list"}},
		{"in a function", `func f(n string) bool { return in([]string{"exp"}, n) }; func in([]string, string) bool { return true }`, []string{"exp in a list"}},
		{"condition", `func f(i op.ID, x bool) bool { return x && (i == id.Exp || i == id.Log) }`, []string{"Exp in a condition", "Log in a condition"}},
		{"arguments", `func f(i op.ID) bool { return any(i, id.Exp, id.Log) }; func any(i op.ID, of ...op.ID) bool { return true }`, []string{"Exp in arguments", "Log in arguments"}},
		{"switch without a tag", `func f(i op.ID) int { switch { case i == id.Exp: return 1; case i == id.Log: return 2 }; return 0 }`, []string{"Exp in a switch", "Log in a switch"}},
		{"chain", `func f(i op.ID) int { if i == id.Exp { return 1 } else if i == id.Log { return 2 }; return 0 }`, []string{"Exp in conditions", "Log in conditions"}},
		{"row of statements", `func f(i op.ID) int { if i == id.Exp { return 1 }; if i != id.Log { return 2 }; return 0 }`, []string{"Exp in conditions", "Log in conditions"}},
		{"one operation asked twice", `func f(i op.ID, x bool) int { if i == id.Exp { return 1 }; if x && i == id.Exp { return 2 }; return 0 }`, nil},
		{"one comparison", `func f(i op.ID, n int) bool { return i == id.Exp && n == 1 }`, nil},
		{"builder", `func f(add func(string)) { add("exp"); add("log") }`, nil},
		{"names of attributes", `var a = op.Attrs{"dim": 1, "mode": "add"}`, nil},
		{"others", `var wide = []string{"exponent", "logarithm"}; var n = id.Count()`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			faults, err := p.check("compile/dag/passes/new.go", []byte(imports+tt.code))
			require.NoError(t, err)
			var got []string
			for _, f := range faults {
				require.True(t, strings.HasPrefix(f, "compile/dag/passes/new.go:"), f)
				_, what, _ := strings.Cut(f, "operation ")
				got = append(got, what)
			}
			require.Empty(t, cmp.Diff(tt.want, got))
			for _, family := range []string{"backend/cpu/reduce.go", "compile/op/new.go", "compile/dag/passes/new_test.go"} {
				faults, err = p.check(family, []byte(imports+tt.code))
				require.NoError(t, err)
				require.Empty(t, faults)
			}
		})
	}
	// Words of another vocabulary are not operations.
	faults, err := p.check("text/chat/jinja/new.go", []byte("package x\n\nvar words = []string{\"and\", \"not\"}\n"))
	require.NoError(t, err)
	require.Empty(t, faults)
	_, err = p.check("errs/errs.go", []byte("packag"))
	require.ErrorContains(t, err, "errs/errs.go")
	_, err = read([]byte("{"))
	require.ErrorContains(t, err, "families.json")
}

// Every pattern says what its column is.
func TestFamilies(t *testing.T) {
	p, err := read(data)
	require.NoError(t, err)
	for _, f := range p.Files {
		require.NotEmpty(t, f.Holds, f.Folder)
		require.NotEmpty(t, f.Names, f.Folder)
	}
	require.Contains(t, p.unmatched([]string{"compile/op/op.go", "backend/cpu/reduce.go"}), "backend/cpu/conv.go")
	require.NotContains(t, p.unmatched([]string{"compile/op/op.go", "backend/cpu/reduce.go"}), "compile/op/*.go")
}

// No file of the repository lists operations. Bazel's test sees the sources that
// programs and commands are made of.
func TestRepository(t *testing.T) {
	p, err := read(data)
	require.NoError(t, err)
	files, faults, err := p.walk(filepath.Join("..", ".."))
	require.NoError(t, err)
	require.Greater(t, len(files), 200)
	require.Empty(t, faults, "make a column of the table (compile/op/traits.go) and ask for it")
}
