// Package repos holds no Go code of its own: its scripts and rules fetch what
// the build needs from the host's package clients.
//
// # Errors
//
// The scripts print one coded line; the codes are listed in report.py.
//
// # Determinism
//
// What is pinned by sha256 is the same bytes everywhere. Packages that apt
// resolves are those of the host's distribution, and are used by tests alone.
package repos
