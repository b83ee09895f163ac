// Package xla runs graphs on XLA, through a plugin of the PJRT C API (package pjrt), without
// cgo.
//
// Open returns a backend.Executable of a graph, which it compiles, or of a file of compiled
// programs (Write) or of a graph (WritePortable). A graph's entry points without dynamic sizes are compiled when it is
// opened, as are those with them for each of Options.Sizes; a call with other sizes
// compiles the entry point for them, once; the last Options.Programs of those stay loaded.
// A program computes with the sizes of its call, so that results do not depend on what was
// compiled before. In Options.Buckets one program is for a range of sizes: arguments are padded to
// the largest one, and the program leaves the padding out. Programs are kept in a cache.
//
// Weights lie in archives (.irpa), which are mapped: a plugin for CPUs reads them in place.
// Those in blocks are unpacked once, when a session is opened, if there is memory for what is in
// them (Options.Weights): that is 4 bytes an element, where Q8_0 has 1.06 and Q4_K 0.56.
// State variables are buffers on the device that each call donates and gets back, so that
// a cache is updated in its own memory.
//
// # Errors
//
// XLA_PLUGIN, XLA_DEVICE, XLA_COMPILE, XLA_PROGRAM, XLA_CALL, XLA_MEMORY and XLA_CLOSED as in
// package pjrt; XLA_PARAMETERS for archives that do not fit; XLA_SIZES for a call whose
// sizes a file of programs lacks, and for buckets that cannot be; HLO_BUCKET for an entry
// point that has no program for buckets; XLA_BUILD for a file that another build of the plugin
// compiled; XLA_THREADS for a number of threads that cannot be; XLA_WEIGHTS for a
// form of weights that cannot be; PROGRAM_CPU for one that was
// compiled on a processor with instructions that this one lacks; BACKEND_BAD_ARGUMENT for
// arguments that do not fit the contract or each other.
//
// # Untrusted input
//
// A file of programs is native code: load only what you compiled or trust; a portable one
// has a graph, which is checked as any. Damage is found
// by the checksums of its parts. A plugin that aborts ends the process, with all that it has
// in memory.
//
// # Determinism
//
// The same program gives the same bits on each call with the same number of threads.
package xla

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/archives"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package, next to those of pjrt.
const (
	CodeParameters errs.Code = "XLA_PARAMETERS" // smallest input: a program with weights, without its archive
	CodeSizes      errs.Code = "XLA_SIZES"      // smallest input: a call with seq=2 of a file that has programs for seq=1 alone
	CodeBuild      errs.Code = "XLA_BUILD"      // smallest input: a file that another plugin compiled
	CodeThreads    errs.Code = "XLA_THREADS"    // smallest input: -1 threads
)

// Options configures what to run, and where.
type Options struct {
	// Graph is compiled; nil where Program is set.
	Graph *dag.Graph
	// Program is a file of compiled programs (Write), or of a graph (WritePortable), which is
	// compiled as one in Graph is.
	Program string
	// Archives are the .irpa files of each scope that the contract names.
	Archives map[string][]string
	// CopyParameters copies weights to the device, where a plugin for CPUs would read them
	// in the mapped archive.
	CopyParameters bool
	// Weights is Packed or Unpacked, the form of weights in blocks; "" is Unpacked if that
	// takes at most half of the memory that is free, else Packed. A file of compiled programs
	// has them packed.
	Weights string

	// Plugin is the path of the plugin; "" is what FindPlugin finds.
	Plugin string
	// Device is "" or the plugin's platform, such as cpu, for its first device, with ":N"
	// after it for another one.
	Device string
	// Threads is the number of threads of a plugin for CPUs; 0 is one per core. It counts
	// for the first program of the process.
	Threads int

	// Level is that of compile/xla.Levels; "" is the default. For Graph.
	Level string
	// Sizes are the sizes of dynamic dimensions, by name, that the entry points are
	// compiled for at once. For Graph.
	Sizes []map[string]int64
	// Buckets are the ranges of sizes that have one program each. For Graph, or a Program that has one.
	Buckets Buckets
	// Unfit, if not nil, is told of an entry point that has no program for the ranges of
	// Buckets.Powers, and why; it has programs for sizes then.
	Unfit func(entry string, why error)
	// Programs is how many programs are kept loaded for sizes that calls have and Sizes has not;
	// less than 1 means DefaultPrograms. Of more the one that was not used for longest is
	// forgotten: Cache has it still. For Graph.
	Programs int
	// Lazy compiles an entry point when it is first called. For Graph.
	Lazy bool
	// Without is that of compile/xla.Options. For Graph.
	Without []string
	// Cache keeps compiled programs; nil: nothing does.
	Cache *cache.Cache
	// Compiling, if not nil, is called before an entry point is compiled, and done after it,
	// which is later than the end of a call that is given up.
	Compiling func(entry string, sizes map[string]int64) (done func())
}

// Open opens a program.
func Open(ctx context.Context, o Options) (_ backend.Executable, err error) {
	if (o.Graph == nil) == (o.Program == "") {
		return nil, errs.New(pjrt.CodeProgram, "a graph or a file of programs is needed, not both")
	}
	var c *contract.Contract
	var from source
	var mesh *dag.Mesh
	if o.Graph != nil {
		mesh = o.Graph.Mesh
		if c, err = describe.Contract(o.Graph); err != nil {
			return nil, err
		}
		from = newCompiled(o)
	} else {
		f, err := readFile(o.Program)
		if err != nil {
			return nil, err
		}
		if f.graph == nil {
			if err := o.Buckets.exactly(o.Program); err != nil {
				return nil, err
			}
		}
		c, from, mesh = f.manifest.Contract, f.source(o), f.mesh()
	}
	if err := archives.Check(CodeParameters, c, o.Archives); err != nil {
		return nil, err
	}
	_, compiles := from.(*compiled)
	if err := checkForm(o, compiles); err != nil {
		return nil, err
	}
	e, err := newEngine(o, c, from, mesh)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			e.giveUp(ctx)
		}
	}()
	if err := e.roomForStates(); err != nil {
		return nil, err
	}
	if c, ok := from.(*compiled); ok {
		if err := c.unpack(e); err != nil {
			return nil, err
		}
	}
	if err := from.start(ctx, e, o.Sizes); err != nil {
		return nil, err
	}
	return e.session(o.Archives, o.Archives)
}

// newEngine loads the plugin and opens its devices.
func newEngine(o Options, c *contract.Contract, from source, mesh *dag.Mesh) (*engine, error) {
	const most = 1024
	if o.Threads < 0 || o.Threads > most {
		return nil, errs.New(CodeThreads, "%d threads; 0 to %d are allowed", o.Threads, most)
	}
	platform, number, err := deviceOf(o.Device)
	if err != nil {
		return nil, err
	}
	path := o.Plugin
	if path == "" {
		if path, err = FindPlugin(platform); err != nil {
			return nil, err
		}
	}
	if !mesh.Spans() {
		mesh = &dag.Mesh{}
	}
	devices := int(mesh.Devices())
	if devices > 1 && number > 0 {
		return nil, errs.New(pjrt.CodeDevice, "a mesh of %d devices takes the first ones", devices).On(o.Device).Hint("name the platform alone")
	}
	plugin, err := pjrt.Load(path, pjrt.Options{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	options := map[string]any{}
	if cpuPlugin(plugin, platform) {
		options[pjrt.DeviceCount] = int64(number + devices)
	}
	client, err := plugin.NewClient(options)
	if err != nil {
		return nil, err
	}
	e := &engine{client: client, mesh: mesh, contract: c, source: from, copies: o.CopyParameters, users: 1, programs: newGate(), open: map[*scope]int{}}
	switch here := client.Devices(); {
	case platform != "" && platform != client.Platform():
		err = errs.New(pjrt.CodeDevice, "the plugin is for %s", client.Platform()).In(path).On(o.Device).Hint("name the plugin for the device with --plugin")
	case devices > len(here):
		err = errs.New(pjrt.CodeDevice, "the graph is for %d devices, and the plugin has %d", devices, len(here)).In(path).Hint("choose a smaller mesh")
	case number >= len(here):
		err = errs.New(pjrt.CodeDevice, "the plugin has %d devices", len(here)).In(path).On(o.Device).Hint("they are numbered from 0")
	default:
		e.devices = here[number : number+devices]
	}
	if err != nil {
		_ = e.release()
		return nil, err
	}
	return e, nil
}

// cpuPlatform is the platform whose devices are this machine's processor, with its memory.
const cpuPlatform = "cpu"

// cpuPlugin reports whether a plugin takes a number of virtual devices. That is known of
// its devices only after they are opened, and a plugin for others refuses the option.
func cpuPlugin(p *pjrt.Plugin, platform string) bool {
	return platform == cpuPlatform || slices.Contains(pluginNames(cpuPlatform), filepath.Base(p.Path()))
}

// deviceOf parses a device: "cpu", "cuda:1", or "".
func deviceOf(text string) (platform string, number int, err error) {
	platform, after, numbered := strings.Cut(text, ":")
	if numbered {
		const most = 1 << 10
		if number, err = strconv.Atoi(after); err != nil || number < 0 || number >= most {
			return "", 0, errs.New(pjrt.CodeDevice, "no number of a device").On(text).Hint("write PLATFORM:N, such as cuda:1")
		}
	}
	return platform, number, nil
}

// pluginNames are the files of plugins for a platform, of the table of targets; "" is all, those
// of processors first.
func pluginNames(platform string) []string {
	var names []string
	for _, t := range xlatext.Targets() {
		if platform == "" || t.Platform == platform {
			names = append(names, t.Plugins...)
		}
	}
	return names
}

// FindPlugin looks for a plugin for a platform, such as cpu, or for any, "": the file that
// SKAINET_PJRT_PLUGIN names, then in the executable's folder, then in the lib folder next to it.
func FindPlugin(platform string) (string, error) {
	if path := os.Getenv(pjrt.Variable); path != "" {
		return filepath.Abs(path)
	}
	names := pluginNames(platform)
	if own, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(own); err == nil {
			own = real
		}
		if path := pluginIn(filepath.Dir(own), names); path != "" {
			return path, nil
		}
	}
	return "", errs.New(pjrt.CodePlugin, "no plugin of XLA was found").On(platform).
		Hint("name its .so with --plugin or %s, or run without it: --backend=cpu", pjrt.Variable)
}

// pluginIn returns the first of these files that is in a folder, or in lib next to it.
func pluginIn(dir string, names []string) string {
	for _, name := range names {
		for _, path := range []string{filepath.Join(dir, name), filepath.Join(dir, "..", "lib", name)} {
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// Spelled writes sizes as "batch=1,seq=8", sorted.
func Spelled(sizes map[string]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		parts = append(parts, name+"="+strconv.FormatInt(sizes[name], 10))
	}
	return strings.Join(parts, ",")
}
