//go:build integration

package interop

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/tensor"
)

// tensorsFile is what is in a file, as safetensors_oracle.py describes it.
type tensorsFile struct {
	Metadata map[string]string
	Tensors  []tensorsEntry
}

type tensorsEntry struct {
	Name  string
	DType string
	Shape []int64
	Data  string // as shown gives it
}

// describe returns what our reader finds.
func describe(t *testing.T, path string) tensorsFile {
	t.Helper()
	f, err := safetensors.Open(path)
	require.NoError(t, err)
	defer f.Close()
	out := tensorsFile{Metadata: map[string]string{}, Tensors: []tensorsEntry{}}
	for k, v := range f.Metadata() {
		out.Metadata[k] = v
	}
	for _, x := range f.Tensors() {
		b, err := f.Tensor(x.Name)
		require.NoError(t, err)
		data, err := b.Bytes()
		require.NoError(t, err)
		out.Tensors = append(out.Tensors, tensorsEntry{x.Name, x.DTypeName, append([]int64{}, x.Shape.Sizes()...), shown(data)})
	}
	slices.SortFunc(out.Tensors, func(a, b tensorsEntry) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// shown returns bytes in hexadecimal; of more than 1024, their SHA-256.
func shown(data []byte) string {
	if len(data) > 1024 {
		sum := sha256.Sum256(data)
		data = sum[:]
	}
	return hex.EncodeToString(data)
}

// TestSafetensors has both sides write and read: files of the Python package are
// read by ours and written again, and the package reads those.
func TestSafetensors(t *testing.T) {
	dir := t.TempDir()
	var made map[string]tensorsFile
	python(t, &made, "write", dir)
	require.Len(t, made, 25)
	for name, want := range made {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name+".safetensors")
			if diff := gocmp.Diff(want, describe(t, path)); diff != "" {
				t.Error(diff)
			}
			faults, err := safetensors.Verify(path)
			require.NoError(t, err)
			require.Empty(t, faults)

			copied := filepath.Join(t.TempDir(), "copy.safetensors")
			rewrite(t, path, copied)
			var got tensorsFile
			python(t, &got, "read", copied)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("written by us: %s", diff)
			}
		})
	}
}

// rewrite has our writer write what our reader reads.
func rewrite(t *testing.T, from, to string) {
	t.Helper()
	f, err := safetensors.Open(from)
	require.NoError(t, err)
	defer f.Close()
	var items []safetensors.Item
	for _, x := range f.Tensors() {
		b, err := f.Tensor(x.Name)
		require.NoError(t, err)
		items = append(items, safetensors.Item{Spec: x.Spec, Data: b})
	}
	require.NoError(t, safetensors.Write(to, items, f.Metadata()))
}

// TestMiniLM reads and rewrites 22M weights of a model that is in use, of which
// the package finds the same tensors in both files.
func TestMiniLM(t *testing.T) {
	source, copied := runfile(t, "MINILM"), filepath.Join(t.TempDir(), "copy.safetensors")
	rewrite(t, source, copied)
	var want, got tensorsFile
	python(t, &want, "read", source)
	require.Len(t, want.Tensors, 104)
	require.True(t, gocmp.Equal(want, describe(t, source)), "our reader finds something else")
	python(t, &got, "read", copied)
	require.True(t, gocmp.Equal(want, got), "the copy holds something else")
}

// TestSafetensorsToArchive has IREE convert files of our writer, and of the
// package's, into archives, and ours be the same bytes. Names that are escaped
// in the header are left out: IREE keeps the escapes.
func TestSafetensorsToArchive(t *testing.T) {
	dir := t.TempDir()
	var made map[string]tensorsFile
	python(t, &made, "write", dir)
	for i := range 20 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			path, out := filepath.Join(dir, fmt.Sprintf("random%d.safetensors", i)), t.TempDir()
			rewritten := filepath.Join(out, "ours.safetensors")
			rewrite(t, path, rewritten)
			for _, source := range []string{path, rewritten} {
				toArchive(t, source, out)
			}
		})
	}
	t.Run("MiniLM", func(t *testing.T) { toArchive(t, runfile(t, "MINILM"), t.TempDir()) })
}

func toArchive(t *testing.T, source, out string) {
	t.Helper()
	f, err := safetensors.Open(source)
	require.NoError(t, err)
	defer f.Close()
	ours, theirs := filepath.Join(out, "ours.irpa"), filepath.Join(out, "iree.irpa")
	var items []irpa.Item
	for _, x := range f.Tensors() {
		b, err := f.Tensor(x.Name)
		require.NoError(t, err)
		items = append(items, item(x.Spec, b))
	}
	require.NoError(t, irpa.Write(ours, items))
	output(t, runfile(t, "CONVERT"), "--quiet", "--parameters="+source, "--output="+theirs)
	require.True(t, bytes.Equal(read(t, theirs), read(t, ours)), "other bytes than iree-convert-parameters of %s", source)
	samePlaces(t, ours)
}

func item(s tensor.Spec, b tensor.Buffer) irpa.Item {
	return irpa.Item{Name: s.Name, Length: b.Len(), Open: b.Reader}
}
