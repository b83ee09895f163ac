package op_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/operator"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// good is a definition of each kind at once, but for the text for any target.
func good() operator.Definition {
	return operator.Definition{
		Name: "test.good", Doc: "x.",
		Operands:  []operator.Operand{{Name: "x", Class: operator.Float}},
		Rule:      operator.Same,
		CPU:       func(_ *operator.Call, in []tensor.Value) ([]tensor.Value, error) { return in, nil },
		Decompose: func(_ *operator.Call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[0].Abs()} },
		Texts:     map[operator.Target]string{operator.CPUTarget: "util.return %x : {{.y}}"},
		Examples:  []operator.Example{{Shapes: [][]int64{{2}}, Gives: [][]int64{{2}}}},
	}
}

// Each mistake is an error where the operation is registered, and where any model is captured.
func TestMistakes(t *testing.T) {
	written := func(d *operator.Definition) {
		d.Decompose, d.Texts = nil, map[operator.Target]string{operator.AnyTarget: "return %x : {{.y}}"}
	}
	for _, c := range []struct {
		change func(d *operator.Definition)
		code   errs.Code
		says   string
	}{
		{func(d *operator.Definition) { d.Name = "swish" }, op.CodeName, "no namespace"},
		{func(d *operator.Definition) { d.Name = "Acme.swish" }, op.CodeName, "no namespace"},
		{func(d *operator.Definition) { d.Name = "a.b.c" }, op.CodeName, "no namespace"},
		{func(d *operator.Definition) { d.Doc = "" }, op.CodeDefinition, "no Doc"},
		{func(d *operator.Definition) { d.Rule = nil }, op.CodeDefinition, "no Rule"},
		{func(d *operator.Definition) { d.Operands = nil }, op.CodeDefinition, "no operand"},
		{func(d *operator.Definition) { d.Operands[0].Class = 0 }, op.CodeDefinition, "no Class"},
		{func(d *operator.Definition) { d.Operands[0].Name = "y" }, op.CodeDefinition, `"y" is not an identifier, or is taken`},
		{func(d *operator.Definition) { d.Operands[0].Name = "x.1" }, op.CodeDefinition, `"x.1"`},
		{func(d *operator.Definition) { d.Examples = nil }, op.CodeDefinition, "no example"},
		{func(d *operator.Definition) { d.Examples[0].Gives = [][]int64{{3}} }, op.CodeDefinition, "gives f32[2], Gives has f32[3]"},
		{func(d *operator.Definition) { d.Examples[0].Shapes = nil }, op.CodeDefinition, "0 operands"},
		{func(d *operator.Definition) { d.Examples[0].Shapes = [][]int64{{2}, {2}} }, op.CodeDefinition, "2 operands"},
		{func(d *operator.Definition) { d.Examples[0].Gives = [][]int64{{2}, {2}} }, op.CodeDefinition, "1 results, Gives has 2"},
		{func(d *operator.Definition) { d.Decompose = nil }, op.CodeDefinition, "neither Decompose nor a text for any target"},
		{func(d *operator.Definition) { d.Texts[operator.AnyTarget] = "return" }, op.CodeDefinition, "both"},
		{func(d *operator.Definition) { d.CPU = nil }, op.CodeDefinition, "no CPU function"},
		{func(d *operator.Definition) { d.Operands[0].Variadic = true }, op.CodeDefinition, "any number"},
		{func(d *operator.Definition) { d.Texts["npu"] = "return" }, op.CodeDefinition, `"npu"`},
		{func(d *operator.Definition) { d.Texts[operator.CPUTarget] = "{{.z}}" }, op.CodeText, "cannot be written"},
		{func(d *operator.Definition) { d.Texts[operator.CPUTarget] = "{{.x.Dim 7}}" }, op.CodeText, "cannot be written"},
		{func(d *operator.Definition) { d.Texts[operator.CPUTarget] = "{{" }, op.CodeText, "not a template"},
		{func(d *operator.Definition) { d.Rule = func(*operator.Call) ([]tensor.Type, error) { panic("x") } }, op.CodeRule, "panicked: x"},
		{func(d *operator.Definition) {
			d.Rule = func(*operator.Call) ([]tensor.Type, error) { return nil, nil }
		}, op.CodeRule, "no type"},
		{func(d *operator.Definition) {
			d.Rule = func(*operator.Call) ([]tensor.Type, error) { return []tensor.Type{tensor.TypeOf(dtype.I4, 2)}, nil }
			written(d)
		}, op.CodeRule, "i4[2]"},
		{func(d *operator.Definition) {
			d.Rule = func(c *operator.Call) ([]tensor.Type, error) { return nil, c.Failf(operator.CodeShape, "too long") }
		}, op.CodeShape, "too long"},
		{func(d *operator.Definition) {
			d.Decompose = func(*operator.Call, []lang.Tensor) []lang.Tensor { return nil }
		}, op.CodeForm, "returns 0 tensors, its rule gives 1"},
		{func(d *operator.Definition) {
			d.Decompose = func(_ *operator.Call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[0].Sum(false, 0)} }
		}, op.CodeForm, "f32[scalar], its rule gives f32[2]"},
		{func(d *operator.Definition) {
			d.Decompose = func(_ *operator.Call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[1]} }
		}, op.CodeForm, "panicked"},
		{func(d *operator.Definition) {
			d.Decompose = func(_ *operator.Call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[0].Transpose(3)} }
		}, lang.CodeMisuse, "test.good: dimension 3"},
		{func(d *operator.Definition) {
			d.Decompose = func(_ *operator.Call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[0].Func().Param("w")} }
		}, lang.CodeMisuse, "a parameter inside the decomposition"},
		{func(d *operator.Definition) {
			d.Decompose = func(_ *operator.Call, in []lang.Tensor) []lang.Tensor {
				return in[0].Func().While(in, func(c []lang.Tensor) lang.Tensor { return c[0] }, func(c []lang.Tensor) []lang.Tensor { return c })
			}
		}, lang.CodeMisuse, "a loop inside the decomposition"},
	} {
		t.Run(c.says, func(t *testing.T) {
			t.Cleanup(op.Forget)
			d := good()
			c.change(&d)
			err := operator.Register(d).Err()
			require.ErrorContains(t, err, c.says)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			_, again := lang.Capture("m", nil, func(m *lang.Module) {
				m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 1).Exp()) })
			})
			require.Equal(t, err, again, "no model is captured")
			require.Empty(t, op.Registered())
		})
	}
}

func TestDuplicate(t *testing.T) {
	t.Cleanup(op.Forget)
	require.NoError(t, operator.Register(good()).Err())
	err := operator.Register(good()).Err()
	require.Equal(t, op.CodeName, errs.CodeOf(err))
	require.ErrorContains(t, err, "test.good is registered twice")
	require.ErrorContains(t, err, "github.com/skainet-dev/skainet-go/compile/op_test", "the package that did it")
}

// Lists do not depend on the order of registration.
func TestOrder(t *testing.T) {
	names := []string{"b.a", "a.b", "a.a"}
	for range 2 {
		for _, n := range names {
			d := good()
			d.Name = n
			require.NoError(t, operator.Register(d).Err())
		}
		var got []string
		for _, o := range op.Registered() {
			got = append(got, o.Name)
			require.Same(t, o, op.Of(o.ID))
			require.Equal(t, o.Name, o.ID.String())
		}
		require.Equal(t, []string{"a.a", "a.b", "b.a"}, got)
		require.Len(t, op.All(), len(op.BuiltIn())+3)
		op.Forget()
		slices.Reverse(names)
	}
}

// Faults of functions that show only when they are called.
func TestFaultyFunctions(t *testing.T) {
	for _, c := range []struct {
		name string
		cpu  func(c *operator.Call, in []tensor.Value) ([]tensor.Value, error)
		says string
	}{
		{"out of bounds", func(_ *operator.Call, in []tensor.Value) ([]tensor.Value, error) {
			in[0].Bytes[len(in[0].Bytes)] = 1 //nolint:gosec // the fault
			return in, nil
		}, "index out of range"},
		{"too long", func(_ *operator.Call, in []tensor.Value) ([]tensor.Value, error) {
			in[0].Bytes = append(in[0].Bytes, 0)
			return in, nil
		}, "9 bytes"},
		{"another type", func(*operator.Call, []tensor.Value) ([]tensor.Value, error) {
			v, err := tensor.Of([]float64{1, 2}, 2)
			return []tensor.Value{v}, err
		}, "result 0 is f64[2], the rule gives f32[2]"},
		{"no result", func(*operator.Call, []tensor.Value) ([]tensor.Value, error) { return nil, nil }, "returns 0 tensors"},
		{"an error", func(c *operator.Call, _ []tensor.Value) ([]tensor.Value, error) {
			return nil, c.Failf(operator.CodeShape, "not now")
		}, "not now"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Cleanup(op.Forget)
			d := good()
			d.CPU = c.cpu
			o := operator.Register(d)
			require.NoError(t, o.Err())
			g, err := lang.Capture("m", nil, func(m *lang.Module) {
				m.Entry("main", func(f *lang.Func) { f.Output("y", o.Apply(nil, f.Input("x", dtype.F32, 2))[0]) })
			})
			require.NoError(t, err)
			p, err := cpu.Load(g, &contract.Contract{Entries: describe.Entries(g)}, nil)
			require.NoError(t, err)
			x, err := tensor.Of([]float32{1, 2}, 2)
			require.NoError(t, err)
			_, err = p.Call(context.Background(), "main", x)
			require.Equal(t, op.CodeCPU, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "test.good")
			require.Equal(t, []byte{0, 0, 128, 63, 0, 0, 0, 64}, x.Bytes, "arguments stay as they are")
		})
	}
}

// What a function does to the values it gets stays there.
func TestInputsAreCopies(t *testing.T) {
	t.Cleanup(op.Forget)
	d := good()
	d.CPU = func(_ *operator.Call, in []tensor.Value) ([]tensor.Value, error) {
		clear(in[0].Bytes)
		return in, nil
	}
	o := operator.Register(d)
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 1)
			f.Output("y", o.Apply(nil, x)[0])
			f.Output("z", x.Add(x))
		})
	})
	require.NoError(t, err)
	p, err := cpu.Load(g, &contract.Contract{Entries: describe.Entries(g)}, nil)
	require.NoError(t, err)
	x, err := tensor.Of([]float32{1}, 1)
	require.NoError(t, err)
	out, err := p.Call(context.Background(), "main", x)
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0, 0, 0}, out[0].Bytes)
	require.Equal(t, []byte{0, 0, 0, 64}, out[1].Bytes)
}
