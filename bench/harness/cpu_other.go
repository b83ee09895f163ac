//go:build !unix

package harness

// CPU returns 0, which the benchmark rejects: this host has no getrusage.
func CPU() float64 { return 0 }
