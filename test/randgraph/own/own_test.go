// Package own_test shows that random graphs do not pass over a registered operation that is at
// fault. Registrations last as long as the program, so no other test of random graphs is here.
package own_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/operator"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/randgraph"
	"github.com/skainet-dev/skainet-go/test/randgraph/randmain"
)

type (
	call   = operator.Call
	values = []tensor.Value
)

// register adds -x under a name, with a change.
func register(t *testing.T, name string, change func(d *operator.Definition)) {
	t.Helper()
	d := operator.Definition{
		Name: name, Doc: "-x.",
		Operands:  []operator.Operand{{Name: "x", Class: operator.Float}},
		Rule:      operator.Same,
		Decompose: func(_ *call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[0].Negate()} },
		CPU:       negated,
		Examples:  []operator.Example{{Shapes: [][]int64{{2, 3}}, Gives: [][]int64{{2, 3}}}},
	}
	change(&d)
	require.NoError(t, operator.Register(d).Err())
}

func negated(_ *call, in values) (values, error) {
	return operator.Each(in, func(x ...float64) float64 { return -x[0] })
}

func check(only ...string) (string, error) {
	var out bytes.Buffer
	k := randgraph.Check{Options: randgraph.Options{MaxOps: 4, Only: only}, Graphs: 12, Batch: 4}
	err := k.Run(context.Background(), &out)
	return out.String(), err
}

func TestOperationsAtFault(t *testing.T) {
	register(t, "own.good", func(*operator.Definition) {})
	require.Zero(t, randmain.Main([]string{"--own", "--graphs=3", "--ops=3"}))

	// By chance it is in no graph of these: it gets one of its own.
	many := make([]string, 400)
	for i := range many {
		many[i] = "add"
	}
	out, err := check(append(many, "own.good")...)
	require.NoError(t, err)
	require.Contains(t, out, "seed 0, own.good alone\n13 graphs of ")

	for _, c := range []struct {
		name   string
		change func(d *operator.Definition)
		code   errs.Code
		says   string
	}{
		{"own.fails", func(d *operator.Definition) {
			d.CPU = func(*call, values) (values, error) { return nil, errors.New("not today") }
		}, "OPERATOR_CPU", "not today"},
		{"own.panics", func(d *operator.Definition) {
			d.CPU = func(*call, values) (values, error) { panic("not today") }
		}, "OPERATOR_CPU", "it panicked: not today"},
		{"own.mistyped", func(d *operator.Definition) {
			d.CPU = func(*call, values) (values, error) {
				v, err := tensor.Of([]bool{true}, 1)
				return values{v}, err
			}
		}, "OPERATOR_CPU", "result 0 is bool[1], the rule gives"},
		{"own.none", func(d *operator.Definition) {
			d.CPU = func(*call, values) (values, error) { return nil, nil }
		}, "OPERATOR_CPU", "returns 0 tensors"},
		{"own.rule", func(d *operator.Definition) { // its example alone is right
			d.Rule = func(c *call) ([]tensor.Type, error) {
				if c.In[0].Shape.Rank() != 2 {
					panic("not of this rank")
				}
				return operator.Same(c)
			}
		}, "OPERATOR_RULE", "not of this rank"},
		{"own.form", func(d *operator.Definition) {
			d.CPU = nil
			d.Decompose = func(c *call, in []lang.Tensor) []lang.Tensor {
				if c.In[0].Shape.Rank() != 2 {
					panic("not of this rank")
				}
				return []lang.Tensor{in[0].Negate()}
			}
		}, "OPERATOR_FORM", "not of this rank"},
		{"own.nan", func(d *operator.Definition) {
			d.CPU = func(_ *call, in values) (values, error) {
				return operator.Each(in, func(...float64) float64 { return math.NaN() })
			}
		}, randgraph.CodeAbsent, "operation own.nan occurs in none of 12 graphs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			register(t, c.name, c.change)
			out, err := check("add", c.name)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.name)
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, out, " 0 fail")
		})
	}
	require.Equal(t, 1, randmain.Main([]string{"--own", "--graphs=3", "--ops=3"}))
}
