package describe_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The contract of a graph equals the one emitted with its text, except for the
// text and the compiler: entry points with state and dynamic sizes, a weight from
// the file, one converted to integers with scales, a constant from the model's code.
func TestContract(t *testing.T) {
	x := &tensor.Index{Tensors: []tensor.Spec{
		{Name: "bias", DType: dtype.F32, Shape: shape.Of(256), Bytes: 4 * 256},
		{Name: "rows", DType: dtype.F32, Shape: shape.Of(128, 256), Bytes: 4 * 128 * 256},
	}}
	g, err := lang.CaptureWith("m", x, func(m *lang.Module) {
		count := m.State("count", dtype.I32, 0, 2)
		m.Entry("main", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("n"), shape.N(256))
			h := x.Add(f.Param("bias"))
			f.Output("y", h.Dot(f.Param("rows"), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
			f.Output("c", lang.Weight(f, "c", []float32{1, 2}, 2))
			f.Write(count, f.Read(count))
		})
	}, passes.Int8(1))
	require.NoError(t, err)
	got, err := describe.Contract(g)
	require.NoError(t, err)
	sources := map[contract.Source]bool{}
	for _, p := range got.Parameters {
		sources[p.Source] = true
	}
	require.Equal(t, map[contract.Source]bool{contract.FromWeights: true, contract.FromRows: true, contract.FromScales: true}, sources)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	want := *m.Contract
	want.IREE, want.TextSHA256 = "", ""
	require.Empty(t, cmp.Diff(&want, got))
}
