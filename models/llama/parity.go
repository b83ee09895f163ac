package llama

import (
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/test/modelcases"
)

// ParityCases are the calls on which a compiled model is compared with the
// reference: every entry point.
func ParityCases(c *contract.Contract) ([]parity.Case, error) { return modelcases.Text(c) }

// CutCases are those for a cut: fewer calls, of every entry point.
func CutCases(c *contract.Contract) ([]parity.Case, error) { return modelcases.Cut(c) }
