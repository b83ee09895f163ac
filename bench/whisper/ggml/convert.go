// Command ggml writes a CTranslate2 Whisper as the file that whisper.cpp reads,
// so that all contestants of the benchmark have the same weights.
//
// # Format
//
// Little endian. A header: the magic number, eleven i32 sizes, the mel filters and
// the vocabulary; it is taken from a file that whisper.cpp ships for its tests and
// that has a header and no tensors. Then the tensors until the end of the file:
// i32 rank, i32 bytes of the name, i32 type (0 f32, 1 f16), the sizes from the
// innermost on, name, data. Source: whisper.cpp, models/convert-pt-to-ggml.py.
//
// # Errors
//
// GGML_HEADER if the header is invalid or is for another model; those of the
// reader of the weights; FILE_WRITE.
//
// # Determinism
//
// The file depends only on the bytes of its inputs.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/models/whisper"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// CodeHeader is the code of a header that does not fit the weights.
const CodeHeader errs.Code = "GGML_HEADER"

const magic = 0x67676d6c

// source is what the converter needs from a weight file.
type source interface {
	Index() (*tensor.Index, error)
	Tensor(name string) (tensor.Buffer, error)
}

// convert writes header and all tensors of w to out.
func convert(out io.Writer, header []byte, w source) error {
	index, err := w.Index()
	if err != nil {
		return err
	}
	c, err := whisper.ConfigFrom(index)
	if err != nil {
		return err
	}
	if err := checkHeader(header, c); err != nil {
		return err
	}
	if _, err := out.Write(header); err != nil {
		return err
	}
	for _, p := range pieces(c) {
		spec, err := index.Lookup(p.from)
		if err != nil {
			return err
		}
		data, err := read(w, spec)
		if err != nil {
			return err
		}
		if err := write(out, p, spec.Shape.Sizes(), data); err != nil {
			return err
		}
	}
	return nil
}

// checkHeader compares the sizes in the header with those of the weights.
func checkHeader(h []byte, c whisper.Config) error {
	names := []string{
		"vocabulary", "audio context", "audio width", "audio heads", "audio layers",
		"text context", "text width", "text heads", "text layers", "mels",
	}
	if len(h) < 4+4*(len(names)+1) || binary.LittleEndian.Uint32(h) != magic {
		return errs.New(CodeHeader, "not a whisper.cpp header").At(0)
	}
	want := []int64{
		c.VocabSize, c.AudioContext, c.HiddenSize, c.EncoderHeads, c.EncoderLayers,
		c.TextContext, c.HiddenSize, c.DecoderHeads, c.DecoderLayers, c.MelBins,
	}
	for i, name := range names {
		at := 4 + 4*i
		if got := int64(int32(binary.LittleEndian.Uint32(h[at:]))); got != want[i] {
			return errs.New(CodeHeader, "%s is %d, the weights have %d", name, got, want[i]).At(int64(at)).
				Hint("take the header of the same model")
		}
	}
	return nil
}

// read returns a tensor's f16 bytes, which is how these weights are published.
func read(w source, spec tensor.Spec) ([]byte, error) {
	if spec.DType != dtype.F16 {
		return nil, errs.New(whisper.CodeWeights, "a tensor of %s, want f16", spec.DType).On(spec.Name)
	}
	b, err := w.Tensor(spec.Name)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return b.Bytes()
}

// write writes the rows of p from the f16 bytes of a tensor.
func write(out io.Writer, p piece, sizes []int64, data []byte) error {
	rows := sizes[0] / p.parts
	stride := int64(len(data)) / p.parts
	data = data[p.part*stride : (p.part+1)*stride]
	sizes = append([]int64{rows}, sizes[1:]...)
	if p.column {
		sizes = append(sizes, 1)
	}
	kind := int32(1)
	if len(sizes) == 1 || p.f32 {
		kind, data = 0, widen(data)
	}
	head := []int32{int32(len(sizes)), int32(len(p.to)), kind}
	for i := len(sizes) - 1; i >= 0; i-- {
		head = append(head, int32(sizes[i]))
	}
	if err := binary.Write(out, binary.LittleEndian, head); err != nil {
		return err
	}
	if _, err := io.WriteString(out, p.to); err != nil {
		return err
	}
	_, err := out.Write(data)
	return err
}

// widen turns f16 bytes into f32 bytes.
func widen(half []byte) []byte {
	out := make([]byte, 0, 2*len(half))
	for i := 0; i+1 < len(half); i += 2 {
		value := tensor.F16ToF32(binary.LittleEndian.Uint16(half[i:]))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(value))
	}
	return out
}

// piece is a tensor of the file: some rows of a variable of the weights, where
// projections are stacked.
type piece struct {
	from, to    string
	part, parts int64 // rows [part*n/parts, (part+1)*n/parts)
	f32         bool  // stored as f32 though it has two sizes
	column      bool  // stored with one more size, 1
}

// pieces lists the tensors of a model. The bias of a key projection is always
// zero, and whisper.cpp has none.
func pieces(c whisper.Config) []piece {
	whole := func(from, to string) piece { return piece{from: from, to: to, parts: 1} }
	list := []piece{whole("decoder/embeddings/weight", "decoder.token_embedding.weight")}
	for _, n := range []string{"conv1", "conv2"} {
		bias := whole("encoder/"+n+"/bias", "encoder."+n+".bias")
		bias.f32, bias.column = true, true
		list = append(list, whole("encoder/"+n+"/weight", "encoder."+n+".weight"), bias)
	}
	for _, side := range []struct {
		name, norm string
		layers     int64
	}{{"encoder", "ln_post", c.EncoderLayers}, {"decoder", "ln", c.DecoderLayers}} {
		positions := whole(side.name+"/position_encodings/encodings", side.name+".positional_embedding")
		positions.f32 = true
		list = append(list, positions)
		norm := func(from, to string) {
			list = append(list, whole(from+"/gamma", to+".weight"), whole(from+"/beta", to+".bias"))
		}
		// linear splits the stacked projections of a variable.
		linear := func(from string, to ...string) {
			for i, name := range to {
				w := piece{from: from + "/weight", to: name + ".weight", part: int64(i), parts: int64(len(to))}
				b := piece{from: from + "/bias", to: name + ".bias", part: int64(i), parts: int64(len(to))}
				list = append(list, w)
				if !strings.HasSuffix(name, "attn.key") {
					list = append(list, b)
				}
			}
		}
		norm(side.name+"/layer_norm", side.name+"."+side.norm)
		for i := range side.layers {
			from, to := fmt.Sprintf("%s/layer_%d/", side.name, i), fmt.Sprintf("%s.blocks.%d.", side.name, i)
			norm(from+"self_attention/layer_norm", to+"attn_ln")
			linear(from+"self_attention/linear_0", to+"attn.query", to+"attn.key", to+"attn.value")
			linear(from+"self_attention/linear_1", to+"attn.out")
			if side.name == "decoder" {
				norm(from+"attention/layer_norm", to+"cross_attn_ln")
				linear(from+"attention/linear_0", to+"cross_attn.query")
				linear(from+"attention/linear_1", to+"cross_attn.key", to+"cross_attn.value")
				linear(from+"attention/linear_2", to+"cross_attn.out")
			}
			norm(from+"ffn/layer_norm", to+"mlp_ln")
			linear(from+"ffn/linear_0", to+"mlp.0")
			linear(from+"ffn/linear_1", to+"mlp.2")
		}
	}
	return list
}
