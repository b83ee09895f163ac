//go:build integration

package e2e

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	ireetext "github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// halves converts all f16 values to f32, and f32 values to f16, by their bits.
func halves(m *lang.Module) {
	m.Entry("widen", func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F16, 1<<16).Convert(dtype.F32).Bitcast(dtype.I32))
	})
	m.Entry("round", func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 6, 1<<19).Convert(dtype.F16).Bitcast(dtype.I16))
	})
}

// A program for a processor without f16 conversion, and the CPU backend, convert every
// f16 value, and f32 values around each of them and each tie, like
// NumPy (testdata/halves.py).
func TestHalvesAsNumPyConvertsThem(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "halves.json"))
	require.NoError(t, err)
	var want digested
	require.NoError(t, json.Unmarshal(b, &want))
	g, err := lang.Capture("halves", nil, halves)
	require.NoError(t, err)
	all := tensor.Value{Type: tensor.TypeOf(dtype.F16, 1<<16)}
	for h := range 1 << 16 {
		all.Bytes = binary.LittleEndian.AppendUint16(all.Bytes, uint16(h))
	}
	around := tensor.Value{Type: tensor.TypeOf(dtype.F32, 6, 1<<19)}
	for _, ending := range []uint32{0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF} {
		for first := range uint32(1 << 19) {
			around.Bytes = binary.LittleEndian.AppendUint32(around.Bytes, first<<13|ending)
		}
	}
	reference := func(t *testing.T, c *contract.Contract) backend.Executable {
		x, err := cpu.Load(g, c, nil)
		require.NoError(t, err)
		return x
	}
	// program compiles for a processor with only SSE2.
	program := func(t *testing.T, o ireetext.Options) (string, *contract.Contract) {
		m, err := ireetext.Emit(g, o)
		require.NoError(t, err)
		flags := strings.Split(strings.Replace(strings.Join(cpuFlags, "\n"), "x86-64-v3", "x86-64", 1), "\n")
		out := filepath.Join(t.TempDir(), "halves.vmfb")
		_, err = compiler.Compile(ctx, compiler.Options{
			Compiler: path(t, "IREE_COMPILE"), Linker: path(t, "IREE_LLD"), Flags: flags, Text: m.Text, TextName: "halves.mlir", Out: out,
		})
		require.NoError(t, err)
		return out, m.Contract
	}
	file, c := program(t, ireetext.Options{IntegerF16: true})
	got := digests(t, reference(t, c), all, around)
	require.Equal(t, want, got, "backend/cpu")
	eachForm(t, func(t *testing.T, f form) {
		require.Equal(t, want, digests(t, open(t, f, iree.Options{Program: file, Contract: c, Device: "local-task", Workers: 2}), all, around))
	})

	// The reason why such processors need a separate text.
	file, c = program(t, ireetext.Options{})
	got = digests(t, open(t, inProcess, iree.Options{Program: file, Contract: c, Device: "local-task", Workers: 2}), all, around)
	require.NotEqual(t, want.Rounded, got.Rounded, "the compiler's own conversion is correct now: see compile/hlo, f16.go")
}

// digested holds digests of results with canonical NaNs.
type digested struct{ Widened, Rounded string }

func digests(t *testing.T, x backend.Executable, halves, floats tensor.Value) digested {
	t.Helper()
	var d digested
	got, err := x.Call(ctx, "widen", halves)
	require.NoError(t, err)
	b := got[0].Bytes
	for i := 0; i < len(b); i += 4 {
		if v := binary.LittleEndian.Uint32(b[i:]); v&0x7FFFFFFF > 0x7F800000 {
			binary.LittleEndian.PutUint32(b[i:], 0x7FC00000)
		}
	}
	d.Widened = digest(b)
	got, err = x.Call(ctx, "round", floats)
	require.NoError(t, err)
	b = got[0].Bytes
	for i := 0; i < len(b); i += 2 {
		if v := binary.LittleEndian.Uint16(b[i:]); v&0x7FFF > 0x7C00 {
			binary.LittleEndian.PutUint16(b[i:], 0x7E00)
		}
	}
	d.Rounded = digest(b)
	return d
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
