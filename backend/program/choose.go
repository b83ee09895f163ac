package program

import (
	"runtime"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
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

// choose returns the path of the program for the device: for a CPU the best that the
// processor can run, for other devices the first. Programs that were not copied along are
// passed over, unless none was.
func (p Parts) choose(o Options, here processor.Processor) (string, error) {
	const what = "compiled program"
	if o.Program != "" {
		return find(what, o.Program, "")
	}
	driver, _, _ := strings.Cut(iree.Driver(o.device(), o.Threads), "://")
	var paths []string
	var missing error
	for _, c := range p.Programs {
		fits := c.Device == driver
		if isCPU(driver) {
			fits = isCPU(c.Device) && (c.Arch == runtime.GOARCH || c.Arch == "")
		}
		if !fits || (!isCPU(driver) && paths != nil) {
			continue
		}
		path, err := find(what, "", c.File)
		if err != nil {
			missing = err
			continue
		}
		paths = append(paths, path)
	}
	switch {
	case paths == nil && missing != nil:
		return "", missing
	case paths == nil:
		return "", p.none(driver, nil)
	case !isCPU(driver):
		return paths[0], nil
	}
	path, err := iree.Best(paths, here)
	if errs.CodeOf(err) == iree.CodeCPU {
		return "", p.none(driver, err)
	}
	return path, err
}

// none is the error of a device, or a processor, that no program is for.
func (p Parts) none(driver string, cause error) error {
	return errs.Wrap(CodeDevice, cause, "there is no program for %s on this processor; the programs are for %s", driver, p.targets()).
		Hint("use --device=cpu on x86-64 with AVX2, for vulkan a target that has a program for it (such as chat_vulkan), or name a program with --program")
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
