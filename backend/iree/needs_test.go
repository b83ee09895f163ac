package iree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
)

// forCPU is what the compiler writes into a program for one target.
func forCPU(cpu, features, triple string) string {
	return `#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "` + cpu + `", cpu_features = "` + features +
		`", data_layout = "e-m:e", debug_symbols = false, iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, ` +
		`max_stack_allocation_size = 262144 : i64, target_triple = "` + triple + `-unknown-unknown-eabi-elf"}>`
}

var old = processor.Processor{Arch: "x86_64", OS: "linux", Instructions: map[string]bool{"avx2": true, "fma": true, "avx512f": false}}

func TestNeeds(t *testing.T) {
	v4 := forCPU("x86-64-v4", "+avx2,+avx512f", "x86_64")
	for text, want := range map[string][]processor.Needs{
		"": nil,
		`#hal.device.target<"vulkan", [#hal.executable.target<"vulkan-spirv", "x", {target_triple = "x86_64"}>]>`: nil,
		`#hal.device.target<"local", [` + v4 + `]>`:                                                               {{Arch: "x86_64", Instructions: []string{"avx2", "avx512f"}}},
		v4 + forCPU("generic", "+neon,+reserve-x18", "aarch64"): {
			{Arch: "x86_64", Instructions: []string{"avx2", "avx512f"}}, {Arch: "aarch64", Instructions: []string{"neon"}},
		},
		`#hal.executable.target<"llvm-cpu", "x", {target_triple = "x86_64-none"}>`: {{Arch: "x86_64"}},
		// Without an end, or a triple.
		strings.TrimSuffix(v4, "}>"):                               nil,
		strings.Replace(v4, "target_triple", "target", 1):          nil,
		executableMark + strings.Repeat("a", 2*maxExecutable) + v4: {{Arch: "x86_64", Instructions: []string{"avx2", "avx512f"}}},
	} {
		got, err := Needs(withModule(t, text))
		require.NoError(t, err)
		require.Equal(t, want, got, "%.300s", text)
	}
	_, err := Needs(file(t, "m.vmfb", "text"))
	require.Equal(t, CodeLoad, errs.CodeOf(err))
}

// A program for another processor is refused before it is loaded, unless an emulator runs it.
func TestProgramOfAnotherProcessor(t *testing.T) {
	path := withModule(t, declared+forCPU("x86-64-v4", "+avx2,+avx512f", "x86_64"))
	c := declaring(func(*contract.Entry) {})
	require.NoError(t, checkProgram(path, c, nil))
	err := checkProgram(path, c, &old)
	require.Equal(t, CodeCPU, errs.CodeOf(err))
	require.ErrorContains(t, err, path+": the program needs instructions that this processor lacks: avx512f; ")
	_, err = Open(Options{Program: withModule(t, forCPU("generic", "+v", "riscv64")), Contract: c})
	require.Equal(t, CodeCPU, errs.CodeOf(err))
	_, err = Open(Options{Program: withModule(t, forCPU("generic", "+v", "riscv64")), Contract: c, ToolPrefix: []string{"qemu"}, Tool: "none"})
	require.Equal(t, CodeLoad, errs.CodeOf(err), "%v", err)
}

func TestBest(t *testing.T) {
	v1 := withModule(t, forCPU("x86-64", "+sse2", "x86_64"))
	v3 := withModule(t, forCPU("x86-64-v3", "+avx2,+fma", "x86_64"))
	same := withModule(t, forCPU("x86-64-v3", "+avx2,+fma", "x86_64"))
	v4 := withModule(t, forCPU("x86-64-v4", "+avx2,+avx512f,+fma", "x86_64"))
	arm := withModule(t, forCPU("generic", "+dotprod,+lse,+neon,+rdm", "aarch64"))
	interpreted := withModule(t, "")
	recent := old
	recent.Instructions = map[string]bool{"avx2": true, "fma": true, "avx512f": true}
	for _, c := range []struct {
		paths []string
		p     processor.Processor
		want  string
	}{
		{[]string{v1, v4, v3, same, arm}, old, v3},
		{[]string{v1, v4, v3, same, arm}, recent, v4},
		{[]string{interpreted, v1}, old, v1},
		{[]string{v4, interpreted}, old, interpreted},
		{[]string{v4, arm}, old, ""},
	} {
		got, err := Best(c.paths, c.p)
		require.Equal(t, c.want, got)
		if c.want == "" {
			require.Equal(t, CodeCPU, errs.CodeOf(err))
		}
	}
	_, err := Best([]string{v1, file(t, "m.vmfb", "text")}, old)
	require.Equal(t, CodeLoad, errs.CodeOf(err))
}
