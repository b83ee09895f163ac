//go:build !wasm

package filemap

import (
	"os"

	"github.com/edsrzf/mmap-go"

	"github.com/skainet-dev/skainet-go/internal/regular"
)

// mapped maps the whole of f.
func mapped(f *os.File, path string, _ int64) ([]byte, error) {
	m, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, regular.Failed(path, err)
	}
	return m, nil
}

// unmap ends a mapping.
func unmap(b []byte) error {
	m := mmap.MMap(b)
	return m.Unmap()
}
