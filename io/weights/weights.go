// Package weights opens a weight file of any known format, which it recognises by
// the file's content and never by its name.
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
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/io/peft"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/tensor"
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
	source Source
	index  func() *tensor.Index
}

// Source is implemented by each format's reader.
type Source interface {
	Index() *tensor.Index // nil where the file stores no types
	Tensor(name string) (tensor.Buffer, error)
	Place(name string) (path string, offset int64, err error)
	Size() int64
	Close() error
}

// format is a row of the table of formats.
type format struct {
	name   string
	sniff  func(head []byte) bool
	text   func(r io.Reader) bool // searches JSON text that no sniffer recognises; nil for most
	open   func(path string) (Source, error)
	verify func(path string) ([]error, error)
}

// formats in the order in which they are tried: those with a magic number
// first.
var formats = []format{
	{irpa.Format, irpa.Sniff, nil, opens(irpa.OpenSet), verifyArchive},
	{gguf.Format, gguf.Sniff, nil, opens(openGGUF), gguf.Verify},
	{ctranslate2.Format, ctranslate2.Sniff, nil, opens(ctranslate2.Open), ctranslate2.Verify},
	{safetensors.Format, sniffSafetensors, safetensors.FindIndex, opens(safetensors.Open), safetensors.Verify},
	{onnx.Format, onnx.Sniff, nil, opens(openONNX), onnx.Verify},
	{peft.Format, never, peft.FindConfig, opens(peft.Open), peft.Verify},
}

// Register adds a format whose reader is in a package above this one, such as the text of a
// graph that holds its weights. That package calls it when it is initialised; a program that
// is to open such files imports it.
func Register(name string, sniff func(head []byte) bool, open func(path string) (Source, error), verify func(path string) ([]error, error)) {
	formats = append(formats, format{name, sniff, nil, open, verify})
}

// Opened returns a file whose reader is open already; the result closes it.
func Opened(format, path string, s Source) *File {
	return &File{format: format, path: path, source: s, index: sync.OnceValue(s.Index)}
}

// opens makes a row's open function from that of a format.
func opens[F Source](open func(path string) (F, error)) func(path string) (Source, error) {
	return func(path string) (Source, error) {
		f, err := open(path)
		if err != nil {
			return nil, err // not f, which would be a Source that is not nil
		}
		return f, nil
	}
}

// headBytes is enough for every sniffer; an index of safetensors is looked for
// further on, in text that may be JSON.
const headBytes = 4096

// never is the sniffer of a format that only its text tells.
func never([]byte) bool { return false }

func sniffSafetensors(head []byte) bool {
	return safetensors.Sniff(head) || safetensors.SniffIndex(head)
}

// Open opens the file at path and checks its structure. Tensor data is not read.
func Open(path string) (*File, error) {
	f, err := find(path)
	if err != nil {
		return nil, err
	}
	s, err := f.open(path)
	if err != nil {
		return nil, err
	}
	return Opened(f.name, path, s), nil
}

// FormatOf returns the name of the format of the file at path, from its beginning.
func FormatOf(path string) (string, error) {
	f, err := find(path)
	return f.name, err
}

// Verify checks the whole structure of the file at path and returns every fault
// that it found, up to 1000. It also checks what Open ignores because no reader
// depends on it, such as padding. The error is that of a file that cannot
// be opened or is of no known format.
func Verify(path string) ([]error, error) {
	f, err := find(path)
	if err != nil {
		return nil, err
	}
	return f.verify(path)
}

// Formats returns the names of the formats that are known.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// find returns the format of the file at path.
func find(path string) (format, error) {
	head, err := readHead(path)
	if err != nil {
		return format{}, err
	}
	for _, f := range formats {
		if f.sniff(head) {
			return f, nil
		}
	}
	for _, f := range formats {
		if f.text == nil || !mayBeJSON(head) {
			continue
		}
		r, err := os.Open(path)
		if err != nil {
			return format{}, cannotOpen(path, err)
		}
		defer r.Close()
		if f.text(r) {
			return f, nil
		}
	}
	return format{}, errs.New(CodeUnknown, "%s", describe(head)).In(path).At(0).
		Hint("known formats: %s", strings.Join(Formats(), ", "))
}

func readHead(path string) ([]byte, error) {
	if err := regular.Check(path); err != nil {
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

// Format returns the format's name.
func (f *File) Format() string { return f.format }

// Path returns the path as it was opened.
func (f *File) Path() string { return f.path }

// Size returns the length of the file.
func (f *File) Size() int64 { return f.source.Size() }

// Index returns names, types and settings, the same each time. The caller must not change it.
func (f *File) Index() (*tensor.Index, error) {
	if x := f.index(); x != nil {
		return x, nil
	}
	return nil, errs.New(CodeNoIndex, "this file of format %s stores no element types and shapes", f.format).In(f.path).
		Hint("use the weight file that the archive was packed from")
}

// Tensor returns the bytes of a tensor, found by its name or an alias. The
// buffer is a window of the file, valid until Close.
func (f *File) Tensor(name string) (tensor.Buffer, error) { return f.source.Tensor(name) }

// Place returns the file in which a tensor's bytes lie, which is another one
// where the weights are split, and the offset of the first of them.
func (f *File) Place(name string) (path string, offset int64, err error) {
	return f.source.Place(name)
}

// Archive returns the archive for a file of format irpa, nil for any other and for
// a set of shards.
func (f *File) Archive() *irpa.File {
	if a, ok := f.source.(*irpa.Set); ok && len(a.Files()) == 1 {
		return a.Files()[0]
	}
	return nil
}

// Close closes the file and every buffer of it.
func (f *File) Close() error { return f.source.Close() }
