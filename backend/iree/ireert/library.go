// Package ireert drives the IREE runtime in this process, without cgo.
//
// It binds the flat C functions of libireert.so (toolchains/iree/runtime,
// ABI 2) through purego. A Library is loaded once; a Session is one device
// with its parameter archives, one program and that program's state.
//
// Go memory is passed to C only for the duration of a call and is pinned for it;
// C keeps no pointer into Go memory. A fault inside a compiled kernel is a
// fault of this process: run only programs from a trusted source.
//
// # Errors
//
// IREE_LOAD for a library or a program that cannot be loaded, IREE_NO_DEVICE
// for a driver or a device that does not exist, IREE_PARAMETERS for an archive
// that cannot be read or lacks a key, IREE_CALL for a call that failed, and
// IREE_CLOSED for use after Close. The cause is a *Status with IREE's own code.
//
// # Determinism
//
// Results are those of the program; local-task with another number of workers
// gives the same results as long as the program's reductions do not depend on
// the distribution of work, which holds for what iree-compile emits for CPUs.
package ireert

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/dynlib"
)

// ABI is the version of the C interface that this package uses.
const ABI = 2

// Library is a loaded libireert.so. Its methods may be called from several
// goroutines. It stays loaded until the process ends: the runtime keeps
// threads of its own.
type Library struct {
	path string

	drivers func(out unsafe.Pointer, room int64, err unsafe.Pointer, errRoom int64) int32
	open    func(driver, device string, workers int32, out, err unsafe.Pointer, errRoom int64) int32
	params  func(s uintptr, scope, path string, mode int32, err unsafe.Pointer, errRoom int64) int32
	load    func(s uintptr, path string, err unsafe.Pointer, errRoom int64) int32
	lookup  func(s uintptr, name string, out, err unsafe.Pointer, errRoom int64) int32
	read    func(s, handle uintptr, offset int64, out unsafe.Pointer, n int64, err unsafe.Pointer, errRoom int64) int32
	release func(handle uintptr)
	closeFn func(s uintptr)

	share        func(of uintptr, out, err unsafe.Pointer, errRoom int64) int32
	paramsShared func(s, of uintptr, scope string, err unsafe.Pointer, errRoom int64) int32
	loadShared   func(s, of uintptr, err unsafe.Pointer, errRoom int64) int32
	memory       func(s uintptr, own, shared, device, err unsafe.Pointer, errRoom int64) int32

	call uintptr // many small arguments: called without reflection
}

var (
	libraries   = map[string]*Library{}
	librariesMu sync.Mutex
)

// Load loads the shared library at path, which is absolute or starts with "./".
// Loading the same path again returns the same Library.
func Load(path string) (*Library, error) {
	librariesMu.Lock()
	defer librariesMu.Unlock()
	if l, ok := libraries[path]; ok {
		return l, nil
	}
	handle, err := dynlib.Open(path)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, errs.Wrap(CodeLoad, err, "a program for %s cannot load libraries", runtime.GOOS).In(path).
			Hint("use the CPU backend here; libraries are loaded on Linux, macOS and Windows")
	} else if err != nil {
		return nil, errs.Wrap(CodeLoad, err, "the runtime library cannot be loaded").In(path).
			Hint("name the libireert.so of this machine, of a release or of //toolchains/iree:runtime_library; the tool iree-run-module is no library: name it with --tool")
	}
	l := &Library{path: path}
	var abi func() int32
	if err := bind(handle, path, &abi, "ireert_abi"); err != nil {
		return nil, err
	}
	if v := abi(); v != ABI {
		return nil, errs.New(CodeLoad, "the runtime library has ABI %d, but this program needs %d", v, ABI).In(path).
			Hint("build the library and the program from the same source")
	}
	for _, f := range []struct {
		name string
		fn   any
	}{
		{"ireert_drivers", &l.drivers},
		{"ireert_open", &l.open},
		{"ireert_params", &l.params},
		{"ireert_load_file", &l.load},
		{"ireert_func", &l.lookup},
		{"ireert_read", &l.read},
		{"ireert_release", &l.release},
		{"ireert_close", &l.closeFn},
		{"ireert_share", &l.share},
		{"ireert_params_shared", &l.paramsShared},
		{"ireert_load_shared", &l.loadShared},
		{"ireert_memory", &l.memory},
	} {
		if err := bind(handle, path, f.fn, f.name); err != nil {
			return nil, err
		}
	}
	if l.call, err = dynlib.Symbol(handle, "ireert_call"); err != nil {
		return nil, noSymbol(err, path, "ireert_call")
	}
	libraries[path] = l
	return l, nil
}

func bind(handle uintptr, path string, fn any, name string) error {
	symbol, err := dynlib.Symbol(handle, name)
	if err != nil {
		return noSymbol(err, path, name)
	}
	dynlib.Register(fn, symbol)
	return nil
}

func noSymbol(err error, path, name string) error {
	return errs.Wrap(CodeLoad, err, "the library lacks the function %s", name).In(path).
		Hint("this is not a libireert of ABI %d", ABI)
}

// Drivers lists the device drivers compiled into the library.
func (l *Library) Drivers() ([]string, error) {
	var text errorText
	out := make([]byte, 1024)
	rc := l.drivers(unsafe.Pointer(&out[0]), int64(len(out)), text.pointer(), text.room())
	if status := text.status(rc); status != nil {
		return nil, errs.Wrap(CodeLoad, status, "the runtime did not start").In(l.path)
	}
	names := strings.TrimRight(string(out), "\x00")
	if names == "" {
		return nil, nil
	}
	return strings.Split(names, ","), nil
}
