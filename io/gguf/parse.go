package gguf

import (
	"errors"
	"math/bits"

	"github.com/skainet-dev/skainet-go/errs"
)

// header is a checked file without its data.
type header struct {
	version   uint32
	big       bool
	values    []Value
	byKey     map[string]int
	tensors   []Info
	byName    map[string]int
	alignment int64
	infos     int64 // where the table of tensors ends
	data      int64 // where the first tensor lies
	end       int64 // where the last one ends, without its padding
}

// get finds a value by its key.
func (h *header) get(key string) (Value, bool) {
	if i, ok := h.byKey[key]; ok {
		return h.values[i], true
	}
	return Value{}, false
}

// parser reads the head of a file of size bytes, of which it has the first.
type parser struct {
	cursor
	*header
	src  source
	size int64

	architecture string // of general.architecture
}

// parse checks a file of size bytes, of which b holds at least those before the
// data. Values read src later. What it returns is whole only where there is no
// fault.
func parse(b []byte, size int64, src source, faults *errs.Faults) (*header, error) {
	p := &parser{
		cursor: cursor{b: b, faults: faults},
		header: &header{byKey: map[string]int{}, byName: map[string]int{}, alignment: defaultAlignment},
		src:    src, size: size,
	}
	if err := p.parse(); err != nil {
		// A fault that ends the walk is not in the list yet, one at which the list
		// ends the walk is.
		if list := faults.List(); len(list) == 0 || !errors.Is(list[len(list)-1], err) {
			faults.Add(err)
		}
		return p.header, err
	}
	return p.header, nil
}

func (p *parser) parse() error {
	tensors, pairs, err := p.counts()
	if err != nil {
		return err
	}
	for i := range pairs {
		if err := p.pair(i); err != nil {
			return err
		}
	}
	placed, err := p.known()
	if err != nil {
		return err
	}
	for i := range tensors {
		if err := p.info(i); err != nil {
			return err
		}
	}
	p.infos = p.at
	if !placed {
		return nil // where the data starts is not known
	}
	return p.place()
}

// counts reads everything before the first pair.
func (p *parser) counts() (tensors, pairs int, err error) {
	if head := p.b[:min(len(p.b), len(magic))]; magic[:len(head)] != string(head) {
		return 0, 0, fail(CodeMagic, 0, "the file begins with %q; a GGUF file begins with %q", head, magic).Hint("name a GGUF file; skainet check FILE says what another one is, and skainet run FILE runs it")
	}
	if err := p.need(int64(len(magic)), "the magic"); err != nil {
		return 0, 0, err
	}
	p.at = int64(len(magic))
	at := p.at
	v, err := p.u32("the version")
	if err != nil {
		return 0, 0, err
	}
	// The low half of a version is zero only where the bytes are reversed.
	if v != 0 && v&0xffff == 0 {
		v, p.cursor.big = bits.ReverseBytes32(v), true
	}
	p.version, p.header.big = v, p.cursor.big
	switch v {
	case 1:
		return 0, 0, fail(CodeVersion, at, "version 1, versions 2 and 3 are supported").
			Hint("it dates from August 2023 or before; convert the model again with a newer llama.cpp")
	case 2, 3:
	default:
		return 0, 0, fail(CodeVersion, at, "version %d, versions 2 and 3 are supported", v)
	}
	if err := p.need(16, "the counts"); err != nil {
		return 0, 0, err
	}
	n := [2]uint64{p.bits(p.at, 8), p.bits(p.at+8, 8)}
	p.at += 16
	for i, c := range [...]struct {
		what  string
		limit uint64
		least int64
	}{{"tensors", MaxTensors, minInfo}, {"keys", MaxKeys, minPair}} {
		at := p.at - 16 + int64(8*i)
		if n[i] > c.limit {
			return 0, 0, fail(CodeLimit, at, "%d %s, the limit is %d", n[i], c.what, c.limit)
		}
		if n[i] > uint64(p.left()/c.least) {
			return 0, 0, fail(CodeTruncated, at, "%d %s take at least %d bytes each, the file has %d left", n[i], c.what, c.least, p.left()).
				Hint("the file was cut short; fetch it again")
		}
	}
	return int(n[0]), int(n[1]), nil
}
