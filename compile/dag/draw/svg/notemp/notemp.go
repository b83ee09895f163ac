// Package notemp keeps packages whose import paths come after its own from
// writing to the folder for temporary files while they are initialised: until
// Restore the folder is one in which nothing can be made.
//
// It works by the order of the language's specification: of the packages that
// can be initialised, the one whose path sorts first is, and this package needs
// package os alone.
//
// # Errors
//
// None.
//
// # Determinism
//
// The order of initialisation is part of the language.
package notemp

import "os"

const variable = "TMPDIR"

var before, set = os.LookupEnv(variable)

func init() { os.Setenv(variable, os.DevNull) }

// Restore makes the folder again what it was when the program started.
func Restore() {
	if set {
		os.Setenv(variable, before)
	} else {
		os.Unsetenv(variable)
	}
}
