// Command write writes the corpora of malformed files, for tools that are not
// Go programs and for inspection:
//
//	write DIR    makes DIR/bad/FORMAT/STAGE_FAULT and DIR/good/FORMAT/file
//
// Each file's fault, code and offset are in test/badfiles. Files that an
// index names lie beside it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: write DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	for _, corpus := range badfiles.All() {
		good, bad := filepath.Join(dir, "good", corpus.Name), filepath.Join(dir, "bad", corpus.Name)
		if err := one(filepath.Join(good, "file"), corpus.Good()); err != nil {
			return err
		}
		for _, c := range corpus.Bad() {
			if err := one(filepath.Join(bad, c.Name), c.Data); err != nil {
				return err
			}
		}
		for name, data := range corpus.Beside {
			for _, folder := range []string{good, bad} {
				if err := one(filepath.Join(folder, name), data); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func one(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteFile(path, data)
}
