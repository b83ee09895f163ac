package convert

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func raw[T any](t *testing.T, data ...T) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, data)
	require.NoError(t, err)
	return b
}

// codes are 64 values that Q8_0 holds exactly: each block has a 127, and so a
// scale of 1.
func codes() []float32 {
	data := make([]float32, 64)
	for i := range data {
		if data[i] = float32(i) - 32; i%32 == 0 {
			data[i] = 127
		}
	}
	return data
}

// q8 are the blocks of codes, by hand.
func q8(t *testing.T) []byte {
	t.Helper()
	var b []byte
	for i, v := range codes() {
		if i%32 == 0 {
			b = append(b, 0x00, 0x3c)
		}
		b = append(b, byte(int8(v)))
	}
	return b
}

type named struct {
	name  string
	dtype dtype.DType
	e     quant.Encoding
	sizes []int64
	data  []byte
}

func (n named) spec() tensor.Spec {
	return tensor.Spec{Name: n.name, DType: n.dtype, Encoding: n.e, Shape: shape.Of(n.sizes...), Bytes: int64(len(n.data))}
}

func tensors(t *testing.T) []named {
	return []named{
		{"blk.0.norm", dtype.F32, "", []int64{3}, raw[float32](t, 1, -2, 0.5)},
		{"blk.0.w", dtype.F32, "Q8_0", []int64{2, 32}, q8(t)},
		{"blk.1.w", dtype.F16, "", []int64{2, 32}, bytes.Repeat(raw[uint16](t, 0x3c00), 64)},
		{"ids", dtype.I32, "", []int64{2}, raw[int32](t, 5, -6)},
	}
}

var pairs = []gguf.Pair{
	{Key: "general.architecture", Value: "gemma3"},
	{Key: "general.file_type", Value: uint32(7)},
	{Key: "gemma3.block_count", Value: uint32(18)},
	{Key: "gemma3.epsilon", Value: float32(1e-6)},
	{Key: "tokenizer.ggml.tokens", Value: []string{"<pad>", "a\xffb"}},
	{Key: "tokenizer.ggml.add_bos_token", Value: true},
}

func openFile(t *testing.T, path string) *weights.File {
	t.Helper()
	w, err := weights.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func ggufFile(t *testing.T) *weights.File {
	t.Helper()
	var items []gguf.Item
	for _, n := range tensors(t) {
		items = append(items, gguf.Item{Spec: n.spec(), Open: tensor.Owned(n.data).Reader})
	}
	path := filepath.Join(t.TempDir(), "m.gguf")
	_, err := gguf.Write(path, pairs, items, gguf.Options{Alignment: 64})
	require.NoError(t, err)
	return openFile(t, path)
}

func content(t *testing.T, w *weights.File, name string) []byte {
	t.Helper()
	b, err := w.Tensor(name)
	require.NoError(t, err)
	r, err := b.Reader()
	require.NoError(t, err)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	return got
}

func index(t *testing.T, w *weights.File) *tensor.Index {
	t.Helper()
	x, err := w.Index()
	require.NoError(t, err)
	return x
}

func rules(t *testing.T, texts ...string) []Rule {
	t.Helper()
	var list []Rule
	for _, text := range texts {
		r, err := ParseRule(text)
		require.NoError(t, err)
		list = append(list, r)
	}
	return list
}

// A copy in the same format is the same file, byte for byte.
func TestCopiesAreEqual(t *testing.T) {
	w := ggufFile(t)
	dir := t.TempDir()
	for _, format := range []string{gguf.Format, irpa.Format, safetensors.Format} {
		o := Options{}
		if format == safetensors.Format {
			o.Rules = rules(t, "f32")
		}
		first, second := filepath.Join(dir, "a."+format), filepath.Join(dir, "b."+format)
		_, err := Convert(first, format, w, o)
		require.NoError(t, err)
		_, err = Convert(second, format, openFile(t, first), Options{Workers: 8})
		require.NoError(t, err)
		a, err := os.ReadFile(first)
		require.NoError(t, err)
		b, err := os.ReadFile(second)
		require.NoError(t, err)
		require.True(t, bytes.Equal(a, b), format)
		if format == gguf.Format {
			a, err = os.ReadFile(w.Path())
			require.NoError(t, err)
			require.True(t, bytes.Equal(a, b), "the alignment, the pairs and the tensors are the source's")
		}
	}
}

func TestGGUFToSafetensorsAndBack(t *testing.T) {
	w := ggufFile(t)
	out := filepath.Join(t.TempDir(), "m.safetensors")
	var seen []string
	report, err := Convert(out, safetensors.Format, w, Options{
		Rules:    rules(t, "f32", "blk.*.w=f16"),
		Progress: func(done, total int64, name string) { seen = append(seen, name); require.LessOrEqual(t, done, total) },
	})
	require.NoError(t, err)
	f32, f16, i32 := transform.Storage{DType: dtype.F32, Encoding: quant.Dense}, transform.Storage{DType: dtype.F16, Encoding: quant.Dense}, transform.Storage{DType: dtype.I32, Encoding: quant.Dense}
	require.Empty(t, cmp.Diff(&Report{
		Files: []string{out},
		Tensors: []Tensor{
			{Name: "blk.0.norm", From: f32, To: f32, Transform: transform.Copy, Exact: true, Bytes: 12},
			{Name: "blk.0.w", From: transform.Storage{DType: dtype.F32, Encoding: "Q8_0"}, To: f16, Transform: transform.Dequantise, Bytes: 128},
			{Name: "blk.1.w", From: f16, To: f16, Transform: transform.Copy, Exact: true, Bytes: 128},
			{Name: "ids", From: i32, To: i32, Transform: transform.Copy, Exact: true, Bytes: 8},
		},
		Dropped: []string{"general.file_type", "tokenizer.ggml.tokens"},
	}, report))
	require.Equal(t, []string{"blk.0.norm", "ids", "blk.0.w", "blk.1.w", ""}, seen, "in the order of the format")

	s := openFile(t, out)
	require.Empty(t, cmp.Diff(map[string]string{
		"general.architecture": "gemma3", "gemma3.block_count": "18", "gemma3.epsilon": "1e-06", "tokenizer.ggml.add_bos_token": "true",
		"skainet.gguf": `{"gemma3.block_count":"u32","gemma3.epsilon":"f32","tokenizer.ggml.add_bos_token":"bool"}`,
	}, index(t, s).Metadata))
	half := make([]byte, 128)
	_, err = tensor.PutFloat32s(dtype.F16, half, codes())
	require.NoError(t, err)
	require.Equal(t, half, content(t, s, "blk.0.w"))

	back := filepath.Join(t.TempDir(), "back.gguf")
	_, err = Convert(back, gguf.Format, s, Options{Rules: rules(t, "blk.0.w=Q8_0")})
	require.NoError(t, err)
	g := openFile(t, back)
	for _, n := range tensors(t) {
		require.Equal(t, n.data, content(t, g, n.name), n.name)
	}
	for key, want := range map[string]string{"general.architecture": "gemma3", "gemma3.block_count": "18", "gemma3.epsilon": "1e-06", "tokenizer.ggml.add_bos_token": "true"} {
		v, ok := g.GGUF().Get(key)
		require.True(t, ok, key)
		was, ok := w.GGUF().Get(key)
		require.True(t, ok, key)
		require.Equal(t, was.Type(), v.Type(), key)
		text, err := v.Summary()
		require.NoError(t, err)
		require.Equal(t, want, text)
	}
}

// An archive holds everything but the settings, repacked rows too.
func TestToArchive(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.irpa")
	report, err := Convert(out, irpa.Format, ggufFile(t), Options{Rules: rules(t, "blk.0.w=Q8_0/planar"), Select: []string{"blk.*"}})
	require.NoError(t, err)
	require.Equal(t, []string{"general.architecture", "general.file_type", "gemma3.block_count", "gemma3.epsilon", "tokenizer.ggml.tokens", "tokenizer.ggml.add_bos_token"}, report.Dropped)
	w := openFile(t, out)
	var names []string
	for _, s := range index(t, w).Tensors {
		names = append(names, s.Name+" "+transform.StorageOf(s).String())
	}
	require.Equal(t, []string{"blk.0.norm f32", "blk.0.w Q8_0/planar", "blk.1.w f16"}, names)
	require.Equal(t, q8(t), content(t, w, "blk.0.w"), "a row of one block is the same")
}

func TestFromCTranslate2(t *testing.T) {
	v, err := tensor.Of([]float32{1, 2}, 2)
	require.NoError(t, err)
	n, err := tensor.Of([]int16{8})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, ctranslate2.Write(&b, ctranslate2.Model{
		Spec: "WhisperSpec", Revision: 3,
		Variables: []ctranslate2.Variable{{Name: "decoder/w", Value: v}, {Name: "heads", Value: tensor.Value{Type: tensor.TypeOf(dtype.I16), Bytes: n.Bytes}}},
		Aliases:   []ctranslate2.Alias{{Name: "tied", Variable: "decoder/w"}},
	}))
	path := filepath.Join(t.TempDir(), "model.bin")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	w := openFile(t, path)
	dir := t.TempDir()
	report, err := Convert(filepath.Join(dir, "m.safetensors"), safetensors.Format, w, Options{Rules: rules(t, "decoder/**=f16")})
	require.NoError(t, err)
	require.Equal(t, []string{"tied (another name of decoder/w)"}, report.Dropped)
	s := openFile(t, filepath.Join(dir, "m.safetensors"))
	require.Equal(t, map[string]string{"spec": "WhisperSpec", "revision": "3", "binary_version": "6", "heads": "8"}, index(t, s).Metadata)
	require.Equal(t, raw[uint16](t, 0x3c00, 0x4000), content(t, s, "decoder/w"))

	report, err = Convert(filepath.Join(dir, "m.gguf"), gguf.Format, w, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"tied (another name of decoder/w)"}, report.Dropped)
	g := openFile(t, filepath.Join(dir, "m.gguf"))
	heads, ok := g.GGUF().Get("heads")
	require.True(t, ok)
	require.Equal(t, gguf.I64, heads.Type())
	require.Equal(t, raw[float32](t, 1, 2), content(t, g, "decoder/w"))

	report, err = Convert(filepath.Join(dir, "m.irpa"), irpa.Format, w, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"binary_version", "revision", "spec", "heads", "tied (another name of decoder/w)"}, report.Dropped)
}

// Strings under keys that GGUF reserves for other types are dropped.
func TestSettingsThatGGUFDoesNotTake(t *testing.T) {
	path, out := filepath.Join(t.TempDir(), "w"), filepath.Join(t.TempDir(), "m.gguf")
	require.NoError(t, safetensors.Write(path, nil, map[string]string{
		"": "x", "format": "pt", "general.alignment": "64", "general.quantization_version": "2", "split.count": "3",
		"tokenizer.ggml.tokens": "a", "skainet.gguf": `{"general.quantization_version":"u32"}`,
	}))
	report, err := Convert(out, gguf.Format, openFile(t, path), Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"", "general.alignment", "split.count", "tokenizer.ggml.tokens"}, report.Dropped)
	var keys []string
	for _, p := range openFile(t, out).GGUF().Pairs() {
		keys = append(keys, p.Key)
	}
	require.Equal(t, []string{"format", "general.quantization_version"}, keys)
}

// Splats stay splats, and a file of another format gets their bytes.
func TestSplats(t *testing.T) {
	spec := tensor.Spec{Name: "s", DType: dtype.F32, Shape: shape.Of(3), Bytes: 12}
	metadata, err := irpa.Describe(spec)
	require.NoError(t, err)
	first := filepath.Join(t.TempDir(), "s.irpa")
	require.NoError(t, irpa.Write(first, []irpa.Item{{Name: "s", Length: 12, Pattern: raw[float32](t, 0.5), Metadata: metadata}}))
	again, g := filepath.Join(t.TempDir(), "again.irpa"), filepath.Join(t.TempDir(), "s.gguf")
	_, err = Convert(again, irpa.Format, openFile(t, first), Options{})
	require.NoError(t, err)
	a, err := os.ReadFile(first)
	require.NoError(t, err)
	b, err := os.ReadFile(again)
	require.NoError(t, err)
	require.Equal(t, a, b)
	_, err = Convert(g, gguf.Format, openFile(t, first), Options{})
	require.NoError(t, err)
	require.Equal(t, raw[float32](t, 0.5, 0.5, 0.5), content(t, openFile(t, g), "s"))
}

func TestShards(t *testing.T) {
	w := ggufFile(t)
	for format, want := range map[string][]string{
		gguf.Format:        {"m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf"},
		safetensors.Format: {"m.safetensors.index.json", "m-00001-of-00003.safetensors", "m-00002-of-00003.safetensors", "m-00003-of-00003.safetensors"},
	} {
		dir := t.TempDir()
		report, err := Convert(filepath.Join(dir, "m."+format), format, w, Options{MaxShardSize: 136, Rules: rules(t, "blk.*.w=f16")})
		require.NoError(t, err)
		var names []string
		for _, f := range report.Files {
			require.Equal(t, dir, filepath.Dir(f))
			names = append(names, filepath.Base(f))
		}
		require.Equal(t, want, names)
		s := openFile(t, report.Files[0])
		require.Len(t, index(t, s).Tensors, 4)
		require.Equal(t, tensors(t)[2].data, content(t, s, "blk.1.w"))
	}
	dir := t.TempDir()
	report, err := Convert(filepath.Join(dir, "m.irpa"), irpa.Format, w, Options{MaxShardSize: 4096})
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "m-00001-of-00001.irpa")}, report.Files)
	report, err = Convert(filepath.Join(dir, "n.safetensors.index.json"), safetensors.Format, w, Options{Rules: rules(t, "f64")})
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "n.safetensors.index.json"), filepath.Join(dir, "n-00001-of-00001.safetensors")}, report.Files)
}

func TestOutputIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	w := ggufFile(t)
	var want []byte
	for _, workers := range []int{1, 2, 8} {
		out := filepath.Join(t.TempDir(), "m.gguf")
		_, err := Convert(out, gguf.Format, w, Options{Workers: workers, Rules: rules(t, "blk.*.w=Q4_0")})
		require.NoError(t, err)
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		if want == nil {
			want = got
		}
		require.True(t, bytes.Equal(want, got))
	}
}

// A pattern that asks for blocks skips tensors that cannot be stored in them, and a
// file that does not name its architecture lacks that key in GGUF.
func TestPatternForBlocks(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.gguf")
	report, err := Convert(out, gguf.Format, ggufFile(t), Options{Rules: rules(t, "blk.**=f16", "**=Q8_0")})
	require.NoError(t, err)
	require.Empty(t, report.Lacks)
	var got []string
	for _, s := range index(t, openFile(t, out)).Tensors {
		got = append(got, s.Name+" "+transform.StorageOf(s).String())
	}
	require.Equal(t, []string{"blk.0.norm f16", "blk.0.w Q8_0", "blk.1.w Q8_0", "ids i32"}, got)

	archive := filepath.Join(dir, "a.irpa")
	_, err = Convert(archive, irpa.Format, openFile(t, out), Options{})
	require.NoError(t, err)
	report, err = Convert(filepath.Join(dir, "back.gguf"), gguf.Format, openFile(t, archive), Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"general.architecture"}, report.Lacks)
}
