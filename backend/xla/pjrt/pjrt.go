// Package pjrt drives XLA in this process through a plugin of the PJRT C API, without cgo.
//
// A Plugin is a shared library with the function GetPjrtApi, such as those of JAX for
// CPUs, CUDA and TPUs. It is loaded once. A Client is its devices; on them a Client
// compiles StableHLO text, or loads what another compiled (Serialize), and an Executable
// runs with Buffers, which are copies of host memory or borrow it. Execution is
// asynchronous: Start returns results that can be arguments at once, and Wait waits.
//
// Go memory is passed to C only for the duration of a call and is pinned for it, except
// memory that Borrow lends, which the garbage collector must not manage: pages of a
// mapped file.
//
// The first Load in a process fixes how many threads a CPU plugin has (Options.Threads),
// which the plugin reads from the environment.
//
// # Errors
//
// XLA_PLUGIN for a library that is missing, foreign or too old; XLA_DEVICE for a client
// or a device that does not exist; XLA_COMPILE for a text that XLA refuses, with its
// message and its place in the text; XLA_PROGRAM for serialised bytes that the plugin
// does not load; XLA_CALL for a transfer or a run that failed; XLA_MEMORY where memory is
// not there; XLA_CLOSED for use after Close. The cause is a *Status with the plugin's own code.
//
// # Untrusted input
//
// A plugin and a serialised program are native code, which the plugin does not verify: load
// only what you trust. A plugin that aborts ends the process.
//
// # Determinism
//
// As the plugin: XLA's programs for CPUs give the same bits on each run with the same
// number of threads.
package pjrt

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/dynlib"
)

// The versions of the C API: of the header that the layouts are from, which is also the
// oldest plugin that was tried.
const (
	Major    = 0
	MinMinor = 81
)

// Variable names the environment variable that holds the path of a plugin.
const Variable = "SKAINET_PJRT_PLUGIN"

// Plugin is a loaded plugin. Its methods may be called from several goroutines. It stays
// loaded until the process ends: it keeps threads of its own.
type Plugin struct {
	path  string
	api   unsafe.Pointer
	minor int
	attrs []Attribute
	build func() (string, error)
}

// Options says how a plugin is loaded.
type Options struct {
	// Threads is the number of threads of a CPU plugin; 0 is one per core. It has an
	// effect in the first Load of a process alone.
	Threads int
	// Verbose leaves the plugin's messages on standard error, as TF_CPP_MIN_LOG_LEVEL in the
	// environment does. An error comes back as one in any case.
	Verbose bool
}

var (
	plugins   = map[string]*Plugin{}
	pluginsMu sync.Mutex
)

// Load loads the plugin at path. Loading the same file again returns the same Plugin. Links are
// followed first: a plugin for GPUs looks for its libraries next to where it is itself.
func Load(path string, o Options) (*Plugin, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, errs.Wrap(CodePlugin, err, "the plugin's path").In(path)
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		absolute = real
	}
	pluginsMu.Lock()
	defer pluginsMu.Unlock()
	if p, ok := plugins[absolute]; ok {
		return p, nil
	}
	if st, err := os.Stat(absolute); err != nil || !st.Mode().IsRegular() {
		return nil, errs.Wrap(CodePlugin, err, "the plugin does not exist or is not a file").In(path).Hint(getOne)
	}
	if unsafe.Sizeof(uintptr(0)) != 8 {
		return nil, errs.New(CodePlugin, "a program for %s cannot load plugins, which are for 64 bits", runtime.GOARCH).In(path).Hint("use the CPU backend here")
	}
	if err := o.environment(); err != nil {
		return nil, errs.Wrap(CodePlugin, err, "the environment of the plugin cannot be set").In(path)
	}
	handle, err := dynlib.Open(absolute)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, errs.Wrap(CodePlugin, err, "a program for %s cannot load libraries", runtime.GOOS).In(path).
			Hint("use the CPU backend here; libraries are loaded on Linux, macOS and Windows")
	} else if err != nil {
		return nil, errs.Wrap(CodePlugin, err, "the plugin cannot be loaded").In(path).
			Hint("it must be for this operating system and processor, and the libraries that it needs must be installed")
	}
	get, err := dynlib.Symbol(handle, "GetPjrtApi")
	if err != nil {
		return nil, errs.Wrap(CodePlugin, err, "the library lacks the function GetPjrtApi").In(path).
			Hint("this is no plugin of the PJRT C API; %s", getOne)
	}
	api := dynlib.Invoke(get)
	if api == 0 {
		return nil, errs.New(CodePlugin, "the plugin has no table of functions").In(path).Hint(getOne)
	}
	p := &Plugin{path: path, build: buildOf(absolute), api: *(*unsafe.Pointer)(unsafe.Pointer(&api))}
	if p.minor, err = (*table)(p.api).check(); err != nil {
		return nil, errs.WithFile(err, path)
	}
	if err := p.call(pluginInitialize, unsafe.Pointer(&head{size: unsafe.Sizeof(head{})})); err != nil {
		return nil, errs.Wrap(CodePlugin, err, "the plugin does not start").In(path)
	}
	if p.attrs, err = p.attributes(); err != nil {
		return nil, errs.Wrap(CodePlugin, err, "the plugin does not describe itself").In(path)
	}
	plugins[absolute] = p
	return p, nil
}

const getOne = "unpack a plugin's wheel and name its .so with --plugin or SKAINET_PJRT_PLUGIN; the page CPU, IREE or XLA lists those that are known to work"

// environment sets what a plugin reads when it starts.
func (o *Options) environment() error {
	if o.Threads > 0 {
		if err := os.Setenv("PJRT_NPROC", strconv.Itoa(o.Threads)); err != nil {
			return err
		}
	}
	if _, set := os.LookupEnv("TF_CPP_MIN_LOG_LEVEL"); set || o.Verbose {
		return nil
	}
	return os.Setenv("TF_CPP_MIN_LOG_LEVEL", "3")
}

// check returns the minor version of a table that this package can use.
func (t *table) check() (minor int, err error) {
	switch v := t.version; {
	case t.size < unsafe.Sizeof(table{}):
		return 0, errs.New(CodePlugin, "the table of functions has %d bytes, less than its own head", t.size).Hint(getOne)
	case v.major != Major:
		return 0, errs.New(CodePlugin, "the plugin has version %d.%d of the PJRT C API, this program needs %d.%d or a later %d.x", v.major, v.minor, Major, MinMinor, Major).
			Hint("use a plugin of that version")
	case v.minor < MinMinor:
		return 0, errs.New(CodePlugin, "the plugin has version %d.%d of the PJRT C API, which is older than %d.%d", v.major, v.minor, Major, MinMinor).
			Hint("use a newer plugin: those of 2025 and later")
	case t.size < needed:
		return 0, errs.New(CodePlugin, "the table of functions has %d bytes, this program needs %d", t.size, needed).
			Hint("the plugin was built without some functions of its version %d.%d; use another", v.major, v.minor)
	}
	return int(t.version.minor), nil
}

// Path returns the path that the plugin was loaded from.
func (p *Plugin) Path() string { return p.path }

// Version returns the version of the C API, such as "0.115".
func (p *Plugin) Version() string { return strconv.Itoa(Major) + "." + strconv.Itoa(p.minor) }

// Attributes returns what the plugin says of itself, such as the versions of StableHLO
// that it reads.
func (p *Plugin) Attributes() []Attribute { return p.attrs }

// call calls a function with its arguments.
func (p *Plugin) call(s slot, args unsafe.Pointer) error { return p.status(p.raw(s, args)) }

// raw is call with what the function returns: the plugin's error, or 0.
func (p *Plugin) raw(s slot, args unsafe.Pointer) uintptr {
	f := *(*uintptr)(unsafe.Add(p.api, functionsAt+uintptr(s)*unsafe.Sizeof(uintptr(0))))
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(args)
	return dynlib.Invoke(f, uintptr(args))
}

// of calls a function that takes a handle alone.
func (p *Plugin) of(s slot, handle uintptr) error {
	return p.call(s, unsafe.Pointer(&handleArgs{head{size: unsafe.Sizeof(handleArgs{})}, handle}))
}

// number calls a function that returns a number or a pointer of a handle.
func (p *Plugin) number(s slot, handle uintptr) (uintptr, error) {
	x := &numberArgs{head: head{size: unsafe.Sizeof(numberArgs{})}, of: handle}
	err := p.call(s, unsafe.Pointer(x))
	return x.out, err
}

// small calls a function that returns an enumeration, an int or a bool of a handle.
func (p *Plugin) small(s slot, handle uintptr) (int32, error) {
	x := &smallArgs{head: head{size: unsafe.Sizeof(smallArgs{})}, of: handle}
	err := p.call(s, unsafe.Pointer(x))
	return x.out, err
}

// list calls a function that returns a list of a handle: where it lies, and how long it
// is.
func (p *Plugin) list(s slot, handle uintptr) (unsafe.Pointer, uintptr, error) {
	x := &listArgs{head: head{size: unsafe.Sizeof(listArgs{})}, of: handle}
	err := p.call(s, unsafe.Pointer(x))
	return x.data, x.n, err
}

// text calls a function that returns a text of a handle.
func (p *Plugin) text(s slot, handle uintptr) (string, error) {
	at, n, err := p.list(s, handle)
	return textAt(at, n), err
}

func textAt(at unsafe.Pointer, n uintptr) string {
	if at == nil || n == 0 {
		return ""
	}
	return string(unsafe.Slice((*byte)(at), n))
}
