// Package fromgguf makes the graph of a language model, or of an encoder, from the index of its GGUF file:
// general.architecture chooses a row of a table, which reads the model's settings from the
// metadata. The graph is lang/nn/causal's, which describes entry points and state.
//
// What the rows know is what the files do not say: the order of norms, biases and
// residuals, activations, and the pairs of rotary positions. Whether linear layers have
// biases, and whether queries, keys and values are one matrix, the tensors tell.
//
// # Errors
//
// CAUSAL_ARCHITECTURE for a family without a row; CAUSAL_KEY for a setting that is missing
// or that this code cannot follow, with the key; CAUSAL_TENSOR and INDEX_MISSING_TENSOR for
// tensors that the settings do not call for.
//
// # Determinism
//
// The graph depends only on the index and the options.
package fromgguf

import (
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/lang/nn/encoder"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Options choose what a graph has. The zero value is the whole model with the default
// context.
type Options struct {
	Name    string         // of the graph: "" means the architecture's
	Context int64          // positions that the caches hold; 0 means causal.DefaultContext, or fewer
	Adapter causal.Adapter // low-rank updates that are chosen when a program is opened
	Cut     *Cut           // nil means all layers
}

// Cut is some of a model's layers: see causal.Config.Cut.
type Cut struct{ First, Layers int64 }

// Architectures lists the values of general.architecture that have a row of a language
// model, sorted.
func Architectures() []string {
	return slices.Sorted(maps.Keys(families))
}

// Encoders lists those of encoders, whose entry point is embed, sorted.
func Encoders() []string { return slices.Sorted(maps.Keys(encoders)) }

// Import returns the graph of the model whose file has the index x.
func Import(x *tensor.Index, o Options) (*dag.Graph, error) {
	if o.Name == "" {
		o.Name = strings.ReplaceAll(x.Metadata[architectureKey], "-", "_")
	}
	return lang.Capture(o.Name, x, Constructor(o))
}

// Constructor returns the constructor of such a graph: skainet_model takes it as any
// model's, and its weights decide which family it is.
func Constructor(o Options) lang.Constructor { return OfArchitecture("", o) }

// OfArchitecture is Constructor for files of one architecture; others are errors.
func OfArchitecture(arch string, o Options) lang.Constructor {
	return func(m *lang.Module) {
		if arch == "" && encoders[m.Index().Metadata[architectureKey]] != nil {
			c, err := Encoder(m.Index())
			if err != nil {
				panic(err)
			}
			encoder.Model(m, c)
			return
		}
		c, err := Config(m.Index(), arch, o.Context)
		if err == nil && o.Cut != nil {
			c, err = c.Cut(o.Cut.First, o.Cut.Layers)
		}
		if err != nil {
			panic(err)
		}
		c.Adapter = o.Adapter
		causal.Model(m, c)
	}
}

const architectureKey = "general.architecture"

// Config reads the settings of a file of the given architecture, or of the one that it
// names where arch is "". context is the number of positions in the caches, 0 for the
// default.
func Config(x *tensor.Index, arch string, context int64) (causal.Config, error) {
	if arch == "" {
		arch = x.Metadata[architectureKey]
	}
	h := causal.NewHeader(x, arch)
	if err := h.Err(); err != nil {
		return causal.Config{}, err
	}
	read := families[arch]
	if read == nil {
		return causal.Config{}, unknown(arch)
	}
	c := h.Sizes(context)
	h.Layout(&c)
	read(h, &c)
	for _, key := range slices.Sorted(maps.Keys(others)) {
		if !h.WasRead(key) {
			h.Refuse(key, others[key]...)
		}
	}
	return c, h.Check(&c)
}

// Layout says how the model of a file is split over devices: causal.Config.TensorParallel for
// a language model, nothing for an encoder.
func Layout(x *tensor.Index) (shard.Layout, error) {
	if encoders[x.Metadata[architectureKey]] != nil {
		return shard.Layout{}, nil
	}
	c, err := Config(x, "", 0)
	if err != nil {
		return shard.Layout{}, err
	}
	return c.TensorParallel(), nil
}

// Check is an error if no row reads the files of an architecture.
func Check(arch string) error {
	if families[arch] == nil && encoders[arch] == nil {
		return unknown(arch)
	}
	return nil
}

func unknown(arch string) error {
	return errs.New(causal.CodeArchitecture, "the file is of architecture %q, which is not known here", arch).On(architectureKey).
		Hint("known are %s", strings.Join(append(Architectures(), Encoders()...), ", "))
}

// others are settings that change what a model computes and that no row reads, with the
// values that change nothing.
var others = map[string][]string{
	"attention.causal":                 {"1"},
	"attention.clamp_kqv":              {"0"},
	"attention.max_alibi_bias":         {"0"},
	"attention.temperature_length":     {"0"},
	"attention.temperature_scale":      {"0"},
	"decoder_sparse_step":              {"1"},
	"expert_gating_func":               {"0", "1"},
	"expert_group_count":               {"0", "1"},
	"interleave_moe_layer_step":        {"1"},
	"leading_dense_block_count":        {"0"},
	"moe_every_n_layers":               {"0", "1"},
	"moe_latent_size":                  {"0"},
	"nextn_predict_layers":             {"0"},
	"rope.dimension_sections":          nil,
	"attention.key_length_swa":         nil,
	"attention.value_length_swa":       nil,
	"attention.shared_kv_layers":       {"0"},
	"embedding_length_per_layer_input": {"0"},
}
