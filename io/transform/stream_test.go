package transform

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Too large values are counted over the whole tensor, infinities of the file are
// not, and the tensor is named.
func TestOverflow(t *testing.T) {
	data := make([]float32, 1000)
	data[3], data[500], data[999] = 65520, -1e30, 65536
	data[4], data[5] = float32(math.Inf(1)), 65519
	for _, workers := range []int{1, 2, 8} {
		tr, err := New(spec(t, dense(dtype.F32), 1000), dense(dtype.F16), Options{Workers: workers})
		require.NoError(t, err)
		tr.units = 7
		_, err = apply(t, tr, raw(t, data...))
		require.Equal(t, CodeOverflow, errs.CodeOf(err))
		require.ErrorContains(t, err, "w: 3 finite elements")

		tr.options.AllowOverflow = true
		s, err := tr.Open(tensor.Owned(raw(t, data...)))
		require.NoError(t, err)
		got, err := io.ReadAll(s)
		require.NoError(t, err)
		require.Len(t, got, 2000)
		require.EqualValues(t, 3, s.Overflow())
	}
	// A buffer returns the same error to a reader of exactly so many bytes.
	tr, err := New(spec(t, dense(dtype.F32), 1000), dense(dtype.F16), Options{File: "model.gguf"})
	require.NoError(t, err)
	b := tr.Buffer(tensor.Owned(raw(t, data...)))
	_, err = b.Bytes()
	require.Equal(t, CodeOverflow, errs.CodeOf(err))
	require.ErrorContains(t, err, "model.gguf: w: 3")
	require.EqualValues(t, 3, b.Overflow())
	narrow := func(d, to dtype.DType, src []byte) error {
		tr, err := New(spec(t, dense(d), 1), dense(to), Options{})
		require.NoError(t, err)
		_, err = apply(t, tr, src)
		return err
	}
	require.Equal(t, CodeOverflow, errs.CodeOf(narrow(dtype.F64, dtype.F32, raw(t, 1e39))))
	require.ErrorContains(t, narrow(dtype.F64, dtype.F32, raw(t, 1e39)), "keep f64 for this tensor")
	require.Equal(t, CodeOverflow, errs.CodeOf(narrow(dtype.F64, dtype.F16, raw(t, 1e300))))
	require.Equal(t, CodeOverflow, errs.CodeOf(narrow(dtype.F32, dtype.BF16, raw[float32](t, math.MaxFloat32))))
	require.NoError(t, narrow(dtype.F32, dtype.BF16, raw[float32](t, 3.3895313e38)))
}

// Errors of a packer and of a damaged file name the tensor.
func TestErrorsOfSteps(t *testing.T) {
	tr, err := New(spec(t, dense(dtype.F32), 32), blocks("Q8_0"), Options{})
	require.NoError(t, err)
	nan := make([]float32, 32)
	nan[7] = float32(math.NaN())
	_, err = apply(t, tr, raw(t, nan...))
	require.Equal(t, quant.CodeBadValue, errs.CodeOf(err))
	require.ErrorContains(t, err, ": w: ")

	tr, err = New(spec(t, blocks("Q4_K/planar"), 256), blocks("Q4_K"), Options{})
	require.NoError(t, err)
	_, err = apply(t, tr, bytes.Repeat([]byte{0xff}, 148))
	require.Equal(t, quant.CodeBadValue, errs.CodeOf(err))
	require.ErrorContains(t, err, ": w: ")
}

// fake is a buffer of any length.
type fake struct {
	tensor.Buffer
	n int64
	r io.Reader
}

func (f fake) Len() int64                 { return f.n }
func (f fake) Reader() (io.Reader, error) { return f.r, nil }

func TestSourceFails(t *testing.T) {
	tr, err := New(spec(t, dense(dtype.F16), 1000), dense(dtype.F32), Options{Workers: 2})
	require.NoError(t, err)
	tr.units = 10
	s, err := tr.Open(fake{n: 2000, r: bytes.NewReader(make([]byte, 1999))})
	require.NoError(t, err)
	got, err := io.ReadAll(s)
	require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err))
	require.Len(t, got, 990*4, "what came before the fault")

	boom := errors.New("boom")
	s, err = tr.Open(fake{n: 2000, r: io.MultiReader(bytes.NewReader(make([]byte, 100)), errReader{boom})})
	require.NoError(t, err)
	var w bytes.Buffer
	n, err := s.WriteTo(&w)
	require.ErrorIs(t, err, boom)
	require.EqualValues(t, 200, n)

	b := tensor.Owned(make([]byte, 2000))
	require.NoError(t, b.Close())
	_, err = tr.Open(b)
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

func TestSinkFails(t *testing.T) {
	tr, err := New(spec(t, dense(dtype.F16), 1000), dense(dtype.F32), Options{})
	require.NoError(t, err)
	s, err := tr.Open(tensor.Owned(make([]byte, 2000)))
	require.NoError(t, err)
	r, w := io.Pipe()
	require.NoError(t, r.Close())
	_, err = s.WriteTo(w)
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

// repeating reads its pattern forever.
type repeating struct {
	pattern []byte
	at      int
}

func (r *repeating) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		m := copy(p[n:], r.pattern[r.at:])
		n, r.at = n+m, (r.at+m)%len(r.pattern)
	}
	return n, nil
}

// A tensor whose stored bytes, before and after, are more than 2 GiB each,
// streams with a few MiB. One row of blocks is packed beforehand, and what comes
// out is compared by its length and checksum.
func TestTensorAbove2GiB(t *testing.T) {
	const rows, cols = 2000, 1 << 20
	row := make([]float32, cols)
	for i := range row {
		row[i] = float32(i%255) - 127
	}
	for i := 0; i < cols; i += 32 {
		row[i] = 127 // so that every scale is 1 and every element exact
	}
	size, err := quant.Encoding("Q8_0").Size(cols)
	require.NoError(t, err)
	packed := make([]byte, size)
	require.NoError(t, quant.Pack("Q8_0", packed, row))
	from := tensor.Spec{Name: "w", DType: dtype.F32, Encoding: "Q8_0", Shape: spec(t, dense(dtype.F32), rows, cols).Shape, Bytes: rows * size}
	require.Greater(t, from.Bytes, int64(1)<<31)
	tr, err := New(from, blocks("Q8_0/planar"), Options{})
	require.NoError(t, err)
	s, err := tr.Open(fake{n: from.Bytes, r: &repeating{pattern: packed}})
	require.NoError(t, err)
	planes := make([]byte, size)
	require.NoError(t, quant.Split("Q8_0/planar", cols, planes, packed))
	sum, want := crc32.NewIEEE(), crc32.NewIEEE()
	n, err := io.Copy(sum, s)
	require.NoError(t, err)
	require.Equal(t, from.Bytes, n)
	for range rows {
		want.Write(planes)
	}
	require.Equal(t, want.Sum32(), sum.Sum32())
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	require.Less(t, m.HeapSys, uint64(256<<20), "rows of 2^20 elements are the largest chunks there are")
}

func TestBuffer(t *testing.T) {
	tr, err := New(spec(t, dense(dtype.F16), 2), dense(dtype.F32), Options{})
	require.NoError(t, err)
	b := tr.Buffer(tensor.Owned(raw[uint16](t, 0x3c00, 0xc000)))
	want := raw[float32](t, 1, -2)
	require.EqualValues(t, 8, b.Len())
	require.Zero(t, b.Overflow())
	for range 2 {
		require.NoError(t, b.View(func(got []byte) error { require.Equal(t, want, got); return nil }))
		r, err := b.Reader()
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.NoError(t, b.Close())
	_, err = b.Bytes()
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(b.View(nil)))
}
