//go:build integration

package interop

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// TestGemma takes 270M weights from GGUF into an archive. The types of its
// tensors are those that IREE's own GGUF reader still knows, so it is an oracle
// for names, places and lengths, and its converter one for every byte.
func TestGemma(t *testing.T) {
	source := runfile(t, "GEMMA")
	f, err := gguf.Open(source)
	require.NoError(t, err)
	defer f.Close()
	var want []row
	var items []irpa.Item
	for _, x := range f.Tensors() {
		want = append(want, row{x.Name, x.Offset, x.Bytes})
		b, err := f.Tensor(x.Name)
		require.NoError(t, err)
		items = append(items, irpa.Item{Name: x.Name, Length: x.Bytes, Open: b.Reader})
	}
	require.Len(t, want, 236)
	if diff := cmp.Diff(want, dump(t, source)); diff != "" {
		t.Errorf("of the GGUF file: %s", diff)
	}

	dir := t.TempDir()
	ours, theirs := filepath.Join(dir, "ours.irpa"), filepath.Join(dir, "iree.irpa")
	require.NoError(t, irpa.Write(ours, items))
	samePlaces(t, ours)
	output(t, runfile(t, "CONVERT"), "--quiet", "--parameters="+source, "--output="+theirs)
	require.True(t, bytes.Equal(read(t, ours), read(t, theirs)), "other bytes than iree-convert-parameters")
}
