// Command opnames checks that knowledge about operations is in their table: no file except
// those of the families (families.json) lists operations by name or by ID.
//
//	go run ./tools/opnames   checks the repository around the current folder
//
// A list is a case of a switch, an element or a key of a slice, an array or a map, a row
// of such a list, comparisons with two operations in one condition, in a chain of
// conditions or in statements that follow each other, or two arguments of one call. One
// single name is not a list: builders take names, and a rule of one operation compares its ID.
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
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	p, err := read(data)
	if err == nil {
		err = p.repository()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "opnames:", err)
		os.Exit(1)
	}
}

// repository checks the current folder's files, and that each pattern of families.json
// has one.
func (p *families) repository() error {
	files, faults, err := p.walk(".")
	if err != nil {
		return err
	}
	if stale := p.unmatched(files); len(stale) > 0 {
		return fmt.Errorf("families.json: no file is named %v: remove it", stale)
	}
	for _, f := range faults {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d names of operations in lists; make a column of the table (compile/op/traits.go) and ask for it", len(faults))
	}
	return nil
}

// walk checks the Go files of a repository, without what Bazel made of them.
func (p *families) walk(root string) (files, faults []string, err error) {
	var all []string
	err = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(filepath.Clean(at), filepath.Clean(root)+string(filepath.Separator)))
		if d.IsDir() {
			if d.Name() == "testdata" || strings.HasPrefix(d.Name(), "bazel-") || len(d.Name()) > 2 && d.Name()[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		files = append(files, name)
		source, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		faults, err := p.check(name, source)
		all = append(all, faults...)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return files, all, nil
}
