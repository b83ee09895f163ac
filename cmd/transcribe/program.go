package main

import (
	"os"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"golang.org/x/sys/cpu"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Where the program's parts are among its runfiles; set by the BUILD file.
var (
	cpuProgram    string // for x86-64-v3
	cpuProgramV4  string // for x86-64-v4
	vulkanProgram string
	contractFile  string
	archiveFile   string
	tokenizerFile string
	settingsFile  string
	libraryFile   string
	toolFile      string
)

// located finds a runfile.
func located(what, runfile string) (string, error) {
	path, err := runfiles.Rlocation(runfile)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return "", errs.Wrap("TRANSCRIBE_RUNFILES", err, "the %s is not beside the program", what).
			Hint("start it with bazel run, or keep the folder %s.runfiles", os.Args[0])
	}
	return path, nil
}

// choose gives the program for the device: for a CPU the best that this one
// can run.
func choose(device string) (runfile string, err error) {
	x := &cpu.X86
	driver, _, _ := strings.Cut(device, ":")
	switch {
	case driver == "vulkan":
		return vulkanProgram, nil
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL:
		return cpuProgramV4, nil
	case x.HasAVX2 && x.HasFMA && x.HasBMI2:
		return cpuProgram, nil
	}
	return "", errs.New("TRANSCRIBE_CPU", "the programs are compiled for x86-64-v3 (AVX2, FMA, BMI2) and up, which this processor is not").
		Hint("build another target, or use --device=vulkan")
}

// open loads the program for the device.
func open(o options) (backend.Executable, error) {
	runfile, err := choose(o.device)
	if err != nil {
		return nil, err
	}
	path, err := located("compiled program", runfile)
	if err != nil {
		return nil, err
	}
	doc, err := located("contract", contractFile)
	if err != nil {
		return nil, err
	}
	data, err := regular.Read(doc, regular.MaxDocument)
	if err != nil {
		return nil, err
	}
	c, err := contract.Parse(data)
	if err != nil {
		return nil, errs.WithFile(err, doc)
	}
	archive, err := located("archive of weights", archiveFile)
	if err != nil {
		return nil, err
	}
	opts := iree.Options{
		Program: path, Contract: c, Archives: map[string][]string{"model": {archive}},
		Device: o.device, Workers: o.workers,
	}
	// In process where the library was built, else through the tool.
	if libraryFile != "" && !strings.HasSuffix(libraryFile, ".absent") {
		if opts.Library, err = located("runtime library", libraryFile); err != nil {
			return nil, err
		}
	} else if opts.Tool, err = located("runtime tool", toolFile); err != nil {
		return nil, err
	}
	return iree.Open(opts)
}
