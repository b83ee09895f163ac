//go:build integration

package corpus

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/rules/tests/actions"
)

// output returns the output of an action whose name ends with end, as Bazel built it.
func output(t *testing.T, list []actions.Action, mnemonic, end string) []byte {
	t.Helper()
	var found []byte
	for _, a := range list {
		for path, short := range a.Outputs {
			if a.Mnemonic == mnemonic && strings.HasSuffix(path, end) {
				require.Nil(t, found, "two outputs %s of %s", end, mnemonic)
				data, err := os.ReadFile(actions.Runfile(t, short))
				require.NoError(t, err)
				found = data
			}
		}
	}
	require.NotEmpty(t, found, "no %s that writes %s", mnemonic, end)
	return found
}

// The same weights in every format, in one file or several, give the same program
// and the same archive.
func TestFormatsGiveTheSameProgram(t *testing.T) {
	archive, err := os.ReadFile(actions.Runfile(t, "rules/tests/fixture/rows_irpa.irpa"))
	require.NoError(t, err)
	text := output(t, actions.Load(t, "ACTIONS_ctranslate2"), "StableHloExport", "mlir.mlir")
	require.Contains(t, string(text), `flow.parameter.named<"model"::"w">`)
	formats := 0
	for _, pair := range os.Environ() {
		variable, _, _ := strings.Cut(pair, "=")
		if format, ok := strings.CutPrefix(variable, "ACTIONS_"); ok {
			formats++
			list := actions.Load(t, variable)
			require.Equal(t, string(text), string(output(t, list, "StableHloExport", "mlir.mlir")), format)
			require.Equal(t, archive, output(t, list, "IrpaPack", ".irpa"), format)
		}
	}
	require.Greater(t, formats, len(inputs), "the corpora's formats, and parts of GGUF")
}
