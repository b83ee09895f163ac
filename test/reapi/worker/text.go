package worker

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// contains returns the first of the texts that r holds, or "". It reads in pieces
// that overlap by the longest text.
func contains(r io.Reader, texts []string) (string, error) {
	overlap := 0
	for _, t := range texts {
		overlap = max(overlap, len(t)-1)
	}
	if len(texts) == 0 {
		return "", nil
	}
	buffer := make([]byte, overlap+1<<20)
	held := 0
	for {
		n, err := io.ReadFull(r, buffer[held:])
		piece := buffer[:held+n]
		for _, t := range texts {
			if bytes.Contains(piece, []byte(t)) {
				return t, nil
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		held = copy(buffer, piece[len(piece)-overlap:])
	}
}

// removeAll also removes folders that an action made read-only.
func removeAll(top string) {
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return nil
	})
	_ = os.RemoveAll(top)
}
