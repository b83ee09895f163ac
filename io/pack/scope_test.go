package pack

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/peft"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/adapters"
)

const layer = "base_model.model.model.layers.0.self_attn.q_proj"

// adapted is a program with one adapted layer of 6 in, 8 out and rank 2.
func adapted() *contract.Contract {
	c := program(param(layer+peft.EndA, dtype.F32, 2, 6), param(layer+peft.EndB, dtype.F32, 8, 2), param(layer+peft.EndScale, dtype.F32, 1), param("w", dtype.F32, 8, 6))
	for i := range 3 {
		c.Parameters[i].Scope = "adapter"
	}
	return c
}

func adapter(t *testing.T, a adapters.Adapter) *weights.File {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, a.Write(dir))
	w, err := weights.Open(filepath.Join(dir, adapters.Config))
	require.NoError(t, err)
	require.Equal(t, peft.Format, w.Format())
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func rank2(modules ...adapters.Module) adapters.Adapter {
	return adapters.Adapter{Seed: "poet", Rank: 2, Alpha: 3, Blocks: 1, Size: 0.5, Modules: modules}
}

var qProj = adapters.Module{Name: "self_attn.q_proj", In: 6, Out: 8}

// What PEFT saved goes into the archive as it is, and the factor as a number.
func TestPackOfAnAdapter(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a.irpa")
	w := adapter(t, rank2(qProj))
	report, err := Program(out, adapted(), "adapter", w, Options{})
	require.NoError(t, err)
	require.Empty(t, report.Lossy())
	a := open(t, out)
	require.Len(t, a.Entries(), 3)
	for _, e := range a.Entries() {
		want, err := w.Tensor(e.Name)
		require.NoError(t, err)
		data, err := want.Bytes()
		require.NoError(t, err)
		got, err := a.Tensor(e.Name)
		require.NoError(t, err)
		packed, err := got.Bytes()
		require.NoError(t, err)
		require.Equal(t, data, packed, e.Name)
	}
	scale, err := a.Tensor(layer + peft.EndScale)
	require.NoError(t, err)
	data, err := scale.Bytes()
	require.NoError(t, err)
	require.Equal(t, raw(t, []float32{1.5}), data, "3/2")
	require.NoError(t, CheckArchive(adapted(), "adapter", a))
}

func TestPackOfZeros(t *testing.T) {
	out := filepath.Join(t.TempDir(), "zeros.irpa")
	report, err := Program(out, adapted(), "adapter", nil, Options{Zeros: true})
	require.NoError(t, err)
	require.Empty(t, report.Warnings())
	a := open(t, out)
	require.Less(t, a.Size(), int64(8192), "zeros are not stored")
	require.NoError(t, CheckArchive(adapted(), "adapter", a))
	for _, e := range a.Entries() {
		require.Equal(t, irpa.Splat, e.Type)
		b, err := a.Tensor(e.Name)
		require.NoError(t, err)
		data, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, make([]byte, e.Length), data, e.Name)
	}
	// What the weights have is not replaced.
	c := program(param("w", dtype.F32, 2, 3), param("none", dtype.I32, 4), param("block", dtype.F32, 2, 32))
	c.Parameters[2].Encoding, c.Parameters[2].Bytes = "Q8_0", 68
	some := filepath.Join(t.TempDir(), "some.irpa")
	report, err = Program(some, c, "model", model(t), Options{Zeros: true})
	require.NoError(t, err)
	var sources []contract.Source
	for _, p := range report.Parameters {
		sources = append(sources, p.Source)
	}
	require.Equal(t, []contract.Source{contract.FromWeights, FromZeros, FromZeros}, sources)
	require.NoError(t, CheckArchive(c, "model", open(t, some)))
}

func TestBadScopes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a.irpa")
	wide := rank2(qProj)
	wide.Rank = 4
	for name, tt := range map[string]struct {
		scope string
		w     *weights.File
		code  errs.Code
		says  []string
	}{
		"no such scope":  {"adapterr", nil, CodeNoScope, []string{`"adapterr"`, `"adapter"`, `"model"`}},
		"no weights":     {"adapter", nil, CodeNoWeights, []string{"adapter::" + layer + peft.EndA, "--zeros"}},
		"the model's":    {"adapter", model(t), CodeMissing, []string{"adapter::" + layer + peft.EndA, "model.bin", "weights of scope adapter", "--zeros"}},
		"another rank":   {"adapter", adapter(t, wide), CodeType, []string{"adapter::" + layer + peft.EndA, "f32[4x6]", "f32[2x6]", "constructor"}},
		"another layer":  {"adapter", adapter(t, rank2(adapters.Module{Name: "self_attn.v_proj", In: 6, Out: 8})), CodeExtra, []string{"v_proj", "adapter_config.json"}},
		"one layer more": {"adapter", adapter(t, rank2(qProj, adapters.Module{Name: "mlp.up_proj", In: 6, Out: 8})), CodeExtra, []string{"up_proj"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := Pack(out, adapted(), tt.scope, tt.w, nil)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			for _, says := range tt.says {
				require.ErrorContains(t, err, says)
			}
			require.NoFileExists(t, out)
		})
	}
}

// An archive that says what its entries are is compared in full: B of 2x8 has as many
// bytes as B of 8x2.
func TestCheckArchiveComparesTypes(t *testing.T) {
	describe := func(d dtype.DType, sizes ...int64) irpa.Item {
		s := tensor.Spec{Name: "a", DType: d, Shape: shape.Of(sizes...), Bytes: 64}
		text, err := irpa.Describe(s)
		require.NoError(t, err)
		return irpa.Item{Name: "a", Length: 64, Metadata: text, Pattern: []byte{0}}
	}
	p := param("a", dtype.F32, 8, 2)
	p.Scope = "adapter"
	c := program(p)
	require.NoError(t, CheckArchive(c, "adapter", archive(t, describe(dtype.F32, 8, 2))))
	for _, item := range []irpa.Item{describe(dtype.F32, 2, 8), describe(dtype.I32, 8, 2), describe(dtype.F32, 16)} {
		err := CheckArchive(c, "adapter", archive(t, item))
		require.Equal(t, CodeContractType, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "adapter::a")
		require.ErrorContains(t, err, "constructor")
	}
}
