package program

import (
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/errs"
)

// device returns the device, by default the CPU.
func (o Options) device() string {
	if o.Device == "" {
		return "cpu"
	}
	return o.Device
}

// isCPU reports whether a driver runs programs on the CPU.
func isCPU(driver string) bool { return strings.HasPrefix(driver, "local-") }

// choose returns the path of the program for the device: for a CPU the best that it
// can run, for other devices the first.
func (p Parts) choose(o Options) (place string, err error) {
	if o.Program != "" {
		return "", nil
	}
	driver, _, _ := strings.Cut(iree.Driver(o.device(), o.Threads), "://")
	best := -1
	for _, c := range p.Programs {
		rank := -1
		switch {
		case isCPU(driver) && isCPU(c.Device) && c.Arch == runtime.GOARCH:
			rank = level(c.CPU)
		case isCPU(driver) && isCPU(c.Device) && c.Arch == "": // for the runtime's interpreter
			rank = 0
		case !isCPU(driver) && c.Device == driver && best < 0:
			rank = 0
		}
		if rank > best {
			best, place = rank, c.File
		}
	}
	if best < 0 {
		return "", errs.New(CodeDevice, "there is no program for %s on this processor; the programs are for %s", driver, p.targets()).
			Hint("use --device=cpu on x86-64 with AVX2, for vulkan a target that has a program for it (such as chat_vulkan), or name a program with --program")
	}
	return place, nil
}

// targets lists the targets of the programs, for messages.
func (p Parts) targets() string {
	var names []string
	for _, c := range p.Programs {
		names = append(names, c.Target)
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// level ranks code for a processor on this one, from 1, or returns -1 if it does not run.
// A name that requires no features, such as generic, ranks lowest.
func level(name string) int {
	x := &cpu.X86
	v2 := x.HasSSE42 && x.HasPOPCNT
	v3 := x.HasAVX2 && x.HasFMA && x.HasBMI2
	v4 := x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL
	needs := map[string]struct {
		has  bool
		rank int
	}{
		"x86-64-v2": {v2, 2},
		"x86-64-v3": {v3, 3},
		"x86-64-v4": {v3 && v4, 4},
	}
	n, known := needs[name]
	switch {
	case !known:
		return 1
	case n.has:
		return n.rank
	}
	return -1
}
