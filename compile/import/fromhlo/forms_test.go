package fromhlo

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	_ "github.com/skainet-dev/skainet-go/compile/import/hloweights"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func of[T tensor.Element](t *testing.T, v []T, sizes ...int64) tensor.Value {
	t.Helper()
	x, err := tensor.Of(v, sizes...)
	require.NoError(t, err)
	return x
}

// What other tools write around operations and in them.
func TestForms(t *testing.T) {
	text, err := os.ReadFile("testdata/forms/torch.mlir")
	require.NoError(t, err)
	g, parameters, err := Graph(text, Options{Inline: 8})
	require.NoError(t, err)
	require.Equal(t, "IrToHlo_12", g.Name)
	require.Equal(t, []string{"batch_x", "arg1"}, g.Funcs[0].Args)
	require.Equal(t, []string{"out_logits", "result1", "result2", "result3"}, g.Funcs[0].Results)
	require.Equal(t, "torch_tensor_4_3_torch.float32", parameters[0].Key)
	x := []float32{1, -1, 2, 0.5, 0, -3}
	got := run(t, g, parameters, []tensor.Value{of(t, x, 2, 3), of(t, []int32{1, 2, 1}, 1, 3)})
	var logits []float32
	for i := range 2 {
		for j := range 4 {
			y := 0.0
			for k := range 3 {
				y += float64(x[3*i+k]) * float64(3*j+k+1)
			}
			logits = append(logits, float32(y/2*(1+math.Erf(y/math.Sqrt2))))
		}
	}
	near(t, "logits", of(t, logits, 2, 4), got[0])
	if diff := cmp.Diff([]tensor.Value{of(t, []float32{1, -1, 2, 1, -1, 2}, 2, 3), of(t, []float32{2, 0.5}, 2), of(t, []float32{1, 0, 1}, 1, 3)}, got[1:]); diff != "" {
		t.Error(diff)
	}
}

// A text is a file of weights: its tensors are what its graph has as parameters, and
// other values give the same graph.
func TestWeights(t *testing.T) {
	f, err := weights.Open("testdata/mlp.mlir")
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, constants.Format, f.Format())
	index, err := f.Index()
	require.NoError(t, err)
	text, _ := recorded(t, "mlp")
	g, parameters, err := Graph(text, Options{Inline: 8})
	require.NoError(t, err)
	require.Len(t, parameters, 3)
	for _, p := range parameters {
		spec, err := index.Lookup(p.Key)
		require.NoError(t, err)
		require.Equal(t, p.Type.String(), spec.Type().String())
		v, err := p.Value()
		require.NoError(t, err)
		b, err := f.Tensor(p.Key)
		require.NoError(t, err)
		data, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, v.Bytes, data)
		path, at, err := f.Place(p.Key)
		require.NoError(t, err)
		require.Equal(t, "testdata/mlp.mlir", path)
		require.True(t, strings.HasPrefix(string(text[at:]), "stablehlo.constant"))
	}
	_, err = f.Tensor("none")
	require.Equal(t, constants.CodeTensor, errs.CodeOf(err))
	other := strings.Replace(string(text), `dense<"0x`, `dense<"0x00`, 1)
	other = strings.Replace(other, `00"> :`, `"> :`, 1)
	if at := strings.Index(string(text), `dense<"0x`); at > 0 { // another first digit
		other = string(text[:at]) + `dense<"0x7` + string(text[at+10:])
	}
	again, _, err := Graph([]byte(other), Options{Inline: 8})
	require.NoError(t, err)
	require.Equal(t, g, again)
	faults, err := weights.Verify("testdata/mlp.mlir")
	require.NoError(t, err)
	require.Empty(t, faults)
}

// wrap makes a text of a function's body.
func wrap(args, results, body string) string {
	return "module {\n  func.func @main(" + args + ") -> (" + results + ") {\n" + body + "\n  }\n}\n"
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		o     Options
		code  errs.Code
		place string
		says  string
	}{
		"syntax": {text: "module {", code: verify.CodeSyntax},
		"operation": {text: wrap("%x: tensor<4xf32>", "tensor<4xf32>", `    %0 = "stablehlo.rng"(%x, %x, %x) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>`), code: CodeOperation, place: "3:10", says: "stablehlo.rng"},
		"custom call": {text: wrap("%x: tensor<4xf32>", "tensor<4xf32>", `    %0 = stablehlo.custom_call @mine(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>`), code: CodeCall, place: "3:10", says: "@mine"},
		"complex": {text: wrap("%x: tensor<4xcomplex<f32>>", "tensor<4xcomplex<f32>>", `    return %x : tensor<4xcomplex<f32>>`), code: CodeType, place: "2:13", says: "tensor<4xcomplex<f32>>"},
		"sort": {text: wrap("%x: tensor<4xf32>, %y: tensor<4xf32>", "tensor<4xf32>, tensor<4xf32>", `    %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %1 = stablehlo.add %a, %c : tensor<f32>
      %2 = stablehlo.add %b, %d : tensor<f32>
      %3 = stablehlo.compare LT, %1, %2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %0, %0#1 : tensor<4xf32>, tensor<4xf32>`), code: CodeForm, place: "3:12", says: "comparison"},
		"scatter": {text: wrap("%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>", "tensor<4xf32>", `    %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>`), code: CodeForm, place: "3:10", says: "set, add"},
		"size": {text: wrap("%x: tensor<4xf32>, %n: tensor<2xi32>", "tensor<?x?xf32>", `    %0 = stablehlo.dynamic_reshape %x, %n : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>`), code: CodeSize, place: "3:10", says: "%n"},
		"elided": {text: wrap("", "tensor<4xf32>", `    %0 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
    return %0 : tensor<4xf32>`), code: constants.CodeConstant, place: "3:29", says: "__elided__"},
		"no function": {text: "module {\n  func.func private @f() {\n    return\n  }\n}\n", code: CodeEntry},
		"recursion": {text: wrap("%x: tensor<f32>", "tensor<f32>", `    %0 = call @main(%x) : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>`), code: CodeLimit, place: "3:10", says: "deep"},
		"bombs": {text: bomb(), code: CodeLimit, says: "operations"},
		"no argument": {text: wrap("%x: tensor<?xf32>", "tensor<?xf32>", `    return %x : tensor<?xf32>`), o: Options{Shapes: map[string]shape.Shape{"y": shape.Of(1)}},
			code: CodeOption, says: "x"},
		"another rank": {text: wrap("%x: tensor<?xf32>", "tensor<?xf32>", `    return %x : tensor<?xf32>`), o: Options{Shapes: map[string]shape.Shape{"x": shape.Of(1, 2)}},
			code: CodeOption, says: "1x2"},
		"another size": {text: wrap("%x: tensor<3xf32>", "tensor<3xf32>", `    return %x : tensor<3xf32>`), o: Options{Shapes: map[string]shape.Shape{"x": shape.Of(2)}},
			code: CodeOption, says: "?"},
		"no state": {text: wrap("%x: tensor<3xf32>", "tensor<3xf32>", `    return %x : tensor<3xf32>`), o: Options{States: map[string]string{"y": "x"}},
			code: CodeOption, says: "result0"},
	} {
		_, _, err := Graph([]byte(c.text), c.o)
		require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, c.place, name)
		require.ErrorContains(t, err, c.says, name)
		require.NotContains(t, err.Error(), "runtime error", name)
	}
}

// bomb has functions that each call the one before twice.
func bomb() string {
	body := "func.func %s(%%x: tensor<f32>) -> tensor<f32> {\n  %%0 = %s %%x%s : %s\n  %%1 = %s %%0%s : %s\n  return %%1 : tensor<f32>\n}\n"
	text := fmt.Sprintf(body, "private @f0", "stablehlo.negate", "", "tensor<f32>", "stablehlo.negate", "", "tensor<f32>")
	for i := 1; i <= 60; i++ {
		name, call := fmt.Sprintf("private @f%d", i), fmt.Sprintf("call @f%d(", i-1)
		if i == 60 {
			name = "@main"
		}
		text += fmt.Sprintf(body, name, call, ")", "(tensor<f32>) -> tensor<f32>", call, ")", "(tensor<f32>) -> tensor<f32>")
	}
	return text
}

// A result that is the next value of an argument is a state variable.
func TestStates(t *testing.T) {
	text := wrap("%x: tensor<2xf32>, %s: tensor<2xf32>", `tensor<2xf32> {jax.result_info = "y"}, tensor<2xf32> {jax.result_info = "next"}`, `    %0 = stablehlo.add %x, %s : tensor<2xf32>
    %1 = stablehlo.negate %0 : tensor<2xf32>
    return %1, %0 : tensor<2xf32>, tensor<2xf32>`)
	g, _, err := Graph([]byte(text), Options{States: map[string]string{"next": "s"}})
	require.NoError(t, err)
	x := loaded(t, g)
	for _, want := range [][]float32{{-1, -2}, {-2, -4}, {-3, -6}} {
		got, err := x.Call(t.Context(), "main", of(t, []float32{1, 2}, 2))
		require.NoError(t, err)
		require.Equal(t, of(t, want, 2), got[0])
	}
}

// Any text gives a graph or an error with a code, and no panic.
func FuzzGraph(f *testing.F) {
	for _, pattern := range []string{"testdata/*.mlir", "testdata/forms/*.mlir", "../../hlo/verify/testdata/*/*.mlir"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			if len(data) < 1<<15 {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _, err := Graph(text, Options{})
		if err != nil && (errs.CodeOf(err) == "" || strings.Contains(err.Error(), "runtime error")) {
			t.Fatal(err)
		}
	})
}
