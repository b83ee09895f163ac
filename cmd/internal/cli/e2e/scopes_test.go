//go:build integration

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
	ireetext "github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/adapters"
)

const (
	width = 512
	rank  = 4
)

// layer is y = x W^T + s x A^T B^T, and a count of the calls of a session.
func layer(m *lang.Module) {
	calls := m.State("calls", dtype.I32, 0)
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 1, width)
		delta := nn.LoRA{Scope: "adapter", Rank: rank}.Delta(f, adapters.Key(0, "q_proj"), x, width, nil)
		f.Output("y", nn.Linear(f, "w.", x, nn.LinearOptions{NoBias: true}).Add(delta))
		n := f.Read(calls).AddScalar(1)
		f.Output("calls", n)
		f.Write(calls, n)
	})
}

// adapted is the program with its weights, 1 MiB of ramp, and archives of adapters.
type adapted struct {
	iree.Options
	dir string
}

func newAdapted(t *testing.T) adapted {
	t.Helper()
	a := adapted{dir: t.TempDir()}
	data := make([]float32, width*width)
	for i := range data {
		data[i] = float32(i%7) - 3
	}
	w := of(t, data, width, width)
	spec := tensor.Spec{Name: "w.weight", DType: dtype.F32, Shape: shape.Of(width, width), Bytes: int64(len(w.Bytes))}
	file := filepath.Join(a.dir, "w.safetensors")
	require.NoError(t, safetensors.Write(file, []safetensors.Item{{Spec: spec, Data: tensor.Owned(w.Bytes)}}, nil))
	open, err := weights.Open(file)
	require.NoError(t, err)
	t.Cleanup(func() { open.Close() })
	index, err := open.Index()
	require.NoError(t, err)
	g, err := lang.Capture("adapted", index, layer)
	require.NoError(t, err)
	m, err := ireetext.Emit(g, ireetext.Options{})
	require.NoError(t, err)
	base := filepath.Join(a.dir, "w.irpa")
	require.NoError(t, pack.Pack(base, m.Contract, "model", open, nil))
	a.Options = iree.Options{Program: compile(t, m.Text), Contract: m.Contract, Archives: map[string][]string{"model": {base}}}
	a.Archives["adapter"] = []string{a.adapter(t, "")}
	return a
}

// adapter packs an adapter by its seed, one of zeros by none.
func (a adapted) adapter(t *testing.T, seed string) string {
	t.Helper()
	dir := filepath.Join(a.dir, "of "+seed)
	require.NoError(t, os.MkdirAll(dir, 0o777))
	out := filepath.Join(dir, "adapter.irpa")
	if seed == "" {
		_, err := pack.Program(out, a.Contract, "adapter", nil, pack.Options{Zeros: true})
		require.NoError(t, err)
		return out
	}
	made := adapters.Adapter{Seed: seed, Rank: rank, Alpha: 2, Blocks: 1, Size: 1, Modules: []adapters.Module{{Name: "q_proj", In: width, Out: width}}}
	require.NoError(t, made.Write(dir))
	w, err := weights.Open(filepath.Join(dir, adapters.Config))
	require.NoError(t, err)
	defer w.Close()
	require.NoError(t, pack.Pack(out, a.Contract, "adapter", w, nil))
	return out
}

// want computes y for x of ones in f64 from the archives, with the weights and the update
// added up first.
func (a adapted) want(t *testing.T, archive string) []float64 {
	t.Helper()
	values := func(path, key string) []float32 {
		f, err := irpa.Open(path)
		require.NoError(t, err)
		defer f.Close()
		b, err := f.Tensor(key)
		require.NoError(t, err)
		data, err := b.Bytes()
		require.NoError(t, err)
		data = bytes.Clone(data)
		s, err := tensor.Slice[float32](tensor.Value{Type: tensor.TypeOf(dtype.F32, int64(len(data)/4)), Bytes: data})
		require.NoError(t, err)
		return s
	}
	key := adapters.Key(0, "q_proj")
	w, la, lb := values(a.Archives["model"][0], "w.weight"), values(archive, key+".lora_A.weight"), values(archive, key+".lora_B.weight")
	scale := float64(values(archive, key+".lora_scale")[0])
	y := make([]float64, width)
	for o := range y {
		for i := range width {
			merged := float64(w[o*width+i])
			for r := range rank {
				merged += scale * float64(lb[o*rank+r]) * float64(la[r*width+i])
			}
			y[o] += merged
		}
	}
	return y
}

func ones(t *testing.T) tensor.Value {
	data := make([]float32, width)
	for i := range data {
		data[i] = 1
	}
	return of(t, data, 1, width)
}

// requireLayer compares a session with the merged weights, and its count of calls.
func (a adapted) requireLayer(t *testing.T, x backend.Executable, archive string, calls int32) []float32 {
	t.Helper()
	out, err := x.Call(ctx, "main", ones(t))
	require.NoError(t, err)
	y, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	for i, want := range a.want(t, archive) {
		require.InDelta(t, want, y[i], 1e-3, "sums of %d products of at most 3", width)
	}
	require.Equal(t, of(t, []int32{calls}).Bytes, out[1].Bytes, "state is the session's own")
	return append([]float32{}, y...)
}

func TestSessionsWithOtherAdapters(t *testing.T) {
	a := newAdapted(t)
	zeros, poet, clerk := a.Archives["adapter"][0], a.adapter(t, "poet"), a.adapter(t, "clerk")
	eachForm(t, func(t *testing.T, f form) {
		base := open(t, f, a.Options)
		plain := a.requireLayer(t, base, zeros, 1)
		first, err := base.(backend.Shared).Session(map[string][]string{"adapter": {poet}})
		require.NoError(t, err)
		defer first.Close()
		second, err := first.(backend.Shared).Session(map[string][]string{"adapter": {clerk}}) // of a session
		require.NoError(t, err)
		defer second.Close()
		one, two := a.requireLayer(t, first, poet, 1), a.requireLayer(t, second, clerk, 1)
		require.NotEqual(t, plain, one)
		require.NotEqual(t, one, two)
		if f.name == inProcess.name { // the tool keeps no state, and refuses a second call
			a.requireLayer(t, base, zeros, 2)
			require.NoError(t, base.Close())
			require.Equal(t, one, a.requireLayer(t, first, poet, 2), "sessions outlive the first")
			a.requireLayer(t, second, clerk, 2)
		}
	})
}

// A further session adds its adapter's archive, and nothing of the size of the weights.
func TestMemoryGrowsByTheAdapter(t *testing.T) {
	a := newAdapted(t)
	size := func(path string) int64 {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Size()
	}
	memory := func(x backend.Executable) iree.Memory {
		m, err := x.(iree.Metered).Memory()
		require.NoError(t, err)
		return m
	}
	base := open(t, inProcess, a.Options)
	before := memory(base)
	weight, zeros := size(a.Archives["model"][0]), size(a.Archives["adapter"][0])
	require.Greater(t, weight, int64(width*width*4))
	require.Equal(t, weight+zeros, before.Archives)
	require.Zero(t, before.Shared)
	for _, seed := range []string{"poet", "clerk", "cook"} {
		path := a.adapter(t, seed)
		require.Less(t, size(path), weight/16)
		x, err := base.(backend.Shared).Session(map[string][]string{"adapter": {path}})
		require.NoError(t, err)
		defer x.Close()
		a.requireLayer(t, x, path, 1)
		now := memory(x)
		require.Equal(t, size(path), now.Archives, "what the session opened")
		require.Equal(t, weight, now.Shared, "what it shares")
		require.LessOrEqual(t, now.Device-before.Device, size(path), "allocated for it")
		before = now
	}
}

// Every fault of a scope has a code, and names the scope and the parameter.
func TestFaultsOfScopes(t *testing.T) {
	a := newAdapted(t)
	key := adapters.Key(0, "q_proj")
	entry := func(name string, d dtype.DType, sizes ...int64) irpa.Item {
		typ := tensor.TypeOf(d, sizes...)
		n, err := typ.Bytes()
		require.NoError(t, err)
		text, err := irpa.Describe(tensor.Spec{Name: name, DType: d, Shape: typ.Shape, Bytes: n})
		require.NoError(t, err)
		return irpa.Item{Name: name, Length: n, Metadata: text, Pattern: []byte{0}}
	}
	la, lb, scale := entry(key+".lora_A.weight", dtype.F32, rank, width), entry(key+".lora_B.weight", dtype.F32, width, rank), entry(key+".lora_scale", dtype.F32, 1)
	write := func(name string, items ...irpa.Item) []string {
		p := filepath.Join(a.dir, name)
		require.NoError(t, irpa.Write(p, items))
		return []string{p}
	}
	for name, tt := range map[string]struct {
		archives map[string][]string
		says     []string
	}{
		"lacks one":     {map[string][]string{"adapter": write("lacks.irpa", la, scale)}, []string{"adapter::" + key + ".lora_B.weight", "lacks.irpa"}},
		"another shape": {map[string][]string{"adapter": write("shape.irpa", la, entry(lb.Name, dtype.F32, rank, width), scale)}, []string{"adapter::" + lb.Name, "f32[4x512]", "f32[512x4]"}},
		"another type":  {map[string][]string{"adapter": write("type.irpa", la, entry(lb.Name, dtype.I32, width, rank), scale)}, []string{"adapter::" + lb.Name, "i32[512x4]"}},
		"another rank":  {map[string][]string{"adapter": write("rank.irpa", entry(la.Name, dtype.F32, 8, width), lb, scale)}, []string{"adapter::" + la.Name, "16384", "8192"}},
		"no such scope": {map[string][]string{"adaptr": write("scope.irpa", la, lb, scale)}, []string{"adaptr", `"adapter"`, `"model"`}},
		"no archive":    {map[string][]string{"adapter": {}}, []string{"adapter", "needs 3 parameters"}},
	} {
		t.Run(name, func(t *testing.T) {
			eachForm(t, func(t *testing.T, f form) {
				base := open(t, f, a.Options)
				_, err := base.(backend.Shared).Session(tt.archives)
				require.Equal(t, iree.CodeParameters, errs.CodeOf(err), "%v", err)
				for _, says := range tt.says {
					require.ErrorContains(t, err, says)
				}
				a.requireLayer(t, base, a.Archives["adapter"][0], 1) // is as it was
			})
		})
	}
	missing := a.Options
	missing.Archives = map[string][]string{"model": a.Archives["model"]}
	require.ErrorContains(t, refused(t, "no adapter", inProcess, missing), "adapter")
}

// skainet pack and skainet run: an adapter is an archive of the command line.
func TestAdapterOnTheCommandLine(t *testing.T) {
	a := newAdapted(t)
	a.adapter(t, "poet") // beside whose archive its two files are
	document, err := a.Contract.Marshal()
	require.NoError(t, err)
	file := filepath.Join(a.dir, "adapted.contract.json")
	require.NoError(t, os.WriteFile(file, document, 0o666))
	one, none := filepath.Join(a.dir, "one.irpa"), filepath.Join(a.dir, "none.irpa")
	run := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		require.Zero(t, cli.Main(args, &stdout, &stderr), stderr.String())
		return stdout.String()
	}
	run("pack", "--contract", file, "--scope", "adapter", "--weights", filepath.Join(a.dir, "of poet", adapters.Config), "-o", one)
	run("pack", "--contract", file, "--scope", "adapter", "--zeros", "-o", none)
	x := "x=" + strings.TrimSuffix(strings.Repeat("1,", width), ",")
	with := func(adapter string) string {
		return run("run", a.Program, "--contract", file, "--archive", a.Archives["model"][0], "--archive", "adapter="+adapter, "--library", path(t, "IREERT_LIBRARY"), x)
	}
	require.Equal(t, with(a.Archives["adapter"][0]), with(none))
	require.NotEqual(t, with(one), with(none))

	// The scripts of bazel run name an archive for each scope, which the user's replaces.
	script := func(more ...string) string {
		words := []string{"run", a.Program, "--contract", file, "--archive", a.Archives["model"][0], "--default-archive", "adapter=" + none, "--library", path(t, "IREERT_LIBRARY"), x}
		return run(append(words, more...)...)
	}
	require.Equal(t, with(none), script())
	require.Equal(t, with(one), script("--archive", "adapter="+one))
}
