package open

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A graph whose parameter is blocks runs with the file that has them: two rows of
// Q8_0 with scales 1 and 2, whose codes are 0 to 31.
func TestParameterInBlocks(t *testing.T) {
	var data []byte
	for _, scale := range []byte{0x3c, 0x40} { // the high byte of an f16
		data = append(data, 0, scale)
		for q := range byte(32) {
			data = append(data, q)
		}
	}
	spec := tensor.Spec{Name: "w", DType: dtype.F32, Shape: tensor.TypeOf(dtype.F32, 2, 32).Shape, Encoding: "Q8_0", Bytes: int64(len(data))}
	path := filepath.Join(t.TempDir(), "w.gguf")
	_, err := gguf.Write(path, nil, []gguf.Item{{Spec: spec, Open: func() (io.Reader, error) { return bytes.NewReader(data), nil }}}, gguf.Options{})
	require.NoError(t, err)
	g, err := lang.Capture("blocks", &tensor.Index{Tensors: []tensor.Spec{spec}}, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			w, e := f.ParamBlocks("w")
			f.Output("y", f.Input("x", dtype.F32, 1, 32).DequantMatMul(e, w))
			f.Output("row", w.DequantTake(e, f.Input("at", dtype.I32)).Slice(0, 30, 32))
		})
	})
	require.NoError(t, err)
	document, err := graphjson.Marshal(g)
	require.NoError(t, err)
	g, err = graphjson.Parse(document)
	require.NoError(t, err)
	x, err := Graph(context.Background(), g, Options{Backend: CPU, Weights: path})
	require.NoError(t, err)
	defer x.Close()
	ones := make([]float32, 32)
	for i := range ones {
		ones[i] = 1
	}
	in, err := tensor.Of(ones, 1, 32)
	require.NoError(t, err)
	at, err := tensor.Of([]int32{1})
	require.NoError(t, err)
	out, err := x.Call(context.Background(), "main", in, at)
	require.NoError(t, err)
	y, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	require.Equal(t, []float32{496, 992}, y)
	row, err := tensor.Slice[float32](out[1])
	require.NoError(t, err)
	require.Equal(t, []float32{60, 62}, row)
}
