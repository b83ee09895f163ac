// Package badfiles is the corpus of malformed weight files and archives. The
// same files are run against the parser, the mapped reader, the command line
// and, through it, the build rules.
//
// A file is a few lines of Go, so that its fault is visible; its name is
// <stage>_<fault>.
//
// # Errors
//
// This package never fails.
//
// # Determinism
//
// The files are the same bytes each time.
package badfiles

import (
	"bytes"
	"encoding/binary"

	"github.com/skainet-dev/skainet-go/errs"
)

// Case is a malformed file, the code that its reader must return and the offset
// of the field at fault. Offset is -1 if the fault has no position.
type Case struct {
	Name   string
	Data   []byte
	Code   errs.Code
	Offset int64
}

// le builds little-endian text field by field.
type le struct{ b []byte }

func (l *le) u8(v uint8) *le   { l.b = append(l.b, v); return l }
func (l *le) u16(v uint16) *le { l.b = binary.LittleEndian.AppendUint16(l.b, v); return l }
func (l *le) u32(v uint32) *le { l.b = binary.LittleEndian.AppendUint32(l.b, v); return l }
func (l *le) u64(v ...uint64) *le {
	for _, x := range v {
		l.b = binary.LittleEndian.AppendUint64(l.b, x)
	}
	return l
}
func (l *le) raw(b ...byte) *le { l.b = append(l.b, b...); return l }
func (l *le) zeros(n int) *le   { return l.raw(make([]byte, n)...) }

// at returns the length so far, which is the offset of the next field.
func (l *le) at() int64 { return int64(len(l.b)) }

// patched returns a copy of b with p at offset.
func patched(b []byte, offset int64, p ...byte) []byte {
	c := bytes.Clone(b)
	copy(c[offset:], p)
	return c
}

func patched64(b []byte, offset int64, v uint64) []byte {
	return patched(b, offset, binary.LittleEndian.AppendUint64(nil, v)...)
}
