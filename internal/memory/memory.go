// Package memory tells how much memory the machine has: a process that takes more ends
// without an error.
//
// # Errors
//
// None: where the system does not tell, there is as much as Most.
//
// # Determinism
//
// The numbers are those of the moment.
package memory

// Most is what an allocation may take where the system does not tell what there is: less than
// any address space, so that it fails by an error of the caller and not by a panic of make.
const Most = 1 << 46

// Installed returns the bytes that the machine has.
func Installed() int64 { return min(installed(), Most) }

// Available returns the bytes that a process can take now, with those that the system would
// give back from its caches, and within the limits of the control group that it is in.
func Available() int64 { return min(available(), Most) }
