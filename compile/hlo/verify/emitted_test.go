package verify

import (
	"flag"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/examples/staircase/affine"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/lang"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/optest"
)

// emitted returns texts of every lowering and of the staircase's models, for
// all targets and with kernels. Package whisper checks its own.
func emitted(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, build := range map[string]lang.Constructor{
		"model": optest.Model, "wide": optest.CPUOnly, "dynamic": optest.Dynamic,
		"affine": affine.Model, "linear": linear.Model, "grayscale": grayscale.Model,
	} {
		g, err := lang.Capture(name, nil, build)
		require.NoError(t, err)
		for form, o := range map[string]iree.Options{"": {}, "_kernels": {Kernels: true, Constants: hlo.ExternalAlways}, "_f16": {Kernels: true, IntegerF16: true}} {
			m, err := iree.Emit(g, o)
			require.NoError(t, err)
			out[name+form] = string(m.Text)
		}
	}
	return out
}

func TestEmittedTextsHaveNoFault(t *testing.T) {
	for name, text := range emitted(t) {
		require.Empty(t, Text(name, []byte(text)), name)
		for f, piece := range pieces(text) {
			require.Empty(t, Text(f, []byte(piece)), "%s: %s", name, f)
		}
	}
}

// compilers are the dialects of one compiler.
var compilers = regexp.MustCompile(`\b(util|flow|hal|stream|tensor|arith|vector|scf)\.[a-z]`)

// Plain texts are pure StableHLO: every lowering, state variables, parameters that are
// constants of an archive, and dynamic sizes.
func TestPlain(t *testing.T) {
	for name, build := range map[string]lang.Constructor{
		"model": optest.Model, "wide": optest.CPUOnly, "dynamic": optest.Dynamic,
		"affine": affine.Model, "linear": linear.Model, "grayscale": grayscale.Model,
	} {
		for _, policy := range []hlo.ConstantPolicy{hlo.InlineAlways, hlo.ExternalAlways} {
			g, err := lang.CaptureWith(name, nil, build)
			require.NoError(t, err)
			m, err := hlo.Emit(g, hlo.Options{Constants: policy})
			require.NoError(t, err)
			require.Empty(t, Text(name, m.Text), name)
			require.Empty(t, compilers.FindString(string(m.Text)), name)
		}
	}
}

// each is the number of mutations of one kind for one operation; more of them take
// minutes, and have found nothing more.
var each = flag.Int("each", 6, "`changes` of one kind to one operation")

// Every mutation of a use, a definition or a type is detected, except
// those of unused values.
func TestMutants(t *testing.T) {
	total, kinds := map[string]int{}, map[string]int{}
	harmless := 0
	all := emitted(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		functions := pieces(all[name])
		for _, f := range slices.Sorted(maps.Keys(functions)) {
			some := func(kind, op string) bool {
				if total[kind+op] == *each {
					return false
				}
				total[kind+op]++
				kinds[kind]++
				return true
			}
			for _, m := range mutants(name+"/"+f, functions[f], some) {
				if len(Text(m.name, []byte(m.text))) > 0 {
					continue
				}
				require.True(t, m.harmless, "%s is not found:\n%s", m.name, m.line)
				harmless++
			}
		}
	}
	t.Logf("%v, %d harmless", kinds, harmless)
	for _, kind := range []string{"rename", "drop", "swap", "undefine", "twice", "name", "type-element", "type-size0", "type-rank", "symbol"} {
		require.NotZero(t, kinds[kind], kind)
	}
	require.Less(t, harmless, 100, "hardly any value of these texts is unused")
}
