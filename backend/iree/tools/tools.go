// Package tools finds IREE's compiler and what runs its programs on this machine: the one
// search of all commands. What is named is taken; then what the variables name, what lies
// next to this program, what is on the path, what was fetched before, and what is fetched
// now, if that is allowed (package wheel).
//
// # Errors
//
// IREE_NO_COMPILER and IREE_LOAD where nothing is found and nothing may be fetched; those of
// package wheel where that fails.
//
// # Determinism
//
// What is found depends on the machine, its environment and the folder of caches.
package tools

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/wheel"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// Search says where to look.
type Search struct {
	Folder string // of fetched tools; "" is that of package cache
	Fetch  bool   // whether what is not found is fetched
	// Fetching is called before a file is fetched, and done after it; it may be nil.
	Fetching func(file string) (done func())
}

// Compiler returns iree-compile and iree-lld, each as it is named where it is. The linker is
// "" where it lies next to the compiler.
func (s Search) Compiler(ctx context.Context, compile, linker string) (string, string, error) {
	if compile != "" {
		return compile, linker, nil
	}
	found, err := compiler.Find()
	if err == nil {
		return found, linker, nil
	}
	fetch, finish := s.fetcher()
	defer finish()
	found, beside, kept := fetch.KeptCompiler()
	if !kept {
		if !s.Fetch {
			return "", "", err
		}
		if found, beside, err = fetch.Compiler(ctx); err != nil {
			return "", "", err
		}
	}
	if linker == "" {
		linker = beside
	}
	return found, linker, nil
}

// Runtime returns the runtime library, or else the tool iree-run-module; one of both is "",
// unless both are named.
func (s Search) Runtime(ctx context.Context, library, tool string) (string, string, error) {
	if library != "" || tool != "" {
		return library, tool, nil
	}
	if library, err := iree.FindLibrary(); err == nil {
		return library, "", nil
	}
	if tool := beside(wheel.RunModuleName); tool != "" {
		return "", tool, nil
	}
	if tool, err := exec.LookPath(wheel.RunModuleName); err == nil {
		return "", tool, nil
	}
	fetch, finish := s.fetcher()
	defer finish()
	if tool, kept := fetch.KeptRunModule(); kept {
		return "", tool, nil
	}
	if s.Fetch {
		tool, err := fetch.RunModule(ctx)
		return "", tool, err
	}
	return "", "", errs.New(iree.CodeLoad, "neither the runtime library nor %s was found, and a program has to run in one of them", wheel.RunModuleName).
		Hint("name the library with --library or %s, or the tool with --tool; install the tool (pip install iree-base-runtime==%s) or let it be fetched (--fetch); or run a model file without them: --backend=cpu", iree.LibraryVariable, target.IREEVersion())
}

// fetcher brings tools, and tells of it.
func (s Search) fetcher() (f *wheel.Fetcher, finish func()) {
	done := func() {}
	f = &wheel.Fetcher{Folder: s.Folder}
	if s.Fetching != nil {
		f.Began = func(a wheel.Artifact, _ string) { done = s.Fetching(a.Filename) }
	}
	return f, func() { done() }
}

// executable is where this program lies; tests, which may not write there, set it.
var executable = os.Executable

// beside returns the program of a name next to this one, "" if there is none.
func beside(name string) string {
	own, err := executable()
	if err != nil {
		return ""
	}
	path := filepath.Join(filepath.Dir(own), name)
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	return path
}
