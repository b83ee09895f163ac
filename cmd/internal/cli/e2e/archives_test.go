//go:build integration

package e2e

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// The library itself checks an archive, for callers that have not done so, because IREE's own
// checks overflow. A key that is already in the scope is rejected; in another scope it is not.
func TestArchivesOfTheLibrary(t *testing.T) {
	lib, err := ireert.Load(path(t, "IREERT_LIBRARY"))
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name string, keys ...string) string {
		var items []irpa.Item
		for _, k := range keys {
			items = append(items, irpa.Bytes(k, []byte(k)))
		}
		p := filepath.Join(dir, name)
		require.NoError(t, irpa.Write(p, items))
		return p
	}
	first, second, third := write("1.irpa", "a", "b"), write("2.irpa", "c"), write("3.irpa", "d", "c", "a")
	none := write("none.irpa")
	good, err := os.ReadFile(first)
	require.NoError(t, err)
	damaged := filepath.Join(dir, "damaged.irpa")
	for _, mode := range []ireert.ParameterMode{ireert.Mapped, ireert.Copied} {
		for at, want := range map[int]string{
			56: "IRPA_BAD_RANGE: byte 56: the metadata segment has offset", 116: "IRPA_BAD_RANGE: byte 116: the name has offset",
			240: "IRPA_BAD_RANGE: byte 236: the datum has offset", 32: "IRPA_LIMIT: byte 32: ",
		} {
			b := bytes.Clone(good)
			binary.LittleEndian.PutUint64(b[at:], math.MaxUint64)
			require.NoError(t, os.WriteFile(damaged, b, 0o644))
			s, err := lib.Open("local-sync", "", 0)
			require.NoError(t, err)
			require.ErrorContains(t, s.AddParameters("m", damaged, mode), "DATA_LOSS: "+want)
			require.NoError(t, s.Close())
		}
		s, err := lib.Open("local-sync", "", 0)
		require.NoError(t, err)
		for _, p := range []string{none, first, second, none} {
			require.NoError(t, s.AddParameters("m", p, mode))
		}
		require.NoError(t, s.AddParameters("other", third, mode))
		require.ErrorContains(t, s.AddParameters("m", third, mode), "ALREADY_EXISTS: m::c: the key is in "+second+" as well")
		require.ErrorContains(t, s.AddParameters("other", first, mode), "ALREADY_EXISTS: other::a: the key is in "+third+" as well")
		require.NoError(t, s.Close())
	}
}
