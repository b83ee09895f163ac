package transform

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
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

func spec(t *testing.T, s Storage, sizes ...int64) tensor.Spec {
	t.Helper()
	n, err := s.Bytes(shape.Of(sizes...))
	require.NoError(t, err)
	return tensor.Spec{Name: "w", DType: s.DType, Encoding: s.Encoding, Shape: shape.Of(sizes...), Bytes: n}
}

func dense(d dtype.DType) Storage     { return Storage{DType: d, Encoding: quant.Dense} }
func blocks(e quant.Encoding) Storage { return Storage{DType: dtype.F32, Encoding: e} }
func storage(t *testing.T, s string) Storage {
	t.Helper()
	got, err := ParseStorage(s)
	require.NoError(t, err)
	require.Equal(t, s, got.String())
	return got
}

// apply transforms src, read through reader.
func apply(t *testing.T, tr *Transform, src []byte) ([]byte, error) {
	t.Helper()
	s, err := tr.Open(tensor.Owned(src))
	require.NoError(t, err)
	return io.ReadAll(s)
}

// Every f64 of the file against NumPy, to f32, f16 and bf16: one rounding, where
// two would differ.
func TestNarrowAgainstNumPy(t *testing.T) {
	f, err := os.Open("testdata/narrow.txt")
	require.NoError(t, err)
	defer f.Close()
	var in []uint64
	var want32 []uint32
	var want16, wantB []uint16
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var d uint64
		var w uint32
		var h, b uint16
		_, err := fmt.Sscanf(lines.Text(), "%x %x %x %x", &d, &w, &h, &b)
		require.NoError(t, err)
		in, want32, want16, wantB = append(in, d), append(want32, w), append(want16, h), append(wantB, b)
	}
	require.Len(t, in, 200)
	from := spec(t, dense(dtype.F64), int64(len(in)))
	for d, want := range map[dtype.DType][]byte{dtype.F32: raw(t, want32...), dtype.F16: raw(t, want16...), dtype.BF16: raw(t, wantB...)} {
		tr, err := New(from, dense(d), Options{AllowOverflow: true})
		require.NoError(t, err)
		require.Equal(t, Narrow, tr.Kind)
		require.False(t, tr.Exact)
		got, err := apply(t, tr, raw(t, in...))
		require.NoError(t, err)
		require.Equal(t, want, got, d)
	}
}

func TestKinds(t *testing.T) {
	tests := []struct {
		from, to string
		kind     Kind
		exact    bool
	}{
		{"f32", "f32", Copy, true},
		{"i64", "i64", Copy, true},
		{"Q4_K", "Q4_K", Copy, true},
		{"IQ2_XS", "IQ2_XS", Copy, true},
		{"f16", "f32", Widen, true},
		{"bf16", "f64", Widen, true},
		{"f8e4m3fn", "f16", Widen, true},
		{"f8e5m2", "bf16", Widen, true},
		{"f8e8m0fnu", "f16", Narrow, false},
		{"f8e8m0fnu", "bf16", Widen, true},
		{"f32", "f16", Narrow, false},
		{"f16", "bf16", Narrow, false},
		{"bf16", "f16", Narrow, false},
		{"f64", "f32", Narrow, false},
		{"Q6_K", "f32", Dequantise, true},
		{"Q6_K", "f64", Dequantise, true},
		{"Q6_K", "f16", Dequantise, false},
		{"Q8_0/planar", "f32", Dequantise, true},
		{"f16", "Q8_0", Quantise, false},
		{"f32", "Q4_0/planar", Quantise, false},
		{"Q4_K", "Q8_0", Requantise, false},
		{"Q4_K/planar", "Q8_0/planar", Requantise, false},
		{"Q4_K", "Q4_K/planar", Repack, true},
		{"Q4_K/planar", "Q4_K", Repack, true},
	}
	for _, tt := range tests {
		tr, err := New(spec(t, storage(t, tt.from), 2, 256), storage(t, tt.to), Options{})
		require.NoError(t, err, "%s to %s", tt.from, tt.to)
		require.Equal(t, tt.kind, tr.Kind, "%s to %s", tt.from, tt.to)
		require.Equal(t, tt.exact, tr.Exact, "%s to %s", tt.from, tt.to)
		require.Equal(t, spec(t, storage(t, tt.to), 2, 256), tr.To)
	}
}

// Half-precision values and what they are, and one block of Q8_0 by hand: the
// scale is 127 / 127 = 1, stored as the half 0x3c00.
func TestByHand(t *testing.T) {
	q8 := make([]float32, 32)
	codes := make([]int8, 32)
	for i := range q8 {
		q8[i], codes[i] = float32(i*4), int8(i*4)
	}
	q8[31], codes[31] = -127, -127
	block := append([]byte{0x00, 0x3c}, raw(t, codes...)...)
	tests := []struct {
		from, to string
		n        int64
		src, dst []byte
	}{
		{"f16", "f32", 6, raw[uint16](t, 0x3c00, 0xc000, 0x7bff, 0x0001, 0xfc00, 0x3555), raw(t, 1, -2, 65504, 1./(1<<24), float32(math.Inf(-1)), 0.333251953125)},
		{"f32", "f16", 3, raw[float32](t, 65519, 1+1./2048, 1+3./2048), raw[uint16](t, 0x7bff, 0x3c00, 0x3c02)},
		{"bf16", "f32", 2, raw[uint16](t, 0x3fc0, 0xc2f7), raw[float32](t, 1.5, -123.5)},
		{"bf16", "f16", 1, raw[uint16](t, 0x3f80), raw[uint16](t, 0x3c00)},
		{"f8e5m2", "f32", 3, []byte{0x3c, 0xc0, 0x01}, raw[float32](t, 1, -2, 1./(1<<16))},
		{"f32", "f64", 1, raw[float32](t, 0.5), raw[float64](t, 0.5)},
		{"f32", "Q8_0", 32, raw(t, q8...), block},
		{"Q8_0", "f32", 32, block, raw(t, q8...)},
		{"Q8_0", "Q8_0/planar", 32, block, block},
	}
	for _, tt := range tests {
		tr, err := New(spec(t, storage(t, tt.from), tt.n), storage(t, tt.to), Options{})
		require.NoError(t, err)
		got, err := apply(t, tr, tt.src)
		require.NoError(t, err)
		require.Equal(t, tt.dst, got, "%s to %s", tt.from, tt.to)
	}
}

// atOnce transforms without chunks, in the plainest way.
func atOnce(t *testing.T, from, to Storage, columns int64, src []byte, n int) []byte {
	t.Helper()
	values := make([]float32, n)
	if base, planar := from.Encoding.Blocks(); base.IsDense() {
		require.NoError(t, tensor.Float32s(from.DType, values, src))
	} else {
		if planar {
			size, err := base.Size(int64(n))
			require.NoError(t, err)
			joined := make([]byte, size)
			require.NoError(t, quant.Join(from.Encoding, columns, joined, src))
			src = joined
		}
		require.NoError(t, quant.Unpack(base, values, src))
	}
	base, planar := to.Encoding.Blocks()
	if base.IsDense() {
		dst := make([]byte, to.DType.Bytes(int64(n)))
		_, err := tensor.PutFloat32s(to.DType, dst, values)
		require.NoError(t, err)
		return dst
	}
	size, err := base.Size(int64(n))
	require.NoError(t, err)
	dst := make([]byte, size)
	require.NoError(t, quant.Pack(base, dst, values))
	if planar {
		size, err := to.Encoding.Size(int64(n))
		require.NoError(t, err)
		split := make([]byte, size)
		require.NoError(t, quant.Split(to.Encoding, columns, split, dst))
		return split
	}
	return dst
}

// The bytes are the same for any number of workers, any size of chunk and any
// way in which a reader cuts them, and the same as all at once.
func TestBytesAreTheSameHoweverTheyAreMade(t *testing.T) {
	const rows, cols = 37, 768
	values := make([]float32, rows*cols)
	r := rand.New(rand.NewPCG(4, 4))
	for i := range values {
		values[i] = float32(r.NormFloat64())
	}
	tests := []struct{ from, to string }{
		{"f32", "f16"}, {"f32", "bf16"}, {"f16", "f32"}, {"f32", "Q8_0"}, {"f16", "Q4_K"}, {"Q8_0", "f32"},
		{"Q4_K", "f16"}, {"Q4_K", "Q8_0"}, {"f32", "Q8_0/planar"}, {"Q4_K/planar", "f32"}, {"Q4_K/planar", "Q5_0/planar"},
	}
	for _, tt := range tests {
		from, to := storage(t, tt.from), storage(t, tt.to)
		src := atOnce(t, dense(dtype.F32), from, cols, raw(t, values...), len(values))
		want := atOnce(t, from, to, cols, src, len(values))
		for _, workers := range []int{1, 2, 8} {
			for _, units := range []int64{0, 1, 3, 7, 1000000} {
				tr, err := New(spec(t, from, rows, cols), to, Options{Workers: workers})
				require.NoError(t, err)
				if units > 0 {
					tr.units = units
				}
				if tr.unit == 1 {
					tr.units *= 97
				}
				got, err := apply(t, tr, src)
				require.NoError(t, err)
				require.True(t, bytes.Equal(want, got), "%s to %s, %d workers, %d units", tt.from, tt.to, workers, units)

				var b bytes.Buffer
				n, err := tr.stream(iotest.HalfReader(bytes.NewReader(src))).WriteTo(&b)
				require.NoError(t, err)
				require.EqualValues(t, len(want), n)
				require.True(t, bytes.Equal(want, b.Bytes()))
			}
		}
	}
}

func TestRepackIsReversible(t *testing.T) {
	values := make([]byte, 4*768*5)
	for i := range len(values) / 4 {
		binary.LittleEndian.PutUint32(values[4*i:], math.Float32bits(float32(math.Sin(float64(i)))))
	}
	for _, e := range []quant.Encoding{"Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K"} {
		p, ok := e.Planar()
		require.True(t, ok)
		src := atOnce(t, dense(dtype.F32), blocks(e), 768, values, 768*5)
		there, err := New(spec(t, blocks(e), 5, 768), blocks(p), Options{Workers: 2})
		require.NoError(t, err)
		there.units = 2
		mid, err := apply(t, there, src)
		require.NoError(t, err)
		back, err := New(there.To, blocks(e), Options{Workers: 2})
		require.NoError(t, err)
		got, err := apply(t, back, mid)
		require.NoError(t, err)
		require.Equal(t, src, got, e)
	}
}

// Encodings that keep something once for the tensor, or after it for each row,
// are changed at once, and come out as by tensor/quant alone.
func TestWholeTensors(t *testing.T) {
	const rows, cols = 3, 256
	values := make([]float32, rows*cols)
	for i := range values {
		values[i] = float32(i%3 - 1)
	}
	for _, e := range []quant.Encoding{quant.BitNetB158, quant.BitNetPlanes, quant.DenseI8AbsMax} {
		there, err := New(spec(t, dense(dtype.F32), rows, cols), blocks(e), Options{})
		require.NoError(t, err)
		size, err := e.SizeRows(rows, cols)
		require.NoError(t, err)
		require.Equal(t, size, there.To.Bytes)
		packed, err := apply(t, there, raw(t, values...))
		require.NoError(t, err)
		want := make([]byte, size)
		require.NoError(t, quant.PackRows(e, want, values, cols))
		require.Equal(t, want, packed, e)
		back, err := New(there.To, dense(dtype.F32), Options{})
		require.NoError(t, err)
		got, err := apply(t, back, packed)
		require.NoError(t, err)
		unpacked := make([]float32, rows*cols)
		require.NoError(t, quant.UnpackRows(e, unpacked, want, cols))
		require.Equal(t, raw(t, unpacked...), got, e)
	}
	huge := tensor.Spec{Name: "w", DType: dtype.F32, Shape: shape.Of(1<<14, 1<<13), Bytes: 1 << 29}
	_, err := New(huge, blocks(quant.DenseI8AbsMax), Options{})
	require.Equal(t, CodeRow, errs.CodeOf(err))
}

func TestNoElements(t *testing.T) {
	for _, to := range []string{"f16", "Q8_0", "f32", "Q8_0/planar"} {
		tr, err := New(spec(t, dense(dtype.F32), 0, 64), storage(t, to), Options{})
		require.NoError(t, err)
		got, err := apply(t, tr, nil)
		require.NoError(t, err)
		require.Empty(t, got)
	}
	tr, err := New(spec(t, dense(dtype.F32)), dense(dtype.F16), Options{})
	require.NoError(t, err)
	got, err := apply(t, tr, raw[float32](t, 2))
	require.NoError(t, err)
	require.Equal(t, raw[uint16](t, 0x4000), got, "a scalar")
}

func TestNewRefuses(t *testing.T) {
	opaque := tensor.Spec{Name: "w", DType: dtype.U8, Shape: shape.Of(10), Encoding: quant.Opaque("ggml-99"), Bytes: 7}
	short := spec(t, dense(dtype.F32), 4)
	short.Bytes = 15
	dynamic := tensor.Spec{Name: "w", DType: dtype.F32, Shape: shape.Of(shape.Dynamic)}
	tests := []struct {
		name string
		from tensor.Spec
		to   Storage
		code errs.Code
	}{
		{"integer to float", spec(t, dense(dtype.I32), 4), dense(dtype.F32), CodeType},
		{"float to integer", spec(t, dense(dtype.F32), 4), dense(dtype.I32), CodeType},
		{"integer to integer", spec(t, dense(dtype.I8), 4), dense(dtype.U8), CodeType},
		{"to f8", spec(t, dense(dtype.F32), 4), dense(dtype.F8E5M2), CodeType},
		{"from f4", spec(t, dense(dtype.F4E2M1FN), 4), dense(dtype.F32), CodeType},
		{"integer to blocks", spec(t, dense(dtype.I8), 32), blocks("Q8_0"), CodeType},
		{"no packer", spec(t, dense(dtype.F32), 256), blocks("IQ2_XXS"), CodeType},
		{"opaque", opaque, dense(dtype.F32), CodeType},
		{"to opaque", spec(t, dense(dtype.U8), 7), Storage{dtype.U8, quant.Opaque("ggml-99")}, CodeType},
		{"blocks of another type", spec(t, dense(dtype.F32), 32), Storage{dtype.F16, "Q8_0"}, CodeType},
		{"row", spec(t, dense(dtype.F32), 32, 100), blocks("Q8_0"), CodeRow},
		{"row of blocks, product fits", spec(t, dense(dtype.F32), 32, 8), blocks("Q8_0"), CodeRow},
		{"scalar", spec(t, dense(dtype.F32)), blocks("Q8_0"), CodeRow},
		{"row too long to repack", spec(t, blocks("Q8_0"), 1<<21), blocks("Q8_0/planar"), CodeRow},
		{"length", short, dense(dtype.F16), CodeLength},
		{"no size", dynamic, dense(dtype.F16), shape.CodeDynamic},
	}
	for _, tt := range tests {
		_, err := New(tt.from, tt.to, Options{})
		var e *errs.Error
		require.ErrorAs(t, err, &e, tt.name)
		require.Equal(t, tt.code, e.Code, "%s: %v", tt.name, err)
		require.Equal(t, "w", e.Node, tt.name)
	}
	tr, err := New(opaque, StorageOf(opaque), Options{})
	require.NoError(t, err)
	got, err := apply(t, tr, []byte("opaque!"))
	require.NoError(t, err)
	require.Equal(t, "opaque!", string(got), "opaque bytes are copied")
	_, err = tr.Open(tensor.Owned(nil))
	require.Equal(t, CodeLength, errs.CodeOf(err))
	for _, name := range []string{"", "dense", "q4", "opaque/x"} {
		_, err := ParseStorage(name)
		require.Equal(t, quant.CodeUnknown, errs.CodeOf(err), name)
	}
}

// Elements of 4 bits become their codes, one to a byte, also an odd number of them; the
// codes of a float of 8 bits are its bytes.
func TestCodes(t *testing.T) {
	for _, c := range []struct {
		from, to dtype.DType
		n        int64
		src      []byte
		want     []byte
	}{
		{dtype.I4, dtype.I8, 3, []byte{0x8f, 0x07}, []byte{0xff, 0xf8, 0x07}},
		{dtype.U4, dtype.U8, 3, []byte{0x8f, 0x07}, []byte{15, 8, 7}},
		{dtype.F8E5M2, dtype.U8, 2, []byte{0x8f, 0x07}, []byte{0x8f, 0x07}},
	} {
		tr, err := New(spec(t, dense(c.from), c.n), dense(c.to), Options{})
		require.NoError(t, err)
		require.Equal(t, Codes, tr.Kind)
		got, err := apply(t, tr, c.src)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	long := make([]byte, 5000)
	tr, err := New(spec(t, dense(dtype.U4), 10000), dense(dtype.U8), Options{})
	require.NoError(t, err)
	for i := range long {
		long[i] = byte(i)
	}
	got, err := apply(t, tr, long)
	require.NoError(t, err)
	require.Len(t, got, 10000)
	require.Equal(t, []byte{byte(4999 & 15), byte(4999 >> 4 & 15)}, got[9998:])
	_, err = New(spec(t, dense(dtype.I4), 2), dense(dtype.U8), Options{})
	require.Equal(t, CodeType, errs.CodeOf(err))
}
