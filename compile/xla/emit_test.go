package xla

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// cached is a model with a weight, a state variable, a private function and two entry
// points, one with a dynamic size; a function of it has the name that XLA needs.
func cached(m *lang.Module) {
	s := m.State("cache", dtype.F32, 0, 4)
	double := m.Func("main", func(f *lang.Func) {
		a := f.Input("a", dtype.F32, 4)
		f.Output("b", a.Add(a))
	})
	m.Entry("step", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 4)
		next := f.Read(s).Add(x.Mul(f.Param("w")))
		f.Write(s, next)
		f.Output("y", f.Call(double, next)[0])
	})
	m.Entry("any", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("n"))
		f.Output("y", x.Add(x))
	})
}

func index() *tensor.Index {
	return &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(4), Bytes: 16}}}
}

func TestOneTextAnEntryPoint(t *testing.T) {
	g, err := lang.Capture("m", index(), cached)
	require.NoError(t, err)
	m, err := Emit(g, "step", nil, Options{})
	require.NoError(t, err)
	text := string(m.Text)
	require.Contains(t, text, "func.func @main(%x: tensor<4xf32>, %w.0: tensor<4xf32>, %w.1: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4xf32>, tensor<4xf32>) {")
	require.Contains(t, text, "func.func private @main_(")
	require.Contains(t, text, "func.call @main_(")
	require.Equal(t, 2, strings.Count(text, "func.func "))
	require.Equal(t, hlo.Access{Parameters: []string{"w"}, States: []string{"cache"}, Writes: []string{"cache"}}, m.Access[Main])
	again, err := Emit(g, "step", nil, Options{})
	require.NoError(t, err)
	require.Equal(t, text, string(again.Text), "the graph is as it was")

	m, err = Emit(g, "any", map[string]int64{"n": 3}, Options{})
	require.NoError(t, err)
	require.Contains(t, string(m.Text), "func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>) {")
	require.NotContains(t, string(m.Text), "?")

	_, err = Emit(g, "any", nil, Options{})
	require.Equal(t, CodeDynamic, errs.CodeOf(err), "a size without a number")
	require.ErrorContains(t, err, `the argument "x" has the type f32[n?]`)
	_, err = Emit(g, "none", nil, Options{})
	require.NotEmpty(t, errs.CodeOf(err))
	_, err = Emit(g, "step", nil, Options{Without: []string{"no row"}})
	require.Equal(t, CodeRewrite, errs.CodeOf(err))
}

// A row of the text changes the text of what it is for, and of nothing else.
func TestRows(t *testing.T) {
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		for _, d := range []dtype.DType{dtype.F32, dtype.F64} {
			m.Entry(d.String(), func(f *lang.Func) {
				x := f.Input("x", d, 2)
				f.Output("s", x.Sinh())
				f.Output("c", x.Cbrt())
				f.Output("a", x.Atan())
				f.Output("r", x.Remainder(x))
			})
		}
	})
	require.NoError(t, err)
	text := func(entry string, without ...string) string {
		m, err := Emit(g, entry, nil, Options{Without: without})
		require.NoError(t, err)
		return string(m.Text)
	}
	for _, r := range Rewrites() {
		require.NotEmpty(t, r.Symptom, r.ID)
		require.NotEmpty(t, r.Instead, r.ID)
		require.NotEmpty(t, r.Shown, r.ID)
		require.NotEqual(t, r.install == nil, r.Flags == nil, r.ID)
		if r.install == nil {
			require.Equal(t, text("f32"), text("f32", r.ID), r.ID)
			continue
		}
		require.NotEqual(t, text("f64"), text("f64", r.ID), r.ID)
		require.Equal(t, r.ID != "arctangent", text("f32") == text("f32", r.ID), r.ID)
	}
	all := text("f64")
	require.NotContains(t, text("f32"), "chlo.atan")
	for _, name := range []string{"chlo.sinh", "stablehlo.cbrt"} {
		require.NotContains(t, all, name)
		require.Contains(t, text("f32"), name)
	}
}

// The bytes are those of protoc for
//
//	executable_build_options { num_replicas: 1 num_partitions: 1 device_assignment { replica_count: 1 computation_count: 1
//	  computation_devices { replica_device_ids: 0 } } }
//	env_option_overrides { key: "xla_cpu_enable_fast_math" value { bool_field: true } }
func TestLevels(t *testing.T) {
	plain, err := Compile("", "ynn-fusion")
	require.NoError(t, err)
	require.Equal(t, []byte{0x1a, 15, 0x20, 1, 0x28, 1, 0x4a, 9, 8, 1, 16, 1, 0x1a, 3, 0x0a, 1, 0}, plain)
	fast, err := Compile("aggressive", "ynn-fusion")
	require.NoError(t, err)
	require.Equal(t, append(plain, "\x3a\x1e\x0a\x18xla_cpu_enable_fast_math\x12\x02\x10\x01"...), fast)
	with, err := Compile("latency")
	require.NoError(t, err)
	require.Equal(t, append(plain, "\x3a\x64\x0a\x24xla_cpu_experimental_ynn_fusion_type\x12\x3c\x0a\x3aLIBRARY_FUSION_TYPE_DOT,LIBRARY_FUSION_TYPE_INDIVIDUAL_DOT"...), with)
	for _, l := range Levels() {
		_, err := Compile(l.Name)
		require.NoError(t, err)
		require.NotEmpty(t, l.Doc)
	}
	_, err = Compile("best")
	require.Equal(t, CodeLevel, errs.CodeOf(err))
	require.ErrorContains(t, err, "latency, size, debug, aggressive")
}

func TestTargets(t *testing.T) {
	for _, row := range Targets() {
		require.True(t, IsTarget(row.Name))
		require.Equal(t, "xla_"+row.Platform, row.Name)
		found, err := FindTarget(row.Name)
		require.NoError(t, err)
		require.Equal(t, row, found)
	}
	_, err := FindTarget("xla_toaster")
	require.Equal(t, CodeTarget, errs.CodeOf(err))
	require.False(t, IsTarget("cpu_x86_64_v3"))
}

// A mesh of several devices is in the text, with the sharding of each argument and result;
// one of one device, and the texts for others, are as without it.
func TestMesh(t *testing.T) {
	build := func(axes ...lang.Axis) lang.Constructor {
		return func(m *lang.Module) {
			if axes != nil {
				m.Mesh(axes...)
			}
			s := m.State("cache", dtype.F32, 0, 4)
			m.Entry("step", func(f *lang.Func) {
				x := f.Input("x", dtype.F32, 2, 4).Shard("data", "")
				y := x.Mul(f.Param("w").Shard("model").BroadcastTo(2, 4)).Tanh().Shard("data", "model")
				f.Write(s, f.Read(s).Shard("model").Add(y.Sum(false, 0)))
				f.Output("y", y.Negate())
			})
		}
	}
	text := func(axes ...lang.Axis) string {
		g, err := lang.Capture("m", index(), build(axes...))
		require.NoError(t, err)
		m, err := Emit(g, "step", nil, Options{})
		require.NoError(t, err)
		plain, err := hlo.Emit(g, hlo.Options{})
		require.NoError(t, err)
		require.NotContains(t, string(plain.Text), "sdy")
		return string(m.Text)
	}
	none := text()
	require.NotContains(t, none, "sdy")
	require.Equal(t, none, text(lang.Axis{Name: "data", Size: 1}, lang.Axis{Name: "model", Size: 1}))
	got := text(lang.Axis{Name: "data", Size: 2}, lang.Axis{Name: "model", Size: 4})
	for _, want := range []string{
		"module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {",
		`sdy.mesh @mesh = <["data"=2, "model"=4]>`,
		`%x: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}`,
		`%w.0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}`,
		`%w.1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>, tf.aliasing_output = 1 : i32}`,
		`-> (tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>})`,
		`sdy.sharding_constraint %2 <@mesh, [{"data"}, {"model"}]> : tensor<2x4xf32>`,
	} {
		require.Contains(t, got, want)
	}
	options, err := CompileOn([]int64{4, 5}, "", "ynn-fusion")
	require.NoError(t, err)
	require.Equal(t, []byte{
		0x1a, 25, 0x20, 1, 0x28, 2, 0x30, 1, 0x98, 1, 1, // num_partitions, use_spmd_partitioning, use_shardy_partitioner
		0x4a, 14, 8, 1, 16, 2, 0x1a, 3, 0x0a, 1, 4, 0x1a, 3, 0x0a, 1, 5, // device_assignment
	}, options)
}

// Entry points may have weights and state variables of their own, which the mesh splits: the
// text of each has its own.
func TestMeshOfEntries(t *testing.T) {
	g, err := lang.Capture("m", index(), func(m *lang.Module) {
		m.Mesh(lang.Axis{Name: "data", Size: 2})
		s := m.State("cache", dtype.F32, 0, 4)
		m.Entry("encode", func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.F32, 4).Add(f.Param("w").Shard("data")))
		})
		m.Entry("decode", func(f *lang.Func) {
			f.Write(s, f.Read(s).Shard("data").Add(f.Input("x", dtype.F32, 4)))
			f.Output("y", f.Read(s))
		})
	})
	require.NoError(t, err)
	for _, entry := range []string{"encode", "decode"} {
		m, err := Emit(g, entry, nil, Options{})
		require.NoError(t, err, entry)
		require.Contains(t, string(m.Text), "num_partitions = 2", entry)
	}
}
