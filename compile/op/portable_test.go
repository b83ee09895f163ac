package op

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor"
)

// Each valid call of an operation with a portable form expands to valid calls,
// with the result types that the rule returns.
func TestPortableForms(t *testing.T) {
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
		if o.Portable == nil || tt.code != "" {
			continue
		}
		seen[tt.op] = true
		var in []Ref
		for _, x := range types(t, tt.in) {
			in = append(in, Ref{Type: x})
		}
		want, filled, err := Infer(tt.op, types(t, tt.in), tt.attrs)
		require.NoError(t, err)
		out, err := o.Expand(in, filled, add)
		require.NoError(t, err, "%s %s", tt.op, tt.in)
		require.Len(t, out, len(want))
		for i, r := range out {
			require.Equal(t, want[i], r.Type, "%s %s", tt.op, tt.in)
		}
	}
	for _, o := range All() {
		require.Equal(t, o.Portable != nil, seen[o.Name], o.Name)
	}
}
