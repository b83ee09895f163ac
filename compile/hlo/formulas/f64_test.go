package formulas

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
)

// native64 are the functions that programs for CPUs have for f64 without a C library.
var native64 = map[string]bool{"erf": true, "erfc": true, "exponential": true, "log": true, "logistic": true, "power": true, "sqrt": true, "rsqrt": true}

// Each function that is approximated has a form in f64, or needs none; and each form is
// one of a function in the table.
func TestF64(t *testing.T) {
	spelled := map[string]bool{}
	for _, o := range op.All() {
		name := o.StableHLO.Name
		if name == "" {
			continue
		}
		short := strings.TrimPrefix(strings.TrimPrefix(name, "stablehlo."), "chlo.")
		spelled[short] = true
		if o.Family == op.Elementwise && !o.Rounding.IsStated() {
			require.NotEqual(t, native64[short], F64[short] != nil, "%s: %s of f64 is a call of a C library unless F64 has a form", o.Name, name)
		}
	}
	spelled["atan2"] = true // whose lowering is a function of package hlo
	for name := range F64 {
		require.True(t, spelled[name], name)
	}
	for name := range native64 {
		require.True(t, spelled[name], name)
	}
	for name := range Angles {
		require.NotNil(t, F64[strings.TrimPrefix(strings.TrimPrefix(name, "stablehlo."), "chlo.")], name)
	}
}
