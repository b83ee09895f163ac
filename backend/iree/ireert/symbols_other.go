//go:build !((darwin || freebsd || linux || netbsd || windows) && !android)

package ireert

import "errors"

// Without a dynamic linker that Go can call without cgo no library is loaded, so that
// nothing below is reached but openLibrary.

func openLibrary(string) (uintptr, error) { return 0, errors.ErrUnsupported }

func findSymbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }

func register(any, uintptr) {}

func invoke(uintptr, ...uintptr) uintptr { return 0 }
