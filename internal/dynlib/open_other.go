//go:build !((darwin || freebsd || linux || netbsd || windows) && !android)

package dynlib

import "errors"

// Without a dynamic linker that Go can call without cgo no library is loaded, so that
// nothing below is reached but Open.

// Open returns errors.ErrUnsupported.
func Open(string) (uintptr, error) { return 0, errors.ErrUnsupported }

// Symbol returns errors.ErrUnsupported.
func Symbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }

// Register does nothing.
func Register(any, uintptr) {}

// Invoke returns 0.
func Invoke(uintptr, ...uintptr) uintptr { return 0 }
