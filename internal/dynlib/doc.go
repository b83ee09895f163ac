// Package dynlib loads shared libraries and calls their C functions without cgo.
//
// # Errors
//
// Those of the operating system's linker; errors.ErrUnsupported in a program for an
// operating system where Go cannot call a linker without cgo. Callers give them a code.
//
// # Determinism
//
// As the libraries.
package dynlib
