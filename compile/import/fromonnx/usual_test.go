package fromonnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// What other numbers of an attribute mean is not computed as if they were not there.
func TestUnusualAttributes(t *testing.T) {
	for name, attributes := range unusual {
		require.NotNil(t, rules[name], name)
		for _, a := range attributes {
			require.Contains(t, kinds(name), a)
			n := &node{env: newSession(built(nil, nil), open.Evaluate, 0).enter(&onnx.Graph{}), Node: &onnx.Node{Op: name, Attributes: map[string]onnx.Attribute{a: {Int: 1}}}}
			err := attempt(func() { n.usual(name) })
			require.Equal(t, CodeUnmapped, errs.CodeOf(err))
			require.ErrorContains(t, err, a+"=1")
			n.Attributes[a] = onnx.Attribute{}
			n.usual(name)
		}
	}
}

// kinds are the attributes of an operator in its schemas.
func kinds(name string) (list []string) {
	for _, s := range signatures()[name] {
		for _, a := range s.attributes {
			list = append(list, a.name)
		}
	}
	return list
}
