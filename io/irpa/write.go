package irpa

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Item is an entry to write. One with a Pattern is a splat; any other is a
// datum of Length bytes, for which Open is called once, when its turn comes; a
// datum of no bytes needs no Open.
type Item struct {
	Name     string
	Length   int64
	Pattern  []byte // 1, 2, 4, 8 or 16 bytes that fill Length without a rest
	Open     func() (io.Reader, error)
	Metadata []byte // opaque to IREE; none by default
}

// Bytes makes an item of bytes in memory.
func Bytes(name string, b []byte) Item {
	return Item{Name: name, Length: int64(len(b)), Open: func() (io.Reader, error) { return bytes.NewReader(b), nil }}
}

// Write writes the archive to a file that is either whole or absent.
func Write(path string, items []Item) error {
	return errs.WithFile(atomicfile.Write(path, func(w io.Writer) error { return Encode(w, items) }), path)
}

// Encode streams the archive; it holds the table in memory and no data.
func Encode(w io.Writer, items []Item) error {
	p, err := plan(items)
	if err != nil {
		return err
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

func copyItem(w io.Writer, item Item) error {
	r, err := item.Open()
	if err != nil {
		return err
	}
	n, err := io.Copy(w, io.LimitReader(r, item.Length))
	if err != nil {
		return err
	}
	if n < item.Length {
		return errs.New(CodeLength, "the source ended after %d of %d bytes", n, item.Length).On(item.Name)
	}
	if n, _ := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return errs.New(CodeLength, "the source has more than the %d bytes promised", item.Length).On(item.Name)
	}
	return nil
}

// layout says where everything goes.
type layout struct {
	head    []byte  // header, table and metadata
	place   []int64 // of each item in the storage segment; -1 for a splat
	storage int64
	size    int64
}

// maxTotal bounds the sum of all data, so that no offset wraps.
const maxTotal = math.MaxInt64 / 4

func plan(items []Item) (*layout, error) {
	if err := check(items); err != nil {
		return nil, err
	}
	p := &layout{place: make([]int64, len(items))}
	var table, meta []byte
	var end int64 // of the storage segment, relative to its start
	haveData := false
	for i, item := range items {
		table = append(table, make([]byte, align(int64(len(table)), entryAlign)-int64(len(table)))...)
		nameAt := len(meta)
		meta = append(meta, item.Name...)
		metaAt := 0 // 0, 0 stands for no metadata
		if len(item.Metadata) > 0 {
			metaAt = len(meta)
			meta = append(meta, item.Metadata...)
		}
		size, typ, minAlign := uint64(dataSize), Data, uint64(dataAlign)
		if item.Pattern != nil {
			size, typ, minAlign = splatSize, Splat, 0
		}
		table = u64s(table, size)
		table = binary.LittleEndian.AppendUint32(table, uint32(typ))
		table = u64s(table, 0, uint64(nameAt), uint64(len(item.Name)), uint64(metaAt), uint64(len(item.Metadata)), minAlign)
		if typ == Splat {
			p.place[i] = -1
			table = u64s(table, uint64(item.Length))
			table = append(table, item.Pattern...)
			table = append(table, make([]byte, patternRoom-len(item.Pattern))...)
			table = append(table, byte(len(item.Pattern)))
			continue
		}
		haveData = true
		p.place[i] = align(end, dataAlign)
		table = u64s(table, uint64(p.place[i]), uint64(item.Length))
		end = p.place[i] + item.Length
		if end > maxTotal {
			return nil, errs.New(CodeLimit, "the archive would have more than 2^61 bytes").On(item.Name)
		}
	}
	metaAt := int64(tableStart + len(table))
	p.storage = metaAt + int64(len(meta))
	if haveData { // IREE's tools leave the place unaligned when nothing lies there
		p.storage = align(p.storage, dataAlign)
	}
	h := append([]byte(magic), 0, 0, 0, 0) // version 0.0
	h = u64s(h, headerSize, 0, 0, uint64(len(items)), tableStart, uint64(len(table)),
		uint64(metaAt), uint64(len(meta)), uint64(p.storage), uint64(end))
	h = append(h, make([]byte, tableStart-headerSize)...)
	p.head = append(append(h, table...), meta...)
	p.size = align(p.storage+end, fileAlign)
	return p, nil
}

func u64s(b []byte, values ...uint64) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func check(items []Item) error {
	if len(items) > MaxEntries {
		return errs.New(CodeLimit, "%d entries, the limit is %d", len(items), MaxEntries)
	}
	names := make(map[string]bool, len(items))
	for _, item := range items {
		if err := checkName(item.Name, "a name"); err != nil {
			return err.On(item.Name)
		}
		if names[item.Name] {
			return errs.New(CodeDuplicate, "two entries have this name").On(item.Name)
		}
		names[item.Name] = true
		if item.Length < 0 || item.Length > maxTotal {
			return errs.New(CodeLength, "a length of %d bytes", item.Length).On(item.Name)
		}
		if item.Pattern == nil && item.Open == nil && item.Length > 0 {
			return errs.New(CodeLength, "%d bytes without a source", item.Length).On(item.Name)
		}
		if item.Pattern != nil && !patternFits(len(item.Pattern), item.Length) {
			return errs.New(CodeSplat, "a pattern of %d bytes does not fill %d bytes", len(item.Pattern), item.Length).On(item.Name)
		}
	}
	return nil
}

func checkName(name, what string) *errs.Error {
	switch {
	case name == "":
		return errs.New(CodeName, "%s is empty", what)
	case len(name) > MaxName:
		return errs.New(CodeLimit, "%s has %d bytes, the limit is %d", what, len(name), MaxName)
	case !utf8.ValidString(name):
		return errs.New(CodeName, "%s is not UTF-8: %q", what, name)
	case strings.ContainsRune(name, 0):
		return errs.New(CodeName, "%s has a NUL inside: %q", what, name)
	}
	return nil
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

var zeros [fileAlign]byte

func (p *padWriter) padTo(at int64) error {
	for p.at < at {
		if _, err := p.Write(zeros[:min(at-p.at, fileAlign)]); err != nil {
			return err
		}
	}
	return nil
}
