//go:build (darwin || freebsd || linux || netbsd || windows) && !android

package dynlib

import "github.com/ebitengine/purego"

// Register makes fn, a pointer to a variable of a function's type, call the C function at
// symbol.
func Register(fn any, symbol uintptr) { purego.RegisterFunc(fn, symbol) }

// Invoke calls the C function at symbol.
func Invoke(symbol uintptr, args ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(symbol, args...)
	return result
}
