package irpa

import (
	"bytes"
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// Item is an entry to write. One with a Pattern is a splat, one with a Path is
// an external entry; any other is a datum of Length bytes, for which Open is
// called once, when it is written; a datum of no bytes needs no Open. A reader
// of a mapped file's window is copied by the operating system.
type Item struct {
	Name     string
	Length   int64
	Pattern  []byte // 1, 2, 4, 8 or 16 bytes that fill Length without a rest
	Open     func() (io.Reader, error)
	Path     string // of the other file, with slashes, relative to the archive's folder
	Offset   int64  // in that file
	Metadata []byte // what Describe gives, or anything else that IREE need not know
}

// Bytes makes an item of bytes in memory.
func Bytes(name string, b []byte) Item {
	return Item{Name: name, Length: int64(len(b)), Open: func() (io.Reader, error) { return bytes.NewReader(b), nil }}
}

// typ returns the kind of entry that the item becomes.
func (i Item) typ() Type {
	switch {
	case i.Pattern != nil:
		return Splat
	case i.Path != "":
		return External
	}
	return Data
}

// Write writes the archive to a file that is either whole or absent.
func Write(path string, items []Item) error { return atomicfile.WriteAll(Output(path, items)) }

// Output is the archive as one of several outputs that belong together.
func Output(path string, items []Item) atomicfile.File {
	return atomicfile.File{Path: path, Write: func(w io.Writer) error { return errs.WithFile(Encode(w, items), path) }}
}

// Encode streams the archive; it holds the table in memory and no data.
func Encode(w io.Writer, items []Item) error {
	p, err := plan(items)
	if err != nil {
		return err
	}
	if r, ok := w.(atomicfile.Reserver); ok {
		if err := r.Reserve(p.size); err != nil {
			return err
		}
	}
	out := &padWriter{w: w}
	if _, err := out.Write(p.head); err != nil {
		return err
	}
	for i, item := range items {
		if p.place[i] < 0 || item.Length == 0 {
			continue
		}
		if err := out.padTo(p.storage + p.place[i]); err != nil {
			return err
		}
		if err := copyItem(out, item); err != nil {
			return err
		}
	}
	return out.padTo(p.size)
}

// exact is a reader that knows how much is left and how to copy it.
type exact interface {
	io.WriterTo
	Remaining() int64
}

func copyItem(w *padWriter, item Item) error {
	r, err := item.Open()
	if err != nil {
		return err
	}
	if e, ok := r.(exact); ok && e.Remaining() == item.Length {
		n, err := e.WriteTo(w)
		if err == nil && n < item.Length {
			err = shortSource(item, n)
		}
		return err
	}
	n, err := io.Copy(struct{ io.Writer }{w}, io.LimitReader(r, item.Length))
	if err != nil {
		return err
	}
	if n < item.Length {
		return shortSource(item, n)
	}
	if n, _ := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return errs.New(CodeLength, "the source has more than the %d bytes promised", item.Length).On(item.Name)
	}
	return nil
}

func shortSource(item Item, n int64) error {
	return errs.New(CodeLength, "the source ended after %d of %d bytes", n, item.Length).On(item.Name)
}

// padWriter knows how far it is, so that gaps are filled with zeros.
type padWriter struct {
	w  io.Writer
	at int64
}

func (p *padWriter) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	p.at += int64(n)
	return n, err
}

// CopyRange forwards the copy to a writer that supports it, and copies through
// memory otherwise.
func (p *padWriter) CopyRange(from *os.File, offset, n int64) (done int64, err error) {
	if c, ok := p.w.(atomicfile.RangeCopier); ok {
		done, err = c.CopyRange(from, offset, n)
		p.at += done
		return done, err
	}
	return io.CopyBuffer(struct{ io.Writer }{p}, io.NewSectionReader(from, offset, n), make([]byte, min(n+1, copyBuffer)))
}

const copyBuffer = 1 << 20

var zeros [fileAlign]byte

func (p *padWriter) padTo(at int64) error {
	for p.at < at {
		if _, err := p.Write(zeros[:min(at-p.at, fileAlign)]); err != nil {
			return err
		}
	}
	return nil
}
