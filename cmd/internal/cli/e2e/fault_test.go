//go:build integration

package e2e

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// refused opens a program, calls apply if it opens, and returns the error.
func refused(t *testing.T, name string, f form, o iree.Options) error {
	t.Helper()
	f.set(t, &o)
	x, err := iree.Open(o)
	if err == nil {
		_, err = x.Call(ctx, "apply", of(t, []float32{1, 0, 2, 2}, 2, 2))
		require.NoError(t, x.Close())
	}
	require.Error(t, err, name)
	return err
}

func TestBadPrograms(t *testing.T) {
	o := linear(t)
	whole, err := os.ReadFile(o.Program)
	require.NoError(t, err)
	cases := map[string][]byte{
		"empty":   {},
		"text":    bytes.Repeat([]byte("this is no program. "), 100),
		"zeros":   make([]byte, 4096),
		"flipped": flipped(whole, 200, 2000),
	}
	for _, n := range []int{1, 16, 63, 64, 200, 1000, len(whole) / 4, len(whole) / 2, len(whole) * 3 / 4, len(whole) - 1} {
		cases["cut at "+strconv.Itoa(n)] = whole[:n]
	}
	eachForm(t, func(t *testing.T, f form) {
		for name, b := range cases {
			bad := o
			bad.Program = filepath.Join(t.TempDir(), "bad.vmfb")
			require.NoError(t, os.WriteFile(bad.Program, b, 0o644))
			err := refused(t, name, f, bad)
			require.Equal(t, iree.CodeLoad, errs.CodeOf(err), "%s: %v", name, err)
			require.ErrorContains(t, err, bad.Program)
		}
	})
}

func flipped(b []byte, from, to int) []byte {
	b = bytes.Clone(b)
	for i := from; i < to; i++ {
		b[i] ^= 0x5a
	}
	return b
}

func TestFaults(t *testing.T) {
	o := linear(t)
	archive := func(items ...irpa.Item) map[string][]string {
		p := filepath.Join(t.TempDir(), "bad.irpa")
		require.NoError(t, irpa.Write(p, items))
		return map[string][]string{"model": {p}}
	}
	notAnArchive := map[string][]string{"model": {o.Program}}
	cases := []struct {
		name   string
		change func(o *iree.Options)
		code   errs.Code
		want   []string
	}{
		{"no archive", func(o *iree.Options) { o.Archives = nil }, iree.CodeParameters, []string{"model", "no archive"}},
		{"foreign scope", func(o *iree.Options) { o.Archives = map[string][]string{"mode": o.Archives["model"]} }, iree.CodeParameters, []string{"mode", `["model"]`}},
		{"missing key", func(o *iree.Options) { o.Archives = archive(irpa.Bytes("a", []byte{1})) }, iree.CodeParameters, []string{"bad.irpa", "model::layer.weight", "lacks the key"}},
		{"other length", func(o *iree.Options) { o.Archives = archive(irpa.Bytes("layer.weight", make([]byte, 28))) }, iree.CodeParameters, []string{"28 bytes are stored, the program needs 24"}},
		{"no irpa", func(o *iree.Options) { o.Archives = notAnArchive }, irpa.CodeMagic, []string{o.Program}},
		{"unknown driver", func(o *iree.Options) { o.Device = "gpu9" }, iree.CodeNoDevice, []string{"gpu9", "local-sync", "local-task", "vulkan"}},
		{"unknown device", func(o *iree.Options) { o.Device = "vulkan://GPU-00000000-0000-0000-0000-000000000001" }, iree.CodeNoDevice, []string{"vulkan"}},
		{"device of a processor", func(o *iree.Options) { o.Device = "local-task://9" }, iree.CodeNoDevice, []string{"local-task://9", "use local-task"}},
		{"no program", func(o *iree.Options) { o.Program = "none.vmfb" }, iree.CodeLoad, []string{"none.vmfb"}},
		{"no contract", func(o *iree.Options) { o.Contract = nil }, iree.CodeLoad, []string{"no contract"}},
		{"other rows", func(o *iree.Options) {
			o.Contract = changed(func(e *contract.Entry) { e.Results[0] = named("y", dtype.F32, 3, 2) })
		}, iree.CodeLoad, []string{"2x3", "3x2"}},
		{"other type", func(o *iree.Options) {
			o.Contract = changed(func(e *contract.Entry) { e.Results[0] = named("y", dtype.I32, 2, 3) })
		}, iree.CodeCall, []string{"f32[2x3]", "i32[2x3]"}},
		{"more results", func(o *iree.Options) {
			o.Contract = changed(func(e *contract.Entry) { e.Results = append(e.Results, e.Results[0]) })
		}, iree.CodeLoad, []string{"apply", "2 results"}},
	}
	eachForm(t, func(t *testing.T, f form) {
		for _, c := range cases {
			bad := o
			c.change(&bad)
			err := refused(t, c.name, f, bad)
			require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", c.name, err)
			for _, w := range c.want {
				require.ErrorContains(t, err, w, c.name)
			}
		}
	})
}

// changed returns the linear contract with its first entry changed.
func changed(change func(e *contract.Entry)) *contract.Contract {
	c := linearContract
	e := c.Entries[0]
	e.Results = append([]contract.Named{}, e.Results...)
	change(&e)
	c.Entries = []contract.Entry{e}
	return &c
}

// Our check does not see this error: the contract requires less than
// the program does, so IREE itself must find it.
func TestProgramNeedsMoreThanTheContractSays(t *testing.T) {
	o := linear(t)
	c := linearContract
	c.Parameters = nil
	o.Contract, o.Archives = &c, nil
	eachForm(t, func(t *testing.T, f form) {
		err := refused(t, "", f, o)
		require.Equal(t, iree.CodeParameters, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "model")
		require.ErrorContains(t, err, "NOT_FOUND")
	})
}

func TestCallsThatDoNotFit(t *testing.T) {
	o := linear(t)
	wrong := of(t, []float32{1, 2, 3}, 3)
	eachForm(t, func(t *testing.T, f form) {
		x := open(t, f, o)
		for name, call := range map[string]func() error{
			"BACKEND_BAD_ARGUMENT: apply: argument \"x\" is f32[3], want f32[2x2]": func() error { _, err := x.Call(ctx, "apply", wrong); return err },
			"BACKEND_BAD_ARGUMENT: apply: got 0 arguments, want 1":                 func() error { _, err := x.Call(ctx, "apply"); return err },
			"CONTRACT_NO_ENTRY": func() error { _, err := x.Call(ctx, "nope"); return err },
		} {
			require.ErrorContains(t, call(), name)
		}
		stopped, cancel := context.WithCancel(ctx)
		cancel()
		_, err := x.Call(stopped, "next")
		require.Equal(t, iree.CodeCall, errs.CodeOf(err))
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestMissingFunction(t *testing.T) {
	c := linearContract
	c.Entries = []contract.Entry{{Name: "apply", Args: linearContract.Entries[0].Args, Results: linearContract.Entries[0].Results}}
	c.Name = "another"
	o := linear(t)
	o.Contract = &c
	err := refused(t, "", inProcess, o)
	require.Equal(t, iree.CodeLoad, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "another.apply")
	c.Name, c.Entries[0].Name = "linear", "nope"
	o.Library = path(t, "IREERT_LIBRARY")
	_, err = iree.Open(o)
	require.Equal(t, iree.CodeLoad, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "linear.nope")
	require.ErrorContains(t, err, "NOT_FOUND")
}

func TestUseAfterClose(t *testing.T) {
	o := linear(t)
	eachForm(t, func(t *testing.T, f form) {
		f.set(t, &o)
		x, err := iree.Open(o)
		require.NoError(t, err)
		require.NoError(t, x.Close())
		require.NoError(t, x.Close())
		_, err = x.Call(ctx, "next")
		require.Equal(t, iree.CodeClosed, errs.CodeOf(err))
	})
}

func TestToolKeepsNoState(t *testing.T) {
	x := open(t, byTool, linear(t))
	got, err := x.Call(ctx, "next")
	require.NoError(t, err)
	require.Equal(t, of(t, []int32{1}), got[0])
	_, err = x.Call(ctx, "next")
	require.Equal(t, iree.CodeToolState, errs.CodeOf(err))
	_, err = x.Call(ctx, "block", of(t, []float32{1})) // uses no state
	require.NoError(t, err)
}

func TestForeignLibraries(t *testing.T) {
	text := filepath.Join(t.TempDir(), "libireert.so")
	require.NoError(t, os.WriteFile(text, []byte("no library"), 0o644))
	o := linear(t)
	for _, p := range []string{text, filepath.Join(t.TempDir(), "none.so")} {
		o.Library = p
		_, err := iree.Open(o)
		require.Equal(t, iree.CodeLoad, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, p)
	}
	_, err := ireert.Load("libm.so.6") // a library, but not ours
	require.Equal(t, iree.CodeLoad, errs.CodeOf(err))
	require.ErrorContains(t, err, "ireert_abi")
}

// arm returns the flags of a row for aarch64.
func arm(cpu, features string) []string {
	return []string{
		"--iree-input-type=stablehlo", "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
		"--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu", "--iree-llvmcpu-target-cpu=" + cpu, "--iree-llvmcpu-target-cpu-features=" + features,
	}
}

func TestCompilerDiagnostics(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		flags []string
		code  errs.Code
		want  string
	}{
		"syntax":    {strings.Replace(string(source(t, "linear.mlir")), "%x, %w,", "%x, %y,", 1), cpuFlags, compiler.CodeFailed, "in.mlir:6:36: use of undeclared SSA value name"},
		"target":    {string(source(t, "types.mlir")), []string{"--iree-hal-target-device=vulkan", "--iree-vulkan-target=valhall9"}, compiler.CodeCrashed, "--iree-vulkan-target=valhall9"},
		"processor": {string(source(t, "types.mlir")), arm("cortex-a67", "+neon"), compiler.CodeCPU, "-cpu=cortex-a67: the compiler knows no processor \"cortex-a67\" for this target, and would compile without it; use cortex-a57, "},
		"feature":   {string(source(t, "types.mlir")), arm("generic", "+neon,+dotprot"), compiler.CodeCPU, "knows no feature \"+dotprot\" for this target, and would compile without it; use +dotprod"},
		"flag":      {string(source(t, "types.mlir")), append(cpuFlags[:len(cpuFlags):len(cpuFlags)], "--iree-opt-lvl=O2"), compiler.CodeFlags, "no flag --iree-opt-lvl; write --iree-opt-level, or remove it"},
		"value":     {string(source(t, "types.mlir")), append(cpuFlags[:len(cpuFlags):len(cpuFlags)], "--iree-opt-level=O9"), compiler.CodeFlags, "--iree-opt-level=O9: the compiler rejects it: 'O9' value not a valid optimization level"},
		"linker":    {string(source(t, "types.mlir")), cpuFlags, compiler.CodeFailed, "/none/iree-lld"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o := compiler.Options{
				Compiler: path(t, "IREE_COMPILE"), Flags: c.flags, Text: []byte(c.text), TextName: "in.mlir", Out: filepath.Join(dir, "o.vmfb"),
			}
			if name == "linker" { // not a user's flag
				o.Stage = []string{"--iree-llvmcpu-embedded-linker-path=/none/iree-lld"}
			}
			_, err := compiler.Compile(ctx, o)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.want)
			require.Less(t, len(err.Error()), 1200)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// Two folders, two TMPDIRs, two names of the text: the same bytes.
func TestCompileIsDeterministic(t *testing.T) {
	var programs [2][]byte
	for i := range programs {
		dir := filepath.Join(t.TempDir(), strings.Repeat("sub/", 1+3*i))
		require.NoError(t, os.MkdirAll(dir, 0o755))
		t.Setenv("TMPDIR", dir)
		out := filepath.Join(dir, "p.vmfb")
		_, err := compiler.Compile(ctx, compiler.Options{
			Compiler: path(t, "IREE_COMPILE"), Linker: path(t, "IREE_LLD"), Flags: cpuFlags,
			Text: source(t, "linear.mlir"), TextName: strconv.Itoa(i) + ".mlir", Out: out,
		})
		require.NoError(t, err)
		programs[i], err = os.ReadFile(out)
		require.NoError(t, err)
	}
	require.NotEmpty(t, programs[0])
	require.True(t, bytes.Equal(programs[0], programs[1]))
}

// 10,000 calls with results of 64 kB, every tenth one failing or leaving its
// result on the device: memory stays flat. A result that leaked would add
// 640 MB; the allowance of 16 MB is for the heap's own slack after a warm-up.
func TestMemoryStaysFlat(t *testing.T) {
	x := open(t, inProcess, linear(t))
	r := x.(iree.Resident)
	arg := of(t, []float32{3})
	calls := func(n int) {
		for i := range n {
			if i%10 == 0 {
				kept, err := r.CallResident(ctx, "block", []iree.Operand{{Host: arg}}, 0)
				require.NoError(t, err)
				kept[0].Device.Release()
				_, err = r.CallResident(ctx, "block", []iree.Operand{{Host: tensor.Value{Type: arg.Type}}})
				require.Error(t, err)
				continue
			}
			got, err := x.Call(ctx, "block", arg)
			require.NoError(t, err)
			require.Equal(t, arg.Bytes, got[0].Bytes[len(got[0].Bytes)-4:])
		}
	}
	calls(2000)
	before := residentMemory(t)
	calls(10000)
	require.Less(t, residentMemory(t)-before, int64(16<<20))
}

func residentMemory(t *testing.T) int64 {
	b, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	pages, err := strconv.ParseInt(strings.Fields(string(b))[1], 10, 64)
	require.NoError(t, err)
	return pages * int64(os.Getpagesize())
}
