package iree

import (
	"archive/zip"
	"io"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
)

// maxMembers bounds the parts of a program: its module and one library for each
// group of kernels.
const maxMembers = 4096

// Part is a part of a program: module.fb, or the library of one executable.
type Part struct {
	Name  string
	Bytes int64
}

// Parts checks that the file is a complete program and lists its parts.
func Parts(path string) ([]Part, error) { return readParts(path, io.Discard) }

// checkProgram checks that the file is a complete program, and that the contract
// belongs to it.
func checkProgram(path string, c *contract.Contract) error {
	var found declarations
	if _, err := readParts(path, &found); err != nil {
		return err
	}
	return found.check(path, c)
}

// readParts reads a program and passes its module to a writer. A .vmfb is an
// uncompressed ZIP with a CRC-32 of each part. IREE's loader checks neither, so they
// are checked here: a damaged part can end the process.
func readParts(path string, module io.Writer) ([]Part, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, notWhole(path, err, "not a program, or truncated")
	}
	defer z.Close()
	if len(z.File) == 0 || len(z.File) > maxMembers || z.File[0].Name != "module.fb" {
		return nil, notWhole(path, nil, "%d parts, of which the first is not module.fb", len(z.File))
	}
	parts := make([]Part, len(z.File))
	for i, f := range z.File {
		parts[i] = Part{f.Name, int64(f.UncompressedSize64)}
		if f.Method != zip.Store {
			return nil, notWhole(path, nil, "the part %q is compressed", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			return nil, notWhole(path, err, "the part %q cannot be read", f.Name)
		}
		to := io.Discard
		if i == 0 {
			to = module
		}
		_, err = io.Copy(to, r) // the reader compares the CRC at the end
		r.Close()
		if err != nil {
			return nil, notWhole(path, err, "the part %q is damaged", f.Name)
		}
	}
	return parts, nil
}

func notWhole(path string, cause error, what string, args ...any) error {
	return errs.Wrap(CodeLoad, cause, what, args...).In(path).
		Hint("compile it again with: skainet compile")
}
