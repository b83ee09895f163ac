// Package program opens the compiled program of a model: it finds the parts that the
// build put next to the binary, chooses the best of several programs for the device and
// the processor, and loads it.
//
// A binary has its parts in one variable of type [Parts], in a file written by the rule
// program_parts (//rules:defs.bzl):
//
//	var parts program.Parts
//
//	func main() {
//		x, err := parts.Open(program.Options{})
//		if err != nil { ... }
//		defer x.Close()
//		results, err := x.Call(ctx, "main", argument)
//	}
//
// # Errors
//
// LAUNCH_RUNFILES if a part is not next to the program, LAUNCH_DEVICE if there is no
// program for the device or processor, LAUNCH_EXTRACT if parts that are in the binary cannot
// be written to a temporary folder; IREE_*, IRPA_* and CONTRACT_* for parts that
// exist but cannot be used.
//
// # Determinism
//
// The program is chosen by device and processor.
package program

import (
	"io/fs"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Codes of this package.
const (
	CodeRunfiles errs.Code = "LAUNCH_RUNFILES" // a part of the program is missing; smallest input: no parts
	CodeExtract  errs.Code = "LAUNCH_EXTRACT"  // smallest input: an embedded program where TMPDIR names no folder
	CodeDevice   errs.Code = "LAUNCH_DEVICE"   // no program for this device or processor; smallest input: no parts
)

// Parts are the files of a model's program. Each is a path in the runfiles of the
// binary, as returned by $(rlocationpath), an absolute path, or a file of Embedded. An empty
// path means that there is no such file.
type Parts struct {
	Programs []Compiled          // Open chooses one of them: each lists the instructions of its code
	Contract string              // what they have in common
	Archives map[string][]string // the archives of weights of each scope
	Library  string              // libireert; if empty, each call is a run of Tool
	Tool     string              // iree-run-module
	Files    map[string]string   // others that the binary reads, by names of its own: "tokenizer"
	// Embedded holds all of them where they are in the binary itself; nil where they are files.
	// The runtime loads files alone: Open writes them to a temporary folder, and removes it
	// when they are loaded.
	Embedded fs.FS
}

// Compiled is a program compiled for a target.
type Compiled struct {
	Target string // row of the target table, such as cpu_x86_64_v3
	Device string // driver of the runtime that runs it, such as local-task or vulkan
	Arch   string // of the processor, in the notation of runtime.GOARCH; empty for any
	File   string // its place
}

// Options configures how a program is opened. The zero value uses the parts as they
// are, on all cores of the CPU.
type Options struct {
	// Device is cpu (the default), or a driver of the runtime with "://PATH" after it
	// for one of its devices: vulkan, local-task, local-sync.
	Device string
	// Threads is the number of threads on a CPU; 0 is one per core.
	Threads int

	// Paths of files to use in place of the parts. Archives are FILE, of the scope
	// "model", or SCOPE=FILE, and replace those of the same scope.
	Program, Contract, Library, Tool string
	Archives                         []string
}

// Open loads the program for the device.
//
// If the runtime library was not built for this machine, each call is a run of the
// runtime's tool, which keeps no state: see [backend.KeepsState].
func (p Parts) Open(o Options) (backend.Executable, error) {
	if p.Embedded == nil {
		return p.open(o)
	}
	return p.openEmbedded(o)
}

func (p Parts) open(o Options) (backend.Executable, error) {
	x := iree.Options{Device: o.device(), Workers: o.Threads}
	var err error
	if x.Program, err = p.choose(o, processor.Here()); err != nil {
		return nil, err
	}
	document, err := find("contract", o.Contract, p.Contract)
	if err != nil {
		return nil, err
	}
	if x.Contract, err = contract.ReadFile(document); err != nil {
		return nil, err
	}
	if x.Archives, err = p.archives(o.Archives); err != nil {
		return nil, err
	}
	if o.Tool == "" && (o.Library != "" || p.Library != "") {
		if x.Library, err = find("runtime library", o.Library, p.Library); err != nil {
			return nil, err
		}
		return iree.Open(x)
	}
	if x.Tool, err = find("runtime tool", o.Tool, p.Tool); err != nil {
		return nil, err
	}
	x.PerCall = true
	return iree.Open(x)
}

// archives returns the paths of the archives of each scope.
func (p Parts) archives(given []string) (map[string][]string, error) {
	paths := command.Archives(given, command.DefaultScope)
	for _, list := range paths {
		for i, path := range list {
			list[i] = command.Path(path)
		}
	}
	for scope, places := range p.Archives {
		if paths[scope] != nil {
			continue
		}
		found := []string{}
		for _, place := range places {
			path, err := find("archive of weights", "", place)
			if err != nil {
				return nil, err
			}
			found = append(found, path)
		}
		paths[scope] = found
	}
	return paths, nil
}
