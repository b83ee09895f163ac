package causal

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
)

// NoNorm is the name of a norm that a block does not have.
const NoNorm = "none"

// Block configures the ways in which the families of decoders differ. The zero value is
// Llama's: RMS norms before attention and feed-forward, which follow each other; a gated
// feed-forward layer; rotary positions of whole heads; no biases.
type Block struct {
	// LayerNorm is true for layer norms (Ba et al. 2016) in place of RMS norms, NormBias for
	// norms that have a shift, and PlainNorm for those that have no weights at all.
	LayerNorm, NormBias, PlainNorm bool
	// AttentionNorm and FeedForwardNorm name the norms of what attention and feed-forward
	// read: "" means attn_norm and ffn_norm, NoNorm that there is none.
	AttentionNorm, FeedForwardNorm string
	// Bare lists the norms whose weights have no suffix.
	Bare []string
	// PostAttention and PostFeedForward name the weights of the norms of Config.PostNorm: ""
	// means post_attention_norm.weight and post_ffw_norm.weight.
	PostAttention, PostFeedForward string
	// EmbeddingNorm adds the norm token_embd_norm of the embeddings. OutputNorm names the
	// norm of what the head reads: "" means output_norm.
	EmbeddingNorm bool
	OutputNorm    string
	// Parallel blocks add attention and feed-forward to the same input. If both norms have
	// one name it is one norm.
	Parallel bool
	// QKNorm says what the norms of Config.QKNorm are over, and QKNormTurned that they are
	// of queries and keys that are turned already.
	QKNorm       QKNorm
	QKNormTurned bool
	// SubNorm adds RMS norms before the last projection of attention and feed-forward:
	// attn_sub_norm and ffn_sub_norm.
	SubNorm bool

	// Biases lists the linear layers of a block that have one, as GGUF files name them:
	// attn_q, attn_output. Scaled lists those whose result has a factor of its own.
	Biases, Scaled []string
	// OutputBias adds output.bias to the logits.
	OutputBias bool
	// FusedQKV is one matrix attn_qkv of the rows of queries, keys and values; FusedGate is
	// one ffn_up of those of the gate and of what it gates.
	FusedQKV, FusedGate bool
	// Ungated feed-forward layers are a projection, the activation and a projection.
	Ungated bool

	// NoRotary models do not turn queries and keys.
	NoRotary bool
	// RotaryDims is the number of the first elements of a head that are turned: 0 means all.
	RotaryDims int64
	// MaxBias is the greatest slope, in a power of 2, of scores that fall with the distance
	// (ALiBi, Press et al. 2021): 0 means none, and 8 is usual.
	MaxBias float64
	// Sinks adds attn_sinks to attention, a score for each head that weighs nothing (Xiao et
	// al. 2023).
	Sinks bool
	// AttentionGate multiplies what attention gives, before its last projection, by the
	// sigmoid of attn_gate (Qiu et al. 2025).
	AttentionGate bool
	// JointGate has that gate in attn_q, each head's behind its queries.
	JointGate bool
	// Clamp bounds queries, keys and values; 0 means none.
	Clamp float64
	// LearnedPositions adds a vector of position_embd.weight for each position.
	LearnedPositions bool

	ResidualScale float64 // factor of what attention and feed-forward add; 0 means 1
	LogitScale    float64 // factor of the logits; 0 means 1
}

// QKNorm is what a norm of queries and keys is over.
type QKNorm int

// The kinds of norms of queries and keys.
const (
	QKNormHead  QKNorm = iota // RMS of each head, with the same weights for all
	QKNormWhole               // RMS of all heads together
	QKNormEach                // layer norm of each head, with weights of its own
	QKNormPlain               // RMS of each head, without weights, where heads are turned
)

// attentionNorm and feedForwardNorm return the names; "" where there is no norm.
func (b Block) attentionNorm() string   { return normName(b.AttentionNorm, "attn_norm") }
func (b Block) feedForwardNorm() string { return normName(b.FeedForwardNorm, "ffn_norm") }
func (b Block) outputNorm() string      { return normName(b.OutputNorm, "output_norm") }
func (b Block) postAttention() string   { return normName(b.PostAttention, "post_attention_norm.weight") }
func (b Block) postFeedForward() string { return normName(b.PostFeedForward, "post_ffw_norm.weight") }

func normName(name, usual string) string {
	switch name {
	case "":
		return usual
	case NoNorm:
		return ""
	}
	return name
}

// rotated returns the number of elements of a head that are turned.
func (c Config) rotated() int64 {
	if c.Block.RotaryDims != 0 {
		return c.Block.RotaryDims
	}
	return c.HeadDim
}

// gated is what a gated feed-forward layer makes of a gate and what it gates.
func (c Config) gated(gate, up lang.Tensor) lang.Tensor {
	if c.Gate != nil {
		return c.Gate(gate, up)
	}
	return nn.GLU(gate, up, c.Activation)
}

func (c Config) ropeFactors() string {
	if c.RopeFactorsKey != "" {
		return c.RopeFactorsKey
	}
	return "rope_freqs.weight"
}
