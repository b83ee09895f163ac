//go:build integration

package corpus

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/rules/tests/actions"
)

// A text with an error fails the action that a build runs on each exported
// text, with the line and column of each error.
func TestActionsRefuseDamagedText(t *testing.T) {
	list := actions.Load(t, "ACTIONS_ctranslate2")
	for _, end := range []string{"ctranslate2_mlir.mlir", "ctranslate2_mlir.kernels.mlir", "ctranslate2_mlir.f16.mlir", "ctranslate2_mlir.kernels.f16.mlir"} {
		p := prepare(t, list, "StableHloVerify", end)
		good, err := os.ReadFile(p.root + "/" + p.input)
		require.NoError(t, err)
		for name, c := range map[string]struct {
			old, new string
			faults   []string // without the file
		}{
			"undefined": {
				"multiply %x, %0", "multiply %x, %9",
				[]string{"HLO_UNDEFINED|6:33: %9 is not defined"},
			},
			"redefined": {
				"%2 = util", "%1 = util",
				[]string{"HLO_REDEFINED|7:5: ", "HLO_UNDEFINED|8:37: %2 is not defined"},
			},
			"mistyped": {
				"%4 : tensor<2xf32>", "%4 : tensor<2xi32>",
				[]string{"HLO_TYPE|10:12: ", "HLO_TYPE|10:17: "},
			},
			"shape": {
				"(tensor<1xf32>) -> tensor<2xf32>", "(tensor<1xf32>) -> tensor<3xf32>",
				[]string{"HLO_TYPE|9:28: %3 is tensor<3xf32>, used as tensor<2xf32>"},
			},
			"operation": {
				"stablehlo.add", "stablehlo.ad",
				[]string{"HLO_UNKNOWN_OPERATION|9:10: "},
			},
			"symbol": {
				"load @w", "load @u",
				[]string{"HLO_UNKNOWN_SYMBOL|5:27: "},
			},
			"cut": {
				"    return %4 : tensor<2xf32>\n  }\n}\n", "",
				[]string{"HLO_SYNTAX|9:46: "},
			},
		} {
			t.Run(end+"/"+name, func(t *testing.T) {
				require.Equal(t, 1, strings.Count(string(good), c.old))
				data := strings.Replace(string(good), c.old, c.new, 1)
				stdout := p.fails(t, []byte(data), "skainet: VERIFY_FAULTS: "+p.input+": ")
				lines := slices.DeleteFunc(strings.Split(stdout, "\n"), func(line string) bool {
					return strings.HasSuffix(line, ": StableHLO text, no fault") // for the action's other text
				})
				require.Len(t, lines, len(c.faults)+2, stdout) // the last one sums up
				for i, fault := range c.faults {
					code, rest, _ := strings.Cut(fault, "|")
					want := code + ": " + p.input + ": " + rest
					require.True(t, strings.HasPrefix(lines[i], want), "%s\nin place of\n%s", stdout, want)
				}
			})
		}
	}
}
