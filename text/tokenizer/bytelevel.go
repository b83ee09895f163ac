package tokenizer

import "unicode/utf8"

// Byte-level BPE spells each byte as one printable character: the printable ones
// of Latin-1 stand for themselves, the other 68 are U+0100 and up, in order
// (Radford et al., GPT-2's encoder).
var byteOf = byteTable()

// byteTable returns the byte of each character, or -1.
func byteTable() (t [0x100 + 68]int16) {
	next := 0x100
	for b := range 0x100 {
		switch {
		case b >= '!' && b <= '~', b >= 0xA1 && b <= 0xAC, b >= 0xAE:
			t[b] = int16(b)
		default:
			t[b], t[next] = -1, int16(b)
			next++
		}
	}
	return t
}

// toBytes returns the bytes that a token spells. A token with a character that
// stands for no byte, such as an added token, is taken literally.
func toBytes(name string) string {
	out := make([]byte, 0, len(name))
	for _, r := range name {
		if int(r) >= len(byteOf) || byteOf[r] < 0 {
			return name
		}
		out = append(out, byte(byteOf[r]))
	}
	return string(out)
}

// lossy returns b as text, each longest broken sequence replaced by U+FFFD. Unless
// final, an incomplete sequence at the end is returned in rest.
func lossy(b []byte, final bool) (text string, rest []byte) {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		if r, n := utf8.DecodeRune(b); r != utf8.RuneError || n > 1 {
			out = append(out, b[:n]...)
			b = b[n:]
			continue
		}
		n, open := brokenPrefix(b)
		if open && !final {
			return string(out), b
		}
		out = utf8.AppendRune(out, utf8.RuneError)
		b = b[n:]
	}
	return string(out), nil
}

// brokenPrefix returns the length of the broken sequence at the start of b: the
// longest prefix of any well-formed sequence, but at least one byte (Unicode 15,
// section 3.9, table 3-7). open reports whether b ends in it.
func brokenPrefix(b []byte) (n int, open bool) {
	need, lo, hi := 0, byte(0x80), byte(0xBF)
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 2
	case c >= 0xE0 && c <= 0xEF:
		need = 3
	case c >= 0xF0 && c <= 0xF4:
		need = 4
	}
	switch b[0] {
	case 0xE0:
		lo = 0xA0
	case 0xED:
		hi = 0x9F
	case 0xF0:
		lo = 0x90
	case 0xF4:
		hi = 0x8F
	}
	for n = 1; n < need; n++ {
		if n == len(b) {
			return n, true
		}
		if b[n] < lo || b[n] > hi {
			return n, false
		}
		lo, hi = 0x80, 0xBF
	}
	return n, false
}
