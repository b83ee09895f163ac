package pack

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func value[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

// 1, -2, the largest half, the smallest subnormal, -infinity, 1/3 as a half.
var (
	halves = []uint16{0x3c00, 0xc000, 0x7bff, 0x0001, 0xfc00, 0x3555}
	floats = []float32{1, -2, 65504, 1. / (1 << 24), float32(math.Inf(-1)), 0.333251953125}
)

func raw[T any](t *testing.T, data []T) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, data)
	require.NoError(t, err)
	return b
}

// ramp returns n floats that Q8_0 stores exactly: every block has a 127, and so a
// scale of 1.
func ramp(n int) []float32 {
	data := make([]float32, n)
	for i := range data {
		if data[i] = float32(i%100) - 50; i%32 == 0 {
			data[i] = 127
		}
	}
	return data
}

// model opens a weight file with an f32, an f16 and a bf16 tensor, a setting
// and an alias.
func model(t *testing.T) *weights.File {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, ctranslate2.Write(&b, ctranslate2.Model{
		Spec: "S",
		Variables: []ctranslate2.Variable{
			{Name: "w", Value: value(t, []float32{1, 2, 3, 4, 5, 6}, 2, 3)},
			{Name: "h", Value: tensor.Value{Type: tensor.TypeOf(dtype.F16, 6), Bytes: raw(t, halves)}},
			{Name: "b", Value: tensor.Value{Type: tensor.TypeOf(dtype.BF16, 2), Bytes: raw(t, []uint16{0x3fc0, 0xc2f7})}},
			{Name: "w32", Value: value(t, ramp(512), 2, 256)},
			{Name: "long", Value: value(t, ramp(1940), 1940)},
			{Name: "huge", Value: value(t, []float32{1e30, float32(math.Inf(-1)), 65504}, 3)},
			{Name: "n", Value: value(t, []int16{7})},
		},
		Aliases: []ctranslate2.Alias{{Name: "tied", Variable: "w"}},
	}))
	path := filepath.Join(t.TempDir(), "model.bin")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	w, err := weights.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func param(key string, d dtype.DType, sizes ...int64) contract.Parameter {
	p := contract.Parameter{Scope: "model", Key: key, DType: d, Shape: shape.Of(sizes...), Source: contract.FromWeights}
	if n, err := p.Shape.Elements(); err == nil {
		p.Bytes = d.Bytes(n)
	}
	return p
}

func constant(key string, d dtype.DType, sizes ...int64) contract.Parameter {
	p := param(key, d, sizes...)
	p.Source = contract.FromConstant
	return p
}

func program(params ...contract.Parameter) *contract.Contract {
	return &contract.Contract{Schema: contract.Schema, Name: "m", Parameters: params}
}

func TestPackCopiesAndWidens(t *testing.T) {
	other := param("other", dtype.F32, 1)
	other.Scope = "adapter"
	c := program(param("b", dtype.F32, 2), constant("mask", dtype.I8, 3), param("h", dtype.F32, 6), param("tied", dtype.F32, 2, 3), param("w", dtype.F32, 2, 3), other)
	out := filepath.Join(t.TempDir(), "m.irpa")
	constants := map[string]tensor.Value{"mask": value(t, []int8{1, 0, -1}, 3)}
	require.NoError(t, Pack(out, c, "model", model(t), constants))

	a, err := irpa.Open(out)
	require.NoError(t, err)
	defer a.Close()
	six := raw(t, []float32{1, 2, 3, 4, 5, 6})
	want := []struct {
		key   string
		bytes []byte
	}{
		{"b", raw(t, []float32{1.5, -123.5})},
		{"mask", []byte{1, 0, 0xff}},
		{"h", raw(t, floats)},
		{"tied", six},
		{"w", six},
	}
	require.Len(t, a.Entries(), len(want))
	for i, e := range a.Entries() {
		require.Equal(t, want[i].key, e.Name, "the order is the contract's")
		require.Zero(t, e.Offset%64)
		b, err := a.Tensor(e.Name)
		require.NoError(t, err)
		got, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, want[i].bytes, got, e.Name)
	}
	require.NoError(t, CheckArchive(c, "model", a))

	first, err := os.ReadFile(out)
	require.NoError(t, err)
	require.NoError(t, Pack(out, c, "model", model(t), constants))
	second, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, first, second)
}

func TestPackVerbatim(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.irpa")
	require.NoError(t, Pack(out, program(param("h", dtype.F16, 6)), "model", model(t), nil))
	a, err := irpa.Open(out)
	require.NoError(t, err)
	defer a.Close()
	b, err := a.Tensor("h")
	require.NoError(t, err)
	got, err := b.Bytes()
	require.NoError(t, err)
	require.Equal(t, raw(t, halves), got)
}

func TestProgramWithoutParametersGetsAnEmptyArchive(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.irpa")
	require.NoError(t, Pack(out, program(), "model", nil, nil))
	a, err := irpa.Open(out)
	require.NoError(t, err)
	defer a.Close()
	require.Empty(t, a.Entries())
	require.NoError(t, CheckArchive(program(), "model", a))
}

func TestPackRefuses(t *testing.T) {
	q := param("w", dtype.F32, 2, 3)
	q.Encoding = "Q8_0"
	iq := param("w32", dtype.F32, 2, 256)
	iq.Encoding = "IQ2_XXS"
	long := param("w32", dtype.F32, 2, 256)
	long.Encoding, long.Bytes = "Q8_0", 2*256/32*34+1
	short := param("w", dtype.F32, 2, 3)
	short.Bytes = 20
	dynamic := param("w", dtype.F32, shape.Dynamic, 3)
	mask := value(t, []int8{1, 0, -1}, 3)
	cut := mask
	cut.Bytes = cut.Bytes[:2]
	tests := []struct {
		name      string
		param     contract.Parameter
		constants map[string]tensor.Value
		code      errs.Code
	}{
		{"missing", param("q", dtype.F32, 2), nil, CodeMissing},
		{"a setting is not a tensor", param("n", dtype.I16), nil, CodeMissing},
		{"shape", param("w", dtype.F32, 3, 2), nil, CodeType},
		{"rank", param("w", dtype.F32, 6), nil, CodeType},
		{"dtype", param("w", dtype.I32, 2, 3), nil, CodeType},
		{"a way with another shape", param("h", dtype.F32, 3, 2), nil, CodeType},
		{"encoding", q, nil, transform.CodeRow},
		{"no packer", iq, nil, CodeType},
		{"encoded length", long, nil, CodeLength},
		{"contract's length", short, nil, CodeLength},
		{"contract's shape has no size", dynamic, nil, CodeType},
		{"no constant", constant("mask", dtype.I8, 3), nil, CodeMissing},
		{"constant's dtype", constant("mask", dtype.U8, 3), map[string]tensor.Value{"mask": mask}, CodeType},
		{"constant's length", constant("mask", dtype.I8, 3), map[string]tensor.Value{"mask": cut}, CodeLength},
		{"constant of another program", param("w", dtype.F32, 2, 3), map[string]tensor.Value{"w": mask}, CodeExtra},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			err := Pack(filepath.Join(dir, "m.irpa"), program(tt.param), "model", model(t), tt.constants)
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, tt.code, e.Code, err)
			require.Equal(t, tt.param.Key, e.Node)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
	out := filepath.Join(t.TempDir(), "m.irpa")
	require.Equal(t, CodeNoWeights, errs.CodeOf(Pack(out, program(q), "model", nil, nil)))
	require.Equal(t, CodeNoScope, errs.CodeOf(Pack(out, program(q), "modle", model(t), nil)))
	require.NoFileExists(t, out)
}

// A weight file cut short after it was opened must not leave an archive.
func TestPackOfAShrinkingFile(t *testing.T) {
	w := model(t)
	_, at, err := w.Place("w")
	require.NoError(t, err)
	require.NoError(t, os.Truncate(w.Path(), at+5))
	dir := t.TempDir()
	err = Pack(filepath.Join(dir, "m.irpa"), program(param("w", dtype.F32, 2, 3)), "model", w, nil)
	require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
