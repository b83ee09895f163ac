package op_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/operator"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// composed is a definition of -x; apply is what its decomposition does once set.
func composed(name string, apply *func(x lang.Tensor) lang.Tensor, cpu bool) operator.Definition {
	d := good()
	d.Name, d.Texts = name, nil
	d.Decompose = func(_ *operator.Call, in []lang.Tensor) []lang.Tensor {
		if *apply != nil {
			return []lang.Tensor{(*apply)(in[0])}
		}
		return []lang.Tensor{in[0].Negate()}
	}
	if !cpu {
		d.CPU = nil
	}
	return d
}

// A decomposition that leads back to its operation is an error where it is decomposed: in a
// capture or, beside a CPU function, in a text.
func TestCycles(t *testing.T) {
	for _, c := range []struct {
		name string
		ring []string // each applies the next
		cpu  bool
		says string
	}{
		{"itself, composite", []string{"test.a"}, false, "test.a -> test.a"},
		{"itself, with a CPU function", []string{"test.a"}, true, "test.a -> test.a"},
		{"two, composite", []string{"test.a", "test.b"}, false, "test.a -> test.b -> test.a"},
		{"two, with CPU functions", []string{"test.a", "test.b"}, true, "test.a -> test.b -> test.a"},
		{"three", []string{"test.a", "test.b", "test.c"}, true, "test.a -> test.b -> test.c -> test.a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Cleanup(op.Forget)
			applies := make([]func(x lang.Tensor) lang.Tensor, len(c.ring))
			made := make([]*operator.Operator, len(c.ring))
			for i, name := range c.ring {
				made[i] = operator.Register(composed(name, &applies[i], c.cpu))
				require.NoError(t, made[i].Err())
			}
			for i := range applies {
				next := made[(i+1)%len(made)]
				applies[i] = func(x lang.Tensor) lang.Tensor { return next.Apply(nil, x)[0] }
			}
			g, err := lang.Capture("m", nil, func(m *lang.Module) {
				m.Entry("main", func(f *lang.Func) { f.Output("y", made[0].Apply(nil, f.Input("x", dtype.F32, 2))[0]) })
			})
			if c.cpu {
				require.NoError(t, err)
				_, err = iree.Emit(g, iree.Options{})
			}
			require.Equal(t, op.CodeCycle, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "compile/op_test registers test.a", "the package")
		})
	}
}

// Where it always does so, it is not registered.
func TestCyclesAtRegistration(t *testing.T) {
	by := func(name, inner string) *op.Op {
		return &op.Op{
			Name: name, Family: "test", Doc: "x.", Operands: []op.Operand{{Name: "x", Class: op.Float}},
			Rule: operator.Same, Examples: []op.Example{{Shapes: [][]int64{{2}}, Gives: [][]int64{{2}}}},
			Traits: op.Traits{
				Role: op.Computes, Rounding: op.Exact, Precision: op.Wide, Terms: op.NoTerms,
				Memory: op.Fresh, Reduces: op.Nothing, Rows: op.Elements,
			},
			Custom: &op.Custom{Package: "example.com/ops", Form: func(_ *op.Call, in []op.Ref, add op.Adder) ([]op.Ref, error) {
				return add(inner, nil, in)
			}},
		}
	}
	t.Cleanup(op.Forget)
	err := op.Register(by("test.self", "test.self"))
	require.Equal(t, op.CodeCycle, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "test.self -> test.self")

	op.Forget()
	inner := "negate"
	first := by("test.first", "")
	first.Custom.Form = func(_ *op.Call, in []op.Ref, add op.Adder) ([]op.Ref, error) { return add(inner, nil, in) }
	require.NoError(t, op.Register(first))
	inner = "test.second"
	err = op.Register(by("test.second", "test.first"))
	require.Equal(t, op.CodeCycle, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "test.second -> test.first -> test.second")
	require.Len(t, op.Registered(), 1)
}

// An operation that is applied while it is registered is none yet.
func TestAppliedBeforeRegistration(t *testing.T) {
	t.Cleanup(op.Forget)
	var self *operator.Operator
	apply := func(x lang.Tensor) lang.Tensor { return self.Apply(nil, x)[0] }
	self = operator.Register(composed("test.self", &apply, true))
	require.Equal(t, op.CodeForm, errs.CodeOf(self.Err()), "%v", self.Err())
	require.ErrorContains(t, self.Err(), "applied before Register has returned it")
}
