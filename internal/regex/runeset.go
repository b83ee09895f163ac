package regex

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// runeSet is a set of runes: a few pairs, or a bit for each of the first 65536 and
// pairs for the others.
type runeSet struct {
	low   *[1024]uint64
	pairs []rune // from, to; ascending
}

// fewPairs is how many pairs a set without bits has at most.
const fewPairs = 4

func (s *runeSet) has(r rune) bool {
	if s.low != nil && r < 1<<16 {
		return s.low[r>>6]>>(r&63)&1 != 0
	}
	for i := 0; i < len(s.pairs); i += 2 {
		if r <= s.pairs[i+1] {
			return r >= s.pairs[i]
		}
	}
	return false
}

// setOf makes a set of the pairs of a class, which are ascending.
func setOf(pairs []rune) *runeSet {
	if len(pairs) <= 2*fewPairs {
		return &runeSet{pairs: slices.Clone(pairs)}
	}
	s := &runeSet{low: new([1024]uint64)}
	s.addPairs(pairs)
	return s
}

// addPairs adds to a set with bits. Pairs above these have to ascend.
func (s *runeSet) addPairs(pairs []rune) {
	for i := 0; i < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		for r := lo; r <= min(hi, 1<<16-1); r++ {
			s.low[r>>6] |= 1 << (r & 63)
		}
		if hi >= 1<<16 {
			s.pairs = append(s.pairs, max(lo, 1<<16), hi)
		}
	}
}

// foldSet is the set of a literal rune, in both cases if the pattern is case-insensitive.
func foldSet(r rune, flags syntax.Flags) *runeSet {
	all := []rune{r}
	if flags&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			all = append(all, f)
		}
	}
	slices.Sort(all)
	var pairs []rune
	for _, r := range all {
		pairs = append(pairs, r, r)
	}
	return setOf(pairs)
}

// union returns a set that has both and perhaps more; nil is the set of all.
func union(a, b *runeSet) *runeSet {
	if a == nil || b == nil {
		return nil
	}
	u := &runeSet{low: new([1024]uint64)}
	for _, s := range []*runeSet{a, b} {
		if s.low != nil {
			for i, w := range s.low {
				u.low[i] |= w
			}
		}
		for i := 0; i < len(s.pairs); i += 2 {
			if s.pairs[i+1] >= 1<<16 { // the high ones are not worth a merge
				u.pairs = []rune{1 << 16, unicode.MaxRune}
			}
			for r := s.pairs[i]; r <= min(s.pairs[i+1], 1<<16-1); r++ {
				u.low[r>>6] |= 1 << (r & 63)
			}
		}
	}
	return u
}
