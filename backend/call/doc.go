// Package call is the commands that call a compiled program, run and bench, with
// arguments as text or as .npy files. The command line has them, and the program that
// build rules run.
//
// # Errors
//
// USAGE for flags that make no sense; else those of the contract, of the arguments
// (package backend/argtext), of the runtime and of the files that are written.
//
// # Determinism
//
// What run prints depends on the program and its arguments; bench prints durations.
package call
