package whisper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
)

// The text of the model is valid in the compiler's dialects, with
// kernels and without.
func TestTextHasNoFault(t *testing.T) {
	g, err := lang.Capture("whisper", indexOf(small), Model)
	require.NoError(t, err)
	for _, kernels := range []bool{false, true} {
		m, err := iree.Emit(g, iree.Options{Kernels: kernels})
		require.NoError(t, err)
		require.NotEmpty(t, m.Text)
		require.Empty(t, verify.Text("whisper.mlir", m.Text))
	}
}
