package tokenizer

import (
	"math"

	"github.com/skainet-dev/skainet-go/internal/regex"
)

// symbol is a part of a text that is a token, or a character or byte that is not.
type symbol struct {
	start, end int32 // in the text
	prev, next int32 // its neighbours in the list; -1 for none
	id         int32 // -1 where no token is spelled so
}

// pair is two neighbours that may become one token.
type pair struct {
	rank        int32 // the lowest is merged first
	left, right int32
	size        int32 // bytes of both; when it differs, the pair is out of date
	id          int32 // what they become
}

func (a *pair) before(b *pair) bool { return a.rank < b.rank || a.rank == b.rank && a.left < b.left }

// merger determines which neighbours may be merged.
type merger interface {
	merge(text string, a, b *symbol) (rank, id int32, ok bool)
}

// scratch is the memory of one Encode.
type scratch struct {
	symbols []symbol
	heap    []pair
	ranks   []pair // for mergeShort: what symbol i and the one after it become
	cache   map[string]span
	cached  []int32
	word    []byte
	machine regex.Machine
	steps   int // that WordPiece may take on long words
}

// span is a part of scratch.cached.
type span struct{ from, to int32 }

const (
	// shortest is how many symbols are worth a heap.
	shortest = 28
	// A text that is cached is not long, and there are not too many of them.
	cacheWord  = 48
	cacheWords = 1 << 14
)

// remembered returns the ids of a word that came up before.
func (s *scratch) remembered(word string) ([]int32, bool) {
	at, ok := s.cache[word]
	return s.cached[at.from:at.to], ok
}

func (s *scratch) remember(word string, ids []int32) {
	if len(word) > cacheWord || len(s.cache) >= cacheWords {
		return
	}
	if s.cache == nil {
		s.cache = map[string]span{}
	}
	from := int32(len(s.cached))
	s.cached = append(s.cached, ids...)
	s.cache[word] = span{from, int32(len(s.cached))}
}

// add appends a symbol to the list.
func (s *scratch) add(start, end int, id int32) {
	s.symbols = append(s.symbols, symbol{start: int32(start), end: int32(end), id: id})
}

// merge joins neighbours, the lowest rank first and of equal ones the leftmost,
// until none can be joined; s.symbols holds what is left, in order. It takes
// O(n log n).
func (s *scratch) merge(text string, m merger) {
	if len(s.symbols) <= shortest {
		s.mergeShort(text, m)
		return
	}
	s.mergeLong(text, m)
}

// mergeLong keeps the pairs in a heap.
func (s *scratch) mergeLong(text string, m merger) {
	n := int32(len(s.symbols))
	if n == 0 {
		return
	}
	s.heap = s.heap[:0]
	for i := range n {
		s.symbols[i].prev, s.symbols[i].next = i-1, i+1
	}
	s.symbols[n-1].next = -1
	for i := range n - 1 {
		s.candidate(text, m, i, i+1)
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.down(i)
	}
	for len(s.heap) > 0 {
		p := s.heap[0]
		last := len(s.heap) - 1
		s.heap[0] = s.heap[last]
		s.heap = s.heap[:last]
		s.down(0)
		l, r := &s.symbols[p.left], &s.symbols[p.right]
		if l.end == l.start || r.end == r.start || r.end-l.start != p.size {
			continue
		}
		l.end, l.id, l.next = r.end, p.id, r.next
		r.start = r.end // gone
		if r.next >= 0 {
			s.symbols[r.next].prev = p.left
		}
		if l.prev >= 0 && s.candidate(text, m, l.prev, p.left) {
			s.up(len(s.heap) - 1)
		}
		if l.next >= 0 && s.candidate(text, m, p.left, l.next) {
			s.up(len(s.heap) - 1)
		}
	}
	kept := s.symbols[:0]
	for _, x := range s.symbols {
		if x.start < x.end {
			kept = append(kept, x)
		}
	}
	s.symbols = kept
}

// candidate appends a pair to the heap, not yet at its place.
func (s *scratch) candidate(text string, m merger, left, right int32) bool {
	l, r := &s.symbols[left], &s.symbols[right]
	rank, id, ok := m.merge(text, l, r)
	if ok {
		s.heap = append(s.heap, pair{rank: rank, left: left, right: right, size: r.end - l.start, id: id})
	}
	return ok
}

func (s *scratch) down(i int) {
	h := s.heap
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

func (s *scratch) up(i int) {
	h := s.heap
	for i > 0 {
		p := (i - 1) / 2
		if !h[i].before(&h[p]) {
			return
		}
		h[i], h[p] = h[p], h[i]
		i = p
	}
}

// mergeShort does the same by looking at all pairs in each round.
func (s *scratch) mergeShort(text string, m merger) {
	x := s.symbols
	if len(x) < 2 {
		return
	}
	r := s.ranks[:0]
	rank := func(i int) pair {
		if rank, id, ok := m.merge(text, &x[i], &x[i+1]); ok {
			return pair{rank: rank, id: id}
		}
		return pair{id: -1}
	}
	for i := range len(x) - 1 {
		r = append(r, rank(i))
	}
	for {
		best, least := -1, int32(math.MaxInt32)
		for i := range r {
			if r[i].id >= 0 && (best < 0 || r[i].rank < least) {
				best, least = i, r[i].rank
			}
		}
		if best < 0 {
			break
		}
		x[best].end, x[best].id = x[best+1].end, r[best].id
		x = append(x[:best+1], x[best+2:]...)
		r = append(r[:best], r[best+1:]...)
		if best > 0 {
			r[best-1] = rank(best - 1)
		}
		if best < len(r) {
			r[best] = rank(best)
		}
	}
	s.symbols, s.ranks = x, r
}
