//go:build (darwin || freebsd || linux || netbsd) && !android

package dynlib

import (
	"debug/elf"
	"fmt"
	"os"

	"github.com/ebitengine/purego"
)

// Open loads the library at path, which is absolute or starts with "./".
func Open(path string) (uintptr, error) {
	if err := whole(path); err != nil {
		return 0, err
	}
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// Symbol returns the address of a function of the library.
func Symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// whole returns an error for an ELF file that ends before its segments or the table of its
// sections do: the system maps it, and the process dies at the first touch of what is missing.
func whole(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil // the linker, which has folders of its own, says what is wrong
	}
	defer file.Close()
	magic := make([]byte, len(elf.ELFMAG))
	if _, err := file.ReadAt(magic, 0); err != nil || string(magic) != elf.ELFMAG {
		return nil // of another format: so says the linker
	}
	f, err := elf.NewFile(file)
	if err != nil {
		return fmt.Errorf("%s: the file is damaged or cut short: %w", path, err)
	}
	st, err := file.Stat()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, p := range f.Progs {
		if end := p.Off + p.Filesz; end < p.Off || end > uint64(st.Size()) {
			return fmt.Errorf("%s: the file is cut short: it has %d bytes, and a segment ends at byte %d", path, st.Size(), end)
		}
	}
	return nil
}
