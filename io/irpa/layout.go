package irpa

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// layout holds the place of everything in the file.
type layout struct {
	head    []byte  // header, table and metadata
	place   []int64 // of each item in the storage segment; -1 for one without data
	storage int64
	size    int64
}

// maxTotal bounds the sum of all data, so that no offset wraps.
const maxTotal = math.MaxInt64 / 4

// extent is the size of the items so far, computed without writing them.
type extent struct {
	table, meta, data int64
	haveData          bool
}

// with adds an item.
func (x extent) with(item Item) extent {
	x.table = align(x.table, entryAlign) + int64(sizes[item.typ()])
	x.meta += int64(len(item.Name) + len(item.Metadata) + len(item.Path))
	if item.typ() == Data {
		x.haveData = true
		x.data = align(x.data, dataAlign) + item.Length
	}
	return x
}

// storage returns the place of the storage segment.
func (x extent) storage() int64 {
	at := tableStart + x.table + x.meta
	if x.haveData { // IREE's tools leave the place unaligned when nothing lies there
		at = align(at, dataAlign)
	}
	return at
}

// size returns the length of the file.
func (x extent) size() int64 { return align(x.storage()+x.data, fileAlign) }

func plan(items []Item) (*layout, error) {
	if err := check(items); err != nil {
		return nil, err
	}
	p := &layout{place: make([]int64, len(items))}
	var table, meta []byte
	var x extent
	for i, item := range items {
		table = append(table, make([]byte, align(int64(len(table)), entryAlign)-int64(len(table)))...)
		x = x.with(item)
		typ, minAlign := item.typ(), uint64(0)
		if typ == Data {
			minAlign = dataAlign
		}
		table = u64s(table, sizes[typ])
		table = binary.LittleEndian.AppendUint32(table, uint32(typ))
		table = u64s(table, 0)
		for _, part := range [...]string{item.Name, string(item.Metadata)} {
			table, meta = ranged(table, meta, part)
		}
		table = u64s(table, minAlign)
		p.place[i] = -1
		switch typ {
		case Splat:
			table = u64s(table, uint64(item.Length))
			table = append(table, item.Pattern...)
			table = append(table, make([]byte, patternRoom-len(item.Pattern))...)
			table = append(table, byte(len(item.Pattern)))
		case External:
			table, meta = ranged(table, meta, item.Path)
			table = u64s(table, uint64(item.Offset), uint64(item.Length))
		default:
			p.place[i] = x.data - item.Length
			table = u64s(table, uint64(p.place[i]), uint64(item.Length))
			if x.data > maxTotal {
				return nil, errs.New(CodeLimit, "the archive would have more than 2^61 bytes").On(item.Name)
			}
		}
	}
	p.storage, p.size = x.storage(), x.size()
	h := append([]byte(magic), 0, 0, 0, 0) // version 0.0
	h = u64s(h, headerSize, 0, 0, uint64(len(items)), tableStart, uint64(len(table)),
		uint64(tableStart+len(table)), uint64(len(meta)), uint64(p.storage), uint64(x.data))
	h = append(h, make([]byte, tableStart-headerSize)...)
	p.head = append(append(h, table...), meta...)
	return p, nil
}

// ranged puts text into the metadata segment and its range into the table;
// nothing has the range 0, 0.
func ranged(table, meta []byte, text string) ([]byte, []byte) {
	at := len(meta)
	if text == "" {
		at = 0
	}
	return u64s(table, uint64(at), uint64(len(text))), append(meta, text...)
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
		if item.typ() == Data && item.Open == nil && item.Length > 0 {
			return errs.New(CodeLength, "%d bytes without a source", item.Length).On(item.Name)
		}
		if err := checkExternal(item); err != nil {
			return err.On(item.Name)
		}
		if item.Pattern != nil && !patternFits(len(item.Pattern), item.Length) {
			return errs.New(CodeSplat, "a pattern of %d bytes does not fill %d bytes", len(item.Pattern), item.Length).On(item.Name)
		}
	}
	return nil
}

// checkExternal checks the reference of an external entry.
func checkExternal(item Item) *errs.Error {
	if item.Path == "" {
		return nil
	}
	if item.Pattern != nil || item.Open != nil {
		return errs.New(CodeEntry, "an entry in another file has no bytes of its own")
	}
	if err := checkName(item.Path, "the path"); err != nil {
		return err
	}
	if !filepath.IsLocal(filepath.FromSlash(item.Path)) {
		return errs.New(CodeExternal, "the path %q is not below the archive's folder", item.Path).
			Hint("name it relative to the archive, with slashes")
	}
	if item.Offset < 0 || item.Offset > maxTotal {
		return errs.New(CodeLength, "an offset of %d", item.Offset)
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
