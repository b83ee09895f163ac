package plan

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func spec(t *testing.T, name string, d dtype.DType, e quant.Encoding, sizes ...int64) tensor.Spec {
	t.Helper()
	n, err := transform.Storage{DType: d, Encoding: e}.Bytes(shape.Of(sizes...))
	require.NoError(t, err)
	return tensor.Spec{Name: name, DType: d, Encoding: e, Shape: shape.Of(sizes...), Bytes: n}
}

// gemma lists the tensors of Gemma 3 270M as its Q4_K_M file stores them, row
// major: 18 layers of 640 with 4 heads of 256 and a feed-forward part of 2048.
func gemma(t *testing.T) []tensor.Spec {
	list := []tensor.Spec{
		spec(t, "token_embd.weight", dtype.F32, "Q8_0", 262144, 640),
		spec(t, "output_norm.weight", dtype.F32, "", 640),
	}
	better := map[int]bool{0: true, 1: true, 4: true, 7: true, 10: true, 13: true, 15: true, 16: true, 17: true}
	for i := range 18 {
		v, down := quant.Encoding("Q5_0"), quant.Encoding("Q4_K")
		if better[i] {
			v, down = "Q8_0", "Q6_K"
		}
		add := func(name string, e quant.Encoding, sizes ...int64) {
			list = append(list, spec(t, fmt.Sprintf("blk.%d.%s.weight", i, name), dtype.F32, e, sizes...))
		}
		add("attn_q", "Q5_0", 1024, 640)
		add("attn_k", "Q5_0", 256, 640)
		add("attn_v", v, 256, 640)
		add("attn_output", "Q4_K", 640, 1024)
		add("ffn_gate", "Q5_0", 2048, 640)
		add("ffn_up", "Q5_0", 2048, 640)
		add("ffn_down", down, 640, 2048)
		for _, norm := range []string{"attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"} {
			add(norm, "", 640)
		}
		add("attn_q_norm", "", 256)
		add("attn_k_norm", "", 256)
	}
	return list
}

// By hand, from the bytes of each type that gguf-py counts in the file: F32
// 223744, Q8_0 179824640, Q5_0 43591680, Q4_K 13271040, Q6_K 9676800, which are
// 55936, 169246720, 63406080, 23592960 and 11796480 elements. Rows of 640 are not
// whole blocks of 256, so Q4_K and Q6_K fit the last two alone.
func TestFormsOfGemma(t *testing.T) {
	list := gemma(t)
	require.Len(t, list, 236)
	const (
		vectors  = 223744
		elements = 268098176
		matrices = elements - vectors/4
		wide     = 23592960 + 11796480 // elements in rows of whole blocks of 256
		rest     = vectors + 179824640 + 43591680
	)
	want := []Form{
		{Name: AsStored, Bytes: 253113024 - 6525120, LargestBytes: 262144 * 640 / 32 * 34}, // the file but for its header
		{Name: "f32", Bytes: elements * 4, LargestBytes: 262144 * 640 * 4},
		{Name: "f16", Bytes: elements * 2, LargestBytes: 262144 * 640 * 2},
		{Name: "bf16", Bytes: elements * 2, LargestBytes: 262144 * 640 * 2},
		{Name: "Q8_0", Bytes: matrices/32*34 + vectors, Kept: vectors, LargestBytes: 262144 * 640 / 32 * 34},
		{Name: "Q6_K", Bytes: wide/256*210 + rest, Kept: rest, LargestBytes: 262144 * 640 / 32 * 34},
		{Name: "Q4_K", Bytes: wide/256*144 + rest, Kept: rest, LargestBytes: 262144 * 640 / 32 * 34},
		{Name: "Q4_0", Bytes: matrices/32*18 + vectors, Kept: vectors, LargestBytes: 262144 * 640 / 32 * 18},
	}
	for i := range want {
		want[i].Largest = "token_embd.weight"
	}
	p, err := of("gemma.gguf", &tensor.Index{Format: "gguf", Tensors: list}, nil, Options{})
	require.NoError(t, err)
	require.EqualValues(t, elements, p.Elements)
	require.Empty(t, cmp.Diff(want, p.Forms, cmpopts.IgnoreUnexported(Form{})))
	require.Len(t, p.Rows, len(backends)*len(want))
	require.Nil(t, p.Cache)
}

// model opens a GGUF file with the pairs and one matrix.
func model(t *testing.T, pairs ...gguf.Pair) *weights.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.gguf")
	s := spec(t, "w", dtype.F32, "Q8_0", 2, 64)
	_, err := gguf.Write(path, pairs, []gguf.Item{{Spec: s, Open: tensor.Owned(make([]byte, s.Bytes)).Reader}}, gguf.Options{})
	require.NoError(t, err)
	w, err := weights.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func u32(key string, n uint32) gguf.Pair { return gguf.Pair{Key: key, Value: n} }

func gemmaPairs() []gguf.Pair {
	return []gguf.Pair{
		{Key: "general.architecture", Value: "gemma3"},
		u32("gemma3.block_count", 18), u32("gemma3.context_length", 32768), u32("gemma3.embedding_length", 640),
		u32("gemma3.attention.head_count", 4), u32("gemma3.attention.head_count_kv", 1),
		u32("gemma3.attention.key_length", 256), u32("gemma3.attention.value_length", 256), u32("gemma3.attention.sliding_window", 512),
	}
}

// By hand: 18 layers keep 256 + 256 elements of 2 bytes for each of 32768
// positions. Layers 5, 11 and 17 are global; the other 15 keep 512 positions.
func TestCacheOfGemma(t *testing.T) {
	p, err := Of(model(t, gemmaPairs()...), Options{})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(&Cache{
		Architecture: "gemma3", Layers: 18, Context: 32768, Sequences: 1, PerPosition: 9216,
		Bytes: 603979776, Window: 512, WithWindow: 3*512*2*32768 + 15*512*2*512,
	}, p.Cache))
	p, err = Of(model(t, gemmaPairs()...), Options{Context: 100, Sequences: 3})
	require.NoError(t, err)
	require.EqualValues(t, 9216*100*2*3, p.Cache.Bytes)
	require.Equal(t, p.Cache.Bytes, p.Cache.WithWindow, "a context within the window")
}

func TestRows(t *testing.T) {
	p, err := Of(model(t, gemmaPairs()...), Options{Context: 1})
	require.NoError(t, err)
	rows := map[string]Row{}
	for _, r := range p.Rows {
		rows[r.Target+" "+r.Form] = r
	}
	require.Len(t, rows, 8*len(Targets()))
	cache := int64(9216 * 2)
	require.Equal(t, Row{Target: "aarch64", Form: AsStored, Mapped: 136, Host: cache, Basis: onCPU}, rows["aarch64 stored"])
	require.Equal(t, Row{Target: "vulkan", Form: "f32", Mapped: 512, Device: 512 + cache, Basis: onVulkan}, rows["vulkan f32"])
}

func TestCacheOfOtherModels(t *testing.T) {
	arch := gguf.Pair{Key: "general.architecture", Value: "llama"}
	layers, heads, width := u32("llama.block_count", 2), u32("llama.attention.head_count", 9), u32("llama.embedding_length", 576)
	perLayer := gguf.Pair{Key: "llama.attention.head_count_kv", Value: []int32{3, 0}}
	tests := []struct {
		name  string
		pairs []gguf.Pair
		want  *Cache
	}{
		{"no architecture", nil, nil},
		{"no decoder", []gguf.Pair{arch, layers}, nil},
		{"heads as queries, width by division", []gguf.Pair{arch, layers, heads, width},
			&Cache{Architecture: "llama", Layers: 2, Context: 10, Sequences: 1, PerPosition: 2 * 9 * 128, Bytes: 2 * 9 * 128 * 2 * 10}},
		{"heads for each layer", []gguf.Pair{arch, layers, heads, width, perLayer},
			&Cache{Architecture: "llama", Layers: 2, Context: 10, Sequences: 1, PerPosition: 3 * 128, Bytes: 3 * 128 * 2 * 10}},
		{"a pattern in the file", []gguf.Pair{arch, layers, heads, width, u32("llama.attention.sliding_window", 4), u32("llama.attention.sliding_window_pattern", 2)},
			&Cache{Architecture: "llama", Layers: 2, Context: 10, Sequences: 1, PerPosition: 2304, Bytes: 2304 * 2 * 10, Window: 4, WithWindow: 1152 * 2 * 14}},
		{"a window in unknown layers", []gguf.Pair{arch, layers, heads, width, u32("llama.attention.sliding_window", 4)},
			&Cache{Architecture: "llama", Layers: 2, Context: 10, Sequences: 1, PerPosition: 2304, Bytes: 2304 * 2 * 10, Window: 4}},
	}
	for _, tt := range tests {
		p, err := Of(model(t, tt.pairs...), Options{Context: 10})
		require.NoError(t, err, tt.name)
		require.Empty(t, cmp.Diff(tt.want, p.Cache), tt.name)
	}
}

func TestRefuses(t *testing.T) {
	arch := gguf.Pair{Key: "general.architecture", Value: "llama"}
	layers, heads := u32("llama.block_count", 2), u32("llama.attention.head_count", 2)
	tests := []struct {
		name  string
		pairs []gguf.Pair
		o     Options
		code  errs.Code
	}{
		{"context", nil, Options{Context: -1}, CodeValue},
		{"sequences", nil, Options{Sequences: -1}, CodeValue},
		{"no layers", []gguf.Pair{arch, u32("llama.block_count", 0), heads}, Options{}, CodeValue},
		{"too many layers", []gguf.Pair{arch, u32("llama.block_count", math.MaxUint32), heads}, Options{}, CodeValue},
		{"no heads", []gguf.Pair{arch, layers, u32("llama.attention.head_count", 0)}, Options{}, CodeValue},
		{"negative width", []gguf.Pair{arch, layers, heads, {Key: "llama.attention.key_length", Value: int32(-1)}}, Options{}, CodeValue},
		{"negative heads", []gguf.Pair{arch, layers, heads, {Key: "llama.attention.head_count_kv", Value: int32(-1)}}, Options{}, CodeValue},
		{"heads of other layers", []gguf.Pair{arch, layers, heads, {Key: "llama.attention.head_count_kv", Value: []int32{1}}}, Options{}, CodeValue},
		{"heads as text", []gguf.Pair{arch, layers, heads, {Key: "llama.attention.head_count_kv", Value: "1"}}, Options{}, gguf.CodeWrongType},
		{"heads as texts", []gguf.Pair{arch, layers, heads, {Key: "llama.attention.head_count_kv", Value: []string{"1", "1"}}}, Options{}, gguf.CodeWrongType},
		{"overflow", []gguf.Pair{arch, layers, heads, {Key: "llama.attention.key_length", Value: uint64(1 << 62)}, {Key: "llama.attention.value_length", Value: uint64(1 << 62)}},
			Options{Context: 1}, CodeOverflow},
		{"overflow of the product", []gguf.Pair{arch, layers, heads, u32("llama.attention.key_length", 1<<31)}, Options{Context: 1 << 40, Sequences: 1 << 20}, CodeOverflow},
	}
	for _, tt := range tests {
		_, err := Of(model(t, tt.pairs...), tt.o)
		require.Equal(t, tt.code, errs.CodeOf(err), "%s: %v", tt.name, err)
	}
	_, err := Of(model(t, arch, layers, heads, u32("llama.attention.key_length", 1<<31)), Options{Context: 1 << 62})
	require.ErrorContains(t, err, "shorter context")
	// Tensors of a splat may claim any size.
	huge := tensor.Spec{Name: "w", DType: dtype.I8, Shape: shape.Of(1 << 62), Bytes: 1 << 62}
	_, err = of("m.irpa", &tensor.Index{Tensors: []tensor.Spec{huge, huge}}, nil, Options{})
	require.Equal(t, CodeOverflow, errs.CodeOf(err))
	path := filepath.Join(t.TempDir(), "m.irpa")
	require.NoError(t, irpa.Write(path, []irpa.Item{irpa.Bytes("w", []byte{1})}))
	w, err := weights.Open(path)
	require.NoError(t, err)
	defer w.Close()
	_, err = Of(w, Options{})
	require.Equal(t, weights.CodeNoIndex, errs.CodeOf(err))
}

// The targets are rows of the table that programs are compiled for, with weights
// on a device where the runtime's driver is that of a GPU. The table is in the
// pages, which a test compares with it.
func TestTargetsAreOfTheTable(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "docs", "modules", "ROOT", "examples", "targets.csv"))
	require.NoError(t, err)
	defer f.Close()
	table, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"Target", "Constraint values", "Driver", "Text", "In the tests", "For"}, table[0][:6])
	rows := map[string][]string{}
	for _, r := range table[1:] {
		rows[strings.Trim(r[0], "`")] = r
	}
	for _, b := range backends {
		require.Contains(t, rows, b.target)
		r := rows[b.target]
		require.Equal(t, b.device, !strings.HasPrefix(r[2], "local-"), b.target)
		require.NotEqual(t, "refused", r[4], b.target)
	}
}
