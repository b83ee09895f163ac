package pack

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func archive(t *testing.T, items ...irpa.Item) *irpa.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.irpa")
	require.NoError(t, irpa.Write(path, items))
	return open(t, path)
}

func open(t *testing.T, path string) *irpa.File {
	t.Helper()
	a, err := irpa.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	return a
}

func TestCheckArchive(t *testing.T) {
	c := program(param("a", dtype.F32, 2), param("b", dtype.I8, 3))
	a, b := irpa.Bytes("a", make([]byte, 8)), irpa.Item{Name: "b", Length: 3, Pattern: []byte{1}}
	tests := []struct {
		name     string
		archives []*irpa.File
		code     errs.Code
		key      string
	}{
		{"one archive", []*irpa.File{archive(t, a, b)}, "", ""},
		{"two archives, in any order", []*irpa.File{archive(t, b), archive(t, a)}, "", ""},
		{"missing", []*irpa.File{archive(t, a)}, CodeContractMissing, "b"},
		{"none", nil, CodeContractMissing, "a"},
		{"shorter", []*irpa.File{archive(t, irpa.Bytes("a", make([]byte, 7)), b)}, CodeContractLength, "a"},
		{"longer, which IREE accepts", []*irpa.File{archive(t, irpa.Bytes("a", make([]byte, 9)), b)}, CodeContractLength, "a"},
		{"extra", []*irpa.File{archive(t, a, b, irpa.Bytes("c", nil))}, CodeContractExtra, "c"},
		{"twice", []*irpa.File{archive(t, a, b), archive(t, b)}, CodeContractDuplicate, "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckArchive(c, "model", tt.archives...)
			require.Equal(t, tt.code, errs.CodeOf(err), err)
			var e *errs.Error
			if tt.code != "" {
				require.ErrorAs(t, err, &e)
				require.Equal(t, tt.key, e.Node)
			}
		})
	}
	require.Equal(t, CodeNoScope, errs.CodeOf(CheckArchive(c, "q")))
}

func TestCheckArchiveRefusesExternalEntries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.irpa")
	require.NoError(t, os.WriteFile(path, badfiles.IRPAGood(), 0o644))
	c := program(param("w", dtype.I8, 8), param("s", dtype.I8, 8), param("x", dtype.I8, 4), param("e", dtype.I8, 4))
	require.Equal(t, irpa.CodeExternal, errs.CodeOf(CheckArchive(c, "model", open(t, path))))
}

func TestConstants(t *testing.T) {
	c := program(constant("a", dtype.F32, 2), constant("s", dtype.I8, 4), param("w", dtype.F32, 1))
	got, err := Constants(c, archive(t, irpa.Bytes("a", raw(t, []float32{1, 2})), irpa.Item{Name: "s", Length: 4, Pattern: []byte{5}}))
	require.NoError(t, err)
	require.Equal(t, map[string]tensor.Value{"a": value(t, []float32{1, 2}, 2), "s": value(t, []int8{5, 5, 5, 5}, 4)}, got)

	_, err = Constants(c, archive(t, irpa.Bytes("w", make([]byte, 4))))
	require.Equal(t, CodeExtra, errs.CodeOf(err), "a parameter from weights is not a constant")
	_, err = Constants(c, archive(t, irpa.Item{Name: "s", Length: 1 << 40, Pattern: []byte{0}}))
	require.Equal(t, CodeLength, errs.CodeOf(err), "a splat of a terabyte is refused, not expanded")
}
