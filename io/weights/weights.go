// Package weights opens a weight file of any format that is known, by what the
// file holds and never by its name.
//
// # Errors
//
// WEIGHTS_UNKNOWN_FORMAT names the first bytes of a foreign or empty file, what
// they look like, and the known formats. WEIGHTS_NO_INDEX is for a format that
// does not store types. Everything else comes from the package of the format.
//
// # Determinism
//
// Everything depends only on the bytes of the file.
package weights

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/internal/filemap"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// Codes of this package.
const (
	CodeUnknown errs.Code = "WEIGHTS_UNKNOWN_FORMAT"
	CodeNoIndex errs.Code = "WEIGHTS_NO_INDEX"
)

// File is an open weight file.
type File struct {
	format string
	path   string
	source source
}

// source is what a format gives.
type source interface {
	index() *tensor.Index // nil where the format has none
	tensor(name string) (tensor.Buffer, error)
	offset(name string) (int64, error)
	Size() int64
	Close() error
}

// format is a row of the table of formats.
type format struct {
	name  string
	sniff func(head []byte) bool
	open  func(path string) (source, error)
}

// formats in the order in which they are tried: those with a magic number
// first.
var formats = []format{
	{irpa.Format, irpa.Sniff, openArchive},
	{ctranslate2.Format, ctranslate2.Sniff, openCTranslate2},
}

// headBytes is enough for every sniffer.
const headBytes = 128

// Open opens the file at path and checks its structure. Tensor data is not read.
func Open(path string) (*File, error) {
	head, err := readHead(path)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, f := range formats {
		known = append(known, f.name)
		if !f.sniff(head) {
			continue
		}
		s, err := f.open(path)
		if err != nil {
			return nil, err
		}
		return &File{format: f.name, path: path, source: s}, nil
	}
	return nil, errs.New(CodeUnknown, "%s", describe(head)).In(path).At(0).
		Hint("known formats: %s", strings.Join(known, ", "))
}

func readHead(path string) ([]byte, error) {
	if err := filemap.Regular(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, cannotOpen(path, err)
	}
	return head[:n], nil
}

// Format gives the format's name.
func (f *File) Format() string { return f.format }

// Path gives the path as it was opened.
func (f *File) Path() string { return f.path }

// Size gives the length of the file.
func (f *File) Size() int64 { return f.source.Size() }

// Index gives names, types and settings. The caller must not change it.
func (f *File) Index() (*tensor.Index, error) {
	if x := f.source.index(); x != nil {
		return x, nil
	}
	return nil, errs.New(CodeNoIndex, "a file of format %s stores no element types and shapes", f.format).In(f.path).
		Hint("use the weight file that the archive was packed from")
}

// Tensor gives the bytes of a tensor, found by its name or an alias. The
// buffer is a window of the file, valid until Close.
func (f *File) Tensor(name string) (tensor.Buffer, error) { return f.source.tensor(name) }

// Offset gives the place of a tensor's bytes in the file.
func (f *File) Offset(name string) (int64, error) { return f.source.offset(name) }

// Archive gives the archive for a file of format irpa, else nil.
func (f *File) Archive() *irpa.File {
	if a, ok := f.source.(archive); ok {
		return a.File
	}
	return nil
}

// Close ends every buffer of the file.
func (f *File) Close() error { return f.source.Close() }

type ct2 struct{ *ctranslate2.File }

func openCTranslate2(path string) (source, error) {
	f, err := ctranslate2.Open(path)
	if err != nil {
		return nil, err
	}
	return ct2{f}, nil
}

func (c ct2) index() *tensor.Index                      { return c.Index() }
func (c ct2) tensor(name string) (tensor.Buffer, error) { return c.Tensor(name) }
func (c ct2) offset(name string) (int64, error)         { return c.Offset(name) }

type archive struct{ *irpa.File }

func openArchive(path string) (source, error) {
	f, err := irpa.Open(path)
	if err != nil {
		return nil, err
	}
	return archive{f}, nil
}

func (a archive) index() *tensor.Index                      { return nil }
func (a archive) tensor(name string) (tensor.Buffer, error) { return a.Buffer(name) }

func (a archive) offset(name string) (int64, error) {
	if _, err := a.Buffer(name); err != nil {
		return 0, err
	}
	e, _ := a.Entry(name)
	return e.Offset, nil
}
