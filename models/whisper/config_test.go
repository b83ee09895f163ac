package whisper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestConfigFromTheIndex(t *testing.T) {
	got, err := ConfigFrom(indexOf(small))
	require.NoError(t, err)
	require.Equal(t, small, got)

	// Every float type is read as it is; settings may be omitted.
	x := indexOf(small)
	for i := range x.Tensors {
		x.Tensors[i].DType = []dtype.DType{dtype.F16, dtype.BF16, dtype.F32}[i%3]
	}
	x.Scalars = map[string]int64{"encoder/num_heads": 2, "decoder/num_heads": 4}
	got, err = ConfigFrom(x)
	require.NoError(t, err)
	require.Equal(t, small, got)
}

func TestCacheRows(t *testing.T) {
	for _, tt := range []struct{ text, rows int64 }{{448, 256}, {256, 256}, {240, 240}, {232, 232}} {
		require.Equal(t, tt.rows, Config{TextContext: tt.text}.CacheRows(), tt.text)
		require.GreaterOrEqual(t, tt.rows, int64(MaxPrompt+MaxTokens))
	}
}

func TestWeightsThatAreNoWhisper(t *testing.T) {
	scalar := func(name string, v int64) *tensor.Index {
		x := indexOf(small)
		x.Scalars[name] = v
		return x
	}
	noScalar := func(name string) *tensor.Index {
		x := indexOf(small)
		delete(x.Scalars, name)
		return x
	}
	untied := with(indexOf(small), "decoder/projection/weight", dtype.F32, 50, 8)
	delete(untied.Aliases, "decoder/projection/weight")
	for name, tt := range map[string]struct {
		index *tensor.Index
		want  string // a part of the error, with the faulty variable
	}{
		"empty":                {&tensor.Index{}, "encoder/conv1/weight"},
		"no encoder":           {without(indexOf(small), "encoder/conv1/weight"), "encoder/conv1/weight"},
		"no text positions":    {without(indexOf(small), "decoder/position_encodings/encodings"), "decoder/position_encodings/encodings"},
		"no embeddings":        {without(indexOf(small), "decoder/embeddings/weight"), "decoder/embeddings/weight"},
		"rank of a kernel":     {with(indexOf(small), "encoder/conv1/weight", dtype.F32, 8, 80), "encoder/conv1/weight: encoder/conv1/weight has shape 8x80, want rank 3"},
		"no mel bins":          {with(indexOf(small), "encoder/conv1/weight", dtype.F32, 8, 0, 3), "encoder/conv1/weight has shape 8x0x3"},
		"width of nothing":     {with(indexOf(small), "encoder/conv1/weight", dtype.F32, 0, 80, 3), "encoder/conv1/weight has shape 0x80x3"},
		"no heads given":       {noScalar("encoder/num_heads"), "encoder/num_heads: 0 heads for a hidden size of 8"},
		"heads do not divide":  {scalar("decoder/num_heads", 3), "decoder/num_heads: 3 heads for a hidden size of 8"},
		"heads below nothing":  {scalar("decoder/num_heads", -1), "decoder/num_heads: -1 heads"},
		"no encoder layer":     {without(indexOf(small), "encoder/layer_0/ffn/linear_0/weight"), "0 encoder and 3 decoder layers"},
		"no decoder layer":     {without(indexOf(small), "decoder/layer_0/ffn/linear_0/weight"), "2 encoder and 0 decoder layers"},
		"short text context":   {with(indexOf(small), "decoder/position_encodings/encodings", dtype.F32, 231, 8), "a text context of 231, need 232"},
		"norm behind":          {scalar("decoder/pre_norm", 0), "decoder/pre_norm is 0, but this model needs 1"},
		"scaled embeddings":    {scalar("decoder/scale_embeddings", 1), "decoder/scale_embeddings is 1"},
		"alibi":                {scalar("decoder/alibi", 1), "decoder/alibi is 1"},
		"other activation":     {scalar("decoder/activation", 0), "decoder/activation is 0, but this model needs 3"},
		"zero first embedding": {scalar("decoder/start_from_zero_embedding", 1), "decoder/start_from_zero_embedding is 1"},
		"own projection":       {untied, "decoder/projection/weight: the output projection is not the embedding table"},
		"quantised":            {with(indexOf(small), "decoder/layer_2/ffn/linear_1/weight", dtype.I8, 8, 32), "decoder/layer_2/ffn/linear_1/weight holds i8 values"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ConfigFrom(tt.index)
			require.Equal(t, CodeWeights, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
			_, captured := lang.Capture("whisper", tt.index, Model)
			require.EqualError(t, captured, err.Error(), "capture gives the same error")
		})
	}
}

// What ConfigFrom does not check is found when the graph is captured.
func TestWeightsThatDoNotFitTheGraph(t *testing.T) {
	for name, tt := range map[string]struct {
		index *tensor.Index
		code  errs.Code
		want  string
	}{
		"missing":     {without(indexOf(small), "decoder/layer_1/attention/linear_1/weight"), tensor.CodeIndexMissing, "decoder/layer_1/attention/linear_1/weight"},
		"other width": {with(indexOf(small), "encoder/layer_1/ffn/linear_0/weight", dtype.F32, 32, 9), "OP_SHAPE", "encoder/layer_1/ffn/linear_0"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lang.Capture("whisper", tt.index, Model)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
		})
	}
}
