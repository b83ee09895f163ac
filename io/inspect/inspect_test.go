package inspect_test

import (
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/inspect"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// file writes a file of two tensors and opens it.
func file(path string) (*weights.File, error) {
	err := safetensors.Write(path, []safetensors.Item{
		{Spec: tensor.Spec{Name: "fc.bias", DType: dtype.U8, Shape: shape.Of(3)}, Data: tensor.Owned([]byte{1, 2, 3})},
		{Spec: tensor.Spec{Name: "fc.weight", DType: dtype.F32, Shape: shape.Of(2, 3)}, Data: tensor.Owned(make([]byte, 24))},
	}, map[string]string{"format": "pt"})
	if err != nil {
		return nil, err
	}
	return weights.Open(path)
}

func ExampleOf() {
	folder, err := os.MkdirTemp("", "inspect")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	w, err := file(filepath.Join(folder, "model.safetensors"))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	l, err := inspect.Of(w, func(string) bool { return true })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Format, l.Metadata[0].Key, l.Metadata[0].Value, l.Bytes())
	for _, s := range l.Encodings {
		fmt.Println(s.Name(), s.Tensors, s.Elements, s.Bytes)
	}
	// Output:
	// safetensors format pt 27
	// f32 1 6 24
	// u8 1 3 3
}

func TestOf(t *testing.T) {
	w, err := file(filepath.Join(t.TempDir(), "model.safetensors"))
	require.NoError(t, err)
	defer w.Close()
	l, err := inspect.Of(w, func(name string) bool { return name == "fc.bias" })
	require.NoError(t, err)
	_, at, err := w.Place("fc.bias")
	require.NoError(t, err)
	want := []inspect.Tensor{{Name: "fc.bias", DType: "u8", Shape: "3", Encoding: "dense", Bytes: 3, Offset: &at}}
	require.Empty(t, cmp.Diff(want, l.Tensors, cmpopts.IgnoreUnexported(inspect.Tensor{})))
}

// Entries of an archive that says nothing of types.
func TestArchiveWithoutTypes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.irpa")
	require.NoError(t, irpa.Write(path, []irpa.Item{
		{Name: "most", Length: 8, Pattern: []byte{1, 2}},
		{Name: "more", Length: 4, Pattern: []byte{3}},
	}))
	w, err := weights.Open(path)
	require.NoError(t, err)
	defer w.Close()
	l, err := inspect.Of(w, func(string) bool { return true })
	require.NoError(t, err)
	require.Empty(t, l.Encodings)
	require.Equal(t, "splat", l.Tensors[0].Kind)
	require.EqualValues(t, 12, l.Bytes())
	l.Tensors[0].Bytes = math.MaxInt64 - 1
	require.EqualValues(t, math.MaxInt64, l.Bytes(), "the sum is held at the largest number")
}
