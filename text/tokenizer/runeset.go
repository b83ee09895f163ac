package tokenizer

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// runeSet is a set of runes.
type runeSet struct {
	low  [1024]uint64 // the first 65536
	high []rune       // pairs: from, to
}

func (s *runeSet) has(r rune) bool {
	if r < 1<<16 {
		return s.low[r>>6]>>(r&63)&1 != 0
	}
	for i := 0; i < len(s.high); i += 2 {
		if r <= s.high[i+1] {
			return r >= s.high[i]
		}
	}
	return false
}

// setOf makes a set of the pairs of a class.
func setOf(pairs []rune) *runeSet {
	s := new(runeSet)
	s.addPairs(pairs)
	return s
}

func (s *runeSet) addPairs(pairs []rune) {
	for i := 0; i < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		for r := lo; r <= min(hi, 1<<16-1); r++ {
			s.low[r>>6] |= 1 << (r & 63)
		}
		if hi >= 1<<16 {
			s.high = append(s.high, max(lo, 1<<16), hi)
		}
	}
}

// foldSet is the set of a literal rune, of both cases where the pattern asks so.
func foldSet(r rune, flags syntax.Flags) *runeSet {
	pairs := []rune{r, r}
	if flags&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			pairs = append(pairs, f, f)
		}
	}
	return setOf(pairs)
}

func union(a, b *runeSet) *runeSet {
	if a == nil || b == nil {
		return nil
	}
	u := &runeSet{low: a.low, high: slices.Concat(a.high, b.high)}
	for i, w := range b.low {
		u.low[i] |= w
	}
	// has looks for the first pair that ends behind a rune.
	if len(a.high) > 0 && len(b.high) > 0 {
		u.high = []rune{1 << 16, unicode.MaxRune}
	}
	return u
}
