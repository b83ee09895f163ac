package causal_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// header is a file of a small model.
func header() *tensor.Index {
	x := indexOf(causal.Config{
		NumLayers: 2, HiddenSize: 12, Heads: 4, KVHeads: 2, HeadDim: 6, IntermediateSize: 16, VocabSize: 23, OutputKey: "token_embd.weight",
	})
	x.Metadata = map[string]string{"general.architecture": "small", "small.attention.layer_norm_rms_epsilon": "1e-06"}
	x.Scalars = map[string]int64{
		"small.block_count": 2, "small.embedding_length": 12, "small.feed_forward_length": 16, "small.context_length": 4096,
		"small.attention.head_count": 4, "small.attention.head_count_kv": 2, "small.attention.key_length": 6, "small.attention.value_length": 6,
	}
	return x
}

// with returns a copy of the index that change has changed.
func with(x *tensor.Index, change func(x *tensor.Index)) *tensor.Index {
	y := &tensor.Index{Format: x.Format, Metadata: maps.Clone(x.Metadata), Scalars: maps.Clone(x.Scalars), Tensors: slices.Clone(x.Tensors)}
	change(y)
	return y
}

func number(key string, v int64) func(*tensor.Index) {
	return func(x *tensor.Index) { delete(x.Metadata, "small."+key); x.Scalars["small."+key] = v }
}

func text(key, v string) func(*tensor.Index) {
	return func(x *tensor.Index) { delete(x.Scalars, "small."+key); x.Metadata["small."+key] = v }
}

func missing(key string) func(*tensor.Index) {
	return func(x *tensor.Index) { delete(x.Scalars, key); delete(x.Metadata, key) }
}

// replaced returns a tensor another description, or none.
func replaced(name string, by ...tensor.Spec) func(*tensor.Index) {
	return func(x *tensor.Index) {
		i := slices.IndexFunc(x.Tensors, func(s tensor.Spec) bool { return s.Name == name })
		x.Tensors = slices.Replace(x.Tensors, i, i+1, by...)
	}
}

func read(x *tensor.Index, context int64) (causal.Config, error) {
	h := causal.NewHeader(x, "small")
	c := h.Sizes(context)
	c.Global = causal.Attention{RopeBase: h.NumberOr("rope.freq_base", 10000), RopeScale: h.RopeScale()}
	return c, h.Check(&c)
}

func TestSizes(t *testing.T) {
	want := causal.Config{
		NumLayers: 2, HiddenSize: 12, Heads: 4, KVHeads: 2, HeadDim: 6, IntermediateSize: 16, VocabSize: 23, MaxPositions: 4096, Context: 2048,
		Epsilon: 1e-6, EmbeddingScale: 1, AttentionScale: 0.4082482904638631, GlobalEvery: 1, OutputKey: "token_embd.weight",
		Global: causal.Attention{RopeBase: 10000, RopeScale: 1},
	}
	for name, tt := range map[string]struct {
		change  func(*tensor.Index)
		context int64
		want    func(c *causal.Config)
	}{
		"as it is":             {func(*tensor.Index) {}, 0, func(*causal.Config) {}},
		"context":              {func(*tensor.Index) {}, 4096, func(c *causal.Config) { c.Context = 4096 }},
		"short training":       {number("context_length", 100), 0, func(c *causal.Config) { c.MaxPositions, c.Context = 100, 100 }},
		"one group for a head": {func(x *tensor.Index) { groups(x, 4); missing("small.attention.head_count_kv")(x) }, 0, func(c *causal.Config) { c.KVHeads = 4 }},
		"base":                 {text("rope.freq_base", "500000"), 0, func(c *causal.Config) { c.Global.RopeBase = 500000 }},
		"whole base":           {number("rope.freq_base", 500000), 0, func(c *causal.Config) { c.Global.RopeBase = 500000 }},
		"linear scaling": {func(x *tensor.Index) { text("rope.scaling.type", "linear")(x); text("rope.scaling.factor", "8")(x) }, 0,
			func(c *causal.Config) { c.Global.RopeScale = 8 }},
		"a part turns":         {number("rope.dimension_count", 4), 0, func(c *causal.Config) { c.Block.RotaryDims = 4 }},
		"older key of scaling": {text("rope.scale_linear", "4"), 0, func(c *causal.Config) { c.Global.RopeScale = 4 }},
		"scaling that is none": {func(x *tensor.Index) { text("rope.scaling.type", "none")(x); text("rope.scaling.factor", "8")(x) }, 0, func(*causal.Config) {}},
		"a head of its own": {func(x *tensor.Index) {
			x.Tensors = append(x.Tensors, tensor.Spec{Name: "output.weight", DType: dtype.F16, Shape: shape.Of(23, 12)})
		}, 0, func(c *causal.Config) { c.OutputKey = "output.weight" }},
		"blocks": {replaced("blk.1.ffn_up.weight", tensor.Spec{Name: "blk.1.ffn_up.weight", DType: dtype.F32, Shape: shape.Of(16, 12), Encoding: "Q4_K"}), 0,
			func(*causal.Config) {}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(with(header(), tt.change), tt.context)
			require.NoError(t, err)
			c := want
			tt.want(&c)
			require.Equal(t, c, got)
		})
	}
	// Without the size of a head it is the width of one.
	c := causal.NewHeader(with(header(), missing("small.attention.key_length")), "small").Sizes(0)
	require.EqualValues(t, 3, c.HeadDim)
}

// groups returns keys and values of n heads.
func groups(x *tensor.Index, n int64) {
	for i, s := range x.Tensors {
		if l := len(s.Name); l > 14 && (s.Name[l-13:] == "attn_k.weight" || s.Name[l-13:] == "attn_v.weight") {
			x.Tensors[i].Shape = shape.Of(n*6, 12)
		}
	}
}

func TestFilesThatDoNotFit(t *testing.T) {
	tensorOf := func(name string, d dtype.DType, e quant.Encoding, sizes ...int64) func(*tensor.Index) {
		return replaced(name, tensor.Spec{Name: name, DType: d, Shape: shape.Of(sizes...), Encoding: e})
	}
	for name, tt := range map[string]struct {
		change  func(*tensor.Index)
		context int64
		code    errs.Code
		want    string // a part of the error, with the key at fault
	}{
		"another format":            {func(x *tensor.Index) { x.Format = "safetensors" }, 0, causal.CodeFormat, `"safetensors"`},
		"another architecture":      {func(x *tensor.Index) { x.Metadata["general.architecture"] = "qwen2" }, 0, causal.CodeArchitecture, `general.architecture: the file is of architecture "qwen2", this model is "small"`},
		"no architecture":           {missing("general.architecture"), 0, causal.CodeArchitecture, "general.architecture"},
		"no layers":                 {missing("small.block_count"), 0, causal.CodeKey, "small.block_count: the file has no such key"},
		"zero layers":               {number("block_count", 0), 0, causal.CodeKey, "small.block_count: the value 0"},
		"layers without end":        {number("block_count", 1<<20), 0, causal.CodeKey, "small.block_count: the value 1048576 is above 1024"},
		"negative width":            {number("embedding_length", -12), 0, causal.CodeKey, "small.embedding_length: the value -12"},
		"width without end":         {number("embedding_length", 1<<60), 0, causal.CodeKey, "small.embedding_length"},
		"layers that are a list":    {text("block_count", "u32[3]"), 0, causal.CodeKey, `small.block_count: the value is "u32[3]"`},
		"groups that are text":      {text("attention.head_count_kv", "two"), 0, causal.CodeKey, `small.attention.head_count_kv: the value is "two"`},
		"no epsilon":                {missing("small.attention.layer_norm_rms_epsilon"), 0, causal.CodeKey, "small.attention.layer_norm_rms_epsilon: the file has no such key"},
		"epsilon of zero":           {text("attention.layer_norm_rms_epsilon", "0"), 0, causal.CodeKey, `rms_epsilon: the value is "0"`},
		"epsilon that is none":      {text("attention.layer_norm_rms_epsilon", "NaN"), 0, causal.CodeKey, `"NaN"`},
		"infinite base":             {text("rope.freq_base", "+Inf"), 0, causal.CodeKey, "small.rope.freq_base"},
		"base that is text":         {text("rope.freq_base", "ten"), 0, causal.CodeKey, `"ten"`},
		"other scaling":             {text("rope.scaling.type", "yarn"), 0, causal.CodeKey, `small.rope.scaling.type: the value "yarn" is not supported`},
		"scaling that is a number":  {number("rope.scaling.type", 2), 0, causal.CodeKey, `small.rope.scaling.type: the value "2" is not supported`},
		"epsilon beyond f32":        {text("attention.layer_norm_rms_epsilon", "1e39"), 0, causal.CodeKey, `the value is "1e39", not a number above 0 in the range of f32`},
		"epsilon below f32":         {text("attention.layer_norm_rms_epsilon", "1e-46"), 0, causal.CodeKey, `the value is "1e-46"`},
		"factor beyond f32":         {text("rope.scaling.factor", "3.5e38"), 0, causal.CodeKey, "small.rope.scaling.factor"},
		"base beyond f64":           {text("rope.freq_base", "1e400"), 0, causal.CodeKey, "small.rope.freq_base"},
		"groups do not divide":      {number("attention.head_count_kv", 3), 0, causal.CodeKey, "small.attention.head_count_kv: 3 heads"},
		"heads do not divide":       {func(x *tensor.Index) { missing("small.attention.key_length")(x); number("attention.head_count", 5)(x) }, 0, causal.CodeKey, "small.attention.head_count: 5 heads"},
		"odd heads":                 {number("attention.key_length", 5), 0, causal.CodeKey, "small.attention.key_length"},
		"other values":              {number("attention.value_length", 8), 0, causal.CodeKey, "small.attention.value_length: values of 8"},
		"a part of a pair turns":    {number("rope.dimension_count", 3), 0, causal.CodeKey, "small.rope.dimension_count: 3 of 6"},
		"more than a head turns":    {number("rope.dimension_count", 8), 0, causal.CodeKey, "small.rope.dimension_count: 8 of 6"},
		"context beyond training":   {func(*tensor.Index) {}, 4097, causal.CodeContext, "a context of 4097 positions; the model was trained for 4096"},
		"context below one":         {func(*tensor.Index) {}, -1, causal.CodeContext, "a context of -1"},
		"no embeddings":             {replaced("token_embd.weight"), 0, tensor.CodeIndexMissing, "token_embd.weight"},
		"embeddings of three":       {tensorOf("token_embd.weight", dtype.F32, "", 1, 23, 12), 0, causal.CodeTensor, "token_embd.weight: the tensor has shape 1x23x12"},
		"no vocabulary":             {tensorOf("token_embd.weight", dtype.F32, "", 0, 12), 0, causal.CodeTensor, "token_embd.weight"},
		"embeddings of other width": {tensorOf("token_embd.weight", dtype.F32, "", 23, 13), 0, causal.CodeTensor, "token_embd.weight: the tensor has shape 23x13, the settings of the file say 23x12"},
		"missing tensor":            {replaced("blk.1.ffn_down.weight"), 0, tensor.CodeIndexMissing, "blk.1.ffn_down.weight"},
		"missing norm":              {replaced("output_norm.weight"), 0, tensor.CodeIndexMissing, "output_norm.weight"},
		"tensor of other shape":     {tensorOf("blk.0.attn_q.weight", dtype.F32, "", 12, 24), 0, causal.CodeTensor, "blk.0.attn_q.weight: the tensor has shape 12x24, the settings of the file say 24x12"},
		"unknown blocks":            {tensorOf("blk.0.attn_q.weight", dtype.U8, quant.Opaque("ggml type 99"), 24, 12), 0, causal.CodeEncoding, "blk.0.attn_q.weight: the tensor is stored as opaque/ggml type 99"},
		"one too many":              {func(x *tensor.Index) { x.Tensors = append(x.Tensors, tensor.Spec{Name: "blk.0.attn_q.bias"}) }, 0, causal.CodeTensor, "blk.0.attn_q.bias"},
		"integers":                  {tensorOf("blk.0.attn_q.weight", dtype.I8, "", 24, 12), 0, causal.CodeEncoding, "blk.0.attn_q.weight"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(with(header(), tt.change), tt.context)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
		})
	}
}
