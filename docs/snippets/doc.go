// Package snippets has the Go code that pages of the site show in parts, so that it compiles.
// A block of a page with file=docs/snippets/NAME.go has lines of that file: a test of //docs/blocks
// compares them.
//
// # Errors
//
// Those of the packages that the snippets call.
//
// # Determinism
//
// As the packages that the snippets call.
package snippets
