package processor

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// haswell has what Intel's processor of that name has.
func haswell() Processor {
	p := Processor{"x86_64", "linux", map[string]bool{}}
	for _, name := range []string{"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse2", "sse3", "sse4.1", "sse4.2", "ssse3"} {
		p.Instructions[name] = true
	}
	for _, name := range []string{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} {
		p.Instructions[name] = false
	}
	return p
}

func needs(t *testing.T, row string) Needs {
	t.Helper()
	r, err := target.Find(row)
	require.NoError(t, err)
	return RowNeeds(r)
}

func TestNeedsOf(t *testing.T) {
	require.Equal(t, Needs{"aarch64", []string{"dotprod", "neon"}}, NeedsOf("arm64-apple-macosx14.0.0", "+neon,+dotprod,-sve,+reserve-x18,+neon"))
	require.Equal(t, Needs{Arch: "arm"}, NeedsOf("thumbv7em-none-eabihf", ""))
	require.Equal(t, Needs{Arch: "arm"}, NeedsOf("armv7a-unknown-linux-gnueabihf", " ,+,-a"))
	require.Equal(t, Needs{Arch: "x86_64"}, NeedsOf("x86_64", "host"))
}

func TestRefusal(t *testing.T) {
	p := haswell()
	require.NoError(t, p.Check(nil))
	require.NoError(t, p.Check([]Needs{needs(t, "cpu_x86_64_v3")}))
	err := p.Check([]Needs{needs(t, "cpu_x86_64_v4")})
	require.Equal(t, CodeCPU, errs.CodeOf(err))
	require.EqualError(t, err, "PROGRAM_CPU: the program needs instructions that this processor lacks: avx512bw, avx512cd, avx512dq, avx512f, avx512vl; "+
		"compile it for a target that this processor can run: cpu_x86_64_v3, cpu_x86_64_v1")
	require.ErrorContains(t, p.Check([]Needs{needs(t, "riscv64")}), "for a processor with the architecture riscv64, and this one has x86_64; ")

	// One form that runs is enough, and the message is of the one that comes closest.
	require.NoError(t, p.Check([]Needs{needs(t, "cpu_x86_64_v4"), needs(t, "aarch64"), needs(t, "cpu_x86_64_v1")}))
	require.ErrorContains(t, p.Check([]Needs{needs(t, "aarch64"), needs(t, "cpu_x86_64_v4"), {"x86_64", []string{"avx512f"}}}), "lacks: avx512f; ")

	// What cannot be told is not refused.
	require.NoError(t, p.Check([]Needs{{"x86_64", []string{"new instruction"}}}))
	other := Processor{Arch: "loong64", OS: "plan9"}
	require.ErrorContains(t, other.Check([]Needs{needs(t, "aarch64")}), "compile it for vmvx, which any processor runs")
}

// Instructions of rare processors, by the compiler's names, are told too.
func TestInstructionsTold(t *testing.T) {
	here := Here()
	if here.Arch != "x86_64" {
		return
	}
	for _, name := range []string{"avx512fp16", "fma4", "xop", "tbm", "sse4a", "gfni", "avx10.1", "amx-fp16"} {
		_, told := here.Instructions[name]
		require.True(t, told, name)
	}
	require.False(t, here.Instructions["fma4"] && here.Instructions["avx512fp16"], "no processor has both")
}

func TestRows(t *testing.T) {
	names := func(p Processor) (list []string) {
		for _, r := range p.Rows() {
			list = append(list, r.Name)
		}
		return list
	}
	require.Equal(t, []string{"cpu_x86_64_v3", "cpu_x86_64_v1"}, names(haswell()))
	pi := Processor{"aarch64", "linux", map[string]bool{"neon": true, "dotprod": false, "fullfp16": false, "fp-armv8": true, "lse": false, "rdm": false}}
	require.Equal(t, []string{"aarch64_generic"}, names(pi))
	pi.OS = "android"
	require.Empty(t, names(pi))
	pi.Instructions["dotprod"] = true
	require.Equal(t, []string{"android"}, names(pi))
}

// This machine's own processor is known where programs are run in tests.
func TestHere(t *testing.T) {
	p := Here()
	require.Equal(t, runtime.GOOS, p.OS)
	switch runtime.GOARCH {
	case "amd64":
		require.Equal(t, "x86_64", p.Arch)
		require.True(t, p.Instructions["sse2"])
	case "arm64":
		require.Equal(t, "aarch64", p.Arch)
		require.True(t, p.Instructions["neon"])
	}
}

func TestUnknown(t *testing.T) {
	p := Processor{Arch: "x86_64", Instructions: map[string]bool{"avx": true, "avx2": false}}
	require.Empty(t, p.Unknown([]string{"avx", "avx2"}))
	require.Equal(t, []string{"avx9"}, p.Unknown([]string{"avx", "avx9"}))
}
