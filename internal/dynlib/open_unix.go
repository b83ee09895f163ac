//go:build (darwin || freebsd || linux || netbsd) && !android

package dynlib

import "github.com/ebitengine/purego"

// Open loads the library at path, which is absolute or starts with "./".
func Open(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// Symbol returns the address of a function of the library.
func Symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }
