package errscan

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const first = `// Package a is one.
//
// # Errors
//
// Some.
package a

const named errs.Code = "A_CONST" // why

type rule struct {
	a, b string
	code errs.Code
}

var list = []rule{{"NO_1", "NO_2", "A_ROW"}, {code: "A_KEYED"}}
var one = rule{"NO_3", "", "A_ONE"}
var byName = map[string]rule{"NO_4": {code: "A_IN_MAP"}}

func fail(at int, code errs.Code, what string) error { return errs.New(code, what) }
`

const second = `package a

func g(p *parser) error {
	_ = p.fail(1, "A_CALL", "NO_5")
	_ = errs.Code("A_CONVERTED")
	_ = errs.Code("A_" + "PARTS")
	return errs.Wrap("A_WRAP", other.New("NO_6"), "NO_7").Hint("NO_8")
}
`

func TestScan(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("x/a", 0o755))
	for name, text := range map[string]string{"first.go": first, "second.go": second, "a_test.go": "not Go"} {
		require.NoError(t, os.WriteFile(filepath.Join("x/a", name), []byte(text), 0o644))
	}
	pkgs, err := Scan([]string{"x/a/second.go", "x/a/first.go", "x/a/a_test.go"})
	require.NoError(t, err)
	require.Len(t, pkgs, 1)
	require.Equal(t, "x/a", pkgs[0].Dir)
	require.Equal(t, "Some.", pkgs[0].Errors)
	want := map[string]string{
		"A_CONST": "why", "A_ROW": "", "A_KEYED": "", "A_ONE": "", "A_IN_MAP": "", "A_CALL": "", "A_CONVERTED": "", "A_WRAP": "",
	}
	if diff := cmp.Diff(want, pkgs[0].Codes); diff != "" {
		t.Error(diff)
	}
	require.Equal(t, []string{"A_CALL", "A_CONVERTED", "A_IN_MAP", "A_KEYED", "A_ONE", "A_ROW", "A_WRAP"}, pkgs[0].Inline())
	_, err = Scan([]string{"x/none.go"})
	require.ErrorIs(t, err, os.ErrNotExist)
}
