package causal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Tensors lists the weights of a model in the order in which it reads them: names
// and shapes.
func (c Config) Tensors() []tensor.Spec {
	l := &list{c: c}
	l.add("token_embd.weight", c.VocabSize, c.HiddenSize)
	if c.Block.LearnedPositions {
		l.add("position_embd.weight", c.MaxPositions, c.HiddenSize)
	}
	if c.RopeFreqFactors {
		l.add(c.ropeFactors(), c.rotated()/2)
	}
	if c.Block.EmbeddingNorm {
		l.norm("token_embd_norm")
	}
	if c.PerLayer.Size > 0 {
		l.perLayerTables()
	}
	if c.AltUp.Streams > 0 {
		l.altUpTables()
	}
	for i := c.FirstLayer; i < c.FirstLayer+c.NumLayers; i++ {
		l.prefix = fmt.Sprintf("blk.%d.", i)
		l.block(i)
	}
	l.prefix = ""
	l.norm(c.Block.outputNorm())
	if c.OutputKey != "token_embd.weight" {
		l.add(c.OutputKey, c.VocabSize, c.HiddenSize)
	}
	if c.Block.OutputBias {
		l.add("output.bias", c.VocabSize)
	}
	return l.specs
}

// list is a list of tensors that grows.
type list struct {
	c      Config
	prefix string
	number int64 // of the block
	sizes  LayerSizes
	heads  heads
	specs  []tensor.Spec
}

func (l *list) add(name string, sizes ...int64) {
	t := tensor.TypeOf(dtype.F32, sizes...)
	l.specs = append(l.specs, tensor.Spec{Name: l.prefix + name, DType: t.DType, Shape: t.Shape})
}

// norm adds the weights of a norm of the residual stream.
func (l *list) norm(name string) {
	if l.c.Block.PlainNorm {
		return
	}
	if slices.Contains(l.c.Block.Bare, name) {
		l.add(name, l.c.HiddenSize)
		return
	}
	l.add(name+".weight", l.c.HiddenSize)
	if l.c.Block.NormBias {
		l.add(name+".bias", l.c.HiddenSize)
	}
}

// linear adds those of a linear layer.
func (l *list) linear(name string, out, in int64) {
	l.add(name+".weight", out, in)
	if slices.Contains(l.c.Block.Scaled, name) {
		l.add(name+".scale", 1)
	}
	if slices.Contains(l.c.Block.Biases, name) {
		l.add(name+".bias", out)
	}
}

func (l *list) block(i int64) {
	c := l.c
	first, second := c.Block.attentionNorm(), c.Block.feedForwardNorm()
	l.number, l.sizes, l.heads = i, c.layerSizes(i), c.headsOf(i)
	recurs := c.recurs(i)
	if first != "" && (recurs || l.heads.queries > 0) {
		l.norm(first)
	}
	if recurs {
		l.recurrent()
	}
	if c.Convolves(i) {
		l.linear("shortconv.in_proj", 3*c.HiddenSize, c.HiddenSize)
		l.add("shortconv.conv.weight", c.HiddenSize, c.ShortConv.Width)
		l.linear("shortconv.out_proj", c.HiddenSize, c.HiddenSize)
	} else if l.heads.queries > 0 && (!recurs || c.Recurrent.Beside) {
		l.attention()
	}
	if c.PostNorm {
		l.add(c.Block.postAttention(), c.HiddenSize)
	}
	if l.sizes.IntermediateSize == 0 && !c.HasExperts(i) {
		return
	}
	if second != "" && (second != first || l.heads.queries == 0 && !recurs) {
		l.norm(second)
	}
	if c.HasExperts(i) {
		l.experts()
	}
	if !c.HasExperts(i) || c.Experts.Beside {
		l.feedForward()
	}
	if c.PostNorm {
		l.add(c.Block.postFeedForward(), c.HiddenSize)
	}
	if c.PerLayer.Size > 0 {
		l.perLayer()
	}
	if c.AltUp.Streams > 0 {
		l.altUp()
	}
	if c.LayerScale {
		l.add("layer_output_scale.weight", 1)
	}
}

func (l *list) attention() {
	c := l.c
	if c.Latent.Rank > 0 {
		l.latent()
		return
	}
	queries, keys := l.heads.queries*l.heads.size, l.heads.keys*l.heads.size
	switch {
	case keys == 0:
		l.linear("attn_output", c.HiddenSize, c.HiddenSize)
		return
	case c.Block.FusedQKV:
		l.linear("attn_qkv", queries+2*keys, c.HiddenSize)
	default:
		if c.Block.JointGate {
			l.linear("attn_q", 2*queries, c.HiddenSize)
		} else {
			l.linear("attn_q", queries, c.HiddenSize)
		}
		if !l.heads.shared {
			l.linear("attn_k", keys, c.HiddenSize)
		}
		if !l.heads.shared && !slices.Contains(c.KeyValues, l.number) {
			l.linear("attn_v", keys, c.HiddenSize)
		}
	}
	if c.normWeights() {
		l.add("attn_q_norm.weight", c.qkNormSizes(l.heads.queries, l.heads.size)...)
	}
	if c.normWeights() && !l.heads.shared {
		l.add("attn_k_norm.weight", c.qkNormSizes(l.heads.keys, l.heads.size)...)
	}
	if c.Block.Sinks {
		l.add("attn_sinks.weight", l.heads.queries)
	}
	if c.Block.SubNorm {
		l.add("attn_sub_norm.weight", queries)
	}
	if c.Block.AttentionGate {
		l.linear("attn_gate", queries, c.HiddenSize)
	}
	l.linear("attn_output", c.HiddenSize, queries)
}

func (l *list) experts() {
	c, x := l.c, l.c.Experts
	if x.Norm != "" {
		l.norm(x.Norm)
	}
	l.linear("ffn_gate_inp", x.Count, c.HiddenSize)
	if x.Selection {
		l.add("exp_probs_b.bias", x.Count)
	}
	if x.RouterNorm {
		l.add("ffn_gate_inp.scale", c.HiddenSize)
	}
	if x.PostNorms {
		l.norm("post_ffw_norm_1")
		l.norm("post_ffw_norm_2")
	}
	if x.OutScale {
		l.add("ffn_down_exps.scale", x.Count)
	}
	type matrix struct {
		name    string
		out, in int64
	}
	first := []matrix{{"ffn_gate_exps", x.Size, c.HiddenSize}, {"ffn_up_exps", x.Size, c.HiddenSize}}
	switch {
	case x.FusedGate:
		first = []matrix{{"ffn_gate_up_exps", 2 * x.Size, c.HiddenSize}}
	case c.Block.Ungated:
		first = first[1:]
	}
	for _, m := range append(first, matrix{"ffn_down_exps", c.HiddenSize, x.Size}) {
		l.add(m.name+".weight", x.Count, m.out, m.in)
		if slices.Contains(c.Block.Biases, m.name) {
			l.add(m.name+".bias", x.Count, m.out)
		}
	}
	if x.Shared > 0 {
		if !c.Block.Ungated {
			l.linear("ffn_gate_shexp", x.Shared, c.HiddenSize)
		}
		l.linear("ffn_up_shexp", x.Shared, c.HiddenSize)
		l.linear("ffn_down_shexp", c.HiddenSize, x.Shared)
	}
	if x.SharedGate {
		l.add("ffn_gate_inp_shexp.weight", c.HiddenSize)
	}
}

func (l *list) feedForward() {
	c := l.c
	size := l.sizes.IntermediateSize
	up := size
	switch {
	case c.Block.FusedGate:
		up *= 2
	case !c.Block.Ungated:
		l.linear("ffn_gate", size, c.HiddenSize)
	}
	l.linear("ffn_up", up, c.HiddenSize)
	if c.Block.SubNorm {
		l.add("ffn_sub_norm.weight", size)
	}
	l.linear("ffn_down", c.HiddenSize, size)
}

// Layout fills in what the tensors of a file tell: linear layers with biases or factors
// of their own, and queries, keys and values in one matrix. It looks at the first block
// and the last, which may have experts, and Check at the others.
func (h *Header) Layout(c *Config) {
	has := func(name string) bool { return h.HasTensor("blk.0."+name) || h.HasTensor(h.last(c)+name) }
	c.Block.FusedQKV = has("attn_qkv.weight")
	layers := []string{
		"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down",
		"ffn_gate_inp", "ffn_gate_exps", "ffn_up_exps", "ffn_down_exps",
	}
	if c.Block.FusedQKV {
		layers = append([]string{"attn_qkv"}, layers[3:]...)
	}
	for _, name := range layers {
		if has(name + ".bias") {
			c.Block.Biases = append(c.Block.Biases, name)
		}
		if has(name + ".scale") {
			c.Block.Scaled = append(c.Block.Scaled, name)
		}
	}
	c.Block.OutputBias = h.HasTensor("output.bias")
}

// last returns the beginning of the names of the last block's tensors.
func (h *Header) last(c *Config) string { return fmt.Sprintf("blk.%d.", c.NumLayers-1) }

// HasLast reports whether the last block has a tensor.
func (h *Header) HasLast(c *Config, name string) bool { return h.HasTensor(h.last(c) + name) }

// Rows returns the number of rows of a matrix of the last block; 0 where it has none.
func (h *Header) Rows(c *Config, name string) int64 { return h.RowsOf(h.last(c) + name) }

// RowsOf returns the number of rows of a matrix of the file; 0 where it has none.
func (h *Header) RowsOf(name string) int64 {
	s, err := h.index.Lookup(name)
	if err != nil || s.Shape.Rank() != 2 {
		return 0
	}
	return s.Shape[0].Size
}

// Leave makes the last n blocks ones that the model does not use: those which guess more
// than one token.
func (h *Header) Leave(c *Config, n int64) {
	if n >= c.NumLayers {
		h.Fail("block_count", "%d blocks, of which the last %d are not of the model", c.NumLayers, n)
		return
	}
	c.NumLayers -= n
	for _, s := range h.index.Tensors {
		for i := range n {
			if strings.HasPrefix(s.Name, fmt.Sprintf("blk.%d.", c.NumLayers+i)) {
				h.spare = append(h.spare, s.Name)
			}
		}
	}
}
