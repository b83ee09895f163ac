package xla

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Target is what XLA's programs are compiled for: the platform of a plugin. The plugin
// itself decides for which of its devices; its wheel is a row of toolchains/xla.
type Target struct {
	Name     string
	Platform string // of the plugin's devices, as they name it
	Doc      string
	// Fetched reports whether toolchains/xla has a plugin for it; another one is named by
	// its path.
	Fetched bool
}

var targets = []Target{
	{Name: "xla_cpu", Platform: "cpu", Doc: "the processor that the program is compiled on", Fetched: true},
	{Name: "xla_cuda", Platform: "cuda", Doc: "NVIDIA GPUs, with the libraries of CUDA 12 or 13", Fetched: true},
	{Name: "xla_rocm", Platform: "rocm", Doc: "AMD GPUs; the plugin is named by its path"},
	{Name: "xla_tpu", Platform: "tpu", Doc: "TPUs; the plugin, libtpu.so, is named by its path"},
}

// CodeTarget is the code of an unknown target.
const CodeTarget errs.Code = "XLA_TARGET" // smallest input: --target=xla_toaster

// Targets returns the targets.
func Targets() []Target { return slices.Clone(targets) }

// IsTarget reports whether a name is one of a target for XLA, which it may lack.
func IsTarget(name string) bool { return strings.HasPrefix(name, "xla_") }

// FindTarget returns the target of a name.
func FindTarget(name string) (Target, error) {
	var names []string
	for _, t := range targets {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Target{}, errs.New(CodeTarget, "unknown target %q", name).Hint("use one of %s", strings.Join(names, ", "))
}
