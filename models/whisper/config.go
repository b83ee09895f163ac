// Package whisper is the Whisper speech recogniser (Radford et al. 2022): its
// graph, with settings from the weights, and the code around it.
//
// The graph has four entry points that share one archive of weights. Frames are
// 10 ms; mel is a 30 s window [1, Mels, 3000] from audio/mel.
//
//	encode(mel) -> encoded [AudioContext, HiddenSize]
//	prefill(encoded, prompt, prompt_length) -> logits [1, VocabSize]
//	decode_step(token) -> logits [1, VocabSize]
//	transcribe(mel, prompt, prompt_length, stop, suppress, suppress_first, max_tokens,
//	           no_speech) -> tokens, count, log_probability, no_speech_probability
//
// transcribe does the complete recognition in one call: encoder, prompt and
// greedy decoding until the stop token. prefill and decode_step do the same step
// by step and keep the key and value caches as state.
//
// # Errors
//
// WHISPER_WEIGHTS for a weight file that is not a supported Whisper, with
// the faulty variable.
//
// # Determinism
//
// The graph depends only on the weights index.
package whisper

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// CodeWeights is the code of weights that do not fit this model.
const CodeWeights errs.Code = "WHISPER_WEIGHTS"

// Sizes that are the same in every Whisper model, or chosen here.
const (
	MaxTokens = 224 // maximum tokens of one window: half the text context, as in the paper's code
	MaxPrompt = 8   // room for the prompt's tokens

	gelu = 3 // CTranslate2's enum value of the activation
)

// Config holds the sizes, all from the weights.
type Config struct {
	MelBins       int64 // mel bins of a frame
	AudioContext  int64 // positions of the encoder; a window has twice as many frames
	TextContext   int64 // positions of the decoder
	HiddenSize    int64 // of the residual stream
	EncoderLayers int64
	DecoderLayers int64
	EncoderHeads  int64
	DecoderHeads  int64
	VocabSize     int64
}

// CacheRows is the number of positions in the self-attention caches: the prompt
// and the tokens of a window, rounded up for vector code.
func (c Config) CacheRows() int64 { return min((MaxPrompt+MaxTokens+31)/32*32, c.TextContext) }

// ConfigFrom reads the sizes from the index of a CTranslate2 Whisper.
func ConfigFrom(x *tensor.Index) (Config, error) {
	var c Config
	dim := func(to *int64, key string, rank, i int) error {
		s, err := x.Lookup(key)
		if err != nil {
			return errs.Wrap(CodeWeights, err, "not Whisper weights in CTranslate2 layout")
		}
		if s.Shape.Rank() != rank {
			return errs.New(CodeWeights, "%s has shape %s, want rank %d", key, s.Shape, rank).On(key)
		}
		if *to = s.Shape[i].Size; *to < 1 {
			return errs.New(CodeWeights, "%s has shape %s", key, s.Shape).On(key)
		}
		return nil
	}
	for _, err := range []error{
		dim(&c.MelBins, "encoder/conv1/weight", 3, 1),
		dim(&c.HiddenSize, "encoder/conv1/weight", 3, 0),
		dim(&c.AudioContext, "encoder/position_encodings/encodings", 2, 0),
		dim(&c.TextContext, "decoder/position_encodings/encodings", 2, 0),
		dim(&c.VocabSize, "decoder/embeddings/weight", 2, 0),
	} {
		if err != nil {
			return c, err
		}
	}
	c.EncoderHeads, c.DecoderHeads = x.Scalars["encoder/num_heads"], x.Scalars["decoder/num_heads"]
	c.EncoderLayers, c.DecoderLayers = layers(x, "encoder"), layers(x, "decoder")
	for _, side := range []struct {
		name string
		n    int64
	}{{"encoder/num_heads", c.EncoderHeads}, {"decoder/num_heads", c.DecoderHeads}} {
		if side.n < 1 || c.HiddenSize%side.n != 0 {
			return c, errs.New(CodeWeights, "%d heads for a hidden size of %d", side.n, c.HiddenSize).On(side.name)
		}
	}
	if c.EncoderLayers == 0 || c.DecoderLayers == 0 {
		return c, errs.New(CodeWeights, "%d encoder and %d decoder layers", c.EncoderLayers, c.DecoderLayers)
	}
	if c.TextContext < MaxPrompt+MaxTokens {
		return c, errs.New(CodeWeights, "a text context of %d, need %d", c.TextContext, MaxPrompt+MaxTokens).On("decoder/position_encodings/encodings")
	}
	// Settings of CTranslate2's Transformer that are hard-coded in this graph.
	for _, s := range []struct {
		name string
		want int64
	}{{"decoder/pre_norm", 1}, {"decoder/scale_embeddings", 0}, {"decoder/alibi", 0}, {"decoder/start_from_zero_embedding", 0}, {"decoder/activation", gelu}} {
		if v, ok := x.Scalars[s.name]; ok && v != s.want {
			return c, errs.New(CodeWeights, "%s is %d, but this model needs %d", s.name, v, s.want).On(s.name)
		}
	}
	if s, err := x.Lookup("decoder/projection/weight"); err == nil && s.Name != "decoder/embeddings/weight" {
		return c, errs.New(CodeWeights, "the output projection is not the embedding table").On("decoder/projection/weight")
	}
	return c, checkFloats(x)
}

// checkFloats rejects quantised weights: their integers would
// be used as values, without their scales.
func checkFloats(x *tensor.Index) error {
	for _, s := range x.Tensors {
		used := strings.HasPrefix(s.Name, "encoder/") || strings.HasPrefix(s.Name, "decoder/")
		if used && s.Shape.Rank() > 0 && !s.DType.IsFloat() {
			return errs.New(CodeWeights, "%s holds %s values", s.Name, s.DType).On(s.Name).
				Hint("use weights in f32, f16 or bf16; ct2-transformers-converter has --quantization float16")
		}
	}
	return nil
}

func layers(x *tensor.Index, side string) int64 {
	n := int64(0)
	for {
		if _, err := x.Lookup(fmt.Sprintf("%s/layer_%d/ffn/linear_0/weight", side, n)); err != nil {
			return n
		}
		n++
	}
}
