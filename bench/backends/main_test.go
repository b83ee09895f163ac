package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/bench/backends/task"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func names(all []spec) (names []string) {
	for _, s := range all {
		names = append(names, s.name)
	}
	return names
}

func TestChoose(t *testing.T) {
	chosen, err := choose([]string{"cpu", "xla", "xla"})
	require.NoError(t, err)
	require.Equal(t, []string{"cpu", "xla"}, names(chosen), "a target without JAX")
	python = "python.sh"
	defer func() { python = "" }()
	chosen, err = choose([]string{"iree", "xla", "cpu"})
	require.NoError(t, err)
	require.Equal(t, []string{"iree", "xla", "jax", "cpu"}, names(chosen))
	for _, bad := range [][]string{nil, {"tpu"}} {
		_, err := choose(bad)
		require.Equal(t, harness.CodeFlags, errs.CodeOf(err))
	}
}

// A call has its arguments in files, of the range that was asked for, and the text for its
// sizes with what that takes.
func TestMeasure(t *testing.T) {
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(1), Bytes: 4}}}
	g, err := lang.Capture("m", index, func(m *lang.Module) {
		s := m.State("sum", dtype.F32, 0, 1)
		m.Entry("step", func(f *lang.Func) {
			x := f.InputOf("x", dtype.I32, shape.Named("n"))
			f.Write(s, f.Read(s).Add(f.Param("w")))
			f.Output("y", x.Add(x))
		})
	})
	require.NoError(t, err)
	c, err := describe.Contract(g)
	require.NoError(t, err)
	dir := t.TempDir()
	made := parity.Made{Inputs: map[string]parity.Range{"x": {Least: 7, Most: 7}, "of another": {Least: 1, Most: 1}}}
	weights := map[string]task.Value{"w": {DType: dtype.F32, Shape: []int64{1}, File: "a.irpa", Offset: 64}}
	m, err := measureOf(dir, 3, "five;step;n=5", g, c, made, weights)
	require.NoError(t, err)
	x, err := m.Args[0].Load()
	require.NoError(t, err)
	want, err := tensor.Of([]int32{7, 7, 7, 7, 7}, 5)
	require.NoError(t, err)
	require.Equal(t, want, x)
	require.Equal(t, []task.Value{weights["w"]}, m.Parameters)
	require.Equal(t, []string{"sum"}, m.States)
	require.Equal(t, []string{"sum"}, m.Writes)
	require.Len(t, m.Initial, 1)
	text, err := os.ReadFile(m.Text)
	require.NoError(t, err)
	require.Contains(t, string(text), "tensor<5xi32>")

	path, err := (&task.Task{Measures: []task.Measure{*m}}).Write(dir)
	require.NoError(t, err)
	back, err := task.Read(path)
	require.NoError(t, err)
	require.Equal(t, *m, back.Measures[0])
	_, err = task.Read(filepath.Join(dir, "none"))
	require.Equal(t, task.CodeFile, errs.CodeOf(err))
	for _, bad := range []string{"five", "five;none;", "five;step;n", "five;step;m=1"} {
		_, err := measureOf(dir, 0, bad, g, c, made, weights)
		require.NotEmpty(t, errs.CodeOf(err), bad)
	}
}

func TestReport(t *testing.T) {
	r := report{rounds: 2, threads: 2, measures: []string{"decode"}, rows: []row{
		{contestant: spec{name: "xla"}, seconds: [][]float64{{0.003, 0.001}}, compile: 1.5, program: 2500, peakMiB: 300},
		{contestant: spec{name: "jax", peer: true}, seconds: [][]float64{{0.004, 0.002}}, peakMiB: 400},
	}}
	var out bytes.Buffer
	require.NoError(t, r.print(&out))
	require.Contains(t, out.String(), "  xla    1.00  2.00        1.5           2       300")
	require.Contains(t, out.String(), "  jax    2.00  3.00          -           -       400")
	require.Contains(t, out.String(), "decode: 0.50 0.67\n")
}
