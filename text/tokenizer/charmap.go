package tokenizer

import (
	"bytes"
	"encoding/binary"

	"github.com/skainet-dev/skainet-go/errs"
)

const keyCharmap = "tokenizer.ggml.precompiled_charsmap"

// charmap is the compiled normaliser of SentencePiece: a trie of what is replaced, as a
// double array (Darts-clone), and the replacements, each ended by a zero.
type charmap struct {
	units   []uint32
	strings []byte
}

// parseCharmap reads the length of the double array, in bytes, the array and the
// replacements.
func parseCharmap(data []byte) (*charmap, error) {
	if len(data) < 4 {
		return nil, badValue(keyCharmap, "a map of %d bytes", len(data))
	}
	n, rest := binary.LittleEndian.Uint32(data), data[4:]
	if uint64(n) >= uint64(len(rest)) || n%4 != 0 || n == 0 {
		return nil, badValue(keyCharmap, "a trie of %d bytes in a map of %d", n, len(data))
	}
	m := &charmap{units: make([]uint32, n/4), strings: rest[n:]}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(rest[4*i:])
	}
	return m, nil
}

// Bits of a unit: its label, or 1<<31 and the value; whether it ends an entry; and the
// offset of those below it, shifted by 8 more if offsetShift is set.
const (
	unitLabel   = 1<<31 | 0xff
	unitLeaf    = 1 << 8
	offsetShift = 1 << 9
)

func offset(unit uint32) uint32 { return unit >> 10 << (unit & offsetShift >> 6) }

// longest returns the replacement of the longest beginning of text that the map has, and
// the length of that beginning; 0 for none.
func (m *charmap) longest(text string) (string, int, error) {
	at, found, value := offset(m.units[0]), 0, uint32(0)
	for i := range len(text) {
		c := text[i]
		if c == 0 {
			break
		}
		at ^= uint32(c)
		unit, err := m.unit(at)
		if err != nil {
			return "", 0, err
		}
		if unit&unitLabel != uint32(c) {
			break
		}
		at ^= offset(unit)
		if unit&unitLeaf != 0 {
			leaf, err := m.unit(at)
			if err != nil {
				return "", 0, err
			}
			found, value = i+1, leaf&(1<<31-1)
		}
	}
	if found == 0 {
		return "", 0, nil
	}
	if uint64(value) >= uint64(len(m.strings)) {
		return "", 0, brokenCharmap("replacement %d of %d bytes of them", value, len(m.strings))
	}
	part, _, _ := bytes.Cut(m.strings[value:], []byte{0})
	return string(part), found, nil
}

func (m *charmap) unit(at uint32) (uint32, error) {
	if uint64(at) >= uint64(len(m.units)) {
		return 0, brokenCharmap("unit %d of %d", at, len(m.units))
	}
	return m.units[at], nil
}

func brokenCharmap(what string, args ...any) *errs.Error {
	return errs.New(CodeBadValue, "the map of characters points to "+what, args...).On(keyCharmap).Hint("convert the model again")
}
