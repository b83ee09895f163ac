// Command write writes the corpora of malformed files, for tools that are not
// Go programs and for people who want to look at one:
//
//	write DIR    makes DIR/bad/FORMAT/STAGE_FAULT and DIR/good/FORMAT
//
// Each file's fault, code and offset are in internal/badfiles/FORMAT.go.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/badfiles"
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
		if err := one(filepath.Join(dir, "good", corpus.Format), corpus.Good()); err != nil {
			return err
		}
		for _, c := range corpus.Bad() {
			if err := one(filepath.Join(dir, "bad", corpus.Format, c.Name), c.Data); err != nil {
				return err
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
