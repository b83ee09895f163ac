// Package notemp prevents packages whose import paths sort after its own
// from writing to the temporary folder during initialisation: until Restore is
// called, the folder is one in which nothing can be created.
//
// It relies on the initialisation order of the language specification: of the packages
// ready to be initialised, the one whose path sorts first is next, and this package depends
// only on package os.
//
// # Errors
//
// None.
//
// # Determinism
//
// The order of initialisation is defined by the language.
package notemp

import "os"

const variable = "TMPDIR"

var before, set = os.LookupEnv(variable)

func init() { os.Setenv(variable, os.DevNull) }

// Restore sets the folder back to what it was when the program started.
func Restore() {
	if set {
		os.Setenv(variable, before)
	} else {
		os.Unsetenv(variable)
	}
}
