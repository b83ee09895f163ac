// Command rooms checks that imports between the folders of this repository only go
// down, according to the map in rooms.json:
//
//	go run ./tools/rooms              checks the files that git has
//	go run ./tools/rooms --asciidoc   prints the map for the architecture page
//
// # Errors
//
// Each import that goes up is a line on standard error, and the exit status is 1.
//
// # Determinism
//
// Files are checked in the order of their names.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	doc := flag.Bool("asciidoc", false, "print the map as a table")
	flag.Parse()
	p, err := read(data)
	if err == nil && *doc {
		_, err = fmt.Print(p.asciidoc())
	} else if err == nil {
		err = walk(p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rooms:", err)
		os.Exit(1)
	}
}

// walk checks the Go files of the repository around the current folder.
func walk(p *plan) error {
	names, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.go").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	count := 0
	for _, name := range bytes.Split(bytes.TrimSuffix(names, []byte{0}), []byte{0}) {
		source, err := os.ReadFile(string(name))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
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
	if count > 0 {
		return fmt.Errorf("%d imports do not go down", count)
	}
	return nil
}
