package compiler

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// checkFlags refuses flags that bring in something from outside, and targets
// that are known to compile to wrong numbers or to other bytes on another
// machine.
func checkFlags(flags []string) error {
	value := map[string]string{}
	for _, f := range flags {
		if !strings.HasPrefix(f, "--") {
			return errs.New(CodeFlags, "%q is no flag of the form --name=value; input and output are given apart", f)
		}
		name, v, _ := strings.Cut(f, "=")
		value[name] = v
	}
	device := value["--iree-hal-target-device"]
	if device == "vulkan" && value["--iree-vulkan-target"] == "" {
		return errs.New(CodeFlags, "no --iree-vulkan-target is given").
			Hint("the compiler's default target has no 8- and 16-bit storage and gives wrong numbers for f16, i8 and bool without a word; use valhall4 or another with them")
	}
	if value["--iree-hal-local-target-device-backends"] == "llvm-cpu" {
		switch cpu := value["--iree-llvmcpu-target-cpu"]; cpu {
		case "":
			return errs.New(CodeFlags, "no --iree-llvmcpu-target-cpu is given").
				Hint("name the oldest processor that the program must run on, such as x86-64-v3 or generic")
		case "host":
			return errs.New(CodeFlags, "--iree-llvmcpu-target-cpu=host gives another program on another machine").
				Hint("name the processor, such as x86-64-v3")
		}
	}
	return nil
}

// targetFlags gives the flags that name a target, for a message.
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

// isWasm says whether flags are for WebAssembly.
func isWasm(flags []string) bool {
	return slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "--iree-llvmcpu-target-triple=wasm") })
}
