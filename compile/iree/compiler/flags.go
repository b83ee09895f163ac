package compiler

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// checkFlags rejects flags that read other inputs, and targets
// known to compile to wrong numbers or to machine-dependent
// bytes.
func checkFlags(flags []string) error {
	value := map[string]string{}
	for _, f := range flags {
		if !strings.HasPrefix(f, "--") {
			return errs.New(CodeFlags, "%q is not a flag of the form --name=value; input and output are passed separately", f)
		}
		if strings.ContainsFunc(f, unicode.IsControl) {
			return errs.New(CodeFlags, "%q contains a control character", f).Hint("write one flag in each string")
		}
		name, v, _ := strings.Cut(f, "=")
		if why := foreign(name); why != "" {
			return errs.New(CodeFlags, "%s %s", name, why).Hint("remove it; to inspect what the compiler does, run iree-compile by hand")
		}
		value[name] = v
	}
	device := value["--iree-hal-target-device"]
	if flag := target.ArchitectureFlag(device); device == "vulkan" && value[flag] == "" {
		return errs.New(CodeFlags, "%s is not set", flag).
			Hint("the compiler's default target has no 8- and 16-bit storage and silently gives wrong numbers for f16, i8 and bool; use valhall4 or another target with them")
	}
	if cpu, given := value[cpuFlag]; cpu != "" && !target.NamesProcessor(cpu) || value[featuresFlag] == "host" {
		return errs.New(CodeFlags, "%s makes the program depend on the build machine", hostFlag(cpu)).
			Hint("name the processor, such as x86-64-v3")
	} else if cpu == "help" {
		return errs.New(CodeFlags, "--iree-llvmcpu-target-cpu=help compiles nothing").Hint("name a processor; run iree-compile by hand for the list")
	} else if given && cpu == "" || !given && slices.Contains(flags, target.LLVMCPUFlag()) {
		return errs.New(CodeFlags, "--iree-llvmcpu-target-cpu is not set").
			Hint("name the oldest processor that the program must run on, such as x86-64-v3 or generic")
	}
	if strings.Contains(device, `"host"`) {
		return errs.New(CodeFlags, "--iree-hal-target-device names the host's processor, which makes the program depend on the build machine").
			Hint("name the processor, such as x86-64-v3")
	}
	return nil
}

func hostFlag(cpu string) string {
	if cpu == "host" {
		return cpuFlag + "=host"
	}
	return featuresFlag + "=host"
}

// fileFlag is how the compiler's flags end that name files or folders to read or
// write; iree-compile --help-list of the pinned version has no others but those of
// otherFlags.
var fileFlag = regexp.MustCompile(`-(to|from|path|paths|file|files|filename|file-name|dir)$`)

// otherFlags change what the output is, choose the target in a way that is not
// checked, or load or run something.
var otherFlags = map[string]string{
	"--o":                  "sets the output, which the build does itself",
	"--help":               "compiles nothing",
	"--help-hidden":        "compiles nothing",
	"--help-list":          "compiles nothing",
	"--help-list-hidden":   "compiles nothing",
	"--version":            "compiles nothing",
	"--iree-list-plugins":  "compiles nothing",
	"--compile-mode":       notProgram,
	"--output-format":      notProgram,
	"--split-input-file":   notProgram,
	"--verify-diagnostics": notProgram,
	"--iree-vm-bytecode-module-output-format":        notProgram,
	"--iree-hal-target-backends":                     "is the old name of --iree-hal-target-device, and the processor of its programs is not checked",
	"--load":                                         otherCode,
	"--load-pass-plugin":                             otherCode,
	"--iree-load-plugin":                             otherCode,
	"--iree-hal-preprocess-executables-with":         otherCode,
	"--iree-hal-substitute-executable-object":        fileNamed,
	"--iree-hal-substitute-executable-source":        fileNamed,
	"--iree-hal-substitute-executable-configuration": fileNamed,
	"--iree-parameter-import":                        fileNamed,
	"--iree-parameter-export":                        fileNamed,
	"--iree-parameter-splat":                         fileNamed,
	"--mlir-pass-pipeline-crash-reproducer":          fileNamed,
	"--dot-cfg-mssa":                                 fileNamed,
}

const (
	notProgram = "changes what the output is, which must be a program"
	otherCode  = "loads or runs a file that the build does not know"
	fileNamed  = "names a file or folder that the build does not know"
)

// foreign says what is wrong with a flag whatever its value is, or returns "".
func foreign(name string) string {
	if why := otherFlags[name]; why != "" {
		return why
	}
	switch {
	case name == "--compile-to" || name == "--compile-from":
		return notProgram
	case fileFlag.MatchString(name) && !strings.HasPrefix(name, "--iree-input-demote-"):
		return fileNamed
	}
	return ""
}

// targetFlags returns the flags that name a target, for a message.
func targetFlags(flags []string) []string {
	var out []string
	for _, f := range flags {
		name, _, _ := strings.Cut(f, "=")
		if strings.Contains(name, "target") {
			out = append(out, f)
		}
	}
	return out
}

// isWasm reports whether flags are for WebAssembly.
func isWasm(flags []string) bool {
	return slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "--iree-llvmcpu-target-triple=wasm") })
}
