package gemma3

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
)

// The calls match the entry points, and cover each of them.
func TestParityCases(t *testing.T) {
	doc := packed(t, "270M").Contract
	list, err := ParityCases(doc)
	require.NoError(t, err)
	called := map[string]bool{}
	for _, c := range list {
		for _, call := range c.Calls {
			e, err := doc.Entry(call.Entry)
			require.NoError(t, err)
			require.NoError(t, backend.Check(e, call.Args), "%s: %s", c.Name, call.Entry)
			called[call.Entry] = true
		}
	}
	require.Len(t, called, len(doc.Entries))

	_, err = ParityCases(&contract.Contract{Name: "other"})
	require.Error(t, err, "a program without decode")
}
