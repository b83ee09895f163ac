// Package cortexm shows a program in the firmware of a Cortex-M7, without an
// operating system; only its tests are in Go.
package cortexm
