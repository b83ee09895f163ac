package xla

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// Extension is that of files of compiled programs: a ZIP without compression, of
// manifest.json and of one part for each program, or of the graph.
const Extension = "xla"

const (
	manifestName = "manifest.json"
	keptName     = "program"

	maxParts    = 4096
	maxManifest = 64 << 20
	maxPart     = 4 << 30
	maxNesting  = 16
	maxValues   = 1 << 21

	schema = 1
)

// localHead begins a ZIP; the name of its first part lies at nameAt.
const (
	localHead = "PK\x03\x04"
	nameAt    = 30
)

// IsFile reports whether the file at path is one of Write, if perhaps a damaged one: its first
// part is the manifest, or it has the extension and ends before it could tell.
func IsFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, nameAt+len(manifestName))
	n, err := io.ReadFull(f, head)
	if err != nil {
		short := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		return short && filepath.Ext(path) == "."+Extension && bytes.HasPrefix([]byte(localHead), head[:min(n, len(localHead))])
	}
	return string(head[:len(localHead)]) == localHead && string(head[nameAt:]) == manifestName
}

// archive is an open file of parts. Parts that nothing names are not read.
type archive struct {
	path  string
	zip   *zip.ReadCloser
	parts map[string]*zip.File
}

// openArchive opens a file and checks its directory: all parts together are no longer than the
// file, so that reading them takes no more memory than that.
func openArchive(path string) (_ *archive, err error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, damaged(path, err, "not a file of programs")
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, damaged(path, err, "not a file of programs, or cut short: its directory is not at its end").At(st.Size())
	}
	defer func() {
		if err != nil {
			z.Close()
		}
	}()
	a := &archive{path, z, map[string]*zip.File{}}
	if len(z.File) > maxParts {
		return nil, damaged(path, nil, "%d parts; %d are allowed", len(z.File), maxParts)
	}
	left := uint64(st.Size())
	for _, p := range z.File {
		switch n := p.UncompressedSize64; {
		case a.parts[p.Name] != nil:
			return nil, damaged(path, nil, "the part %q is there twice", p.Name)
		case p.Method != zip.Store || n != p.CompressedSize64:
			return nil, damaged(path, nil, "the part %q is compressed", p.Name)
		case n > left:
			return nil, damaged(path, nil, "the part %q has %d bytes, and the file has %d for it: parts overlap or are cut short", p.Name, n, left)
		default:
			left -= n
		}
		a.parts[p.Name] = p
	}
	return a, nil
}

// Close closes the file.
func (a *archive) Close() { _ = a.zip.Close() }

// part reads a part of at most so many bytes, whose checksum it verifies.
func (a *archive) part(name string, most uint64) ([]byte, error) {
	p := a.parts[name]
	switch {
	case p == nil:
		return nil, damaged(a.path, nil, "the part %s is missing", name)
	case p.UncompressedSize64 > most:
		return nil, damaged(a.path, nil, "the part %s is larger than any of a program: %d bytes", name, p.UncompressedSize64)
	}
	at, err := p.DataOffset()
	if err != nil {
		return nil, damaged(a.path, err, "the part %s cannot be read", name)
	}
	r, err := p.Open()
	if err != nil {
		return nil, damaged(a.path, err, "the part %s cannot be read", name).At(at)
	}
	defer r.Close()
	data, err := io.ReadAll(r) // grows with what is there, and compares the checksum
	if err != nil {
		return nil, damaged(a.path, err, "the part %s is damaged", name).At(at)
	}
	return data, nil
}

func damaged(path string, cause error, what string, args ...any) *errs.Error {
	return errs.Wrap(pjrt.CodeProgram, cause, what, args...).In(path).Hint("compile it again with: skainet compile")
}

// store writes a part.
func store(z *zip.Writer, name string, data []byte) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// readKept reads a program that the cache keeps.
func readKept(path string) ([]byte, error) {
	a, err := openArchive(path)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	return a.part(keptName, maxPart)
}

// writeKept writes what readKept reads.
func writeKept(path string, x *pjrt.Executable) error {
	data, err := x.Serialize()
	if err != nil {
		return err
	}
	return atomicfile.WriteAll(atomicfile.File{Path: path, Write: func(w io.Writer) error {
		z := zip.NewWriter(w)
		if err := store(z, keptName, data); err != nil {
			return err
		}
		return z.Close()
	}})
}
