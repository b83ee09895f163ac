package paritytext

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// program has two entry points: sums of x and y, of any size, and one without arguments.
var program = &contract.Contract{Schema: contract.Schema, Name: "m", Entries: []contract.Entry{
	{Name: "none", Results: []contract.Named{{Name: "one", DType: dtype.F32, Shape: shape.Of(1)}}},
	{
		Name:    "sum",
		Args:    []contract.Named{{Name: "x", DType: dtype.F32, Shape: shape.Shape{shape.Named("n")}}, {Name: "y_0", DType: dtype.F32, Shape: shape.Shape{shape.Named("n")}}},
		Results: []contract.Named{{Name: "s", DType: dtype.F32, Shape: shape.Shape{shape.Named("n")}}},
	},
}}

// adder adds its arguments, and more to each sum.
type adder struct{ more float32 }

func (adder) Contract() *contract.Contract { return program }
func (adder) Close() error                 { return nil }

func (a adder) Call(_ context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	sums := []float32{1}
	if entry == "sum" {
		x, err := tensor.Slice[float32](args[0])
		if err != nil {
			return nil, err
		}
		y, err := tensor.Slice[float32](args[1])
		if err != nil {
			return nil, err
		}
		sums = make([]float32, len(x))
		for i := range x {
			sums[i] = x[i] + y[i] + a.more
		}
	}
	v, err := tensor.Of(sums, int64(len(sums)))
	return []tensor.Value{v}, err
}

func opens(more float32) parity.Open {
	return func() (backend.Executable, error) { return adder{more}, nil }
}

func options(t *testing.T, args ...string) *Options {
	t.Helper()
	var o Options
	cmd := &cobra.Command{}
	o.Flags(cmd)
	require.NoError(t, cmd.ParseFlags(args))
	return &o
}

// Arrays are of the entry point that has their names, and what is missing is made up with
// their sizes and in the range that is given.
func TestArrays(t *testing.T) {
	x, err := tensor.Of([]float32{1, 2, 3}, 3)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, npy.WriteFile(path, x))
	o := options(t, "--input", "x=@"+path, "--input", "y.0=5..6")
	require.Equal(t, []string{"x=@" + path}, o.Arrays())
	cases, err := o.Cases(program, nil)
	require.NoError(t, err)
	require.Len(t, cases, 1)
	require.Equal(t, "sum", cases[0].Name)
	require.Equal(t, x, cases[0].Calls[0].Args[0])
	y, err := tensor.Slice[float32](cases[0].Calls[0].Args[1])
	require.NoError(t, err)
	require.Len(t, y, 3)
	for _, v := range y {
		require.True(t, v >= 5 && v <= 6, v)
	}
	for want, args := range map[string][]string{
		"--sizes is for made-up calls": {"--input", "x=" + path, "--sizes", "n=2"},
		`no argument is named "z"`:     {"--input", "z=@" + path, "--only", "none"},
		`no argument is named "q"`:     {"--input", "x=@" + path, "--input", "q=1"},
		"cannot open the file":         {"--input", "x=@" + path + ".none"},
	} {
		_, err := options(t, args...).Cases(program, nil)
		require.ErrorContains(t, err, want)
	}
}

func TestCompare(t *testing.T) {
	o := options(t, "--sizes", "n=4", "--only", "sum")
	cases, err := o.Cases(program, nil)
	require.NoError(t, err)
	require.Len(t, cases, 2)
	require.NoError(t, o.Check(cases))
	var report bytes.Buffer
	require.NoError(t, o.Compare(t.Context(), cases, opens(0), opens(1e-6), &report))
	require.Regexp(t, `(?m)^sum: sum: agree\n  ok   s +f32\[4\] +max abs .*\nsum took .* s\n1 results agree$`, report.String())
	err = o.Compare(t.Context(), cases, opens(0), opens(1), &report)
	require.Equal(t, parity.CodeMismatch, errs.CodeOf(err))
	require.Contains(t, report.String(), "4 of 4 differ")
	require.NoError(t, options(t, "--atol=2").Compare(t.Context(), cases, opens(0), opens(1), &report))
	require.Equal(t, parity.Tolerance{Abs: 1e-10, Rel: 1e-4}, options(t, "--f64-rtol=1e-4").Rules().Float[dtype.F64])
	for _, args := range [][]string{{"--only=other"}, {"--input=x=3..1"}, {"--sizes=n"}, {"--recorded=x"}} {
		o := options(t, args...)
		cases, err := o.Cases(program, nil)
		if err == nil {
			err = o.Check(cases)
		}
		require.Equal(t, parity.CodeInput, errs.CodeOf(err), "%v: %v", args, err)
	}
}
