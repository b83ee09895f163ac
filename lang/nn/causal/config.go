// Package causal is the decoder-only transformer that models of text share: its
// graph, and its entry points with the caches that they keep. A model's package
// says its sizes and its names, Config, and no more.
//
// # Entry points
//
// They share one archive and one state; see entries.go.
//
//	prefill(tokens i32 [seq], start i32) -> logits f32 [1, V]
//	decode(token i32 [1]) -> logits f32 [1, V]
//	logits(tokens i32 [seq]) -> logits f32 [seq, V]
//	generate(tokens i32 [seq], start, max_tokens, temperature, top_k, top_p, min_p,
//	  repeat_penalty, seed i32 [2], stop i32 [stops]) -> tokens i32 [R], count i32
//
// # Errors
//
// CAUSAL_* of this package where metadata or tensors do not fit, each naming the
// key; INDEX_MISSING_TENSOR for a tensor that is not there. Model panics with them,
// which lang.Capture turns into its error.
//
// # Determinism
//
// The graph depends only on the config and the weights index.
package causal

import "github.com/skainet-dev/skainet-go/lang"

// DefaultContext is the number of positions that the caches hold where a model's
// user does not choose: rows of memory, at most what the model was trained for.
const DefaultContext = 2048

// Config is a decoder-only transformer. Weights have the names that GGUF files
// give them: blk.0.attn_q.weight and so on.
type Config struct {
	Layers      int64
	Width       int64 // D, of the residual stream
	Heads       int64 // H, of queries
	Groups      int64 // G, heads of keys and values; divides Heads
	HeadSize    int64
	FeedForward int64 // F
	Vocabulary  int64 // V
	Trained     int64 // positions that the model was trained for
	Context     int64 // R, rows of the caches

	Epsilon        float64 // of the RMS norms
	EmbeddingScale float64 // factor of embeddings
	AttentionScale float64 // factor of attention scores
	AttentionCap   float64 // bound of attention scores, cap tanh(score/cap); 0 for none
	LogitCap       float64 // the same of logits

	// Global is attention to all positions before; Local has a window.
	Global, Local Attention
	// Period says which layers are global: every Period-th. 1 means all.
	Period int64

	// Activation of the gated feed-forward layer.
	Activation func(lang.Tensor) lang.Tensor
	// Interleaved says that rotary pairs are neighbours in a head.
	Interleaved bool
	// HeadNorms says that queries and keys are normalised, attn_q_norm and attn_k_norm.
	HeadNorms bool
	// PostNorms says that what attention and feed-forward add to the residual
	// stream is normalised, post_attention_norm and post_ffw_norm.
	PostNorms bool
	// Scaled says that rotary frequencies are divided by rope_freqs.weight.
	Scaled bool
	// Head is the output projection: output.weight, or the embedding table.
	Head string
}

// Attention is how a layer attends.
type Attention struct {
	Window int64   // positions that a query sees, its own included; 0 means all
	Base   float64 // of the rotary frequencies
	Factor float64 // divides positions; at least 1 in practice
}

// IsGlobal says whether layer i attends to everything.
func (c Config) IsGlobal(i int64) bool { return (i+1)%c.Period == 0 }
