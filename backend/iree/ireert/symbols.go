//go:build (darwin || freebsd || linux || netbsd || windows) && !android

package ireert

import "github.com/ebitengine/purego"

// register makes fn, a pointer to a variable of a function's type, call the C function at
// symbol.
func register(fn any, symbol uintptr) { purego.RegisterFunc(fn, symbol) }

// invoke calls the C function at symbol.
func invoke(symbol uintptr, args ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(symbol, args...)
	return result
}
