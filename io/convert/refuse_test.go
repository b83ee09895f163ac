package convert

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

func TestRefuses(t *testing.T) {
	w := ggufFile(t)
	badTypes := filepath.Join(t.TempDir(), "types.safetensors")
	require.NoError(t, safetensors.Write(badTypes, nil, map[string]string{"skainet.gguf": "[", "k": "x"}))
	badValue := filepath.Join(t.TempDir(), "value.safetensors")
	require.NoError(t, safetensors.Write(badValue, nil, map[string]string{"skainet.gguf": `{"k":"u32"}`, "k": "-1"}))
	small := filepath.Join(t.TempDir(), "small.safetensors")
	require.NoError(t, safetensors.Write(small, []safetensors.Item{
		{Spec: named{"b", dtype.Bool, "", []int64{1}, []byte{1}}.spec(), Data: tensor.Owned([]byte{1})},
	}, nil))
	large := filepath.Join(t.TempDir(), "large.safetensors")
	huge := raw[float32](t, float32(math.Inf(1)), 1e30)
	require.NoError(t, safetensors.Write(large, []safetensors.Item{
		{Spec: named{"x", dtype.F32, "", []int64{2}, huge}.spec(), Data: tensor.Owned(huge)},
	}, nil))
	long := filepath.Join(t.TempDir(), "long.safetensors")
	require.NoError(t, safetensors.Write(long, []safetensors.Item{
		{Spec: named{strings.Repeat("n", 64), dtype.I8, "", []int64{1}, []byte{1}}.spec(), Data: tensor.Owned([]byte{1})},
	}, nil))
	q4 := filepath.Join(t.TempDir(), "planar.irpa")
	_, err := Convert(q4, irpa.Format, w, Options{Rules: rules(t, "blk.*.w=Q8_0/planar")})
	require.NoError(t, err)
	tests := []struct {
		name, format string
		w            *weights.File
		o            Options
		code         errs.Code
	}{
		{"no such format", "onnx", w, Options{}, CodeFormat},
		{"shards below zero", gguf.Format, w, Options{MaxShardSize: -1}, CodeOption},
		{"glob of a rule", gguf.Format, w, Options{Rules: rules(t, "a[=f16")}, CodeGlob},
		{"glob of a selection", gguf.Format, w, Options{Select: []string{"{a"}}, CodeGlob},
		{"rule that fits nothing", gguf.Format, w, Options{Rules: rules(t, "blk.*.ww=f16")}, CodeNoMatch},
		{"rule that fits nothing selected", gguf.Format, w, Options{Select: []string{"ids"}, Rules: rules(t, "blk.*=f16")}, CodeNoMatch},
		{"selection that fits nothing", gguf.Format, w, Options{Select: []string{"*.bias"}}, CodeNoMatch},
		{"exclusion that fits nothing", gguf.Format, w, Options{Exclude: []string{"*.bias"}}, CodeNoMatch},
		{"glob of an exclusion", gguf.Format, w, Options{Exclude: []string{"{a"}}, CodeGlob},
		{"rule for integers alone", gguf.Format, w, Options{Rules: rules(t, "i*=f16")}, CodeNoChange},
		{"rule for integers after one for all", gguf.Format, w, Options{Rules: rules(t, "f16", "ids=f32")}, CodeNoChange},
		{"rule that fits nothing left", gguf.Format, w, Options{Exclude: []string{"blk.1.*"}, Rules: rules(t, "blk.1.*=f16")}, CodeNoMatch},
		{"blocks in safetensors", safetensors.Format, w, Options{}, CodeNoPlace},
		{"planes in GGUF", gguf.Format, openFile(t, q4), Options{}, CodeNoPlace},
		{"bool in GGUF", gguf.Format, openFile(t, small), Options{}, CodeNoPlace},
		{"name of 64 bytes in GGUF", gguf.Format, openFile(t, long), Options{}, gguf.CodeGGML},
		{"row", gguf.Format, w, Options{Rules: rules(t, "blk.0.norm=Q8_0")}, transform.CodeRow},
		{"pattern for vectors alone", gguf.Format, w, Options{Rules: rules(t, "*norm=Q8_0")}, CodeNoChange},
		{"no packer", gguf.Format, w, Options{Rules: rules(t, "blk.1.w=IQ4_XS")}, transform.CodeRow},
		{"no way", gguf.Format, w, Options{Rules: rules(t, "blk.1.w=i8")}, transform.CodeType},
		{"malformed types", gguf.Format, openFile(t, badTypes), Options{}, CodeOption},
		{"malformed value", gguf.Format, openFile(t, badValue), Options{}, CodeOption},
		{"overflow", safetensors.Format, openFile(t, large), Options{Rules: rules(t, "f16")}, transform.CodeOverflow},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := Convert(filepath.Join(dir, "out"), tt.format, tt.w, tt.o)
			require.Equal(t, tt.code, errs.CodeOf(err), err)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
	report, err := Convert(filepath.Join(t.TempDir(), "m"), safetensors.Format, openFile(t, large), Options{Rules: rules(t, "f16"), AllowOverflow: true})
	require.NoError(t, err)
	require.EqualValues(t, 1, report.Tensors[0].Overflow)
}

// A hint says what to do in words of the command line.
func TestHints(t *testing.T) {
	odd := filepath.Join(t.TempDir(), "odd.safetensors")
	require.NoError(t, safetensors.Write(odd, []safetensors.Item{
		{Spec: named{"a[0]*", dtype.Bool, "", []int64{1}, []byte{1}}.spec(), Data: tensor.Owned([]byte{1})},
		{Spec: named{"a0b", dtype.F32, "", []int64{1}, make([]byte, 4)}.spec(), Data: tensor.Owned(make([]byte, 4))},
	}, nil))
	w := openFile(t, odd)
	out := filepath.Join(t.TempDir(), "out")
	_, err := Convert(out, gguf.Format, w, Options{})
	var e *errs.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, CodeNoPlace, e.Code)
	glob := `a\[0\]\*`
	require.Equal(t, "leave it out: --exclude "+strconv.Quote(glob), e.Do)
	_, err = Convert(out, gguf.Format, w, Options{Exclude: []string{glob}})
	require.NoError(t, err, "the hint is a way out")
	require.Len(t, index(t, openFile(t, out)).Tensors, 1)

	_, err = Convert(out, gguf.Format, w, Options{Exclude: []string{glob}, Rules: rules(t, "i8")})
	require.ErrorAs(t, err, &e)
	require.Equal(t, transform.CodeType, e.Code)
	require.Equal(t, "ask for one of those, such as f16 or Q8_0, or for the storage of the file", e.Do)
	planar := filepath.Join(t.TempDir(), "planar.irpa")
	_, err = Convert(planar, irpa.Format, ggufFile(t), Options{Rules: rules(t, "blk.*.w=Q8_0/planar")})
	require.NoError(t, err)
	_, err = Convert(out, gguf.Format, openFile(t, planar), Options{})
	require.ErrorAs(t, err, &e)
	require.Equal(t, "give it another type, such as --dtype f32 or --encoding Q8_0", e.Do)
	_, err = Convert(out, gguf.Format, ggufFile(t), Options{Rules: rules(t, "ids=i32", "blk.1.w=f16")})
	require.NoError(t, err, "they are stored so")
}

func TestFormatFor(t *testing.T) {
	for path, want := range map[string]string{"a/m.gguf": gguf.Format, "m.safetensors": safetensors.Format, "m.safetensors.index.json": safetensors.Format, "m.irpa": irpa.Format} {
		got, err := FormatFor(path)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := FormatFor("model.bin")
	require.Equal(t, CodeFormat, errs.CodeOf(err))
}

func TestGlobs(t *testing.T) {
	tests := []struct {
		glob, name string
		fits       bool
	}{
		{"blk.*.attn_q.weight", "blk.0.attn_q.weight", true},
		{"blk.*.attn_q.weight", "blk.0.attn_k.weight", false},
		{"*", "encoder/conv1/weight", false},
		{"**", "encoder/conv1/weight", true},
		{"encoder/**/weight", "encoder/layer_0/ffn/weight", true},
		{"blk.{0,1}.*", "blk.1.w", true},
		{"blk.[0-3].*", "blk.4.w", false},
	}
	for _, tt := range tests {
		ok, err := Match(tt.glob, tt.name)
		require.NoError(t, err)
		require.Equal(t, tt.fits, ok, "%s on %s", tt.glob, tt.name)
	}
	_, err := Match("[", "a")
	require.Equal(t, CodeGlob, errs.CodeOf(err))
	_, err = ParseRule("*=f17")
	require.Equal(t, quant.CodeUnknown, errs.CodeOf(err))
	r, err := ParseRule("a=b=Q4_K/planar")
	require.NoError(t, err)
	require.Equal(t, Rule{"a=b", transform.Storage{DType: dtype.F32, Encoding: "Q4_K/planar"}}, r)
}

// A name that ggml refuses is written where that is asked for.
func TestBeyondGGML(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.safetensors"), filepath.Join(dir, "out.gguf")
	name := strings.Repeat("n", 64)
	require.NoError(t, safetensors.Write(in, []safetensors.Item{
		{Spec: named{name, dtype.I8, "", []int64{1}, []byte{1}}.spec(), Data: tensor.Owned([]byte{1})},
	}, nil))
	_, err := Convert(out, gguf.Format, openFile(t, in), Options{})
	require.ErrorContains(t, err, "--beyond-ggml")
	require.NoFileExists(t, out)
	_, err = Convert(out, gguf.Format, openFile(t, in), Options{BeyondGGML: true})
	require.NoError(t, err)
	faults, err := gguf.Verify(out)
	require.NoError(t, err)
	require.Len(t, faults, 1)
	require.Equal(t, gguf.CodeGGML, errs.CodeOf(faults[0]))
}
