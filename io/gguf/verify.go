package gguf

import (
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/filemap"
)

// Verify lists what is wrong with the file at path, or with any part of a split
// model: every fault for which Open would refuse it, and three that Open lets
// pass: unknown types, names and arrays that ggml refuses, and padding that is not
// zero. Padding is checked only if Open finds nothing wrong. The error is that of a file that cannot be
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
		if err := p.beyondGGML(faults); err != nil {
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

// beyondGGML lists what ggml's reader refuses.
func (p *part) beyondGGML(faults *errs.Faults) error {
	for _, v := range p.values {
		if !v.nested() {
			continue
		}
		if err := faults.Add(nestedArray(v.key).At(v.field).In(p.m.Path())); err != nil {
			return err
		}
	}
	for _, t := range p.tensors {
		fault := longName(t.Name)
		if fault == nil {
			continue
		}
		at := t.field - 4 - 8*int64(t.Shape.Rank()) - 4 - int64(len(t.Name))
		if err := faults.Add(fault.At(at).In(p.m.Path())); err != nil {
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
