package irpa

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Entry is one parameter of an archive.
type Entry struct {
	Name      string
	Type      Type
	Length    int64  // bytes of the parameter
	Offset    int64  // Data: in this file; External: in the other file
	Alignment int64  // of the datum, as declared; 0 for none
	Pattern   []byte // Splat: the bytes repeated
	Path      string // External: the other file, as written in the archive

	// Spec is the description in the entry's metadata; nil if there is none.
	Spec *tensor.Spec

	metadata span  // absolute
	field    int64 // of the entry's own fields, for errors
}

// span is a range of bytes.
type span struct{ off, n int64 }

func (s span) end() int64 { return s.off + s.n }

func (s span) overlaps(o span) bool {
	return s.n > 0 && o.n > 0 && s.off < o.end() && o.off < s.end()
}

// archive is a checked file without its data. b is there only while it is
// checked.
type archive struct {
	b       []byte
	faults  *errs.Faults
	meta    span
	storage span
	names   int64 // bytes of all names
	entries []Entry
	byName  map[string]int
}

func fail(code errs.Code, at int64, what string, args ...any) *errs.Error {
	return errs.New(code, what, args...).At(at)
}

func (a *archive) u64(at int64) uint64 { return binary.LittleEndian.Uint64(a.b[at:]) }

// parse checks b. Its faults go to the list; the error is the one after which
// it did not go on.
func parse(b []byte, faults *errs.Faults) (*archive, error) {
	a := &archive{b: b, faults: faults, byName: map[string]int{}}
	defer func() { a.b = nil }()
	table, count, err := a.header()
	if err != nil {
		return nil, err
	}
	if err := a.table(table, count); err != nil {
		return nil, err
	}
	if err := a.overlaps(); err != nil {
		return nil, err
	}
	if err := a.padding(table); err != nil {
		return nil, err
	}
	return a, nil
}

// stop records a fault after which nothing can be read.
func (a *archive) stop(err *errs.Error) error {
	a.faults.Add(err)
	return err
}

// header checks the header and returns the table's place and number of entries.
func (a *archive) header() (span, int64, error) {
	if err := a.preamble(); err != nil {
		return span{}, 0, err
	}
	if next := a.u64(16); next != 0 {
		err := fail(CodeLinked, 16, "a second archive is linked at byte %d", next).
			Hint("IREE reads only the first; write one archive per file")
		if err := a.faults.Add(err); err != nil {
			return span{}, 0, err
		}
	}
	if flags := a.u64(24); flags != 0 {
		if err := a.faults.Add(fail(CodeFlags, 24, "flags %#x, none are known", flags)); err != nil {
			return span{}, 0, err
		}
	}
	table, err := a.segments()
	if err != nil {
		return span{}, 0, err
	}
	if table.off%entryAlign != 0 {
		err := fail(CodeAlignment, 40, "the entry table starts at byte %d, not a multiple of %d", table.off, entryAlign)
		if err := a.faults.Add(err); err != nil {
			return span{}, 0, err
		}
	}
	count := a.u64(32)
	if count > MaxEntries {
		return span{}, 0, a.stop(fail(CodeLimit, 32, "%d entries, the limit is %d", count, MaxEntries))
	}
	return table, int64(count), nil
}

// preamble checks the magic number and the version.
func (a *archive) preamble() error {
	have := int64(len(a.b))
	if head := a.b[:min(have, int64(len(magic)))]; !strings.HasPrefix(magic, string(head)) {
		return a.stop(fail(CodeMagic, 0, "the file begins with %q, an archive with %q", head, magic).
			Hint("archives of weights are files of the format irpa; skainet pack makes one of a weight file, such as .safetensors or .gguf"))
	}
	if have < headerSize {
		return a.stop(fail(CodeTruncated, have, "the header takes %d bytes, the file has %d", headerSize, have).
			Hint("the file was cut short; make it again"))
	}
	major, minor := binary.LittleEndian.Uint16(a.b[4:]), binary.LittleEndian.Uint16(a.b[6:])
	if major != 0 || minor != 0 {
		return a.stop(fail(CodeVersion, 4, "version %d.%d, version 0.0 is supported", major, minor))
	}
	if n := a.u64(8); n != headerSize {
		return a.stop(fail(CodeHeader, 8, "a header of %d bytes, version 0.0 has %d", n, headerSize))
	}
	return nil
}

// segments checks the three segments and returns the entry table.
func (a *archive) segments() (span, error) {
	have := int64(len(a.b))
	var segments [3]span
	var broken error
	for i, what := range [...]string{"entry table", "metadata segment", "storage segment"} {
		at := int64(40 + 16*i)
		s, fault := a.span(at, span{0, have}, "the "+what, CodeTruncated)
		if fault != nil {
			broken = fault // where the segments are is needed for all that follows
			if err := a.faults.Add(fault); err != nil {
				return span{}, err
			}
			continue
		}
		if s.n > 0 && s.off < headerSize {
			err := fail(CodeOverlap, at, "the %s starts at byte %d, inside the header", what, s.off)
			if err := a.faults.Add(err); err != nil {
				return span{}, err
			}
		}
		for _, o := range segments[:i] {
			if s.overlaps(o) {
				if err := a.faults.Add(fail(CodeOverlap, at, "the %s overlaps another segment", what)); err != nil {
					return span{}, err
				}
			}
		}
		segments[i] = s
	}
	a.meta, a.storage = segments[1], segments[2]
	return segments[0], broken
}

// span reads an offset and a length at byte at and checks them against the
// place they count from; beyond is the code for a range that ends past it.
func (a *archive) span(at int64, within span, what string, beyond errs.Code) (span, *errs.Error) {
	off, n := a.u64(at), a.u64(at+8)
	if off > math.MaxInt64 || n > math.MaxInt64 || off+n > math.MaxInt64 {
		return span{}, fail(CodeRange, at, "%s has offset %d and length %d, which wrap", what, off, n)
	}
	s := span{within.off + int64(off), int64(n)}
	if int64(off)+s.n > within.n {
		return span{}, fail(beyond, at, "%s ends at %d, only %d bytes are available", what, int64(off)+s.n, within.n)
	}
	return s, nil
}

// padding checks that nothing hides after the last segment.
func (a *archive) padding(table span) error {
	end := max(headerSize, table.end(), a.meta.end(), a.storage.end())
	rest := a.b[end:]
	if len(rest) >= MaxAlignment {
		return a.faults.Add(fail(CodePadding, end, "%d bytes follow the archive, the limit is %d", len(rest), MaxAlignment-1))
	}
	return a.zero(rest, end, "the padding at the end")
}

// zero checks that a gap hides nothing.
func (a *archive) zero(b []byte, at int64, what string) error {
	for i, c := range b {
		if c != 0 {
			return a.faults.Add(fail(CodePadding, at+int64(i), "%s holds %#02x, not zero", what, c))
		}
	}
	return nil
}
