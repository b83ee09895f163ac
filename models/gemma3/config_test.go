package gemma3

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// family holds the published sizes, as in their GGUF files.
var family = map[string]map[string]int64{
	"270M": {"block_count": 18, "embedding_length": 640, "feed_forward_length": 2048, "attention.head_count": 4, "attention.head_count_kv": 1, "attention.key_length": 256, "attention.sliding_window": 512, "context_length": 32768},
	"1B":   {"block_count": 26, "embedding_length": 1152, "feed_forward_length": 6912, "attention.head_count": 4, "attention.head_count_kv": 1, "attention.key_length": 256, "attention.sliding_window": 512, "context_length": 32768},
	"4B":   {"block_count": 34, "embedding_length": 2560, "feed_forward_length": 10240, "attention.head_count": 8, "attention.head_count_kv": 4, "attention.key_length": 256, "attention.sliding_window": 1024, "context_length": 131072},
	"12B":  {"block_count": 48, "embedding_length": 3840, "feed_forward_length": 15360, "attention.head_count": 16, "attention.head_count_kv": 8, "attention.key_length": 256, "attention.sliding_window": 1024, "context_length": 131072},
	"27B":  {"block_count": 62, "embedding_length": 5376, "feed_forward_length": 21504, "attention.head_count": 32, "attention.head_count_kv": 16, "attention.key_length": 128, "attention.sliding_window": 1024, "context_length": 131072},
}

// indexOf returns the index of a file for a size of the family; encode returns how a matrix
// is stored.
func indexOf(size string, encode func(name string) quant.Encoding) *tensor.Index {
	x := &tensor.Index{Format: "gguf", Scalars: map[string]int64{}, Metadata: map[string]string{
		"general.architecture": "gemma3", "gemma3.attention.layer_norm_rms_epsilon": "1e-06", "gemma3.rope.freq_base": "1e+06",
	}}
	s := family[size]
	for k, v := range s {
		x.Scalars["gemma3."+k] = v
	}
	x.Scalars["gemma3.attention.value_length"] = s["attention.key_length"]
	if s["context_length"] > 32768 { // the larger ones scale RoPE
		x.Metadata["gemma3.rope.scaling.type"], x.Metadata["gemma3.rope.scaling.factor"] = "linear", "8"
	}
	x.Tensors = causal.Config{
		NumLayers: s["block_count"], HiddenSize: s["embedding_length"], Heads: s["attention.head_count"], KVHeads: s["attention.head_count_kv"],
		HeadDim: s["attention.key_length"], IntermediateSize: s["feed_forward_length"], VocabSize: 262144,
		QKNorm: true, PostNorm: true, OutputKey: "token_embd.weight",
	}.Tensors()
	for i, t := range x.Tensors {
		if t.Shape.Rank() == 2 {
			x.Tensors[i].Encoding = encode(t.Name)
		}
		n, _ := t.Shape.Elements()
		x.Tensors[i].Bytes = 4 * n
		if b, ok := x.Tensors[i].Encoding.Block(); ok {
			x.Tensors[i].Bytes, _ = b.Size(n)
		}
	}
	return x
}

func dense(string) quant.Encoding { return quant.Dense }

func TestFamily(t *testing.T) {
	for size, scale := range map[string]float64{"270M": 1.0 / 16, "1B": 1.0 / 16, "4B": 1.0 / 16, "12B": 1.0 / 16, "27B": 1 / math.Sqrt(168)} {
		t.Run(size, func(t *testing.T) {
			c, err := ConfigFrom(indexOf(size, dense), 0)
			require.NoError(t, err)
			s := family[size]
			require.Equal(t, s["block_count"], c.NumLayers)
			require.Equal(t, s["embedding_length"], c.HiddenSize)
			require.Equal(t, s["attention.key_length"], c.HeadDim)
			require.InDelta(t, scale, c.AttentionScale, 1e-12)
			require.InDelta(t, math.Sqrt(float64(s["embedding_length"])), c.EmbeddingScale, 1e-12)
			require.EqualValues(t, 2048, c.Context)
			require.EqualValues(t, 262144, c.VocabSize)
			factor := 1.0
			if s["context_length"] == 131072 {
				factor = 8
			}
			require.Equal(t, causal.Attention{RopeBase: 1e6, RopeScale: factor}, c.Global)
			require.Equal(t, causal.Attention{RopeBase: 1e4, RopeScale: 1, Window: s["attention.sliding_window"]}, c.Local)
			require.Zero(t, c.AttnLogitSoftcap)
			require.Zero(t, c.FinalLogitSoftcap)
			var global []int64
			for i := range c.NumLayers {
				if c.IsGlobal(i) {
					global = append(global, i)
				}
			}
			require.Equal(t, []int64{5, 11, 17}, global[:3])
			require.Len(t, global, int(c.NumLayers/6))
		})
	}
}

// A cut of layers 4 and 5 has one layer of each kind, under the names of the file.
func TestCut(t *testing.T) {
	x := indexOf("270M", dense)
	g, err := lang.Capture("gemma3", x, Cut(4, 2, 64))
	require.NoError(t, err)
	c, err := describe.Contract(g)
	require.NoError(t, err)
	layers := map[string]int{}
	for _, p := range c.Parameters {
		if layer, _, found := strings.Cut(strings.TrimPrefix(p.Key, "blk."), "."); found && layer != p.Key {
			layers[layer]++
		}
	}
	require.Equal(t, map[string]int{"4": 13, "5": 13, "token_embd": 1, "output_norm": 1}, layers)
	whole, err := ConfigFrom(x, 64)
	require.NoError(t, err)
	cut, err := whole.Cut(4, 2)
	require.NoError(t, err)
	require.False(t, cut.IsGlobal(cut.FirstLayer))
	require.True(t, cut.IsGlobal(cut.FirstLayer+1))
	_, err = lang.Capture("gemma3", x, Cut(17, 2, 64))
	require.Equal(t, causal.CodeLayers, errs.CodeOf(err))
}

// Optional keys that these files do not have.
func TestOptionalKeys(t *testing.T) {
	x := indexOf("270M", dense)
	x.Scalars["gemma3.attention.sliding_window_pattern"] = 3
	x.Metadata["gemma3.rope.freq_base_swa"] = "20000"
	x.Metadata["gemma3.attn_logit_softcapping"] = "50"
	x.Metadata["gemma3.final_logit_softcapping"] = "30"
	c, err := ConfigFrom(x, 4096)
	require.NoError(t, err)
	require.True(t, c.IsGlobal(2) && !c.IsGlobal(3) && c.IsGlobal(5))
	require.Equal(t, 20000.0, c.Local.RopeBase)
	require.Equal(t, []float64{50, 30}, []float64{c.AttnLogitSoftcap, c.FinalLogitSoftcap})
	require.EqualValues(t, 4096, c.Context)
}

func TestFilesThatAreNoGemma3(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(x *tensor.Index)
		code   errs.Code
		want   string
	}{
		"another architecture": {func(x *tensor.Index) { x.Metadata["general.architecture"] = "gemma2" }, causal.CodeArchitecture, `"gemma2"`},
		"no window":            {func(x *tensor.Index) { delete(x.Scalars, "gemma3.attention.sliding_window") }, causal.CodeKey, "gemma3.attention.sliding_window"},
		"other scaling":        {func(x *tensor.Index) { x.Metadata["gemma3.rope.scaling.type"] = "ntk" }, causal.CodeKey, "gemma3.rope.scaling.type"},
		"missing tensor": {func(x *tensor.Index) {
			x.Tensors = slices.DeleteFunc(x.Tensors, func(s tensor.Spec) bool { return s.Name == "blk.7.post_ffw_norm.weight" })
		}, tensor.CodeIndexMissing, "blk.7.post_ffw_norm.weight"},
		"unknown blocks": {func(x *tensor.Index) {
			for i := range x.Tensors {
				if x.Tensors[i].Name == "blk.17.ffn_down.weight" {
					x.Tensors[i].Encoding = quant.Opaque("type 40")
				}
			}
		}, causal.CodeEncoding, "blk.17.ffn_down.weight: the tensor is stored as opaque/type 40"},
	} {
		t.Run(name, func(t *testing.T) {
			x := indexOf("270M", dense)
			tt.change(x)
			_, err := ConfigFrom(x, 0)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
			_, captured := lang.Capture("gemma3", x, Model)
			require.EqualError(t, captured, err.Error(), "capture gives the same error")
		})
	}
	_, err := lang.Capture("gemma3", indexOf("270M", dense), Context(1<<20))
	require.Equal(t, causal.CodeContext, errs.CodeOf(err), "%v", err)
}

// q4KM returns how llama.cpp's mixture Q4_K_M stores the matrices of the 270M
// model: rows of 640 are not a multiple of 256.
func q4KM(name string) quant.Encoding {
	var layer int
	var what string
	if n, _ := fmt.Sscanf(name, "blk.%d.%s", &layer, &what); n != 2 {
		return "Q8_0"
	}
	better := slices.Contains([]int{0, 1, 4, 7, 10, 13, 15, 16, 17}, layer)
	switch what {
	case "attn_v.weight":
		if better {
			return "Q8_0"
		}
	case "ffn_down.weight":
		if better {
			return "Q6_K"
		}
		return "Q4_K"
	case "attn_output.weight":
		return "Q4_K"
	}
	return "Q5_0"
}
