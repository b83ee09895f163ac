package irpa

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// sizes of the entries, by type.
var sizes = [...]uint64{skip: commonSize, Splat: splatSize, Data: dataSize, External: externalSize}

// table reads every entry. Entries follow each other, each at a multiple of 16
// bytes from the table's start.
func (a *archive) table(table span, count int64) error {
	at := int64(0)
	for i := range count {
		start := align(at, entryAlign)
		if start > table.n {
			start = table.n // the last padding is cut; the next check says so
		}
		if err := zero(a.b[table.off+at:table.off+start], table.off+at, "the padding between entries"); err != nil {
			return err
		}
		n, err := a.entry(table.off+start, table.n-start)
		if err != nil {
			return onEntry(err, i)
		}
		at = start + n
	}
	if at != table.n {
		return fail(CodeEntry, table.off+at, "%d bytes follow the last of %d entries in the table", table.n-at, count)
	}
	return nil
}

// onEntry says which entry is at fault where its name is not known yet.
func onEntry(err error, i int64) error { return on(err, fmt.Sprintf("entry %d", i)) }

func on(err error, node string) error {
	var e *errs.Error
	if errors.As(err, &e) && e.Node == "" {
		e.Node = node
	}
	return err
}

// entry reads the entry at byte at, which has left bytes of the table, and
// gives its size.
func (a *archive) entry(at, left int64) (int64, error) {
	if left < commonSize {
		return 0, fail(CodeTruncated, at, "an entry takes at least %d bytes, the table has %d left", commonSize, left)
	}
	size, typ := a.u64(at), Type(binary.LittleEndian.Uint32(a.b[at+8:]))
	if int(typ) >= len(sizes) {
		return 0, fail(CodeEntry, at+8, "type %d, types 0 to %d are known", typ, len(sizes)-1)
	}
	if size != sizes[typ] {
		return 0, fail(CodeEntry, at, "a %s entry of %d bytes, it takes %d", typ, size, sizes[typ]).
			Hint("structs of the format are packed")
	}
	if int64(size) > left {
		return 0, fail(CodeTruncated, at, "a %s entry takes %d bytes, the table has %d left", typ, size, left)
	}
	if flags := a.u64(at + 12); flags != 0 {
		return 0, fail(CodeFlags, at+12, "flags %#x, none are known", flags)
	}
	if typ == skip {
		return int64(size), nil
	}
	e := Entry{Type: typ, field: at + commonSize}
	var err error
	if e.Name, err = a.text(at+20, "the name"); err != nil {
		return 0, err
	}
	if _, twice := a.byName[e.Name]; twice {
		return 0, fail(CodeDuplicate, at+20, "another entry has this name").On(e.Name)
	}
	if e.metadata, err = a.span(at+36, a.meta, "the metadata", CodeRange); err != nil {
		return 0, on(err, e.Name)
	}
	if err := a.alignment(&e, at+52); err != nil {
		return 0, on(err, e.Name)
	}
	switch typ {
	case Data:
		err = a.datum(&e)
	case Splat:
		err = a.splat(&e)
	case External:
		err = a.external(&e)
	}
	if err != nil {
		return 0, on(err, e.Name)
	}
	a.byName[e.Name] = len(a.entries)
	a.entries = append(a.entries, e)
	return int64(size), nil
}

// text reads a name or a path: a range of the metadata segment.
func (a *archive) text(at int64, what string) (string, error) {
	s, err := a.span(at, a.meta, what, CodeRange)
	if err != nil {
		return "", err
	}
	if s.n > MaxName {
		return "", fail(CodeLimit, at, "%s has %d bytes, the limit is %d", what, s.n, MaxName)
	}
	text := string(a.b[s.off:s.end()])
	if err := checkName(text, what); err != nil {
		return "", err.At(at)
	}
	return text, nil
}

func (a *archive) alignment(e *Entry, at int64) error {
	n := a.u64(at)
	if n > MaxAlignment || n&(n-1) != 0 {
		return fail(CodeAlignment, at, "an alignment of %d, want a power of two up to %d", n, MaxAlignment)
	}
	e.Alignment = int64(n)
	return nil
}

func (a *archive) datum(e *Entry) error {
	s, err := a.span(e.field, a.storage, "the datum", CodeRange)
	if err != nil {
		return err
	}
	if e.Alignment > 0 && s.off%e.Alignment != 0 {
		return fail(CodeAlignment, e.field, "the datum lies at byte %d, not a multiple of its alignment %d", s.off, e.Alignment)
	}
	e.Offset, e.Length = s.off, s.n
	return nil
}

func (a *archive) splat(e *Entry) error {
	n, room, k := a.u64(e.field), a.b[e.field+8:e.field+24], int(a.b[e.field+24])
	if n > math.MaxInt64 {
		return fail(CodeRange, e.field, "a splat of %d bytes", n)
	}
	if !patternFits(k, int64(n)) {
		return fail(CodeSplat, e.field, "a pattern of %d bytes does not fill %d bytes", k, n)
	}
	for _, c := range room[k:] {
		if c != 0 {
			return fail(CodeSplat, e.field+8, "the pattern of %d bytes is followed by %#x, not zeros", k, room[k:])
		}
	}
	e.Length, e.Pattern = int64(n), slices.Clone(room[:k])
	return nil
}

func (a *archive) external(e *Entry) error {
	path, err := a.text(e.field, "the path")
	if err != nil {
		return err
	}
	s, err := a.span(e.field+16, span{0, math.MaxInt64}, "the external range", CodeRange)
	if err != nil {
		return err
	}
	e.Path, e.Offset, e.Length = path, s.off, s.n
	return nil
}

// overlaps checks that no two data share a byte.
func (a *archive) overlaps() error {
	var data []*Entry
	for i := range a.entries {
		if e := &a.entries[i]; e.Type == Data && e.Length > 0 {
			data = append(data, e)
		}
	}
	slices.SortStableFunc(data, func(x, y *Entry) int { return cmp.Compare(x.Offset, y.Offset) })
	for i := 1; i < len(data); i++ {
		if p, e := data[i-1], data[i]; p.Offset+p.Length > e.Offset {
			return fail(CodeOverlap, e.field, "the datum starts at byte %d, inside that of %q", e.Offset, p.Name).On(e.Name)
		}
	}
	return nil
}
