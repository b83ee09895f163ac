package pack

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// rows returns the two parameters that are made of a tensor [n, ...].
func rows(key string, sizes ...int64) []contract.Parameter {
	values, scales := param(key, dtype.I8, sizes...), param(key+contract.ScalesSuffix, dtype.F32, sizes[0])
	values.Source, scales.Source = contract.FromRows, contract.FromScales
	return []contract.Parameter{values, scales}
}

func TestRowsOfATensor(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.irpa")
	c := program(rows("w", 2, 3)...)
	report, err := Program(out, c, "model", model(t), Options{})
	require.NoError(t, err)
	f32, i8 := transform.Storage{DType: dtype.F32, Encoding: quant.Dense}, transform.Storage{DType: dtype.I8, Encoding: quant.Dense}
	require.Empty(t, cmp.Diff([]Parameter{
		{Key: "w", Source: contract.FromRows, From: f32, To: i8, Transform: transform.Quantise, Bytes: 6},
		{Key: "w#int8_scales", Source: contract.FromScales, From: f32, To: f32, Transform: transform.Quantise, Bytes: 8},
	}, report.Parameters))
	a, err := irpa.Open(out)
	require.NoError(t, err)
	defer a.Close()
	require.NoError(t, CheckArchive(c, "model", a))
	require.Equal(t, raw(t, []int8{42, 85, 127, 85, 106, 127}), content(t, a, "w"), "1 2 3 4 5 6 times 127, over 3 and 6")
	require.Equal(t, raw(t, []float32{3. / 127, 6. / 127}), content(t, a, "w#int8_scales"))

	// What is packed already is copied.
	packed, err := weights.Open(out)
	require.NoError(t, err)
	defer packed.Close()
	again := filepath.Join(t.TempDir(), "again.irpa")
	report, err = Program(again, c, "model", packed, Options{})
	require.NoError(t, err)
	require.Empty(t, report.Lossy())
	b, err := irpa.Open(again)
	require.NoError(t, err)
	defer b.Close()
	for _, key := range []string{"w", "w#int8_scales"} {
		require.Equal(t, content(t, a, key), content(t, b, key))
	}
}

func TestRowsThatDoNotFit(t *testing.T) {
	refused := func(code errs.Code, p ...contract.Parameter) {
		t.Helper()
		_, err := Program(filepath.Join(t.TempDir(), "m.irpa"), program(p...), "model", model(t), Options{})
		require.Equal(t, code, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, p[0].Key)
	}
	refused(CodeMissing, rows("nothing", 2, 3)...)
	refused(CodeType, rows("w", 3, 2)...)
	refused(CodeType, rows("w", 1, 3)[1])
	none := rows("w", 2, 3)
	_, err := Program(filepath.Join(t.TempDir(), "m.irpa"), program(none...), "model", nil, Options{})
	require.Equal(t, CodeNoWeights, errs.CodeOf(err))
}
