// Package target is the table of targets that programs are compiled for, and of the
// levels of optimisation: those of toolchains/iree, which build rules use. targets.json
// is written from them:
//
//	bazel build //toolchains/iree:targets_json
//
// # Errors
//
// VMFB_TARGET, VMFB_REFUSED and VMFB_OPTIMIZATION, as of the rule iree_vmfb: for a name
// that is not in the table, a target that the compiler does not have, and a level that
// is not in the table.
//
// # Determinism
//
// The table is a part of the program.
package target

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of names.
const (
	CodeTarget  errs.Code = "VMFB_TARGET"       // smallest input: --target=cpu
	CodeRefused errs.Code = "VMFB_REFUSED"      // smallest input: --target=webgpu
	CodeLevel   errs.Code = "VMFB_OPTIMIZATION" // smallest input: --target=vulkan --level=best
)

// Row is a target.
type Row struct {
	Name          string   `json:"name"`
	Doc           string   `json:"doc"`            // for whom it is
	Device        string   `json:"device"`         // the runtime's driver
	Flags         []string `json:"flags"`          // of iree-compile, complete but for input, output and linker
	Kernels       bool     `json:"kernels"`        // whether its text is the one with kernels
	F16           string   `json:"f16"`            // how programs convert f16: by "instructions" or by "integers"
	Instructions  []string `json:"instructions"`   // those of a processor that its code may use, by the compiler's names, sorted
	StaticLibrary bool     `json:"static_library"` // whether the code is an object file beside the program
	Wide          bool     `json:"wide"`           // whether kernels fill 32 vector registers of 64 bytes
	Refused       string   `json:"refused"`        // why the compiler does not have it; "" where it does
}

// Level is a level of optimisation.
type Level struct {
	Name  string   `json:"name"`
	Doc   string   `json:"doc"`
	Flags []string `json:"flags"` // for all rows, in place of flags of the same name
	CPU   []string `json:"cpu"`   // the same, for rows whose code LLVM makes for a processor
}

// DefaultLevel is the level of a program that names none.
const DefaultLevel = "latency"

type table struct {
	DefaultTarget     string            `json:"default_target"`
	IREE              string            `json:"iree"`
	Targets           []Row             `json:"targets"`
	Levels            []Level           `json:"levels"`
	LLVMCPUFlag       string            `json:"llvm_cpu_flag"`
	ArchitectureFlags map[string]string `json:"architecture_flags"`
	NoProcessor       []string          `json:"no_processor"`
}

//go:embed targets.json
var document []byte

// whole is read when it is first asked for: most commands do not.
var whole = sync.OnceValue(func() (t table) {
	if err := json.Unmarshal(document, &t); err != nil {
		panic("targets.json: " + err.Error()) // a fault of what writes it, found by any test
	}
	return t
})

// IREEVersion returns the release of IREE whose flags these are.
func IREEVersion() string { return whole().IREE }

// Release returns the part of IREEVersion that names a release to a user: MAJOR.MINOR.
func Release() string {
	v := IREEVersion()
	return v[:strings.LastIndex(v, ".")]
}

// Default returns the name of the target of programs for which none is named.
func Default() string { return whole().DefaultTarget }

// Rows returns the targets in the order of the table, those that are refused among
// them.
func Rows() []Row { return slices.Clone(whole().Targets) }

// Levels returns the levels of optimisation, the default first.
func Levels() []Level { return slices.Clone(whole().Levels) }

// Find returns the target of a name.
func Find(name string) (Row, error) {
	i := slices.IndexFunc(whole().Targets, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, errs.New(CodeTarget, "unknown target %q", name).Hint("use one of %s", strings.Join(usable(), ", "))
	}
	if r := whole().Targets[i]; r.Refused != "" {
		return Row{}, errs.New(CodeRefused, "no program for %s: %s", name, r.Refused)
	}
	return whole().Targets[i], nil
}

// tripleFlag names the processor, system and calling convention of code for a CPU.
const tripleFlag = "--iree-llvmcpu-target-triple="

// collectives says what programs for a driver have of the operations by which several devices
// exchange values, such as stablehlo.all_reduce. The compiler takes them for every target;
// they run where the driver has channels (iree_hal_device_create_channel).
var collectives = map[string]string{
	"local-task": "none: the driver answers UNIMPLEMENTED, \"collectives not implemented\"",
	"vulkan":     "none: the driver answers UNIMPLEMENTED, \"collective channels\"",
	"cuda":       "by NCCL, a process for each device; not run",
	"hip":        "by RCCL, a process for each device; not run",
	"metal":      "none is known",
	"webgpu":     "none is known",
}

// Collectives says what programs for the target have of operations between devices.
func (r Row) Collectives() string { return collectives[r.Device] }

// Triple returns the triple of the target's code, such as x86_64-unknown-linux-gnu, or ""
// where it is not for a CPU.
func (r Row) Triple() string {
	for _, f := range r.Flags {
		if triple, ok := strings.CutPrefix(f, tripleFlag); ok {
			return triple
		}
	}
	return ""
}

// usable lists the names of the targets that the compiler has, sorted.
func usable() []string {
	var names []string
	for _, r := range whole().Targets {
		if r.Refused == "" {
			names = append(names, r.Name)
		}
	}
	slices.Sort(names)
	return names
}

// At returns the flags of the target at a level, "" for the default one.
func (r Row) At(level string) ([]string, error) {
	if level == "" {
		level = DefaultLevel
	}
	i := slices.IndexFunc(whole().Levels, func(l Level) bool { return l.Name == level })
	if i < 0 {
		var names []string
		for _, l := range whole().Levels {
			names = append(names, l.Name)
		}
		return nil, errs.New(CodeLevel, "there is no level %q", level).Hint("give one of %s", strings.Join(names, ", "))
	}
	flags := WithFlags(r.Flags, whole().Levels[i].Flags)
	if slices.Contains(flags, whole().LLVMCPUFlag) {
		flags = WithFlags(flags, whole().Levels[i].CPU)
	}
	return flags, nil
}

// Flags returns the flags of a target at a level, both by name.
func Flags(name, level string) ([]string, error) {
	r, err := Find(name)
	if err != nil {
		return nil, err
	}
	return r.At(level)
}

// WithFlags returns flags in which those of more stand in for flags of the same name:
// what stays, then more.
func WithFlags(flags, more []string) []string {
	name := func(flag string) string {
		n, _, _ := strings.Cut(flag, "=")
		return n
	}
	var all []string
	for _, f := range flags {
		if !slices.ContainsFunc(more, func(m string) bool { return name(m) == name(f) }) {
			all = append(all, f)
		}
	}
	return append(all, more...)
}

// ArchitectureFlag returns the flag with which targets of a device name an
// architecture, "" where there is none.
func ArchitectureFlag(device string) string { return whole().ArchitectureFlags[device] }

// NamesProcessor reports whether the value of --iree-llvmcpu-target-cpu names one: not
// that of the machine that compiles.
func NamesProcessor(value string) bool { return !slices.Contains(whole().NoProcessor, value) }

// LLVMCPUFlag returns the flag of programs whose code LLVM makes for a processor.
func LLVMCPUFlag() string { return whole().LLVMCPUFlag }
