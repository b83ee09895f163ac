package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/diffrun"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

func TestDiffRunRefuses(t *testing.T) {
	model := write(t, "model.onnx", Model(Field(11, Value("x", 1)), Field(12, Value("y", 1)), Field(1, Node("Neg", "y", []string{"x"}))))
	require.Contains(t, fails(t, 2, "USAGE", "diff-run", model), `"with"`)
	require.Contains(t, fails(t, 2, "USAGE", "diff-run", model, "--with", "none"), "onnxruntime")
	require.Contains(t, fails(t, 2, "USAGE", "diff-run", model, "--with", "onnxruntime", "--tolerance", "-1"), "negative")
	require.Contains(t, fails(t, 1, "DIFFRUN_VALUE", "diff-run", small(t), "--with", "onnxruntime", "--value", "none"), "none")
	require.Contains(t, fails(t, 1, "DIFFRUN_INPUT", "diff-run", model, "--with", "onnxruntime"), "--input x=@FILE.npy")
	require.Contains(t, fails(t, 1, "DIFFRUN_PYTHON", "diff-run", small(t), "--with", "onnxruntime", "--python", filepath.Join(t.TempDir(), "none")), "install Python 3")
}

// small writes a model without inputs.
func small(t *testing.T) string {
	return write(t, "model.onnx", Model(Field(5, Tensor("x", 1, make([]byte, 8), 2)), Field(12, Value("y", 1)), Field(1, Node("Neg", "y", []string{"x"}))))
}

func TestDiffRunTable(t *testing.T) {
	r := &diffrun.Report{Backend: "cpu", Engine: "ONNX Runtime 1", Rows: []diffrun.Row{
		{Node: "a", Op: "Add", Value: "s", Result: parity.Result{Type: tensor.TypeOf(dtype.F32, 2), Elements: 2}},
		{Node: "b", Op: "Neg", Value: "n", Result: parity.Result{Type: tensor.TypeOf(dtype.F32, 2), Elements: 2, Mismatches: 1, MaxAbs: 0.5, MaxRel: 0.25, First: &parity.Place{}}},
		{Node: "c", Op: "If", Value: "y", Why: "ONNX Runtime gives no array"},
		{Node: strings.Repeat("long;", 20), Op: "Neg", Value: "z", Output: true, Result: parity.Result{Type: tensor.TypeOf(dtype.F32, 2), Elements: 2}},
	}}
	require.ErrorContains(t, r.Err(), "of the model's outputs 1 agree: the difference does not reach them")
	require.Equal(t, `NODE  OPERATOR  VALUE  TYPE    DIFFER  ABSOLUTE  RELATIVE
b     Neg       n      f32[2]  1 of 2  0.5       0.25

cpu against ONNX Runtime 1: 1 differ, 2 agree, 1 are not compared
of the model's outputs 1 agree
`, string((&diffRunFlags{}).table(r)))
	all := string((&diffRunFlags{all: true}).table(r))
	require.Regexp(t, `(?m)^a +Add +s +f32\[2\] +0 of 2 +0 +0$`, all)
	require.Regexp(t, `(?m)^c +If +y +ONNX Runtime gives no array$`, all)
	require.Contains(t, all, strings.Repeat("long;", 20))
	r.Rows[3].Result.Mismatches, r.Rows[3].Result.First = 2, &parity.Place{}
	cut := string((&diffRunFlags{}).table(r))
	require.Contains(t, cut, "long;long;long;long;long;lon ... ng;long;long;long;long;long;")
	require.True(t, strings.HasSuffix(cut, "\nof the model's outputs 1 differ (z)\n"), cut)
	require.NotContains(t, r.Err().Error(), "does not reach")
}
