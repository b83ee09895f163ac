//go:build integration

package e2e

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// half returns the little-endian bytes of 16-bit values.
func half(d dtype.DType, bits ...uint16) tensor.Value {
	v := tensor.Value{Type: tensor.TypeOf(d, 2, 2)}
	for _, h := range bits {
		v.Bytes = append(v.Bytes, byte(h), byte(h>>8))
	}
	return v
}

// Every element type is passed in and out, in both forms. The programs double
// their argument (bool: negate it), so the expected values are exact.
func TestEveryElementType(t *testing.T) {
	f16, bf16 := tensor.F32ToF16, tensor.F32ToBF16
	cases := []struct {
		entry     string
		arg, want tensor.Value
	}{
		{"bool", of(t, []bool{true, false, false, true}, 2, 2), of(t, []bool{false, true, true, false}, 2, 2)},
		{"i8", of(t, []int8{1, -2, 63, -64}, 2, 2), of(t, []int8{2, -4, 126, -128}, 2, 2)},
		{"i16", of(t, []int16{1, -2, 3, -16384}, 2, 2), of(t, []int16{2, -4, 6, -32768}, 2, 2)},
		{"i32", of(t, []int32{1, -2, 3, -4}, 2, 2), of(t, []int32{2, -4, 6, -8}, 2, 2)},
		{"i64", of(t, []int64{1 << 40, -2, 3, -4}, 2, 2), of(t, []int64{1 << 41, -4, 6, -8}, 2, 2)},
		{"u8", of(t, []uint8{1, 2, 3, 127}, 2, 2), of(t, []uint8{2, 4, 6, 254}, 2, 2)},
		{"u16", of(t, []uint16{1, 2, 3, 32767}, 2, 2), of(t, []uint16{2, 4, 6, 65534}, 2, 2)},
		{"u32", of(t, []uint32{1, 2, 3, 1 << 30}, 2, 2), of(t, []uint32{2, 4, 6, 1 << 31}, 2, 2)},
		{"u64", of(t, []uint64{1, 2, 3, 1 << 62}, 2, 2), of(t, []uint64{2, 4, 6, 1 << 63}, 2, 2)},
		{"f16", half(dtype.F16, f16(1), f16(-2), f16(0.5), f16(1024)), half(dtype.F16, f16(2), f16(-4), f16(1), f16(2048))},
		{"bf16", half(dtype.BF16, bf16(1), bf16(-2), bf16(0.5), bf16(1024)), half(dtype.BF16, bf16(2), bf16(-4), bf16(1), bf16(2048))},
		{"f32", of(t, []float32{1, -2, 0.5, 1e30}, 2, 2), of(t, []float32{2, -4, 1, 2e30}, 2, 2)},
		{"f64", of(t, []float64{1, -2, 0.5, 1e300}, 2, 2), of(t, []float64{2, -4, 1, 2e300}, 2, 2)},
		{"scalar", of(t, []int32{21}), of(t, []int32{42})},
		{"empty", of(t, []float32{}, 0, 4), of(t, []float32{}, 0, 4)},
	}
	c := &contract.Contract{Schema: contract.Schema, Name: "types"}
	for _, k := range cases {
		n := contract.Named{Name: "x", DType: k.arg.Type.DType, Shape: k.arg.Type.Shape}
		c.Entries = append(c.Entries, contract.Entry{Name: k.entry, Args: []contract.Named{n}, Results: []contract.Named{n}})
	}
	program := compile(t, source(t, "types.mlir"))
	eachForm(t, func(t *testing.T, f form) {
		for _, device := range []string{"local-sync", "local-task"} {
			x := open(t, f, iree.Options{Program: program, Contract: c, Device: device, Workers: 2})
			for _, k := range cases {
				got, err := x.Call(ctx, k.entry, k.arg)
				require.NoError(t, err, k.entry)
				require.Empty(t, cmp.Diff([]tensor.Value{k.want}, got), "%s on %s", k.entry, device)
			}
		}
	})
}

// A result whose size is determined by the program.
func TestDynamicResult(t *testing.T) {
	rows := func(d int64) []contract.Named { return []contract.Named{named("x", dtype.F32, d, 2)} }
	c := &contract.Contract{Schema: contract.Schema, Name: "types", Entries: []contract.Entry{
		{Name: "dynamic", Args: rows(shape.Dynamic), Results: rows(shape.Dynamic)},
	}}
	program := compile(t, source(t, "types.mlir"))
	eachForm(t, func(t *testing.T, f form) {
		x := open(t, f, iree.Options{Program: program, Contract: c})
		got, err := x.Call(ctx, "dynamic", of(t, []float32{1, 2, 3, 4, 5, 6}, 3, 2))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff([]tensor.Value{of(t, []float32{2, 4, 6, 8, 10, 12}, 3, 2)}, got))
	})
}

var linearContract = contract.Contract{
	Schema: contract.Schema, Name: "linear",
	Entries: []contract.Entry{
		{Name: "apply", Args: []contract.Named{named("x", dtype.F32, 2, 2)}, Results: []contract.Named{named("y", dtype.F32, 2, 3)}},
		{Name: "fold", Args: []contract.Named{named("x", dtype.F32, 2, 3)}, Results: []contract.Named{named("y", dtype.F32, 2)}},
		{Name: "next", Results: []contract.Named{named("n", dtype.I32)}, State: true},
		{Name: "block", Args: []contract.Named{named("x", dtype.F32)}, Results: []contract.Named{named("y", dtype.F32, 128, 128)}},
	},
	Parameters: []contract.Parameter{
		{Scope: "model", Key: "layer.weight", DType: dtype.F32, Shape: shape.Of(3, 2), Bytes: 24, Source: contract.FromWeights},
	},
}

// linear returns options of the linear program with its archive.
func linear(t testing.TB) iree.Options {
	archive := filepath.Join(t.TempDir(), "w.irpa")
	w := of(t, []float32{1, 2, 3, 4, 5, 6}, 3, 2)
	require.NoError(t, irpa.Write(archive, []irpa.Item{irpa.Bytes("other", []byte{1}), irpa.Bytes("layer.weight", w.Bytes)}))
	return iree.Options{
		Program: compile(t, source(t, "linear.mlir")), Contract: &linearContract,
		Archives: map[string][]string{"model": {archive}},
	}
}

func TestParameters(t *testing.T) {
	o := linear(t)
	want := []tensor.Value{of(t, []float32{1, 3, 5, 6, 14, 22}, 2, 3)} // [[1 0][2 2]] * w^T
	eachForm(t, func(t *testing.T, f form) {
		for _, copied := range []bool{false, true} {
			o.CopyParameters = copied
			got, err := open(t, f, o).Call(ctx, "apply", of(t, []float32{1, 0, 2, 2}, 2, 2))
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(want, got))
		}
	})
}

func TestStateInProcess(t *testing.T) {
	o := linear(t)
	a, b := open(t, inProcess, o), open(t, inProcess, o)
	for want := int32(1); want <= 3; want++ {
		got, err := a.Call(ctx, "next")
		require.NoError(t, err)
		require.Empty(t, cmp.Diff([]tensor.Value{of(t, []int32{want})}, got))
	}
	got, err := b.Call(ctx, "next") // state belongs to one executable
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]tensor.Value{of(t, []int32{1})}, got))
}

// The caller's memory receives a result of its type; other memory is not touched.
func TestResultsInto(t *testing.T) {
	x, ok := open(t, inProcess, linear(t)).(backend.CallerAllocated)
	require.True(t, ok)
	arg, want := of(t, []float32{1, 0, 2, 2}, 2, 2), of(t, []float32{1, 3, 5, 6, 14, 22}, 2, 3)
	for _, c := range []struct {
		into tensor.Value
		used bool
	}{
		{of(t, make([]float32, 6), 2, 3), true},
		{of(t, make([]float32, 6), 3, 2), false},
		{of(t, make([]int32, 6), 2, 3), false},
		{tensor.Value{Type: want.Type, Bytes: make([]byte, 20)}, false},
		{tensor.Value{}, false},
	} {
		got, err := x.CallInto(ctx, "apply", []tensor.Value{c.into}, arg)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff([]tensor.Value{want}, got))
		if c.used {
			require.Equal(t, want.Bytes, c.into.Bytes)
		} else {
			require.Equal(t, make([]byte, len(c.into.Bytes)), append([]byte{}, c.into.Bytes...))
		}
	}
}

// A result left on the device can be an argument of the next call.
func TestResident(t *testing.T) {
	x := open(t, inProcess, linear(t))
	r, ok := x.(iree.Resident)
	require.True(t, ok)
	y, err := r.CallResident(ctx, "apply", []iree.Operand{{Host: of(t, []float32{1, 0, 2, 2}, 2, 2)}}, 0)
	require.NoError(t, err)
	require.Equal(t, tensor.TypeOf(dtype.F32, 2, 3), y[0].Device.Type())
	z, err := r.CallResident(ctx, "fold", y)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(of(t, []float32{9, 42}, 2), z[0].Host))
	read, err := y[0].Device.Read()
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(of(t, []float32{1, 3, 5, 6, 14, 22}, 2, 3), read))
	y[0].Device.Release()
	y[0].Device.Release()
	_, err = r.CallResident(ctx, "fold", y)
	require.ErrorContains(t, err, "IREE_CLOSED")
}

// Two caches written in place in one call stay separate if their initial
// values differ, and share a buffer if they are equal: the second half fails once
// compile/iree's row state-alias is no longer needed.
func TestTwoCaches(t *testing.T) {
	c := &contract.Contract{Schema: contract.Schema, Name: "caches", Entries: []contract.Entry{{
		Name:    "push",
		Args:    []contract.Named{named("row", dtype.F32, 1, 2), named("pos", dtype.I32)},
		Results: []contract.Named{named("kv", dtype.F32, 4, 4)}, State: true,
	}}}
	// The program stores row in k and -row in v and gives k * v^T. After four
	// rows (i, 10 i) that is -101 i j.
	var want []float32
	for i := range 16 {
		want = append(want, -101*float32(i/4+1)*float32(i%4+1))
	}
	run := func(kInit, vInit string) *parity.Report {
		x := open(t, inProcess, iree.Options{Program: compile(t, source(t, "caches.mlir", "K_INIT", kInit, "V_INIT", vInit)), Contract: c})
		var got []tensor.Value
		for pos := int32(0); pos < 4; pos++ {
			f := float32(pos + 1)
			var err error
			got, err = x.Call(ctx, "push", of(t, []float32{f, 10 * f}, 1, 2), of(t, []int32{pos}))
			require.NoError(t, err)
		}
		// Small integers: every product and sum is exact in f32.
		r, err := parity.Compare("push", nil, got, []tensor.Value{of(t, want, 4, 4)}, parity.Rules{})
		require.NoError(t, err)
		return r
	}
	require.NoError(t, run("1.0e-30", "2.0e-30").Err())
	require.False(t, run("0.0", "0.0").OK(), "the compiler keeps equal caches separate now: remove the emitter's rule")
}
