package op

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

func dim(v int64) Attrs { return Attrs{"dim": v} }

func init() { inferences = append(inferences, normInferences...) }

func init() {
	inferences = append(inferences,
		inference{"cond", "bool[scalar]", nil, "", ""},
		inference{"cond", "bool[1]", nil, "", CodeShape},
		inference{"cond", "i32[scalar]", nil, "", CodeDType},
		inference{"cond", "bool[scalar] f32[2]", nil, "", CodeOperands},
	)
}

var normInferences = []inference{
	{"log_softmax", "f32[2x3]", dim(1), "f32[2x3]", ""},
	{"log_softmax", "f32[2x3]", dim(2), "", CodeAttribute},
	{"log_softmax", "f32[2x?]", dim(1), "", CodeShape},
	{"rms_norm", "f16[2x3] f16[3]", nil, "f16[2x3]", ""},
	{"rms_norm", "f16[2x3] f16[2]", nil, "", CodeShape},
	{"rms_norm", "f16[2x3] f32[3]", nil, "", CodeDType},
	{"rms_norm", "f16[2x0] f16[0]", nil, "", CodeShape},
	{"rms_norm", "f16[scalar] f16[0]", nil, "", CodeShape},
	{"l2_normalize", "f32[2x3]", dim(0), "f32[2x3]", ""},
	{"l2_normalize", "f32[2x3]", dim(-1), "", CodeAttribute},
	{"l2_normalize", "f32[2x3]", with(dim(0), "epsilon", -1.0), "", CodeAttribute},
	{"batch_norm", "f32[2x3x4x5] f32[3] f32[3] f32[3] f32[3]", nil, "f32[2x3x4x5]", ""},
	{"batch_norm", "f32[0x3] f32[3] f32[3] f32[3] f32[3]", nil, "f32[0x3]", ""},
	{"batch_norm", "f32[2x3x4x5] f32[3] f32[3] f32[3] f32[4]", nil, "", CodeShape},
	{"batch_norm", "f32[3] f32[3] f32[3] f32[3] f32[3]", nil, "", CodeShape},
	{"instance_norm", "f32[2x3x4] f32[3] f32[3]", nil, "f32[2x3x4]", ""},
	{"instance_norm", "f32[2x3x0] f32[3] f32[3]", nil, "", CodeShape},
	{"instance_norm", "f32[2x3x?] f32[3] f32[3]", nil, "", CodeShape},
	{"instance_norm", "f32[2x3x4] f32[3] f32[3]", Attrs{"epsilon": -1.0}, "", CodeAttribute},
	{"group_norm", "f32[2x6x4] f32[6] f32[6]", Attrs{"groups": int64(3)}, "f32[2x6x4]", ""},
	{"group_norm", "f32[2x6x4] f32[6] f32[6]", Attrs{"groups": int64(4)}, "", CodeAttribute},
	{"group_norm", "f32[2x6x4] f32[6] f32[6]", Attrs{"groups": int64(0)}, "", CodeAttribute},
	{"group_norm", "f32[2x6x4] f32[6] f32[3]", Attrs{"groups": int64(3)}, "", CodeShape},
}

// Each valid call of a composite operation decomposes, through valid calls, into the
// types that its rule returns.
func TestDecompositions(t *testing.T) {
	seen := map[string]bool{}
	var add Adder
	add = func(name string, attrs Attrs, in []Ref) ([]Ref, error) {
		types := make([]tensor.Type, len(in))
		for i, r := range in {
			types[i] = r.Type
		}
		out, filled, err := Infer(name, types, attrs)
		if err != nil {
			return nil, err
		}
		if o, _ := Lookup(name); o.IsComposite() {
			return o.Expand(in, filled, add)
		}
		refs := make([]Ref, len(out))
		for i, t := range out {
			refs[i].Type = t
		}
		return refs, nil
	}
	for _, tt := range all() {
		o, err := Lookup(tt.op)
		require.NoError(t, err)
		if !o.IsComposite() || tt.code != "" {
			continue
		}
		seen[tt.op] = true
		var in []Ref
		for _, x := range types(t, tt.in) {
			in = append(in, Ref{Type: x})
		}
		out, err := add(tt.op, tt.attrs, in)
		require.NoError(t, err, "%s %s", tt.op, tt.in)
		var got []tensor.Type
		for _, r := range out {
			got = append(got, r.Type)
		}
		require.Equal(t, types(t, tt.out), got, "%s %s", tt.op, tt.in)
	}
	for _, o := range All() {
		require.Equal(t, o.IsComposite(), seen[o.Name], o.Name)
	}
}

// The error of a rejected inner operation is the error of the call.
func TestRefusedInsideADecomposition(t *testing.T) {
	o, err := Lookup("log_softmax")
	require.NoError(t, err)
	refuse := func(name string, attrs Attrs, in []Ref) ([]Ref, error) {
		return nil, errs.New(CodeShape, "refused %s", name)
	}
	_, err = o.Expand([]Ref{{Type: oneType(t, "f32[2]")}}, dim(0), refuse)
	require.Equal(t, CodeShape, errs.CodeOf(err))
	nothing := func(string, Attrs, []Ref) ([]Ref, error) { return nil, nil }
	_, err = o.Expand([]Ref{{Type: oneType(t, "f32[2]")}}, dim(0), nothing)
	require.Equal(t, CodeOperands, errs.CodeOf(err))
}
