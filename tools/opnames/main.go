// Command opnames checks that what is known of operations stands in their table: that
// no file but those of the families (families.json) lists operations by name or by ID.
//
//	go run ./tools/opnames   checks the files that git has
//
// A list is a case of a switch, an element or a key of a slice, an array or a map, a row
// of such a list, two comparisons in one condition, or two arguments of one call. One
// name alone is none: builders take names, and a rule of one operation compares its ID.
//
// # Errors
//
// Each name in a list is a line on standard error, and the exit status is 1.
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
	p, err := read(data)
	if err == nil {
		err = walk(p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "opnames:", err)
		os.Exit(1)
	}
}

// walk checks the Go files of the repository around the current folder.
func walk(p *families) error {
	names, err := exec.Command("git", "ls-files", "-z", "--", "*.go").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	count := 0
	var files []string
	for _, name := range bytes.Split(bytes.TrimSuffix(names, []byte{0}), []byte{0}) {
		source, err := os.ReadFile(string(name))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		files = append(files, string(name))
		if err != nil {
			return err
		}
		faults, err := p.check(string(name), source)
		if err != nil {
			return err
		}
		for _, f := range faults {
			fmt.Fprintln(os.Stderr, f)
		}
		count += len(faults)
	}
	if stale := p.unmatched(files); len(stale) > 0 {
		return fmt.Errorf("families.json: no file is named %v: take it out", stale)
	}
	if count > 0 {
		return fmt.Errorf("%d names of operations in lists; make a column of the table (compile/op/traits.go) and ask for it", count)
	}
	return nil
}
