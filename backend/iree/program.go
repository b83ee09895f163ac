package iree

import (
	"archive/zip"
	"io"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
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

// checkProgram checks that the file is a complete program, that the contract belongs to
// it, and that the processor, unless it is nil, can run its code.
func checkProgram(path string, c *contract.Contract, p *processor.Processor) error {
	x, err := examine(path)
	if err != nil {
		return err
	}
	if err := x.declarations.check(path, c); err != nil {
		return err
	}
	if p == nil {
		return nil
	}
	return errs.WithFile(p.Check(x.executables.needs()), path)
}

// readParts reads a program and passes its module to a writer. A .vmfb is an
// uncompressed ZIP with a CRC-32 of each part. IREE's loader checks neither, so they
// are checked here: a damaged part can end the process.
func readParts(path string, module io.Writer) ([]Part, error) {
	z, err := openParts(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	parts := make([]Part, len(z.File))
	for i, f := range z.File {
		parts[i] = Part{f.Name, int64(f.UncompressedSize64)}
		to := io.Discard
		if i == 0 {
			to = module
		}
		if err := readPart(path, f, to); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// readModule reads only a program's module.
func readModule(path string, module io.Writer) error {
	z, err := openParts(path)
	if err != nil {
		return err
	}
	defer z.Close()
	return readPart(path, z.File[0], module)
}

func openParts(path string) (*zip.ReadCloser, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, notWhole(path, err, "not a program, or truncated")
	}
	if len(z.File) == 0 || len(z.File) > maxMembers || z.File[0].Name != "module.fb" {
		z.Close()
		return nil, notWhole(path, nil, "%d parts, of which the first is not module.fb", len(z.File))
	}
	return z, nil
}

func readPart(path string, f *zip.File, to io.Writer) error {
	if f.Method != zip.Store {
		return notWhole(path, nil, "the part %q is compressed", f.Name)
	}
	r, err := f.Open()
	if err != nil {
		return notWhole(path, err, "the part %q cannot be read", f.Name)
	}
	defer r.Close()
	if _, err := io.Copy(to, r); err != nil { // the reader compares the CRC at the end
		return notWhole(path, err, "the part %q is damaged", f.Name)
	}
	return nil
}

func notWhole(path string, cause error, what string, args ...any) error {
	return errs.Wrap(CodeLoad, cause, what, args...).In(path).
		Hint("compile it again with: skainet compile")
}
