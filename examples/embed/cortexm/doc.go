// Package cortexm shows a program in the firmware of a Cortex-M7, without an
// operating system; the tests are all there is of it in Go.
package cortexm
