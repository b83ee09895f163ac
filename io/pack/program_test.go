package pack

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func encoded(t *testing.T, key string, e quant.Encoding, sizes ...int64) contract.Parameter {
	t.Helper()
	p := param(key, dtype.F32, sizes...)
	p.Encoding = e
	var err error
	p.Bytes, err = transform.Storage{DType: dtype.F32, Encoding: e}.Bytes(p.Shape)
	require.NoError(t, err)
	return p
}

func content(t *testing.T, a *irpa.File, key string) []byte {
	t.Helper()
	b, err := a.Tensor(key)
	require.NoError(t, err)
	got, err := b.Bytes()
	require.NoError(t, err)
	return got
}

// The contract's types are the request, and the report says what each cost.
func TestProgramTransforms(t *testing.T) {
	c := program(param("w", dtype.F16, 2, 3), encoded(t, "w32", "Q8_0", 2, 256), param("b", dtype.F32, 2), constant("one", dtype.I8, 1))
	out := filepath.Join(t.TempDir(), "m.irpa")
	type call struct {
		Done, Total int64
		Name        string
	}
	var calls []call
	report, err := Program(out, c, "model", model(t), Options{
		Constants: map[string]tensor.Value{"one": value(t, []int8{1}, 1)},
		Progress:  func(done, total int64, name string) { calls = append(calls, call{done, total, name}) },
	})
	require.NoError(t, err)
	f32, bf16, i8 := transform.Storage{DType: dtype.F32, Encoding: quant.Dense}, transform.Storage{DType: dtype.BF16, Encoding: quant.Dense}, transform.Storage{DType: dtype.I8, Encoding: quant.Dense}
	q8 := transform.Storage{DType: dtype.F32, Encoding: "Q8_0"}
	require.Empty(t, cmp.Diff(&Report{Files: []string{out}, Parameters: []Parameter{
		{Key: "w", Source: contract.FromWeights, From: f32, To: transform.Storage{DType: dtype.F16, Encoding: quant.Dense}, Transform: transform.Narrow, Bytes: 12},
		{Key: "w32", Source: contract.FromWeights, From: f32, To: q8, Transform: transform.Quantise, Bytes: 544},
		{Key: "b", Source: contract.FromWeights, From: bf16, To: f32, Transform: transform.Widen, Exact: true, Bytes: 8},
		{Key: "one", Source: contract.FromConstant, From: i8, To: i8, Transform: transform.Copy, Exact: true, Bytes: 1},
	}}, report))
	require.Equal(t, report.Parameters[:2], report.Lossy())
	require.Equal(t, []call{{0, 565, "w"}, {12, 565, "w32"}, {556, 565, "b"}, {564, 565, "one"}, {565, 565, ""}}, calls)

	a := open(t, out)
	require.Equal(t, raw(t, []uint16{0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600}), content(t, a, "w"))
	q := content(t, a, "w32")
	require.Equal(t, []byte{0x00, 0x3c, 127, 256 - 49}, q[:4], "a scale of 1, then 127 and -49")
	back := make([]float32, 512)
	require.NoError(t, quant.Unpack("Q8_0", back, q))
	require.Equal(t, ramp(512), back)
	require.NoError(t, CheckArchive(c, "model", a))

	// The types travel with the archive, so it can be packed from again.
	again := filepath.Join(t.TempDir(), "again.irpa")
	w, err := weights.Open(out)
	require.NoError(t, err)
	defer w.Close()
	report, err = Program(again, program(param("w32", dtype.F32, 2, 256)), "model", w, Options{})
	require.NoError(t, err)
	require.Equal(t, transform.Dequantise, report.Parameters[0].Transform)
	require.Equal(t, raw(t, ramp(512)), content(t, open(t, again), "w32"))
}

func TestProgramIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	c := program(encoded(t, "w32", "Q4_0/planar", 2, 256), param("h", dtype.F32, 6), param("w", dtype.BF16, 2, 3))
	var want []byte
	for _, workers := range []int{1, 2, 8} {
		out := filepath.Join(t.TempDir(), "m.irpa")
		_, err := Program(out, c, "model", model(t), Options{Workers: workers})
		require.NoError(t, err)
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
}

// The largest half, 65504, and -infinity are values of f16; 1e30 is none.
func TestOverflowIsAnErrorUnlessAllowed(t *testing.T) {
	c := program(param("huge", dtype.F16, 3))
	dir := t.TempDir()
	out := filepath.Join(dir, "m.irpa")
	w := model(t)
	_, err := Program(out, c, "model", w, Options{})
	var e *errs.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, transform.CodeOverflow, e.Code)
	require.Equal(t, "huge", e.Node)
	require.Equal(t, w.Path(), e.File)
	require.Contains(t, e.What, "1 finite element")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)

	report, err := Program(out, c, "model", w, Options{AllowOverflow: true})
	require.NoError(t, err)
	require.EqualValues(t, 1, report.Parameters[0].Overflow)
	require.Equal(t, raw(t, []uint16{0x7c00, 0xfc00, 0x7bff}), content(t, open(t, out), "huge"))
}

func TestProgramInShards(t *testing.T) {
	c := program(param("w", dtype.F32, 2, 3), param("long", dtype.F32, 1940))
	out := filepath.Join(t.TempDir(), "m.irpa")
	report, err := Program(out, c, "model", model(t), Options{MaxShardSize: 8192})
	require.NoError(t, err)
	var archives []*irpa.File
	for i, path := range report.Files {
		require.Equal(t, irpa.ShardPath(out, i+1, 2), path)
		archives = append(archives, open(t, path))
	}
	require.NoError(t, CheckArchive(c, "model", archives...))
	require.Equal(t, raw(t, ramp(1940)), content(t, archives[1], "long"))
	_, err = Program(out, c, "model", model(t), Options{MaxShardSize: 1000})
	require.Equal(t, irpa.CodeLimit, errs.CodeOf(err))
}

func TestAll(t *testing.T) {
	w := model(t)
	out := filepath.Join(t.TempDir(), "all.irpa")
	report, err := All(out, w, Options{NoSync: true})
	require.NoError(t, err)
	x, err := w.Index()
	require.NoError(t, err)
	a := open(t, out)
	require.Empty(t, cmp.Diff(x.Tensors, a.Index().Tensors), "names, types and order are the file's")
	require.Len(t, report.Parameters, len(x.Tensors))
	require.Equal(t, []string{"binary_version", "revision", "spec", "n", "tied (another name of w)"}, report.Dropped)
	for i, s := range x.Tensors {
		b, err := w.Tensor(s.Name)
		require.NoError(t, err)
		want, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, want, content(t, a, s.Name))
		require.Equal(t, s.Bytes, report.Parameters[i].Bytes)
		require.Equal(t, transform.Copy, report.Parameters[i].Transform)
	}
}

// Shards are packed into one archive, with types and without; splats stay such,
// however long. What has more dimensions than a description holds is told.
func TestAllOfShards(t *testing.T) {
	dir := t.TempDir()
	items := []irpa.Item{irpa.Bytes("a", make([]byte, 4096)), {Name: "s", Length: 1 << 40, Pattern: []byte{1, 2}}, irpa.Bytes("b", make([]byte, 4096))}
	paths, err := irpa.WriteShards(filepath.Join(dir, "m.irpa"), items, 10<<10)
	require.NoError(t, err)
	require.Len(t, paths, 2)
	w, err := weights.Open(paths[1])
	require.NoError(t, err)
	defer w.Close()
	again, whole := filepath.Join(dir, "again.irpa"), filepath.Join(dir, "whole.irpa")
	_, err = All(again, w, Options{})
	require.NoError(t, err)
	require.NoError(t, irpa.Write(whole, items))
	want, err := os.ReadFile(whole)
	require.NoError(t, err)
	got, err := os.ReadFile(again)
	require.NoError(t, err)
	require.Equal(t, want, got)

	deep := filepath.Join(dir, "deep.safetensors")
	spec := tensor.Spec{Name: "d", DType: dtype.U8, Shape: shape.Of(1, 1, 1, 1, 1, 1, 1, 1, 2), Bytes: 2}
	require.NoError(t, safetensors.Write(deep, []safetensors.Item{{Spec: spec, Data: tensor.Owned([]byte{1, 2})}}, nil))
	d, err := weights.Open(deep)
	require.NoError(t, err)
	defer d.Close()
	report, err := All(again, d, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"d (its type, of 9 dimensions)"}, report.Dropped)
	require.Equal(t, []byte{1, 2}, content(t, open(t, again), "d"))
}

// An archive is packed again without a change of a byte, with types and
// without, splats included.
func TestAllOfAnArchive(t *testing.T) {
	items := []irpa.Item{irpa.Bytes("a", []byte{1, 2, 3}), {Name: "s", Length: 1 << 40, Pattern: []byte{1, 2}}}
	items[0].Metadata = []byte("whatever")
	first := filepath.Join(t.TempDir(), "a.irpa")
	require.NoError(t, irpa.Write(first, items))
	typed := filepath.Join(t.TempDir(), "typed.irpa")
	_, err := All(typed, model(t), Options{})
	require.NoError(t, err)
	for _, path := range []string{first, typed} {
		w, err := weights.Open(path)
		require.NoError(t, err)
		defer w.Close()
		again := filepath.Join(t.TempDir(), "b.irpa")
		report, err := All(again, w, Options{})
		require.NoError(t, err)
		require.Len(t, report.Parameters, len(w.Archive().Entries()))
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := os.ReadFile(again)
		require.NoError(t, err)
		require.Equal(t, want, got, fmt.Sprint(report))
	}
}
