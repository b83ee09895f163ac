package safetensors

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// seen is what a reader sees of a file; testdata/peer.py prints it of the Python
// package safetensors 0.8.0.
type seen struct {
	Metadata map[string]string `json:"metadata"`
	Tensors  []seenTensor      `json:"tensors"`
}

type seenTensor struct {
	Name   string  `json:"name"`
	DType  string  `json:"dtype"`
	Shape  []int64 `json:"shape"`
	SHA256 string  `json:"sha256"`
}

var (
	//go:embed testdata/every.json
	everyJSON []byte
	//go:embed testdata/empty.json
	emptyJSON []byte
	//go:embed testdata/metadata.json
	metadataJSON []byte
)

func see(t *testing.T, path string) seen {
	t.Helper()
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	s := seen{Metadata: f.Metadata()}
	for _, x := range f.Tensors() {
		sum := sha256.Sum256([]byte(bytesOf(t, f, x.Name)))
		s.Tensors = append(s.Tensors, seenTensor{x.Name, x.DTypeName, x.Shape.Sizes(), hex.EncodeToString(sum[:])})
	}
	slices.SortFunc(s.Tensors, func(a, b seenTensor) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return s
}

// Files of the package are read as the package reads them.
func TestFilesOfThePackage(t *testing.T) {
	for name, text := range map[string][]byte{"every": everyJSON, "empty": emptyJSON, "metadata": metadataJSON} {
		var want seen
		require.NoError(t, json.Unmarshal(text, &want))
		got := see(t, filepath.Join("testdata", name+".safetensors"))
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// From the same tensors, in whatever order, we write what the package writes:
// the same header and the same data, and only more spaces between them.
func TestWhatWeWriteIsWhatThePackageWrites(t *testing.T) {
	for _, name := range []string{"every", "empty", "metadata"} {
		path := filepath.Join("testdata", name+".safetensors")
		want, got := parts(t, path), filepath.Join(t.TempDir(), name)
		items, metadata, closeFile := items(t, path)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		require.NoError(t, Write(got, items, metadata))
		closeFile()
		ours := parts(t, got)
		require.Equal(t, want.text, ours.text, name)
		require.Equal(t, want.data, ours.data, name)
		require.Zero(t, ours.start%64, name)
		if diff := cmp.Diff(see(t, path), see(t, got), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Every element type is written and read, those that the package cannot write
// as well; each tensor is aligned to its element.
func TestEveryElementType(t *testing.T) {
	var list []Item
	for _, x := range types {
		v, err := tensor.Zero(tensor.TypeOf(x.dtype, 4, 1, 3))
		require.NoError(t, err)
		list = append(list, item(x.name, v.Type, v.Bytes), item(x.name+".odd", tensor.TypeOf(x.dtype, 0), nil))
	}
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, Write(path, list, nil))
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.Len(t, f.Tensors(), len(list))
	for _, i := range list {
		got, err := f.Info(i.Name)
		require.NoError(t, err)
		require.True(t, got.Type().Equal(i.Type()), i.Name)
		if size := int64(i.DType.Bits() / 8); size > 0 {
			require.Zero(t, got.Offset%size, i.Name)
		}
	}
	// The table has every storage-only type, and lacks two others.
	for d := dtype.Bool; d <= dtype.C64; d++ {
		require.Equal(t, d != dtype.I4 && d != dtype.U4, rank(d) >= 0, d.String())
	}
}

type fileParts struct {
	text, data string
	start      int
}

func parts(t *testing.T, path string) fileParts {
	t.Helper()
	b := readFile(t, path)
	n := int(binary.LittleEndian.Uint64(b))
	return fileParts{string(bytes.TrimRight(b[8:8+n], " ")), string(b[8+n:]), 8 + n}
}

// items returns the tensors of a file as items that read it.
func items(t *testing.T, path string) (list []Item, metadata map[string]string, closeFile func()) {
	t.Helper()
	f, err := Open(path)
	require.NoError(t, err)
	for _, x := range f.Tensors() {
		b, err := f.Tensor(x.Name)
		require.NoError(t, err)
		list = append(list, Item{Spec: x.Spec, Data: b})
	}
	return list, f.Metadata(), func() { require.NoError(t, f.Close()) }
}
