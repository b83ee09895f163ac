// Command mentions checks that faults of a compiler are described in one place, its table of
// rewrites: no comment elsewhere mentions a release of IREE, or what its compiler does wrong.
//
//	go run ./tools/mentions   checks the files that git has
//
// A comment elsewhere says what its code does, and names the row if necessary.
//
// # Errors
//
// Each comment that does is a line on standard error, and the exit status is 1.
//
// # Determinism
//
// Files are checked in the order of their names.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	if err := walk(); err != nil {
		fmt.Fprintln(os.Stderr, "mentions:", err)
		os.Exit(1)
	}
}

// walk checks the files of the repository around the current folder.
func walk() error {
	names, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	count := 0
	for _, name := range bytes.Split(bytes.TrimSuffix(names, []byte{0}), []byte{0}) {
		file := string(name)
		if marker(file) == "" || isOwn(file) {
			continue
		}
		source, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		if err != nil {
			return err
		}
		for _, f := range check(file, source) {
			fmt.Fprintln(os.Stderr, f)
			count++
		}
	}
	if count > 0 {
		return fmt.Errorf("%d comments speak of faults of the compiler; make a row of compile/iree.Rewrites and name it", count)
	}
	return nil
}
