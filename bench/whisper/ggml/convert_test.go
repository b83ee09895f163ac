package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// Sizes of the made-up model.
const vocabulary, audio, text, width, mels = 5, 6, 232, 2, 3

// weightsFile writes a Whisper of one layer whose values count up through each
// variable, so that a row tells where it came from.
func weightsFile(t *testing.T) string {
	var m ctranslate2.Model
	m.Spec = "WhisperSpec"
	add := func(name string, sizes ...int64) {
		n := int64(1)
		for _, s := range sizes {
			n *= s
		}
		data := make([]byte, 0, 2*n)
		for i := range n {
			data = binary.LittleEndian.AppendUint16(data, tensor.F32ToF16(float32(i)))
		}
		m.Variables = append(m.Variables, ctranslate2.Variable{Name: name, Value: tensor.Value{Type: tensor.TypeOf(dtype.F16, sizes...), Bytes: data}})
	}
	linear := func(name string, rows, columns int64) {
		add(name+"/weight", rows, columns)
		add(name+"/bias", rows)
	}
	norm := func(name string) {
		add(name+"/gamma", width)
		add(name+"/beta", width)
	}
	add("decoder/embeddings/weight", vocabulary, width)
	for n, in := range map[int]int64{1: mels, 2: width} {
		add(fmt.Sprintf("encoder/conv%d/weight", n), width, in, 3)
		add(fmt.Sprintf("encoder/conv%d/bias", n), width)
	}
	for side, positions := range map[string]int64{"encoder": audio, "decoder": text} {
		heads, err := tensor.Of([]int8{1})
		require.NoError(t, err)
		m.Variables = append(m.Variables, ctranslate2.Variable{Name: side + "/num_heads", Value: heads})
		add(side+"/position_encodings/encodings", positions, width)
		norm(side + "/layer_norm")
		layer := side + "/layer_0/"
		norm(layer + "self_attention/layer_norm")
		linear(layer+"self_attention/linear_0", 3*width, width)
		linear(layer+"self_attention/linear_1", width, width)
		if side == "decoder" {
			norm(layer + "attention/layer_norm")
			linear(layer+"attention/linear_0", width, width)
			linear(layer+"attention/linear_1", 2*width, width)
			linear(layer+"attention/linear_2", width, width)
		}
		norm(layer + "ffn/layer_norm")
		linear(layer+"ffn/linear_0", 4*width, width)
		linear(layer+"ffn/linear_1", width, 4*width)
	}
	path := filepath.Join(t.TempDir(), "model.bin")
	var b bytes.Buffer
	require.NoError(t, ctranslate2.Write(&b, m))
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	return path
}

// header has the sizes of the made-up model, and two bytes in place of filters
// and vocabulary.
func header() []byte {
	var b bytes.Buffer
	for _, v := range []int32{magic, vocabulary, audio, width, 1, 1, text, width, 1, 1, mels, 1} {
		binary.Write(&b, binary.LittleEndian, v)
	}
	return append(b.Bytes(), 7, 7)
}

// entry is a tensor as whisper.cpp's loader takes it from the file.
type entry struct {
	Kind  int32
	Sizes []int32 // from the innermost on
	First float64
	Last  float64
}

// load reads the tensors as the format says, without the package's own tables.
func load(t *testing.T, b []byte) map[string]entry {
	t.Helper()
	r := bytes.NewReader(b)
	out := map[string]entry{}
	for r.Len() > 0 {
		var head [3]int32
		require.NoError(t, binary.Read(r, binary.LittleEndian, &head))
		e := entry{Kind: head[2], Sizes: make([]int32, head[0])}
		require.NoError(t, binary.Read(r, binary.LittleEndian, e.Sizes))
		name := make([]byte, head[1])
		require.NoError(t, binary.Read(r, binary.LittleEndian, name))
		n := int32(1)
		for _, s := range e.Sizes {
			n *= s
		}
		if e.Kind == 0 {
			data := make([]uint32, n)
			require.NoError(t, binary.Read(r, binary.LittleEndian, data))
			e.First, e.Last = float64(math.Float32frombits(data[0])), float64(math.Float32frombits(data[n-1]))
		} else {
			data := make([]uint16, n)
			require.NoError(t, binary.Read(r, binary.LittleEndian, data))
			e.First, e.Last = float64(tensor.F16ToF32(data[0])), float64(tensor.F16ToF32(data[n-1]))
		}
		require.NotContains(t, out, string(name))
		out[string(name)] = e
	}
	return out
}

func TestConvert(t *testing.T) {
	dir := t.TempDir()
	h, out := filepath.Join(dir, "header"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(h, header(), 0o644))
	require.NoError(t, run(h, weightsFile(t), out))
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, header(), b[:len(header())])
	got := load(t, b[len(header()):])

	// Names and storage from whisper.cpp's loader.
	want := map[string]entry{
		"decoder.token_embedding.weight":         {1, []int32{width, vocabulary}, 0, 9},
		"encoder.positional_embedding":           {0, []int32{width, audio}, 0, 11},
		"decoder.positional_embedding":           {0, []int32{width, text}, 0, 463},
		"encoder.conv1.weight":                   {1, []int32{3, mels, width}, 0, 17},
		"encoder.conv1.bias":                     {0, []int32{1, width}, 0, 1},
		"encoder.ln_post.weight":                 {0, []int32{width}, 0, 1},
		"decoder.ln.bias":                        {0, []int32{width}, 0, 1},
		"encoder.blocks.0.attn.query.weight":     {1, []int32{width, width}, 0, 3},
		"encoder.blocks.0.attn.key.weight":       {1, []int32{width, width}, 4, 7},
		"encoder.blocks.0.attn.value.weight":     {1, []int32{width, width}, 8, 11},
		"encoder.blocks.0.attn.value.bias":       {0, []int32{width}, 4, 5},
		"decoder.blocks.0.cross_attn.key.weight": {1, []int32{width, width}, 0, 3},
		"decoder.blocks.0.cross_attn.value.bias": {0, []int32{width}, 2, 3},
		"decoder.blocks.0.mlp.0.weight":          {1, []int32{width, 4 * width}, 0, 15},
		"decoder.blocks.0.mlp.2.weight":          {1, []int32{4 * width, width}, 0, 15},
	}
	for name, e := range want {
		if diff := cmp.Diff(e, got[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, name := range []string{"encoder.blocks.0.attn.key.bias", "decoder.blocks.0.attn.key.bias", "decoder.blocks.0.cross_attn.key.bias"} {
		require.NotContains(t, got, name, "whisper.cpp knows no such tensor")
	}
	// Per side 2 of the last norm and 1 of positions; 15 of an encoder layer, 9
	// more of a decoder layer; 4 of the convolutions; the embedding.
	require.Len(t, got, 2*3+15+24+4+1)
}

func TestHeadersThatDoNotFit(t *testing.T) {
	weights := weightsFile(t)
	other := header()
	other[4*6] = 99
	for name, h := range map[string][]byte{"empty": nil, "cut": header()[:40], "another magic": append([]byte{1}, header()[1:]...), "another model": other} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, out := filepath.Join(dir, "header"), filepath.Join(dir, "out")
			require.NoError(t, os.WriteFile(path, h, 0o644))
			err := run(path, weights, out)
			require.Equal(t, CodeHeader, errs.CodeOf(err))
			require.Contains(t, err.Error(), path)
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, entries, 1, "nothing is left but the header")
		})
	}
}
