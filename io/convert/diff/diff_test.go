package diff

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/convert"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

type entry struct {
	name  string
	dtype dtype.DType
	e     quant.Encoding
	sizes []int64
	data  []byte
}

func (n entry) spec() tensor.Spec {
	return tensor.Spec{Name: n.name, DType: n.dtype, Encoding: n.e, Shape: shape.Of(n.sizes...), Bytes: int64(len(n.data))}
}

func raw[T any](t *testing.T, data ...T) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, data)
	require.NoError(t, err)
	return b
}

// f32 is a tensor of one dimension.
func f32(t *testing.T, name string, data ...float32) entry {
	return entry{name, dtype.F32, "", []int64{int64(len(data))}, raw(t, data...)}
}

func open(t *testing.T, path string) *weights.File {
	t.Helper()
	w, err := weights.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func file(t *testing.T, entries ...entry) *weights.File {
	t.Helper()
	var items []safetensors.Item
	for _, n := range entries {
		items = append(items, safetensors.Item{Spec: n.spec(), Data: tensor.Owned(n.data)})
	}
	path := filepath.Join(t.TempDir(), "m")
	require.NoError(t, safetensors.Write(path, items, nil))
	return open(t, path)
}

func model(t *testing.T, entries ...entry) *weights.File {
	t.Helper()
	var items []gguf.Item
	for _, n := range entries {
		items = append(items, gguf.Item{Spec: n.spec(), Open: tensor.Owned(n.data).Reader})
	}
	path := filepath.Join(t.TempDir(), "m")
	_, err := gguf.Write(path, nil, items, gguf.Options{})
	require.NoError(t, err)
	return open(t, path)
}

// The expected numbers are NumPy's, over the same sequences; all sums are exact
// in f64, since every term is a multiple of 1/64:
//
//	i = np.arange(200000, dtype=np.float64)
//	a = ((i * 7919) % 1000 - 500) / 8
//	b = a + (i % 5 == 0) * (i % 3 - 1) * 0.25
func TestAgainstNumPy(t *testing.T) {
	const n = 200000
	a, b := make([]float32, n), make([]float64, n)
	for i := range a {
		a[i] = float32((i*7919)%1000-500) / 8
		b[i] = float64(a[i])
		if i%5 == 0 {
			b[i] += float64(i%3-1) * 0.25
		}
	}
	r, err := Diff(file(t, f32(t, "w", a...)), file(t, entry{"w", dtype.F64, "", []int64{n}, raw(t, b...)}), Options{})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(&Distance{
		Elements: n, Different: 26667, First: 0, MaxAbs: 0.25, MaxAt: 0,
		MeanAbs: 6666.75 / 200000., RMS: math.Sqrt(1666.6875 / 200000.), Cosine: 260417163.4375 / (math.Sqrt(260417187.5) * math.Sqrt(260418806.0625)),
	}, r.Tensors[0].Distance))
	require.False(t, r.Tensors[0].Equal)
}

func TestNamesTypesAndValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	specials := func(v ...float64) entry { return entry{"special", dtype.F64, "", []int64{int64(len(v))}, raw(t, v...)} }
	a := file(t,
		f32(t, "same", 1, 2), f32(t, "gone", 1), f32(t, "shape", 1, 2), f32(t, "zeros", 0, 0),
		specials(nan, nan, 1, inf, inf, -inf, 5), f32(t, "negative", 0), f32(t, "none"),
		entry{"ints", dtype.I64, "", []int64{2}, raw[int64](t, -3, 7)}, entry{"type", dtype.F32, "", []int64{2}, raw[float32](t, 0.1, 2)},
		entry{"small", dtype.F8E4M3FN, "", []int64{1}, []byte{0x38}}, entry{"complex", dtype.C64, "", []int64{1}, raw[float32](t, 1, 2)},
	)
	b := file(t,
		f32(t, "same", 1, 2), f32(t, "new", 1), f32(t, "shape", 1, 2, 3), f32(t, "zeros", 0, 2),
		specials(nan, 1, nan, inf, -inf, 3, 7), f32(t, "negative", float32(math.Copysign(0, -1))), f32(t, "none"),
		entry{"ints", dtype.I64, "", []int64{2}, raw[int64](t, -3, 10)}, entry{"type", dtype.F16, "", []int64{2}, raw[uint16](t, 0x2e66, 0x4000)},
		entry{"small", dtype.F8E5M2, "", []int64{1}, []byte{0x40}}, entry{"complex", dtype.C64, "", []int64{1}, raw[float32](t, 1, 3)},
	)
	r, err := Diff(a, b, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"gone"}, r.OnlyA)
	require.Equal(t, []string{"new"}, r.OnlyB)
	got := map[string]Tensor{}
	for _, x := range r.Tensors {
		got[x.Name] = x
	}
	require.Len(t, got, 10)
	tenth := float64(float32(0.1)) - 0.0999755859375 // the half 0x2e66
	for name, want := range map[string]*Distance{
		"same":     {Elements: 2, First: -1, MaxAt: -1, Cosine: 1},
		"none":     {First: -1, MaxAt: -1, Cosine: 1},
		"shape":    nil,
		"complex":  nil,
		"zeros":    {Elements: 2, Different: 1, First: 1, MaxAbs: 2, MaxAt: 1, MeanAbs: 1, RMS: math.Sqrt2},
		"negative": {Elements: 1, First: -1, MaxAt: -1, Cosine: 1},
		"special":  {Elements: 7, Different: 5, First: 1, NaNA: 2, NaNB: 2, NaNOne: 2, Infinite: 2, MaxAbs: 2, MaxAt: 6, MeanAbs: 2, RMS: 2, Cosine: 1},
		"ints":     {Elements: 2, Different: 1, First: 1, MaxAbs: 3, MaxAt: 1, MeanAbs: 1.5, RMS: 3 / math.Sqrt2, Cosine: 79 / math.Sqrt(58*109)},
		"type":     {Elements: 2, Different: 1, First: 0, MaxAbs: tenth, MaxAt: 0, MeanAbs: tenth / 2, RMS: tenth / math.Sqrt2, Cosine: 1},
		"small":    {Elements: 1, Different: 1, First: 0, MaxAbs: 1, MaxAt: 0, MeanAbs: 1, RMS: 1, Cosine: 1},
	} {
		// A few roundings lie between the formulas above and those of the package.
		near := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) <= 1e-7*math.Abs(x) })
		require.Empty(t, cmp.Diff(want, got[name].Distance, near), name)
		require.Equal(t, name == "same" || name == "none", got[name].Equal, name)
	}
	require.Equal(t, "f32", got["type"].A.String())
	require.Equal(t, "f16", got["type"].B.String())
	_, err = json.Marshal(r)
	require.NoError(t, err)
}

// A model is compared with its unpacked copy, and an opaque tensor by bytes.
func TestBlocks(t *testing.T) {
	values := make([]float32, 3*64)
	for i := range values {
		values[i] = float32(i%7) - 3
	}
	blocks := make([]byte, 6*34)
	require.NoError(t, quant.Pack("Q8_0", blocks, values))
	back := make([]float32, len(values))
	require.NoError(t, quant.Unpack("Q8_0", back, blocks))
	a := model(t, entry{"w", dtype.F32, "Q8_0", []int64{3, 64}, blocks})
	dense := file(t, entry{"w", dtype.F32, "", []int64{3, 64}, raw(t, back...)})
	r, err := Diff(a, dense, Options{})
	require.NoError(t, err)
	require.Zero(t, r.Tensors[0].Distance.Different)
	require.False(t, r.Tensors[0].Equal, "the storage differs")
	r, err = Diff(a, a, Options{})
	require.NoError(t, err)
	require.True(t, r.Tensors[0].Equal)

	unknown := func(last byte) *weights.File {
		return model(t, entry{"x", dtype.F32, quant.Opaque("ggml-99"), []int64{32}, append(make([]byte, 31), last)})
	}
	for last, equal := range map[byte]bool{0: true, 1: false} {
		r, err = Diff(unknown(0), unknown(last), Options{})
		require.NoError(t, err)
		require.Equal(t, equal, r.Tensors[0].Equal)
		require.Nil(t, r.Tensors[0].Distance)
	}
}

// Random values, whose sums depend on their order: the same to the last bit.
func TestSameForAnyNumberOfWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 5*chunkElements + 77
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
		y[i] = x[i] + float32(r.NormFloat64())*1e-3
	}
	a, b := file(t, f32(t, "w", x...)), file(t, f32(t, "w", y...))
	var want []byte
	for _, workers := range []int{1, 2, 8} {
		d, err := Diff(a, b, Options{Workers: workers})
		require.NoError(t, err)
		got, err := json.Marshal(d)
		require.NoError(t, err)
		if want == nil {
			want = got
		}
		require.Equal(t, string(want), string(got))
	}
}

func TestSelectAndProgress(t *testing.T) {
	a, b := file(t, f32(t, "a.w", 1), f32(t, "b.w", 1), f32(t, "a.v", 1)), file(t, f32(t, "b.w", 2), f32(t, "c.w", 1))
	var told []string
	r, err := Diff(a, b, Options{Select: []string{"*.w"}, Progress: func(done, total int64, name string) {
		told = append(told, name)
		require.LessOrEqual(t, done, total)
	}})
	require.NoError(t, err)
	require.Equal(t, []string{"a.w"}, r.OnlyA)
	require.Equal(t, []string{"c.w"}, r.OnlyB)
	require.Len(t, r.Tensors, 1)
	require.Equal(t, []string{"b.w", ""}, told)
	_, err = Diff(a, b, Options{Select: []string{"*.w", "z"}})
	require.Equal(t, convert.CodeNoMatch, errs.CodeOf(err))
	_, err = Diff(a, b, Options{Select: []string{"["}})
	require.Equal(t, convert.CodeGlob, errs.CodeOf(err))
}

// A file cut short after it was opened is an error, in either pass.
func TestShrinkingFile(t *testing.T) {
	a, b := file(t, f32(t, "w", 1, 2, 3, 4)), file(t, f32(t, "w", 1, 2, 3, 4))
	require.NoError(t, os.Truncate(b.Path(), b.Size()-4))
	_, err := Diff(a, b, Options{})
	require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err))
	c := file(t, entry{"w", dtype.F16, "", []int64{4}, raw[uint16](t, 1, 2, 3, 4)})
	_, err = Diff(b, c, Options{})
	require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err))
}

func TestFilesWithoutTypes(t *testing.T) {
	a := file(t, f32(t, "w", 1))
	path := filepath.Join(t.TempDir(), "m.irpa")
	require.NoError(t, irpa.Write(path, []irpa.Item{irpa.Bytes("w", []byte{1})}))
	_, err := Diff(a, open(t, path), Options{})
	require.Equal(t, weights.CodeNoIndex, errs.CodeOf(err))
	_, err = Diff(open(t, path), a, Options{})
	require.Equal(t, weights.CodeNoIndex, errs.CodeOf(err))
}

// Sums of f64 values that overflow are given as the largest f64.
func TestHugeValues(t *testing.T) {
	huge := func(v float64) entry { return entry{"w", dtype.F64, "", []int64{1}, raw(t, v)} }
	r, err := Diff(file(t, huge(1e300)), file(t, huge(-1.7e308)), Options{})
	require.NoError(t, err)
	d := r.Tensors[0].Distance
	require.InEpsilon(t, 1.7e308, d.MaxAbs, 1e-6)
	require.Equal(t, math.MaxFloat64, d.RMS)
	require.Zero(t, d.Cosine)
}
