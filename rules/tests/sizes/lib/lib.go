// Package lib is a library with a model among its data.
//
// # Errors
//
// None.
//
// # Determinism
//
// It does nothing.
package lib

// Do does nothing.
func Do() {}
