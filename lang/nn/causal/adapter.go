package causal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
)

// AdapterScope is the scope of an adapter's parameters.
const AdapterScope = "adapter"

// CodeAdapter is the code of an adapter that no model of these can have.
const CodeAdapter errs.Code = "CAUSAL_ADAPTER" // smallest input: a rank of 0

// Adapter configures low-rank updates of linear layers (nn.LoRA), whose parameters are in
// AdapterScope under the names that the library PEFT gives them. The zero value is none.
type Adapter struct {
	Rank   int64    // of every update
	Layers []string // the linear layers of a block that have one, as GGUF files name them: attn_q, attn_v
}

// trained maps the linear layers of a block to their names in the model that adapters are
// trained on, which is Hugging Face's.
var trained = map[string]string{
	"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
	"ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}

// adapterKey returns the name of a layer's update, without the end.
func adapterKey(block int64, layer string) string {
	return fmt.Sprintf("base_model.model.model.layers.%d.%s", block, trained[layer])
}

func (a Adapter) check(c Config) error {
	if len(a.Layers) == 0 && a.Rank == 0 {
		return nil
	}
	if a.Rank < 1 || a.Rank > maxSize || len(a.Layers) == 0 {
		return errs.New(CodeAdapter, "an adapter of rank %d for %d layers of a block", a.Rank, len(a.Layers)).
			Hint("give the rank, r in adapter_config.json, and the layers, target_modules")
	}
	for i, name := range a.Layers {
		if trained[name] == "" {
			return errs.New(CodeAdapter, "no linear layer of a block is named %q", name).Hint("use some of %s", strings.Join(layerNames(), ", "))
		}
		if missing := (c.Block.FusedQKV || c.Latent.Rank > 0) && (name == "attn_q" || name == "attn_k" || name == "attn_v") ||
			(c.Block.FusedGate || c.Block.Ungated) && name == "ffn_gate" || c.Block.FusedGate && name == "ffn_up" ||
			c.Experts.Count > 0 && strings.HasPrefix(name, "ffn_"); missing {
			return errs.New(CodeAdapter, "the blocks of this model have no linear layer %q of its own", name).
				Hint("use an adapter of other layers, such as attn_output")
		}
		if slices.Contains(a.Layers[:i], name) {
			return errs.New(CodeAdapter, "the layer %q is named twice", name)
		}
	}
	return nil
}

func layerNames() []string {
	var names []string
	for name := range trained {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// adapted adds the adapter's update of a layer to y, what the layer gives for x.
func (w *model) adapted(f *lang.Func, block int64, layer string, x, y lang.Tensor) lang.Tensor {
	if !slices.Contains(w.Adapter.Layers, layer) {
		return y
	}
	kind := w.headsOf(w.FirstLayer + block)
	heads := map[string]int64{"attn_q": kind.queries, "attn_k": kind.keys}[layer]
	l := nn.LoRA{Scope: AdapterScope, Rank: w.Adapter.Rank}
	return y.Add(l.Delta(f, adapterKey(block, layer), x, y.Dim(-1), func(b lang.Tensor) lang.Tensor {
		if !w.RopeInterleaved || heads == 0 {
			return b
		}
		// Converters put the halves of a head between each other: rotary pairs, which
		// are an element of each half, are then adjacent.
		return b.Reshape(heads, 2, kind.size/2, w.Adapter.Rank).Transpose(0, 2, 1, 3).Reshape(heads*kind.size, w.Adapter.Rank)
	}))
}
