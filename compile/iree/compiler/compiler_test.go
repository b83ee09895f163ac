package compiler

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// fake writes a shell script that replaces iree-compile.
func fake(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "iree-compile")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
	return path
}

func compile(t *testing.T, body string, flags ...string) (string, []string, error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "m.vmfb")
	warnings, err := Compile(context.Background(), Options{
		Compiler: fake(t, body), Flags: flags, Text: []byte("module {}\n"), TextName: "m.mlir", Row: "row", Out: out,
	})
	return out, warnings, err
}

func TestCompileGivesTextOnStdinAndMovesTheOutput(t *testing.T) {
	out, warnings, err := compile(t, `cat > "$3"; echo "$1 $2 $4 $5" >> "$3"; env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= | sort >> "$3"
echo "<stdin>:2:3: warning: slow" >&2`, "--a=1", "--b")
	require.NoError(t, err)
	require.Equal(t, []string{"m.mlir:2:3: slow"}, warnings)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "module {}\n- -o --a=1 --b\nLC_ALL=C\nPATH=/usr/bin:/bin\nTMPDIR=.\n", string(b))
}

// list prints a compiler's list of known names.
const list = `if [ "$4" = --iree-llvmcpu-target-cpu=help ]; then echo "Available CPUs for this target:

  cortex-a57 - Select the cortex-a57 processor.
  cortex-a76 - Select the cortex-a76 processor.
  cortex-m - x
  neoverse-n1 - x

Available features for this target:

  dotprod - Enable dot product support.
  neon - x

Use +feature to enable a feature.
Available CPUs for this target:

  cortex-a67 - of a second time
" >&2; exit 1; fi
`

// Flags that do not fit on a command line are passed in a response file.
func TestManyFlags(t *testing.T) {
	var flags []string
	for i := range 5000 {
		flags = append(flags, fmt.Sprintf("--option=a folder/%d/\"%s\"", i, strings.Repeat("x", 60)))
	}
	out, _, err := compile(t, `cat > /dev/null; program=$3; echo "$# $4" > "$program"
eval "set -- $(tr '\n' ' ' < flags.rsp)"; printf '%s\n' "$#" "$@" >> "$program"`, flags...)
	require.NoError(t, err)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "4 @flags.rsp\n5000\n"+strings.Join(flags, "\n")+"\n", string(b))
}

func TestFailures(t *testing.T) {
	noise := strings.Repeat("%1 = some.op\n", 300)
	for _, c := range []struct {
		name, body string
		code       errs.Code
		want       string
	}{
		{"parse", `echo "<stdin>:3:28: error: use of undeclared SSA value name
    %0 = x
         ^
<stdin>:3:10: note: see current operation
` + noise + `" >&2; exit 1`, CodeFailed, "IREE_COMPILE_FAILED: m.mlir:3:28: use of undeclared SSA value name (exit status 1)"},
		{"linker", `echo "WARNING: something
<stdin>:1:1: warning: w
module @x {
^
sh: 1: lld: not found
Linking failed
<stdin>:1:1: error: failed to link" >&2; exit 1`, CodeFailed, "m.mlir:1:1: sh: 1: lld: not found: failed to link (exit status 1)"},
		{"flag", `echo "iree-compile: Unknown command line argument '--bogus=1'.  Try: '/a/b --help'
iree-compile: Did you mean '--print-after=1'?" >&2; exit 1`, CodeFlags,
			"IREE_FLAGS: m.mlir: target row: --bogus=1: this version of the compiler has no flag --bogus; remove it from the flags"},
		{"misspelt flag", `echo "iree-compile: Unknown command line argument '--iree-opt-lvl=O2'.  Try: '/a/b --help'
iree-compile: Did you mean '--iree-opt-level=O2'?" >&2; exit 1`, CodeFlags, "no flag --iree-opt-lvl; write --iree-opt-level, or remove it"},
		{"flag's value", `echo "iree-compile: for the --iree-vulkan-target option: no such one" >&2; exit 1`, CodeFlags,
			"IREE_FLAGS: m.mlir: target row: --iree-vulkan-target=lapipe: the compiler rejects it: no such one; use another value"},
		{"processor", list + `echo "'cortex-a67' is not a recognized processor for this target (ignoring processor)" >&2; echo x > "$3"`, CodeCPU,
			`IREE_CPU: m.mlir: target row: --iree-llvmcpu-target-cpu=: the compiler knows no processor "cortex-a67" for this target, and would compile without it; ` +
				"use cortex-a57, cortex-a76, cortex-m, or one of those"},
		{"feature", list + `echo "'+dotprot' is not a recognized feature for this target (ignoring feature)" >&2; exit 1`, CodeCPU,
			`knows no feature "+dotprot" for this target, and would compile without it; use +dotprod, or one of those`},
		{"processor unlike any", `echo "'z80' is not a recognized processor for this target (ignoring processor)" >&2; echo x > "$3"`, CodeCPU,
			`knows no processor "z80" for this target, and would compile without it; iree-compile prints those`},
		{"text that reads as a processor", `echo "<stdin>:3:1: error: e
'zz' is not a recognized processor for this target
^" >&2; exit 1`, CodeFailed, "m.mlir:3:1: e (exit status 1)"},
		{"text that reads as a flag", `echo "<stdin>:3:1: error: e
iree-compile: Unknown command line argument '--bogus'" >&2; exit 1`, CodeFailed, "m.mlir:3:1: e (exit status 1)"},
		{"odd processor", list + `echo "'a'b' is not a recognized processor for this target (ignoring processor)" >&2; exit 1`, CodeCPU,
			`knows no processor "a'b" for`},
		{"warning first", `echo "<stdin>:1:1: warning: w
<stdin>:4:5: error: e" >&2; exit 2`, CodeFailed, "m.mlir:4:5: e (exit status 2)"},
		{"segfault", `echo "<unknown>:0: error: Unknown Vulkan target 'lapipe'" >&2; kill -SEGV $$`, CodeCrashed,
			"IREE_COMPILE_CRASHED: m.mlir: target row: --iree-vulkan-target=lapipe: the compiler was killed by the signal segmentation fault: Unknown Vulkan target 'lapipe'"},
		{"139 of a wrapper", `exit 139`, CodeCrashed, "--iree-vulkan-target=lapipe: the compiler was killed by the signal segmentation fault; "},
		{"abort", `echo "Please report issues to" >&2; kill -ABRT $$`, CodeCrashed, "the compiler was killed by the signal aborted; "},
		{"changed types", `echo "WARNING: ConvertTypesPass (--iree-input-demote-*-to-*) changed public function signatures; callers" >&2; echo x > "$3"`,
			CodeFailed, "changed the element types"},
		{"no output", `exit 0`, CodeFailed, "wrote no program"},
		{"half output", `echo half > "$3"; exit 1`, CodeFailed, "exit status 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := compile(t, c.body, "--iree-vulkan-target=lapipe")
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.want)
			require.Less(t, len(err.Error()), 1000)
			entries, dirErr := os.ReadDir(filepath.Dir(out))
			require.NoError(t, dirErr)
			require.Empty(t, entries, "a failed compile leaves nothing")
		})
	}
}

func TestNoCompiler(t *testing.T) {
	_, err := Compile(context.Background(), Options{Compiler: filepath.Join(t.TempDir(), "none"), Out: "x"})
	require.Equal(t, CodeFailed, errs.CodeOf(err))
	require.ErrorContains(t, err, "cannot run the compiler")
}

func TestMessagesAreBounded(t *testing.T) {
	h := &head{room: 10}
	for range 5 {
		n, err := fmt.Fprint(h, "abcd")
		require.NoError(t, err)
		require.Equal(t, 4, n)
	}
	require.Equal(t, "abcdabcdab", h.String())
}

func TestFlags(t *testing.T) {
	cpu := "--iree-hal-local-target-device-backends=llvm-cpu"
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{cpu, "--iree-llvmcpu-target-cpu=x86-64-v3"}, ""},
		{[]string{cpu}, "--iree-llvmcpu-target-cpu is not set"},
		{[]string{cpu, "--iree-llvmcpu-target-cpu=host"}, "depend on the build machine"},
		{[]string{"--iree-hal-target-device=vulkan"}, "--iree-vulkan-target is not set"},
		{[]string{"--iree-hal-target-device=vulkan", "--iree-vulkan-target=valhall4"}, ""},
		{[]string{"-o", "x"}, `"-o" is not a flag`},
		{[]string{"other.mlir"}, `"other.mlir" is not a flag`},
		{[]string{"--iree-llvmcpu-target-cpu=host"}, "depend on the build machine"},
		{[]string{"--iree-llvmcpu-target-cpu-features=host", "--iree-llvmcpu-target-cpu=x86-64-v3"}, "features=host makes the program"},
		{[]string{"--iree-llvmcpu-target-cpu=help"}, "help compiles nothing"},
		{[]string{"--iree-llvmcpu-target-cpu="}, "--iree-llvmcpu-target-cpu is not set"},
		{[]string{`--iree-hal-target-device=#hal.device.target<"local", {cpu = "host"}>`}, "names the host's processor"},
		{[]string{"--iree-hal-target-backends=llvm-cpu"}, "is the old name"},
		{[]string{"--iree-opt-level=O2\n--out=x"}, "control character"},
		{[]string{"--compile-to=input"}, "must be a program"},
		{[]string{"--compile-from=flow"}, "must be a program"},
		{[]string{"--output-format=vm-c"}, "must be a program"},
		{[]string{"--iree-vm-bytecode-module-output-format=flatbuffer-text"}, "must be a program"},
		{[]string{"--o=x"}, "sets the output"},
		{[]string{"--version"}, "compiles nothing"},
		{[]string{"--iree-load-plugin=x.so"}, "loads or runs"},
		{[]string{"--iree-hal-dump-executable-files-to=x"}, "names a file or folder"},
		{[]string{"--iree-codegen-tuning-spec-path=x"}, "names a file or folder"},
		{[]string{"--iree-llvmcpu-system-linker-path=x"}, "names a file or folder"},
		{[]string{"--iree-input-demote-f64-to-f32=false"}, ""},
	} {
		err := checkFlags(c.flags)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, CodeFlags, errs.CodeOf(err))
		require.ErrorContains(t, err, c.want)
	}
}
