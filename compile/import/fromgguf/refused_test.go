package fromgguf_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/families"
	"github.com/skainet-dev/skainet-go/test/families/familytest"
)

// index returns that of a family's file.
func index(t *testing.T, name string) *tensor.Index {
	t.Helper()
	all := slices.Concat(families.All(), families.More(), families.Encoders())
	i := slices.IndexFunc(all, func(f families.Family) bool { return f.Name == name })
	data, err := all[i].Encode()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name+".gguf")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	f, err := gguf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	return f.Index()
}

func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		family string
		change func(x *tensor.Index)
		code   errs.Code
		want   string
	}{
		"a family without a row": {"llama", func(x *tensor.Index) { x.Metadata["general.architecture"] = "rwkv7" }, causal.CodeArchitecture,
			`general.architecture: the file is of architecture "rwkv7", which is not known here`},
		"no architecture":         {"llama", func(x *tensor.Index) { delete(x.Metadata, "general.architecture") }, causal.CodeArchitecture, "general.architecture"},
		"no GGUF":                 {"llama", func(x *tensor.Index) { x.Format = "safetensors" }, causal.CodeFormat, "safetensors"},
		"ALiBi":                   {"falcon", func(x *tensor.Index) { x.Metadata["falcon.attention.max_alibi_bias"] = "8" }, causal.CodeKey, "falcon.attention.max_alibi_bias"},
		"an encoder":              {"qwen2", func(x *tensor.Index) { x.Scalars["qwen2.attention.causal"] = 0 }, causal.CodeKey, "qwen2.attention.causal"},
		"dense layers":            {"qwen3moe", func(x *tensor.Index) { x.Scalars["qwen3moe.leading_dense_block_count"] = 1 }, causal.CodeKey, "qwen3moe.leading_dense_block_count"},
		"another router":          {"qwen3moe", func(x *tensor.Index) { x.Scalars["qwen3moe.expert_gating_func"] = 2 }, causal.CodeKey, "qwen3moe.expert_gating_func"},
		"routers to come":         {"dots1", func(x *tensor.Index) { x.Scalars["dots1.expert_gating_func"] = 9 }, causal.CodeKey, "dots1.expert_gating_func"},
		"dense layers of experts": {"dots1", func(x *tensor.Index) { x.Scalars["dots1.leading_dense_block_count"] = 2 }, tensor.CodeIndexMissing, "blk.1.ffn_gate.weight"},
		"groups of no size":       {"bailingmoe2", func(x *tensor.Index) { x.Scalars["bailingmoe2.expert_group_count"] = 3 }, causal.CodeKey, "bailingmoe2.expert_group_count: 3 groups of 8"},
		"blocks of no model":      {"glm4moe-next", func(x *tensor.Index) { x.Scalars["glm4moe.nextn_predict_layers"] = 3 }, causal.CodeKey, "glm4moe.block_count"},
		"keys of every head":      {"deepseek2", func(x *tensor.Index) { x.Scalars["deepseek2.attention.head_count_kv"] = 4 }, causal.CodeKey, "deepseek2.attention.head_count_kv"},
		"keys of a file between":  {"deepseek2", func(x *tensor.Index) { x.Scalars["deepseek2.attention.key_length"] = 48 }, causal.CodeKey, "deepseek2.attention.key_length"},
		"no numbers of layers":    {"apertus", func(x *tensor.Index) { delete(x.Lists, "xielu.beta") }, causal.CodeKey, "apertus.xielu.beta: the file has no such key"},
		"numbers of one layer":    {"apertus", func(x *tensor.Index) { x.Lists["xielu.eps"] = []float64{0} }, causal.CodeKey, "apertus.xielu.eps: 1 numbers for 2 layers"},
		"numbers beyond f32":      {"apertus", func(x *tensor.Index) { x.Lists["xielu.eps"] = []float64{0, 1e40} }, causal.CodeKey, "apertus.xielu.eps: the number 1e+40"},
		"vectors of no rank":      {"deepseek2", func(x *tensor.Index) { delete(x.Scalars, "deepseek2.attention.kv_lora_rank") }, causal.CodeKey, "deepseek2.attention"},
		"turned more than is":     {"deepseek2", func(x *tensor.Index) { x.Scalars["deepseek2.attention.key_length_mla"] = 8 }, causal.CodeKey, "deepseek2.attention.key_length_mla"},
		"sizes of a few layers":   {"openelm", func(x *tensor.Index) { x.Lists["openelm.attention.head_count"] = []float64{4} }, causal.CodeKey, "openelm.attention.head_count: 1 numbers for 2 layers"},
		"heads below none":        {"deci", func(x *tensor.Index) { x.Lists["deci.attention.head_count"] = []float64{4, -1, 4, 4} }, causal.CodeKey, "deci.attention.head_count: the value -1 of layer 1"},
		"heads of no group":       {"deci", func(x *tensor.Index) { x.Lists["deci.attention.head_count_kv"] = []float64{3, 0, 0, 1} }, causal.CodeKey, "deci.attention.head_count_kv: 3 heads of keys do not divide 4"},
		"attention alone":         {"deci", func(x *tensor.Index) { x.Lists["deci.feed_forward_length"] = []float64{0, 64, 96, 64} }, causal.CodeKey, "deci.feed_forward_length: layer 0 has attention"},
		"no greatest":             {"openelm", func(x *tensor.Index) { x.Lists["openelm.feed_forward_length"] = []float64{0, 0} }, causal.CodeKey, "openelm.feed_forward_length: the greatest value 0"},
		"a Llama without chunks":  {"llama4", func(x *tensor.Index) { x.Scalars["llama4.attention.sliding_window"] = 0 }, causal.CodeKey, "llama4.attention.sliding_window"},
		"kinds of a few layers":   {"gemma4", func(x *tensor.Index) { x.Lists["gemma4.attention.sliding_window_pattern"] = []float64{1, 0} }, causal.CodeKey, "gemma4.attention.sliding_window_pattern: 2 flags for 5 layers"},
		"sharing with one kind":   {"gemma4", func(x *tensor.Index) { x.Scalars["gemma4.attention.shared_kv_layers"] = 3 }, causal.CodeKey, "gemma4.attention.shared_kv_layers: 3 of 5 layers"},
		"sharing with none":       {"gemma4", func(x *tensor.Index) { x.Scalars["gemma4.attention.shared_kv_layers"] = 9 }, causal.CodeKey, "gemma4.attention.shared_kv_layers: 9 of 5 layers"},
		"values of other heads":   {"gemma4", func(x *tensor.Index) { x.Scalars["gemma4.attention.value_length_swa"] = 8 }, causal.CodeKey, "gemma4.attention.key_length_swa"},
		"no table of layers":      {"gemma4", func(x *tensor.Index) { drop(x, "per_layer_token_embd.weight") }, tensor.CodeIndexMissing, "per_layer_token_embd.weight"},
		"memories without end":    {"mamba", func(x *tensor.Index) { x.Scalars["mamba.ssm.state_size"] = 1 << 20 }, causal.CodeKey, "mamba.ssm.state_size: a memory of 128 times 1048576"},
		"a long convolution":      {"mamba", func(x *tensor.Index) { x.Scalars["mamba.ssm.conv_kernel"] = 1 << 20 }, causal.CodeKey, "mamba.ssm.conv_kernel: a convolution of 1048576"},
		"heads between":           {"mamba2", func(x *tensor.Index) { x.Scalars["mamba2.ssm.time_step_rank"] = 7 }, causal.CodeKey, "mamba2.ssm.time_step_rank: 7 heads do not divide 128"},
		"groups between":          {"falcon-h1", func(x *tensor.Index) { x.Scalars["falcon-h1.ssm.group_count"] = 3 }, causal.CodeKey, "falcon-h1.ssm.group_count: 3 groups"},
		"layers without end":      {"jamba", func(x *tensor.Index) { x.Scalars["jamba.block_count"] = 1 << 20 }, causal.CodeKey, "jamba.block_count: the value 1048576 is above 1024"},
		"no heads of keys at all": {"granitehybrid", func(x *tensor.Index) {
			delete(x.Lists, "granitehybrid.attention.head_count_kv")
			delete(x.Metadata, "granitehybrid.attention.head_count_kv")
			x.Scalars["granitehybrid.attention.head_count_kv"] = 0
		}, tensor.CodeIndexMissing, "blk.2.ssm_"},
		"no memory":             {"mamba", func(x *tensor.Index) { drop(x, "blk.1.ssm_a") }, tensor.CodeIndexMissing, "blk.1.ssm_a"},
		"listed memories":       {"qwen35", func(x *tensor.Index) { x.Metadata["qwen35.attention.recurrent_layers"] = "bool[4]" }, causal.CodeKey, "qwen35.attention.recurrent_layers"},
		"no layer of attention": {"llama", func(x *tensor.Index) { x.Scalars["llama.attention.head_count"] = 0 }, causal.CodeKey, "llama.attention.head_count: the value 0"},
		"no sinks":              {"gpt-oss", func(x *tensor.Index) { drop(x, "blk.1.attn_sinks.weight") }, tensor.CodeIndexMissing, "blk.1.attn_sinks.weight"},
		"a Baichuan between":    {"baichuan", func(x *tensor.Index) { x.Scalars["baichuan.block_count"] = 31 }, causal.CodeKey, "baichuan.block_count"},
		"more than all":         {"mixtral", func(x *tensor.Index) { x.Scalars["llama.expert_used_count"] = 5 }, causal.CodeKey, "llama.expert_used_count: 5 of 4"},
		"experts each": {"qwen3moe", func(x *tensor.Index) {
			delete(x.Scalars, "qwen3moe.expert_used_count")
			x.Metadata["qwen3moe.expert_used_count"] = "u32[2]"
		}, causal.CodeKey, "qwen3moe.expert_used_count"},
		"another scaling":  {"phi3", func(x *tensor.Index) { x.Metadata["phi3.rope.scaling.type"] = "ntk" }, causal.CodeKey, "phi3.rope.scaling.type"},
		"a pattern listed": {"gemma2", func(x *tensor.Index) { x.Metadata["gemma2.attention.sliding_window_pattern"] = "bool[2]" }, causal.CodeKey, "gemma2.attention.sliding_window_pattern"},
		"a flag of text": {"gptneox", func(x *tensor.Index) {
			delete(x.Scalars, "gptneox.use_parallel_residual")
			x.Metadata["gptneox.use_parallel_residual"] = "yes"
		}, causal.CodeKey, "gptneox.use_parallel_residual"},
		"a bias of one": {"qwen2", func(x *tensor.Index) { drop(x, "blk.1.attn_q.bias") }, tensor.CodeIndexMissing, "blk.1.attn_q.bias"},
		"no shift":      {"phi2", func(x *tensor.Index) { drop(x, "output_norm.bias") }, tensor.CodeIndexMissing, "output_norm.bias"},
		"a tensor more": {"qwen3", func(x *tensor.Index) {
			x.Tensors = append(x.Tensors, tensor.Spec{Name: "cls.output.weight", DType: dtype.F32, Shape: shape.Of(2, 64)})
		}, causal.CodeTensor, "cls.output.weight"},
	} {
		t.Run(name, func(t *testing.T) {
			x := index(t, tt.family)
			tt.change(x)
			_, err := fromgguf.Import(x, fromgguf.Options{})
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func drop(x *tensor.Index, name string) {
	x.Tensors = slices.DeleteFunc(x.Tensors, func(s tensor.Spec) bool { return s.Name == name })
}

// An adapter of a layer that a model stores with others is refused, and so is a cut of
// nothing.
func TestOptions(t *testing.T) {
	for layer, code := range map[string]errs.Code{"attn_q": causal.CodeAdapter, "ffn_up": causal.CodeAdapter, "attn_output": ""} {
		_, err := lang.Capture("phi3", index(t, "phi3"), fromgguf.Constructor(fromgguf.Options{Adapter: causal.Adapter{Rank: 2, Layers: []string{layer}}}))
		require.Equal(t, code, errs.CodeOf(err), "%s: %v", layer, err)
	}
	_, err := fromgguf.Import(index(t, "qwen3"), fromgguf.Options{Cut: &fromgguf.Cut{}})
	require.Equal(t, causal.CodeLayers, errs.CodeOf(err))
	_, err = fromgguf.Import(index(t, "gemma4"), fromgguf.Options{Cut: &fromgguf.Cut{First: 2, Layers: 2}})
	require.Equal(t, causal.CodeLayers, errs.CodeOf(err))
	require.ErrorContains(t, err, "layer 3 reads the keys and values of layer 1")
	g, err := fromgguf.Import(index(t, "command-r"), fromgguf.Options{})
	require.NoError(t, err)
	require.Equal(t, "command_r", g.Name)
	require.Subset(t, fromgguf.Architectures(), []string{"command-r", "gemma3", "llama"})
}

// A window of a Llama's file, which Mistral's of 2023 has, is one of all layers.
func TestWindowOfAllLayers(t *testing.T) {
	familytest.Windowed(t, open.Options{Backend: open.CPU})
}

// Whoever goes back to an earlier position finds what convolutions read before it.
func TestConvolutionsGoBack(t *testing.T) {
	all := families.More()
	recorded, err := families.Recorded()
	require.NoError(t, err)
	want := recorded.Cases["lfm2"]
	g, path := familytest.Load(t, all[slices.IndexFunc(all, func(f families.Family) bool { return f.Name == "lfm2" })], want.SHA256)
	x, err := open.Graph(context.Background(), g, open.Options{Backend: open.CPU, Weights: path})
	require.NoError(t, err)
	defer x.Close()
	most, _ := familytest.Tolerance(families.Family{})
	prefill := func(last int, start int32, tokens ...int32) {
		at, err := tensor.Of([]int32{start})
		require.NoError(t, err)
		require.InDeltaSlice(t, want.Logits[last], familytest.Floats(t, x, "prefill", familytest.IDs(t, tokens...), at), most)
	}
	text := slices.Concat(recorded.Prompt, recorded.Rest)
	prefill(15, 0, text...)
	prefill(11, 8, text[8:12]...)
	prefill(9, 9, text[9])
	prefill(2, 0, text[:3]...)
}
