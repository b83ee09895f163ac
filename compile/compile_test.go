package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// Each name of Targets is a target, at each level, and no other name is.
func TestTo(t *testing.T) {
	for _, name := range Targets() {
		for _, level := range append(Levels(), "") {
			to, err := To(name, level)
			require.NoError(t, err)
			want := IREE
			if name == CPU {
				want = CPU
			} else if strings.HasPrefix(name, "xla_") {
				want = XLA
			}
			require.Equal(t, Target{name, level, want}, to)
		}
	}
	for _, l := range xla.Levels() {
		require.Contains(t, Levels(), l.Name, "the levels have the same names")
	}
	require.Len(t, xla.Levels(), len(Levels()))
	for want, names := range map[errs.Code][]string{
		target.CodeTarget: {"cpu_x86_64_v9", ""}, target.CodeRefused: {"webgpu", ""}, target.CodeLevel: {"cpu_x86_64_v3", "best", "cpu", "best"},
		xla.CodeTarget: {"xla_toaster", ""}, xla.CodeLevel: {"xla_cpu", "best"},
	} {
		for pair := range slices.Chunk(names, 2) {
			_, err := To(pair[0], pair[1])
			require.Equal(t, want, errs.CodeOf(err), "%q", pair)
		}
	}
}

func captured(t *testing.T) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("one", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F16, 4).Exp()) })
		m.Entry("any", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("n"))
			f.Output("y", x.Add(x))
		})
	})
	require.NoError(t, err)
	return g
}

// The texts are those that the target needs.
func TestTexts(t *testing.T) {
	g := captured(t)
	texts := func(name string, o Options) []Text {
		to, err := To(name, "")
		require.NoError(t, err)
		all, err := to.Texts(g, o)
		require.NoError(t, err)
		return all
	}
	v3, v1 := texts("cpu_x86_64_v3", Options{}), texts("cpu_x86_64_v1", Options{})
	require.Len(t, v3, 1)
	require.Empty(t, v3[0].Entry)
	require.Len(t, v3[0].Contract.Entries, 2)
	require.NotEqual(t, string(v3[0].Text), string(v1[0].Text), "a processor without f16")

	require.Len(t, texts("xla_cpu", Options{}), 1, "no size is given")
	all := texts("xla_cpu", Options{Sizes: []map[string]int64{{"n": 2}, {"n": 3}}})
	require.Len(t, all, 3)
	require.Equal(t, []string{"one", "any", "any"}, []string{all[0].Entry, all[1].Entry, all[2].Entry})
	require.Contains(t, string(all[2].Text), "tensor<3xf32>")

	to, err := To(CPU, "")
	require.NoError(t, err)
	_, err = to.Texts(g, Options{})
	require.Equal(t, CodeText, errs.CodeOf(err))
}
