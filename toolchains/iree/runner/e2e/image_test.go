//go:build integration

package e2e

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The maximum size of a runner: it was 575 kB before there was a
// contract reader, and a board's flash is small.
const largest = 640 << 10

// runners returns the runners of the test's target, by their environment variables.
var runners = map[string]struct {
	machine elf.Machine
	cpu     macho.Cpu
}{
	"X86_64_LINUX":  {machine: elf.EM_X86_64},
	"AARCH64_LINUX": {machine: elf.EM_AARCH64},
	"ARM_LINUX":     {machine: elf.EM_ARM},
	"RISCV64_LINUX": {machine: elf.EM_RISCV},
	"AARCH64_MACOS": {cpu: macho.CpuArm64},
	"X86_64_MACOS":  {cpu: macho.CpuAmd64},
}

// A static program needs no loader and no library, so it runs on a system
// that has only a kernel; one for macOS needs only the system library.
func TestImages(t *testing.T) {
	seen := 0
	for variable, want := range runners {
		if os.Getenv(variable) == "" {
			continue
		}
		seen++
		file := path(t, variable)
		st, err := os.Stat(file)
		require.NoError(t, err)
		t.Logf("%s: %d bytes", variable, st.Size())
		require.Less(t, st.Size(), int64(largest), variable)
		noRepository(t, file)
		if want.cpu != 0 {
			macos(t, file, want.cpu)
		} else {
			linux(t, file, want.machine)
		}
	}
	require.Positive(t, seen)
}

// noRepository requires that no repository name is in a file: those differ between workspaces, and
// so would the bytes. The runtime's messages contain names of its files.
func noRepository(t *testing.T, file string) {
	t.Helper()
	image, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, bytes.Contains(image, []byte("iree/runtime/src/iree/base/allocator.c")), "%s has no names of files: this test sees nothing", file)
	for _, name := range []string{"external/", "bazel-out/"} {
		at := bytes.Index(image, []byte(name))
		require.Negative(t, at, "%s: byte %d: %.80q", file, at, image[max(at, 0):min(max(at, 0)+80, len(image))])
	}
}

func linux(t *testing.T, file string, machine elf.Machine) {
	t.Helper()
	f, err := elf.Open(file)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, machine, f.Machine)
	for _, p := range f.Progs {
		require.NotEqual(t, elf.PT_INTERP, p.Type)
	}
	libraries, err := f.ImportedLibraries()
	require.NoError(t, err)
	require.Empty(t, libraries)
	_, err = f.Symbols()
	require.ErrorIs(t, err, elf.ErrNoSymbols, "stripped")
}

// codeSignature is the number of a load command. Apple's own processors
// start no program without one; zig writes an ad-hoc signature.
const codeSignature = 0x1d

func macos(t *testing.T, file string, cpu macho.Cpu) {
	t.Helper()
	f, err := macho.Open(file)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, cpu, f.Cpu)
	require.Equal(t, macho.TypeExec, f.Type)
	libraries, err := f.ImportedLibraries()
	require.NoError(t, err)
	require.Equal(t, []string{"/usr/lib/libSystem.B.dylib"}, libraries)
	signed := false
	for _, l := range f.Loads {
		signed = signed || f.ByteOrder.Uint32(l.Raw()) == codeSignature
	}
	require.Equal(t, cpu == macho.CpuArm64, signed)
}
