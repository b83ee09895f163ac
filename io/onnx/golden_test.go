package onnx_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/onnx"
)

// read is what ONNX's own package reads from a file, as testdata/golden/make.py writes it.
type read struct {
	Tensors  [][3]any          `json:"tensors"` // type, sizes, bytes
	Inputs   [][3]any          `json:"inputs"`  // name, type, sizes
	Outputs  [][3]any          `json:"outputs"`
	Opsets   map[string]int64  `json:"opsets"`
	Metadata map[string]string `json:"metadata"`
	Producer string            `json:"producer"`
}

func described(list []onnx.ValueInfo) [][3]any {
	all := [][3]any{}
	for _, v := range list {
		dims := []any{}
		for _, d := range v.Shape {
			if d.Known {
				dims = append(dims, float64(d.Size))
			} else {
				dims = append(dims, d.String())
			}
		}
		all = append(all, [3]any{v.Name, onnx.TypeName(v.Type), dims})
	}
	return all
}

// Each file is read as ONNX's package reads it, to the last byte.
func TestGolden(t *testing.T) {
	text, err := os.ReadFile("testdata/golden/golden.json")
	require.NoError(t, err)
	var want map[string]read
	require.NoError(t, json.Unmarshal(text, &want))
	require.Len(t, want, 3)
	for name, want := range want {
		t.Run(name, func(t *testing.T) {
			f, err := onnx.Open(filepath.Join("testdata/golden", name+".onnx"))
			require.NoError(t, err)
			defer f.Close()
			m := f.Model()
			got := read{
				Inputs: described(m.Graph.Inputs), Outputs: described(m.Graph.Outputs), Opsets: m.Opsets, Metadata: m.Metadata, Producer: m.Producer,
			}
			for _, s := range f.Index().Tensors {
				b, err := f.Tensor(s.Name)
				require.NoError(t, err)
				data, err := b.Bytes()
				require.NoError(t, err)
				require.Len(t, data, int(s.Bytes), s.Name)
				dims := []any{}
				for _, d := range s.Shape {
					dims = append(dims, float64(d.Size))
				}
				got.Tensors = append(got.Tensors, [3]any{onnx.TypeName(f.Number(s.Name)), dims, hex.EncodeToString(data)})
			}
			require.Empty(t, cmp.Diff(want, got))
		})
	}
}
