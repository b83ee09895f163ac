package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/hlo/judge"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/judgetest"
)

// checked judges the files that a workspace holds.
func checked(t *testing.T, files map[string]string) (string, error) {
	t.Helper()
	python := judgetest.Python(t)
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	cmd := newCommand()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{"--held", "--workspace=" + dir, "--python=" + python})
	err := cmd.Execute()
	return out.String(), err
}

const good = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %x, %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"

// Each text has a verdict; one that jaxlib refuses, or takes where it should not, is a fault.
func TestHeld(t *testing.T) {
	out, err := checked(t, map[string]string{
		"a.mlir": good, "b/kernel.mlir": "stream.executable private @k {}\n", "b/wrong.mlir": "x // want 1 HLO_SYNTAX\n", "bazel-bin/c.mlir": "x\n", "d.txt": "x\n",
	})
	require.NoError(t, err)
	require.Equal(t, "ok       a.mlir, ran main\n"+
		"iree     b/kernel.mlir: stream.executable is IREE's, whose compiler judges it\n"+
		"refused  b/wrong.mlir, as its comments want\n3 texts: 1 iree, 1 ok, 1 refused\n", out)
	for want, text := range map[string]string{
		"JUDGE_REFUSED": "func.func @main() -> tensor<2xf32> {}", "that has faults on purpose": good + "// want 1 HLO_SYNTAX\n",
	} {
		out, err := checked(t, map[string]string{"a.mlir": text, "b.mlir": good})
		require.Equal(t, codeFault, errs.CodeOf(err))
		require.Contains(t, out, want)
		require.Contains(t, out, "ok       b.mlir, ran main\n2 texts: 1 FAULT, 1 ok\n")
	}
}

// A model's graph has a text for XLA for each entry point.
func TestXLATexts(t *testing.T) {
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("one", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 4).Exp()) })
		m.Entry("any", func(f *lang.Func) {
			f.Output("y", f.InputOf("x", dtype.F32, shape.Named("n").Plus(shape.Dim{Size: 1})).Exp())
		})
	})
	require.NoError(t, err)
	document, err := graphjson.Marshal(g)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "m.graph.json")
	require.NoError(t, os.WriteFile(path, document, 0o600))
	texts, err := xlaTexts("p/m.graph.json", path)
	require.NoError(t, err)
	require.Len(t, texts, 2)
	require.Equal(t, "p/m, any for XLA", texts[1].name)
	data, err := texts[1].data()
	require.NoError(t, err)
	require.Contains(t, string(data), "tensor<4xf32>")

	// Weights that two devices have half of each are said to be so, which jaxlib takes.
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(4, 2), Bytes: 32}}}
	g, err = lang.Capture("m", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.F32, 3, 4).Shard("data", "").MatMul(f.Param("w")))
		})
	})
	require.NoError(t, err)
	document, err = graphjson.Marshal(g)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, document, 0o600))
	texts, err = xlaTexts("p/m.graph.json", path)
	require.NoError(t, err)
	require.Len(t, texts, 2)
	require.Equal(t, "p/m, main for XLA on two devices", texts[1].name)
	data, err = texts[1].data()
	require.NoError(t, err)
	require.Contains(t, string(data), "sdy.mesh")
	var out bytes.Buffer
	python := judgetest.Python(t)
	r := &report{out: &out, limit: time.Minute}
	r.judge, err = judge.Start(t.Context(), python)
	require.NoError(t, err)
	defer r.judge.Close()
	refused := text{name: "p/o", fault: errs.New(codeBuild, "no text").Error()}
	for _, x := range append(texts, text{name: "p/n.mlir"}, refused) {
		require.NoError(t, r.text(t.Context(), python, x))
	}
	require.Contains(t, out.String(), "ok       p/m, main for XLA on two devices")
	require.Contains(t, out.String(), "unbuilt  p/n.mlir: its target")
	require.Contains(t, out.String(), "FAULT    p/o: CHECK_BUILD: no text")
	require.Equal(t, 1, r.faults, "of what has no text, and the others are judged")
}

// Models by name are those with the tag, and no others.
func TestModels(t *testing.T) {
	require.Equal(t, []bool{false, true}, (&options{manual: true}).tagged())
	require.Equal(t, []bool{false}, (&options{}).tagged())
	require.Equal(t, `kind(stablehlo_export, //a) except attr(tags, "\bmanual\b", //a)`, models("//a", false))
	require.Equal(t, `kind(stablehlo_export, //a) intersect attr(tags, "\bmanual\b", //a)`, models("//a", true))
	require.Equal(t, 24, elements([]byte("tensor<4xf32> tensor<2x3x4xf32> tensor<f32>")))
	require.Greater(t, elements([]byte("tensor<99999999999999999999xf32>")), maxElements)
}
