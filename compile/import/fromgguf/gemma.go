package fromgguf

import (
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// gemma is what the Gemma models share.
func gemma(h *causal.Header, c *causal.Config, base float64) {
	h.Rope(c, base)
	c.EmbeddingScale = math.Sqrt(float64(c.HiddenSize))
	c.Activation = lang.Tensor.GELUTanh
}

// finalCap is the bound of logits of files that do not have it, as llama.cpp has it.
const finalCap = 30

// gemma2 is Gemma 2 (Gemma Team 2024): every second layer is global, and scores and logits
// have bounds.
func gemma2(h *causal.Header, c *causal.Config) {
	gemma(h, c, 10000)
	c.PostNorm = true
	windows(h, c, 2, 4096)
	c.AttnLogitSoftcap = h.NumberOr("attn_logit_softcapping", 50)
	c.FinalLogitSoftcap = h.NumberOr("final_logit_softcapping", finalCap)
	scaleByWidth(c, 46)
}

// Settings that the files of Gemma 3 do not have; these are the constants of the model's
// own configurations, and of llama.cpp.
const (
	localBase     = 10000 // RoPE base in layers with a window
	period        = 6     // every sixth layer is global
	largestLayers = 62    // of the 27B model
)

// gemma3 is Gemma 3 (Gemma Team 2025), the text model.
func gemma3(h *causal.Header, c *causal.Config) {
	gemma(h, c, 1000000)
	c.Local = causal.Attention{RopeBase: h.NumberOr("rope.freq_base_swa", localBase), RopeScale: 1, Window: h.Size("attention.sliding_window")}
	c.GlobalEvery = h.SizeOr("attention.sliding_window_pattern", period)
	c.AttnLogitSoftcap = h.NumberOr("attn_logit_softcapping", 0)
	c.FinalLogitSoftcap = h.NumberOr("final_logit_softcapping", 0)
	c.QKNorm, c.PostNorm = true, true
	scaleByWidth(c, largestLayers)
}

// scaleByWidth scales attention by the hidden size per head, as the model of so many
// layers does.
func scaleByWidth(c *causal.Config, layers int64) {
	if c.NumLayers == layers {
		c.AttentionScale = 1 / math.Sqrt(float64(c.HiddenSize)/float64(c.Heads))
	}
}

// gemma4 is Gemma 4 (Gemma Team 2026), the text model: heads of layers with a window have
// sizes of their own, the last layers may read keys and values of others, and the smaller
// models have a vector for each token and layer.
func gemma4(h *causal.Header, c *causal.Config) {
	gemma(h, c, 1000000)
	c.QKNorm, c.PostNorm, c.ValueNorm, c.AttentionScale = true, true, true, 1
	c.FinalLogitSoftcap = h.NumberOr("final_logit_softcapping", finalCap)
	c.Block.Scaled = nil // scales of experts and of layers are others'
	h.Kinds(c, "attention.sliding_window_pattern", 0)
	c.Local = causal.Attention{
		RopeBase: h.NumberOr("rope.freq_base_swa", c.Global.RopeBase), RopeScale: 1, Window: h.Size("attention.sliding_window"),
		HeadDim: h.Size("attention.key_length_swa"), NoFactors: true,
	}
	c.Local.RotaryDims = h.SizeOr("rope.dimension_count_swa", h.SizeOr("rope.dimension_count", c.HeadDim))
	if n := h.SizeOr("attention.value_length_swa", c.Local.HeadDim); n != c.Local.HeadDim || n%2 != 0 || c.Local.RotaryDims > n || c.Local.RotaryDims%2 != 0 {
		h.Fail("attention.key_length_swa", "heads of %d elements, of which %d are rotated, and values of %d", c.Local.HeadDim, c.Local.RotaryDims, n)
	}
	h.Share(c, "attention.shared_kv_layers", 0)
	for i := range c.NumLayers {
		if !h.HasTensor(fmt.Sprintf("blk.%d.attn_v.weight", i)) {
			c.KeyValues = append(c.KeyValues, i)
		}
	}
	if key := "embedding_length_per_layer_input"; h.Has(key) && !h.Zero(key) {
		c.PerLayer = causal.PerLayer{Size: h.Size(key), Layers: c.NumLayers}
	}
	c.LayerScale = h.HasLast(c, "layer_output_scale.weight")
	if h.Has("expert_count") && !h.Zero("expert_count") {
		experts(h, c, true)
		x := &c.Experts
		x.Beside, x.Norm, x.Late, x.PostNorms, x.RouterNorm = true, "pre_ffw_norm_2", true, true, true
		x.OutScale = h.HasLast(c, "ffn_down_exps.scale")
	}
}

// Numbers of Gemma 3n that are llama.cpp's, whatever its files say.
const (
	nanoShared     = 20                 // the first layer that reads keys and values of another
	nanoSparse     = 10                 // layers of sparse gates
	nanoDeviations = 1.6448533535003662 // above which is a twentieth of a normal distribution
	nanoStreams    = 4
	nanoPeriod     = 5
)

// gemma3n is Gemma 3n (Gemma Team 2025), the text model.
func gemma3n(h *causal.Header, c *causal.Config) {
	gemma(h, c, 1000000)
	c.QKNorm, c.PostNorm, c.ValueNorm, c.AttentionScale = true, true, true, 1
	if c.FinalLogitSoftcap = h.NumberOr("final_logit_softcapping", finalCap); c.FinalLogitSoftcap != finalCap {
		h.Fail("final_logit_softcapping", "the value %g, and llama.cpp has %d for all files", c.FinalLogitSoftcap, finalCap)
	}
	h.Kinds(c, "attention.sliding_window_pattern", nanoPeriod)
	c.Local = causal.Attention{RopeBase: h.NumberOr("rope.freq_base_swa", localBase), RopeScale: 1, Window: h.Size("attention.sliding_window")}
	h.Share(c, "attention.shared_kv_layers", nanoShared)
	h.Refuse("altup.num_inputs", "4")
	h.Refuse("altup.active_idx", "0")
	h.Has("activation_sparsity_scale")
	c.AltUp = causal.AltUp{Streams: nanoStreams, LaurelRank: h.RowsOf("blk.0.laurel_l.weight")}
	c.PerLayer = causal.PerLayer{Size: h.SizeOr("embedding_length_per_layer_input", max(1, h.RowsOf("blk.0.inp_gate.weight"))), Layers: c.NumLayers}
	c.Sparse = causal.Sparse{Layers: nanoSparse, Deviations: nanoDeviations}
}
