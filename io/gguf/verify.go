package gguf

import (
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/filemap"
)

// Verify lists what is wrong with the file at path, or with any part of a split
// model: every fault for which Open would refuse it, and two that Open lets
// pass, unknown types and padding that is not zero. Padding is checked
// only if nothing else is wrong. The error is that of a file that cannot be
// opened.
func Verify(path string) ([]error, error) {
	faults := errs.Gather(filemap.MaxFaults)
	f, err := open(path, faults)
	if err != nil {
		if errs.CodeOf(err) == regular.CodeOpen {
			return nil, err
		}
		if !slices.Contains(faults.List(), err) { // cut short meanwhile
			faults.Add(err)
		}
		return faults.List(), nil
	}
	defer f.Close()
	sound := len(faults.List()) == 0
	for _, p := range f.parts {
		if err := p.unknown(faults); err != nil {
			break
		}
		if sound {
			if err := p.m.View(func(b []byte) error { return p.padding(b, faults) }); err != nil {
				break
			}
		}
	}
	return faults.List(), nil
}

// unknown lists the tensors whose type is not in the table.
func (p *part) unknown(faults *errs.Faults) error {
	for _, t := range p.tensors {
		if layoutOf(t.Number, p.big).bytes > 0 || removed[t.Number] != "" {
			continue
		}
		err := fail(CodeUnknownType, t.field-4, "type %d is not known", t.Number).In(p.m.Path()).On(t.Name).
			Hint("its bytes are copied unchanged; no program here can compute with them")
		if err := faults.Add(err); err != nil {
			return err
		}
	}
	return nil
}

// padding checks the bytes between the table, the tensors and the end.
func (p *part) padding(b []byte, faults *errs.Faults) error {
	at := p.infos
	gap := func(end int64) error {
		end = min(end, int64(len(b)))
		for ; at < end; at++ {
			if b[at] != 0 {
				return faults.Add(fail(CodePadding, at, "the padding holds %#02x, not zero", b[at]).In(p.m.Path()))
			}
		}
		return nil
	}
	for _, t := range p.tensors {
		if err := gap(t.Offset); err != nil {
			return err
		}
		at = t.Offset + t.Bytes
	}
	return gap(int64(len(b)))
}
