package causal

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
)

// Axis is the axis of the mesh along which TensorParallel splits a model.
const Axis = "model"

// TensorParallel says how a model is split over devices that each have some of the heads and
// some of the rows of the feed-forward layer, as in Shoeybi et al. 2019 (Megatron-LM): the
// matrices of the first products by their rows [N, K], those of the second by their columns,
// so that a layer adds up what the devices have twice. The caches are split by their heads.
// The embeddings and the logits are split by the vocabulary. Experts, recurrent layers, and
// what joins queries with keys and values in one matrix are whole on each device; keys and
// values are if their heads cannot be divided.
func (c Config) TensorParallel() shard.Layout {
	rows, columns, vector := dag.Sharding{Axis, ""}, dag.Sharding{"", Axis}, dag.Sharding{Axis}
	heads, groups := c.Heads, c.KVHeads
	for _, l := range c.Layers { // of a divisor of each
		heads, groups = divisor(heads, l.Heads), divisor(groups, l.KVHeads)
	}
	var out shard.Layout
	first := func(name string, parts int64) {
		out.Parameters = append(out.Parameters, shard.Rule{Names: name + ".weight", Axes: rows, Parts: parts}, shard.Rule{Names: name + ".bias", Axes: vector, Parts: parts})
	}
	second := func(name string, parts int64) {
		out.Parameters = append(out.Parameters, shard.Rule{Names: name + ".weight", Axes: columns, Parts: parts})
	}
	first("blk.*.attn_q", heads)
	first("blk.*.attn_k", groups)
	first("blk.*.attn_v", groups)
	second("blk.*.attn_output", heads)
	first("blk.*.ffn_gate", 0)
	first("blk.*.ffn_up", 0)
	second("blk.*.ffn_down", 0)
	first("token_embd", 0)
	if c.OutputKey != "token_embd.weight" {
		first("output", 0)
	}
	for _, name := range []string{"keys_*", "values_*"} {
		out.States = append(out.States, shard.Rule{Names: name, Axes: dag.Sharding{"", Axis, ""}, Parts: groups})
	}
	return out
}

// divisor returns the greatest common divisor.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
