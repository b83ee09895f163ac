package irpa

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
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
		if err := a.zero(a.b[table.off+at:table.off+start], table.off+at, "the padding between entries"); err != nil {
			return err
		}
		n, err := a.entry(table.off+start, table.n-start, fmt.Sprintf("entry %d", i))
		if err != nil {
			return err
		}
		at = start + n
	}
	if at != table.n {
		return a.faults.Add(fail(CodeEntry, table.off+at, "%d bytes follow the last of %d entries in the table", table.n-at, count))
	}
	return nil
}

// entry reads the entry at byte at, which has left bytes of the table, and
// gives its size. An entry with a fault is not kept. node names it in errors
// until its own name is known.
func (a *archive) entry(at, left int64, node string) (int64, error) {
	if left < commonSize {
		return 0, a.stop(fail(CodeTruncated, at, "an entry takes at least %d bytes, the table has %d left", commonSize, left).On(node))
	}
	size, typ := a.u64(at), Type(binary.LittleEndian.Uint32(a.b[at+8:]))
	if int(typ) >= len(sizes) {
		return 0, a.stop(fail(CodeEntry, at+8, "type %d, types 0 to %d are known", typ, len(sizes)-1).On(node))
	}
	if size != sizes[typ] {
		return 0, a.stop(fail(CodeEntry, at, "a %s entry of %d bytes, it takes %d", typ, size, sizes[typ]).
			On(node).Hint("structs of the format are packed"))
	}
	if int64(size) > left {
		return 0, a.stop(fail(CodeTruncated, at, "a %s entry takes %d bytes, the table has %d left", typ, size, left).On(node))
	}
	good := true
	check := func(err *errs.Error) error {
		if err == nil {
			return nil
		}
		good = false
		return a.faults.Add(err.On(node))
	}
	if flags := a.u64(at + 12); flags != 0 {
		if err := check(fail(CodeFlags, at+12, "flags %#x, none are known", flags)); err != nil {
			return 0, err
		}
	}
	if typ == skip {
		return int64(size), nil
	}
	e := Entry{Type: typ, field: at + commonSize}
	for _, step := range [...]func() *errs.Error{
		func() *errs.Error {
			fault := a.name(&e, at+20)
			if fault == nil {
				node = e.Name
			}
			return fault
		},
		func() (fault *errs.Error) {
			e.metadata, fault = a.span(at+36, a.meta, "the metadata", CodeRange)
			return fault
		},
		func() *errs.Error { return a.alignment(&e, at+52) },
		func() *errs.Error { return a.body(&e) },
	} {
		if err := check(step()); err != nil {
			return 0, err
		}
	}
	if good { // else the description has nothing to be compared with
		if err := check(a.describe(&e, at+36)); err != nil {
			return 0, err
		}
	}
	if good {
		a.byName[e.Name] = len(a.entries)
		a.entries = append(a.entries, e)
	}
	return int64(size), nil
}

func (a *archive) name(e *Entry, at int64) (fault *errs.Error) {
	if e.Name, fault = a.text(at, "the name"); fault != nil {
		return fault
	}
	if _, twice := a.byName[e.Name]; twice {
		return fail(CodeDuplicate, at, "another entry has this name")
	}
	// Names that share bytes could claim far more memory than the file has.
	if a.names += int64(len(e.Name)); a.names > a.meta.n {
		return fail(CodeOverlap, at, "the names take more than the %d bytes of the metadata segment", a.meta.n)
	}
	return nil
}

// text reads a name or a path: a range of the metadata segment.
func (a *archive) text(at int64, what string) (string, *errs.Error) {
	s, fault := a.span(at, a.meta, what, CodeRange)
	if fault != nil {
		return "", fault
	}
	if s.n > MaxName {
		return "", fail(CodeLimit, at, "%s has %d bytes, the limit is %d", what, s.n, MaxName)
	}
	text := string(a.b[s.off:s.end()])
	if fault := checkName(text, what); fault != nil {
		return "", fault.At(at)
	}
	return text, nil
}

func (a *archive) alignment(e *Entry, at int64) *errs.Error {
	n := a.u64(at)
	if n > MaxAlignment || n&(n-1) != 0 {
		return fail(CodeAlignment, at, "an alignment of %d, want a power of two up to %d", n, MaxAlignment)
	}
	e.Alignment = int64(n)
	return nil
}

// body reads the fields that depend on the type.
func (a *archive) body(e *Entry) *errs.Error {
	switch e.Type {
	case Data:
		return a.datum(e)
	case Splat:
		return a.splat(e)
	default:
		return a.external(e)
	}
}

func (a *archive) datum(e *Entry) *errs.Error {
	s, fault := a.span(e.field, a.storage, "the datum", CodeRange)
	if fault != nil {
		return fault
	}
	if e.Alignment > 0 && s.off%e.Alignment != 0 {
		return fail(CodeAlignment, e.field, "the datum is at byte %d, not a multiple of its alignment %d", s.off, e.Alignment)
	}
	e.Offset, e.Length = s.off, s.n
	return nil
}

func (a *archive) splat(e *Entry) *errs.Error {
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

func (a *archive) external(e *Entry) *errs.Error {
	path, fault := a.text(e.field, "the path")
	if fault != nil {
		return fault
	}
	s, fault := a.span(e.field+16, span{0, math.MaxInt64}, "the external range", CodeRange)
	if fault != nil {
		return fault
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
		p, e := data[i-1], data[i]
		if p.Offset+p.Length > e.Offset {
			err := fail(CodeOverlap, e.field, "the datum starts at byte %d, inside that of %q", e.Offset, p.Name).On(e.Name)
			if err := a.faults.Add(err); err != nil {
				return err
			}
		}
	}
	return nil
}
