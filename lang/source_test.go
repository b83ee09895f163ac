package lang_test

import (
	"errors"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// line returns the place of the line that called it, n lines further down.
func line(n int) string {
	_, _, at, _ := runtime.Caller(1)
	return "source_test.go:" + strconv.Itoa(at+n)
}

// A mistake is told with the line of the model's file, and what that line called: also where
// the mistake is found deep in a layer, or in the finished graph.
func TestMistakesHaveLines(t *testing.T) {
	index := &tensor.Index{Format: "test", Tensors: []tensor.Spec{{Name: "fc/weight", DType: dtype.F32, Shape: shape.Of(3, 2), Bytes: 24}}}
	var want string
	x := func(f *lang.Func) lang.Tensor { return f.Input("x", dtype.F32, 2, 4) }
	for name, tt := range map[string]struct {
		build  func(m *lang.Module, f *lang.Func)
		called string
	}{
		"a method": {func(_ *lang.Module, f *lang.Func) {
			want = line(1)
			x(f).Softmax(2)
		}, ": Tensor.Softmax"},
		"an operation": {func(_ *lang.Module, f *lang.Func) {
			want = line(1)
			x(f).Reshape(3, 3)
		}, ": Tensor.Reshape"},
		"a generic function": {func(_ *lang.Module, f *lang.Func) {
			want = line(1)
			lang.Const(f, []float32{1, 2}, 3)
		}, ": Const"},
		"a layer": {func(_ *lang.Module, f *lang.Func) {
			want = line(1)
			nn.Linear(f, "fc", x(f), nn.LinearOptions{})
		}, ": nn.Linear"},
		"in a scope": {func(_ *lang.Module, f *lang.Func) {
			f.Scope("block", func() {
				want = line(1)
				x(f).Transpose(0)
			})
		}, ": Tensor.Transpose"},
		"Go's own": {func(_ *lang.Module, f *lang.Func) {
			list := []int{1}
			want = line(1)
			_ = list[x(f).Dim(0)]
		}, ""},
		"a panic": {func(_ *lang.Module, f *lang.Func) {
			want = line(1)
			panic(errors.New("boom"))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lang.Capture("m", index, func(m *lang.Module) {
				m.Entry("main", func(f *lang.Func) { tt.build(m, f) })
			})
			var coded *errs.Error
			require.ErrorAs(t, err, &coded)
			require.Equal(t, want+tt.called, coded.Source, "%v", err)
			require.ErrorContains(t, err, coded.Source)
		})
	}

	// An error of the model's own is what it says.
	_, err := lang.Capture("m", nil, func(*lang.Module) { panic(errs.New("OWN", "no heads").On("config")) })
	require.EqualError(t, err, "OWN: config: no heads")

	_, err = lang.Capture("m", nil, func(m *lang.Module) {
		total := m.State("total", dtype.F32, 0, 3)
		want = line(1)
		m.Entry("main", func(f *lang.Func) {
			f.Write(total, f.Input("x", dtype.F32))
		})
	})
	var coded *errs.Error
	require.ErrorAs(t, err, &coded)
	require.Equal(t, errs.Code("DAG_WRITE"), coded.Code)
	require.Equal(t, want+": Module.Entry", coded.Source)
	require.ErrorContains(t, err, `state "total" is f32[3], and is written with a value of type f32[scalar]`)
}
