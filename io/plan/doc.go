// Package plan says how much memory a model's weights and its cache take, for
// each way of storing them and each target that programs are compiled for. It
// reads the header of a weight file and touches no tensor.
//
// # What is exact and what is an estimate
//
// The bytes of the weights are exact: they are what pack would write, without
// the archive's table and padding. In a form, such as f16 or Q4_K, every tensor
// that can be stored in it is counted in it; the others (integers, bytes of unknown
// layout, and for blocks vectors and rows that are not whole blocks) are counted
// unchanged, and Kept is their size in bytes. A form implies nothing about the
// quality of the model.
//
// The cache is exact for a decoder that keeps a key and a value of every layer
// and position, f16 each. WithWindow is an estimate: what is kept if layers with
// a sliding window keep their window only, where the file or the architecture
// says which those are.
//
// Where the bytes reside is known from measurements; a row's Basis says which. Activations are not counted: they depend on the program. Nor are
// the program and the runtime's own memory: about 20 MB on a CPU.
//
// # Errors
//
// PLAN_OVERFLOW is a sum above 2^63, which only a damaged or hostile header can
// cause; PLAN_BAD_VALUE an invalid setting, such as no layers or a negative
// number of heads. Otherwise the errors of weights.File.Index.
//
// # Determinism
//
// Everything follows from the header and the options.
package plan

import (
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/transform"
)

// Codes of this package.
const (
	CodeOverflow errs.Code = "PLAN_OVERFLOW"  // smallest input: two tensors of 2^62 bytes
	CodeValue    errs.Code = "PLAN_BAD_VALUE" // smallest input: a context of -1
)

// Options configures a plan.
type Options struct {
	// Context is how many positions the cache holds; 0 means the context length of
	// the model.
	Context int64
	// Sequences is the number of caches; 0 means one.
	Sequences int64
}

// Plan is the memory need of a model.
type Plan struct {
	Format   string `json:"format"`
	Tensors  int    `json:"tensors"`
	Elements int64  `json:"elements"`
	Forms    []Form `json:"forms"` // the first is as stored
	Cache    *Cache `json:"cache,omitempty"`
	Rows     []Row  `json:"rows"` // every target with every form
}

// Form is one way of storing the weights.
type Form struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	// Kept is the size of the tensors that cannot take this form; Bytes includes it.
	Kept int64 `json:"kept"`
	// Largest is the largest tensor, which a conversion in one piece would hold in memory.
	Largest      string `json:"largest,omitempty"`
	LargestBytes int64  `json:"largest_bytes"`
}

// AsStored is the name of the form that changes nothing.
const AsStored = "stored"

// forms are the other ways, in the order of a plan.
var forms = []string{"f32", "f16", "bf16", "Q8_0", "Q6_K", "Q4_K", "Q4_0"}

// Row is a form of the weights with a program for a target.
type Row struct {
	Target string `json:"target"` // of toolchains/iree/targets.bzl
	Form   string `json:"form"`
	// Mapped are the bytes of the archive in the page cache: the system takes them
	// back when it is short of memory, and processes share them.
	Mapped int64 `json:"mapped"`
	// Host are bytes of the process's own memory.
	Host int64 `json:"host"`
	// Device are bytes in the memory of a device that has its own; on one that
	// shares the host's they come on top of Host.
	Device int64  `json:"device"`
	Basis  string `json:"basis"`
}

// backend is a row of the table of targets.
type backend struct {
	target string
	device bool // weights are copied to a device
	basis  string
}

const (
	onCPU = "estimate: in process the archive is mapped and read in place (measured: 438 MB of weights, 20 MB of own memory); " +
		"iree-run-module copies it into its own memory instead"
	onVulkan = "estimate: weights are copied to the device once, from the mapped archive (not measured on a device with its own memory); " +
		"a software driver holds the copy in the process's memory and about 235 MB more"
	onGPU = "estimate: weights are copied to the device once, from the mapped archive (not measured)"
)

// backends are one row of toolchains/iree/targets.bzl, or a few, for each kind of
// device; the others of a kind need what it needs.
var backends = []backend{
	{"cpu_x86_64_v3", false, onCPU},
	{"cpu_x86_64_v4", false, onCPU},
	{"aarch64", false, onCPU},
	{"android", false, onCPU},
	{"cuda_sm_80", true, onGPU},
	{"metal", true, onGPU},
	{"rocm_gfx942", true, onGPU},
	{"rocm_gfx1100", true, onGPU},
	{"vulkan", true, onVulkan},
	{"vulkan_generic", true, onVulkan},
	{"vmvx", false, onCPU},
}

// Targets returns the names of the targets, in the order of a plan.
func Targets() []string {
	names := make([]string, len(backends))
	for i, b := range backends {
		names[i] = b.target
	}
	return names
}

// OnDevice reports whether a target's programs copy weights into the memory of a device.
func OnDevice(target string) bool {
	return slices.ContainsFunc(backends, func(b backend) bool { return b.target == target && b.device })
}

func storage(name string) transform.Storage {
	s, err := transform.ParseStorage(name)
	if err != nil { // a name of the table above
		panic(err)
	}
	return s
}
