// Package iree runs compiled programs (.vmfb) on IREE's runtime.
//
// Open returns a backend.Executable in one of three forms: in process through
// libireert.so (package ireert), by one run of iree-run-module for each call, or by a
// process of the static runner. In process is the default; the tool serves hosts without
// the library; the runner serves other architectures under an emulator, and keeps the
// program's state, as the tool does not. All check arguments, results and archives against the
// contract: a dynamic dimension takes any size, the same one wherever its name occurs,
// and results have the sizes that follow from those of the arguments.
//
// # Errors
//
// IREE_LOAD, IREE_NO_DEVICE, IREE_PARAMETERS, IREE_CALL and IREE_CLOSED as in
// package ireert, from each form; IREE_WORKERS for a number of threads that no
// device supports; IREE_TOOL_STATE if a call through the tool would need the state
// of an earlier one, unless Options.PerCall is set; PROGRAM_CPU for a program with instructions that the processor
// lacks, or for another architecture; BACKEND_BAD_ARGUMENT for arguments that do not
// fit the contract or each other.
//
// # Untrusted input
//
// A program is native code: run only what you compiled or trust. Damage is
// found by the checksums of its parts; malice is not.
//
// # Determinism
//
// All forms return the same results for the same program and device.
package iree

import (
	"context"
	"os"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/archives"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package, next to those of ireert.
const (
	CodeLoad       = ireert.CodeLoad
	CodeNoDevice   = ireert.CodeNoDevice
	CodeParameters = ireert.CodeParameters
	CodeCall       = ireert.CodeCall
	CodeClosed     = ireert.CodeClosed
	CodeCPU        = processor.CodeCPU

	CodeToolState errs.Code = "IREE_TOOL_STATE" // smallest input: two calls through the tool that share a state variable
	CodeWorkers   errs.Code = "IREE_WORKERS"    // smallest input: -1 workers
)

// maxWorkers is the maximum of the runtime library.
const maxWorkers = 256

// Options configures what to run, and where.
type Options struct {
	// Program is the path of the .vmfb.
	Program string
	// Contract describes the program.
	Contract *contract.Contract
	// Archives returns the .irpa files of each scope that the contract names.
	Archives map[string][]string
	// Device is cpu (see Driver), local-sync (the default), local-task, vulkan, cuda or
	// another driver of the runtime, with "://PATH" after it for one device of the
	// driver.
	Device string
	// Workers is the number of threads of a CPU; 0 is one per core.
	Workers int
	// CopyParameters reads archives into memory instead of mapping them.
	CopyParameters bool

	// Library is the path of libireert.so. Empty: the tool if one is given,
	// else the library that FindLibrary finds.
	Library string
	// Tool is the path of iree-run-module, used where there is no Library.
	Tool string
	// PerCall lets each call through the tool begin with the program's initial state, for
	// callers that ask backend.KeepsState and give each call all that it needs. Otherwise
	// a call that may need the state of an earlier one is IREE_TOOL_STATE.
	PerCall bool
	// Runner is the path of the static runner (//toolchains/iree/runner) for the program's
	// processor, used in place of Library and Tool.
	Runner string
	// ToolPrefix is a command prefix for the tool or the static runner, such as
	// qemu-aarch64-static -L ROOT.
	ToolPrefix []string
	// Env is the environment of the tool or the static runner; nil is this process's own.
	Env []string
}

// Operand is an argument or a result that may stay on the device.
type Operand = ireert.Operand

// Resident is the extra interface of an in-process program: it can leave results on the
// device and take them as arguments, so that an encoder's output need not be copied. A
// Buffer that is no longer needed is released by the caller; Close releases the rest. A
// Buffer whose one use in the program is an update or a scatter is updated in place: the
// caller's Buffer then holds the updated values.
type Resident interface {
	// CallResident runs an entry point; the results at the positions in keep
	// are left on the device.
	CallResident(ctx context.Context, entry string, args []Operand, keep ...int) ([]Operand, error)
}

// Memory is what a session of a program takes.
type Memory = ireert.Memory

// Metered is the extra interface of an in-process program that knows what it takes.
type Metered interface {
	// Memory returns the bytes of archives and of the device.
	Memory() (Memory, error)
}

// Driver returns the runtime's driver for a device: for cpu local-sync with one thread,
// else local-task; all others are drivers already.
func Driver(device string, threads int) string {
	switch {
	case device != "cpu":
		return device
	case threads == 1:
		return "local-sync"
	}
	return "local-task"
}

// Open loads a program. First the program's checksums are verified, its declared sizes
// and the archives are checked against the contract, and the instructions of its code
// against the processor: a damaged file, the contract of another program, a missing key, a
// wrong length, or an instruction that the processor lacks is an error before anything is
// loaded.
func Open(o Options) (backend.Executable, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Runner != "" {
		return openRunner(o)
	}
	library, err := o.library()
	if err != nil {
		return nil, err
	}
	if library != "" {
		return openInProcess(o, library)
	}
	return openTool(o)
}

// Check returns the error that Open would return before it loads anything: it needs no runtime,
// which may have to be fetched first.
func Check(o Options) error { return o.check() }

// check completes the options and compares what they name.
func (o *Options) check() error {
	if o.Contract == nil {
		return errs.New(CodeLoad, "no contract was given").In(o.Program).
			Hint("the file <name>.contract.json is next to the program's text")
	}
	if o.Device == "" {
		o.Device = "local-sync"
	}
	o.Device = Driver(o.Device, o.Workers)
	// The runtime accepts any path after a CPU driver, and ignores it.
	if driver, path, _ := strings.Cut(o.Device, "://"); strings.HasPrefix(driver, "local-") && path != "" {
		return errs.New(CodeNoDevice, "a CPU driver has no devices to choose from").On(o.Device).Hint("use %s", driver)
	}
	if o.Workers < 0 || o.Workers > maxWorkers {
		return errs.New(CodeWorkers, "%d worker threads; 0 to %d are allowed", o.Workers, maxWorkers)
	}
	if st, err := os.Stat(o.Program); err != nil || !st.Mode().IsRegular() {
		return errs.Wrap(CodeLoad, err, "the program does not exist or is not a file").In(o.Program).
			Hint("name the .vmfb")
	}
	if err := checkProgram(o.Program, o.Contract, o.processor()); err != nil {
		return err
	}
	return CheckArchives(o.Contract, o.Archives)
}

// processor returns what runs the program's code; nil where only the tool's emulator
// knows, or the static runner, which looks itself.
func (o *Options) processor() *processor.Processor {
	if len(o.ToolPrefix) > 0 || o.Runner != "" {
		return nil
	}
	here := processor.Here()
	return &here
}

// CheckArchives compares what the contract needs with what the archives of each
// scope hold.
// IREE itself would report less and later, and accepts a parameter that is too long.
// Keys that the contract does not name are allowed: programs share archives.
func CheckArchives(c *contract.Contract, files map[string][]string) error {
	return archives.Check(CodeParameters, c, files)
}
