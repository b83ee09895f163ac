// Package call implements the commands that call a compiled program, run and bench,
// with arguments as text or as .npy files. They are part of skainet, where they take model
// files as well, and of the program that build rules run.
//
// # Errors
//
// USAGE for invalid flags; otherwise those of the contract, of the arguments
// (package backend/argtext), of the runtime and of the output files.
//
// # Determinism
//
// The output of run depends on the program and its arguments; bench prints durations.
package call
