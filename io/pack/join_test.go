package pack

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Two programs with one tensor in common run with the archive of both; the shared one is in
// it once.
func TestJoin(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	made := func(name string, c *contract.Contract, items ...irpa.Item) (archive, text string) {
		doc, err := c.Marshal()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file(name+".json"), doc, 0o644))
		require.NoError(t, irpa.Write(file(name+".irpa"), items))
		return file(name + ".irpa"), file(name + ".json")
	}
	encoder, decoder := program(param("b", dtype.I8, 3), param("both", dtype.F32, 2)), program(param("a", dtype.I8, 1), param("both", dtype.F32, 2))
	both := irpa.Bytes("both", []byte{1, 2, 3, 4, 5, 6, 7, 8})
	e, ec := made("encoder", encoder, irpa.Item{Name: "b", Length: 3, Pattern: []byte{1}}, both)
	d, dc := made("decoder", decoder, both, irpa.Bytes("a", []byte{9}))
	out, text := file("joined.irpa"), file("joined.json")
	require.NoError(t, Join(out, text, "joined", []string{e, d}, []string{ec, dc}, true))

	a := open(t, out)
	var names []string
	for _, entry := range a.Entries() {
		names = append(names, entry.Name)
	}
	require.Equal(t, []string{"a", "b", "both"}, names)
	c, err := contract.ReadFile(text)
	require.NoError(t, err)
	require.NoError(t, CheckArchive(c, "model", a))
	b, err := a.Tensor("both")
	require.NoError(t, err)
	bytes, err := b.Bytes()
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2, 3, 4, 5, 6, 7, 8}, bytes)

	again := file("again.irpa")
	require.NoError(t, Join(again, file("again.json"), "joined", []string{d, e}, []string{dc, ec}, true))
	first, err := os.ReadFile(out)
	require.NoError(t, err)
	second, err := os.ReadFile(again)
	require.NoError(t, err)
	require.Equal(t, first, second, "the order of the programs is in the bytes")

	o, oc := made("other", decoder, irpa.Bytes("both", make([]byte, 8)), irpa.Bytes("a", []byte{9}))
	err = Join(file("none.irpa"), file("none.json"), "joined", []string{e, o}, []string{ec, oc}, true)
	require.Equal(t, CodeJoin, errs.CodeOf(err))
	require.NoFileExists(t, file("none.irpa"))
	require.NoFileExists(t, file("none.json"))
	w, wc := made("wide", program(param("both", dtype.F32, 3)), irpa.Bytes("both", make([]byte, 12)))
	err = Join(file("none.irpa"), file("none.json"), "joined", []string{e, w}, []string{ec, wc}, true)
	require.Equal(t, contract.CodeJoin, errs.CodeOf(err))
}
