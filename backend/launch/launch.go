// Package launch is what the commands that run a model have in common: the parts that
// lie beside them, set by the rule that builds them (such as //text/generate:defs.bzl) or
// named by flags, and how the compiled program is opened.
//
// # Errors
//
// LAUNCH_RUNFILES where a part is not beside the program, LAUNCH_DEVICE where there is
// no program for the device or processor; IREE_* and CONTRACT_*.
//
// # Determinism
//
// The program is chosen by device and processor.
package launch

import (
	"context"
	"os"
	"runtime"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Codes of this package.
const (
	CodeRunfiles errs.Code = "LAUNCH_RUNFILES" // a part of the program is not beside it
	CodeDevice   errs.Code = "LAUNCH_DEVICE"   // no program for this device or processor
)

// Where the parts are among the runfiles of the program; empty for what it does not
// have.
var (
	ProgramX86V3  string // for x86-64-v3
	ProgramX86V4  string // for x86-64-v4
	ProgramARM64  string
	ProgramVulkan string
	ContractFile  string
	ArchiveFile   string
	TokenizerFile string
	LibraryFile   string
	ToolFile      string
)

// Options say what to run on.
type Options struct {
	Device  string
	Threads int

	// Paths of other parts than those beside the program.
	Program, Contract, Archive, Tokenizer, Library, Tool string
}

// Flags adds the flags to a command.
func (o *Options) Flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Device, "device", "cpu", "cpu, or a driver of the runtime such as vulkan")
	f.IntVar(&o.Threads, "threads", 0, "threads on a cpu; 0 takes one a core")
	f.StringVar(&o.Program, "program", "", "compiled program (.vmfb) in place of the one beside this one")
	f.StringVar(&o.Contract, "contract", "", "its contract")
	f.StringVar(&o.Archive, "archive", "", "archive of weights (.irpa)")
	f.StringVar(&o.Tokenizer, "tokenizer", "", "file with the tokenizer; of a language model a GGUF file, with or without tensors")
	f.StringVar(&o.Library, "library", "", "libireert.so")
	f.StringVar(&o.Tool, "tool", "", "iree-run-module, where there is no library")
}

// Part gives the path of a part: the one given, or the runfile.
func Part(what, given, runfile string) (string, error) {
	if given != "" {
		return given, nil
	}
	path, err := runfiles.Rlocation(runfile)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return "", errs.Wrap(CodeRunfiles, err, "the %s is not beside the program", what).
			Hint("start it with bazel run, keep the folder %s.runfiles, or name the file", os.Args[0])
	}
	return path, nil
}

// device gives the driver of the runtime.
func (o *Options) device() string {
	switch {
	case o.Device != "cpu":
		return o.Device
	case o.Threads == 1:
		return "local-sync"
	}
	return "local-task"
}

// choose gives the program for the device: for a CPU the best that it can run.
func (o *Options) choose() (runfile string, err error) {
	driver, _, _ := strings.Cut(o.device(), ":")
	x := &cpu.X86
	switch {
	case driver == "vulkan":
		runfile = ProgramVulkan
	case !strings.HasPrefix(driver, "local-"):
	case runtime.GOARCH == "arm64":
		runfile = ProgramARM64
	case ProgramX86V4 != "" && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL:
		runfile = ProgramX86V4
	case x.HasAVX2 && x.HasFMA && x.HasBMI2:
		runfile = ProgramX86V3
	}
	if runfile == "" && o.Program == "" {
		return "", errs.New(CodeDevice, "nothing beside this program was compiled for %s on this processor", driver).
			Hint("use --device=cpu on x86-64 with AVX2, for vulkan a target that has a program for it (such as chat_vulkan), or name a program with --program")
	}
	return runfile, nil
}

// Open loads the program and says whether it forgets all from call to call, which it
// does where the runtime library is not there and each call is a process.
func (o *Options) Open() (_ backend.Executable, forgets bool, err error) {
	runfile, err := o.choose()
	if err != nil {
		return nil, false, err
	}
	x := iree.Options{Device: o.device(), Workers: o.Threads}
	if x.Program, err = Part("compiled program", o.Program, runfile); err != nil {
		return nil, false, err
	}
	doc, err := Part("contract", o.Contract, ContractFile)
	if err != nil {
		return nil, false, err
	}
	data, err := regular.Read(doc, regular.MaxDocument)
	if err != nil {
		return nil, false, err
	}
	if x.Contract, err = contract.Parse(data); err != nil {
		return nil, false, errs.WithFile(err, doc)
	}
	archive, err := Part("archive of weights", o.Archive, ArchiveFile)
	if err != nil {
		return nil, false, err
	}
	x.Archives = map[string][]string{"model": {archive}}
	inProcess := o.Library != "" || LibraryFile != "" && !strings.HasSuffix(LibraryFile, ".absent")
	if inProcess && o.Tool == "" {
		if x.Library, err = Part("runtime library", o.Library, LibraryFile); err != nil {
			return nil, false, err
		}
		e, err := iree.Open(x)
		return e, false, err
	}
	if x.Tool, err = Part("runtime tool", o.Tool, ToolFile); err != nil {
		return nil, false, err
	}
	e, err := openAnew(func() (backend.Executable, error) { return iree.Open(x) })
	return e, true, err
}

// TokenizerPath gives the file with the tokenizer.
func (o *Options) TokenizerPath() (string, error) {
	return Part("tokenizer", o.Tokenizer, TokenizerFile)
}

// anew is a program that is opened for each call: through the tool a call is a
// process of its own, and refuses to be one that goes on from another.
type anew struct {
	contract *contract.Contract
	open     func() (backend.Executable, error)
}

// openAnew opens once, for the errors.
func openAnew(open func() (backend.Executable, error)) (backend.Executable, error) {
	e, err := open()
	if err != nil {
		return nil, err
	}
	return &anew{e.Contract(), open}, e.Close()
}

func (a *anew) Contract() *contract.Contract { return a.contract }
func (a *anew) Close() error                 { return nil }

func (a *anew) Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	e, err := a.open()
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.Call(ctx, entry, args...)
}
