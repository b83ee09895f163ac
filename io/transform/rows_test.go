package transform

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Every row of the file against NumPy, in any number of chunks and workers.
func TestRowsAgainstNumPy(t *testing.T) {
	f, err := os.Open("testdata/rows.txt")
	require.NoError(t, err)
	defer f.Close()
	var in, scales []uint32
	var whole []int8
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		var s uint32
		_, err := fmt.Sscanf(words[0], "%x", &s)
		require.NoError(t, err)
		scales = append(scales, s)
		for _, w := range words[1:] {
			var x uint32
			var q int8
			_, err := fmt.Sscanf(w, "%x:%d", &x, &q)
			require.NoError(t, err)
			in, whole = append(in, x), append(whole, q)
		}
	}
	n := int64(len(scales))
	require.EqualValues(t, 9, n)
	from := spec(t, dense(dtype.F32), n, 3, 3)
	for part, want := range map[Part][]byte{RowValues: raw(t, whole...), RowScales: raw(t, scales...)} {
		for _, workers := range []int{1, 4} {
			for _, units := range []int64{1, 2, 100} {
				tr, err := Rows(from, part, Options{Workers: workers})
				require.NoError(t, err)
				tr.units = units
				got, err := apply(t, tr, raw(t, in...))
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.EqualValues(t, len(got), tr.To.Bytes)
			}
		}
	}
	values, err := Rows(from, RowValues, Options{})
	require.NoError(t, err)
	require.Equal(t, tensor.TypeOf(dtype.I8, n, 3, 3), values.To.Type())
	require.Equal(t, Quantise, values.Kind)
	require.False(t, values.Exact)
	list, err := Rows(from, RowScales, Options{})
	require.NoError(t, err)
	require.Equal(t, tensor.TypeOf(dtype.F32, n), list.To.Type())
}

// Narrow floats and blocks are unpacked first: what counts are their values.
func TestRowsOfOtherStorage(t *testing.T) {
	data := make([]float32, 4*32)
	for i := range data {
		data[i] = float32(i%13) - 6
	}
	for _, s := range []Storage{dense(dtype.F16), dense(dtype.BF16), dense(dtype.F64), blocks("Q8_0")} {
		there, err := New(spec(t, dense(dtype.F32), 4, 32), s, Options{})
		require.NoError(t, err)
		stored, err := apply(t, there, raw(t, data...))
		require.NoError(t, err)
		back, err := New(there.To, dense(dtype.F32), Options{})
		require.NoError(t, err)
		floats, err := apply(t, back, stored)
		require.NoError(t, err)
		for _, part := range []Part{RowValues, RowScales} {
			want, err := Rows(spec(t, dense(dtype.F32), 4, 32), part, Options{})
			require.NoError(t, err)
			got, err := Rows(there.To, part, Options{})
			require.NoError(t, err)
			a, err := apply(t, want, floats)
			require.NoError(t, err)
			b, err := apply(t, got, stored)
			require.NoError(t, err)
			require.Equal(t, a, b, s)
		}
	}
}

func TestRowsThatCannotBeScaled(t *testing.T) {
	refused := func(code errs.Code, from tensor.Spec, o Options) {
		t.Helper()
		_, err := Rows(from, RowValues, o)
		require.Equal(t, code, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "w")
	}
	refused(CodeType, spec(t, dense(dtype.I32), 2, 3), Options{})
	refused(CodeType, spec(t, dense(dtype.F32)), Options{})
	refused(CodeType, spec(t, blocks("Q4_K/planar"), 2, 256), Options{})
	refused(CodeRow, spec(t, dense(dtype.F32), 1, maxRow+1), Options{})
	refused(CodeRow, spec(t, dense(dtype.F32), 2, 0), Options{})
	short := spec(t, dense(dtype.F32), 2, 3)
	short.Bytes--
	refused(CodeLength, short, Options{File: "model.gguf"})
	block := spec(t, blocks("Q8_0"), 2, 32)
	block.Shape[1].Size = 31
	refused(CodeRow, block, Options{})
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		tr, err := Rows(spec(t, dense(dtype.F32), 2, 1), RowScales, Options{})
		require.NoError(t, err)
		_, err = apply(t, tr, raw(t, 1, float32(x)))
		require.Equal(t, quant.CodeBadValue, errs.CodeOf(err))
		require.ErrorContains(t, err, "w: ")
	}
	empty, err := Rows(spec(t, dense(dtype.F32), 0, 3), RowScales, Options{})
	require.NoError(t, err)
	got, err := apply(t, empty, nil)
	require.NoError(t, err)
	require.Empty(t, got)
}
