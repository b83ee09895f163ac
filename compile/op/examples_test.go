package op

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func init() { inferences = append(inferences, exampleInferences()...) }

// exampleInferences returns the calls of examples, and the same with an operand missing
// or of another class.
func exampleInferences() []inference {
	var list []inference
	for _, o := range All() {
		for _, e := range o.Examples {
			var in, out, wrong []string
			for _, t := range o.ExampleTypes(e, dtype.F32) {
				in = append(in, t.String())
				wrong = append(wrong, "bool[2]")
			}
			for _, sizes := range e.Gives {
				out = append(out, tensor.TypeOf(dtype.F32, sizes...).String())
			}
			list = append(list,
				inference{o.Name, strings.Join(in, " "), e.Attrs, strings.Join(out, " "), ""},
				inference{o.Name, strings.Join(in[1:], " "), e.Attrs, "", CodeOperands},
				inference{o.Name, strings.Join(wrong, " "), e.Attrs, "", CodeDType})
		}
	}
	return list
}

// Each example is a valid call in f32 and f16.
func TestExamples(t *testing.T) {
	for _, o := range All() {
		for _, e := range o.Examples {
			require.Len(t, o.Operands, len(e.Shapes), o.Name)
			for _, d := range []dtype.DType{dtype.F32, dtype.F16} {
				out, _, err := Infer(o.Name, o.ExampleTypes(e, d), e.Attrs)
				require.NoError(t, err, o.Name)
				require.NotEmpty(t, out, o.Name)
			}
			require.LessOrEqual(t, e.Low, e.High, o.Name)
		}
	}
}

func TestExampleTypes(t *testing.T) {
	o := &Op{Name: "choose", Operands: []Operand{{Name: "c", Class: Bool}, {Name: "x", Class: Numeric}, {Name: "i", Class: Int, Variadic: true}}}
	types := o.like(Example{Shapes: [][]int64{{}, {2}, {3}, {4}}}).ExampleTypes(o.Examples[0], dtype.F16)
	var got []string
	for _, t := range types {
		got = append(got, t.String())
	}
	require.Equal(t, []string{"bool[scalar]", "f16[2]", "i32[3]", "i32[4]"}, got)
}
