package tokenizer

import (
	"cmp"
	"slices"
	"strings"
)

// finder finds tokens that stand for themselves in a text: control tokens and
// those that a user has defined.
type finder struct {
	t *table
	// sorted holds the tokens by their text; start tells where those with a first
	// byte begin in it, so that start[b+1] ends them.
	sorted []int32
	start  [257]int32
	// order is when each of sorted is looked for, the longest first; ordered is the
	// inverse.
	order, ordered []int32
	// shorter is the longest of sorted that each of them begins with, or -1.
	shorter []int32
}

func newFinder(t *table, ids []int32) *finder {
	f := &finder{t: t, sorted: slices.Clone(ids)}
	f.sorted = slices.DeleteFunc(f.sorted, func(id int32) bool { return t.name(id) == "" })
	slices.SortFunc(f.sorted, func(a, b int32) int { return strings.Compare(t.name(a), t.name(b)) })
	i := 0
	for b := range 257 {
		for i < len(f.sorted) && int(t.name(f.sorted[i])[0]) < b {
			i++
		}
		f.start[b] = int32(i)
	}
	n := len(f.sorted)
	f.order, f.ordered, f.shorter = make([]int32, n), make([]int32, n), make([]int32, n)
	var open []int32 // each begins with the one before it
	for i := range int32(n) {
		f.ordered[i], f.shorter[i] = i, -1
		name := f.name(i)
		for len(open) > 0 && !strings.HasPrefix(name, f.name(open[len(open)-1])) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			f.shorter[i] = open[len(open)-1]
		}
		open = append(open, i)
	}
	slices.SortFunc(f.ordered, func(a, b int32) int {
		return cmp.Or(len(f.name(b))-len(f.name(a)), cmp.Compare(f.sorted[a], f.sorted[b]))
	})
	for when, i := range f.ordered {
		f.order[i] = int32(when)
	}
	return f
}

// name returns the text of a token by its place in sorted.
func (f *finder) name(i int32) string { return f.t.name(f.sorted[i]) }

// at calls yield with each token that text begins with, the shortest first, by its
// place in sorted, and takes a step for each byte that it looks at.
func (f *finder) at(text string, steps *int, yield func(i int32)) {
	f.walk(f.start[text[0]], f.start[int(text[0])+1], 1, text[1:], steps, yield)
}

// walk is at for the tokens in lo..hi, which begin with n bytes before text.
func (f *finder) walk(lo, hi int32, n int, text string, steps *int, yield func(i int32)) {
	for ; lo < hi; n++ {
		if *steps--; *steps < 0 {
			return
		}
		// All tokens in lo..hi begin alike for n bytes; the one that has no more is first.
		if len(f.name(lo)) == n {
			yield(lo)
			lo++
		}
		if text == "" || lo >= hi {
			return
		}
		lo, hi = f.narrow(lo, hi, n, text[0])
		text = text[1:]
	}
}

// narrow returns the tokens in lo..hi whose byte n is b.
func (f *finder) narrow(lo, hi int32, n int, b byte) (from, to int32) {
	i, _ := slices.BinarySearchFunc(f.sorted[lo:hi], b, func(id int32, b byte) int { return int(f.t.name(id)[n]) - int(b) })
	j, _ := slices.BinarySearchFunc(f.sorted[lo:hi], int(b)+1, func(id int32, b int) int { return int(f.t.name(id)[n]) - b })
	return lo + int32(i), lo + int32(j)
}

// within returns the tokens that begin with prefix and go on.
func (f *finder) within(prefix string) (lo, hi int32) {
	lo, hi = 0, int32(len(f.sorted))
	for n := range len(prefix) {
		lo, hi = f.narrow(lo, hi, n, prefix[n])
		if lo < hi && len(f.name(lo)) == n+1 {
			lo++
		}
	}
	return lo, hi
}

// fragment is a part of a text: a token, or with id -1 text.
type fragment struct {
	start, end int
	id         int32
}

// fragment returns the token at a place.
func (f *finder) fragment(at int, i int32) fragment {
	return fragment{at, at + len(f.name(i)), f.sorted[i]}
}

// fragments cuts text at tokens that want lets through. GGUF's order is
// llama.cpp's: the longest token is cut out of the whole text first, then the
// next; tokenizer.json's is the leftmost, and of those at one place the longest.
// steps are negative afterwards where they did not suffice.
func (f *finder) fragments(text string, leftmost bool, steps *int, want func(fragment) bool) []fragment {
	switch {
	case text == "":
		return nil
	case len(f.sorted) == 0:
		return []fragment{{0, len(text), -1}}
	case leftmost:
		return f.leftmost(text, steps, want)
	}
	return f.longest(text, steps, want)
}

// longest cuts out the longest tokens first. A place holds the longest token that may
// begin there; when its turn comes and it overlaps one that was cut out before, the
// place waits for the next shorter one.
func (f *finder) longest(text string, steps *int, want func(fragment) bool) []fragment {
	wanted := func(at int, i int32) int32 {
		for i >= 0 && !want(f.fragment(at, i)) {
			*steps--
			i = f.shorter[i]
		}
		return i
	}
	places := map[int32][]int{} // by the order of their token
	for at := range len(text) {
		if b := text[at]; f.start[b] < f.start[int(b)+1] {
			best := int32(-1)
			if f.at(text[at:], steps, func(i int32) { best = i }); *steps < 0 {
				return nil
			}
			if best = wanted(at, best); best >= 0 {
				places[f.order[best]] = append(places[f.order[best]], at)
			}
		}
	}
	if len(places) == 0 {
		return []fragment{{0, len(text), -1}}
	}
	taken := make([]uint64, len(text)/64+1) // a bit for each byte of a token
	has := func(at int) bool { return taken[at/64]>>(at%64)&1 != 0 }
	var found []fragment
	for when, i := range f.ordered {
		waiting := places[int32(when)]
		slices.Sort(waiting)
		for _, at := range waiting {
			// What is taken is as long as this token or longer, so its ends tell all.
			p := f.fragment(at, i)
			switch {
			case has(at):
			case has(p.end - 1):
				if *steps--; *steps < 0 {
					return nil
				}
				if next := wanted(at, f.shorter[i]); next >= 0 {
					places[f.order[next]] = append(places[f.order[next]], at)
				}
			default:
				for x := at; x < p.end; x++ {
					taken[x/64] |= 1 << (x % 64)
				}
				found = append(found, p)
			}
		}
	}
	slices.SortFunc(found, func(a, b fragment) int { return a.start - b.start })
	var out []fragment
	from := 0
	for _, p := range found {
		if from < p.start {
			out = append(out, fragment{from, p.start, -1})
		}
		out = append(out, p)
		from = p.end
	}
	if from < len(text) {
		out = append(out, fragment{from, len(text), -1})
	}
	return out
}

func (f *finder) leftmost(text string, steps *int, want func(fragment) bool) []fragment {
	var out []fragment
	from := 0
	for at := 0; at < len(text); {
		best := int32(-1)
		if b := text[at]; f.start[b] < f.start[int(b)+1] {
			f.at(text[at:], steps, func(i int32) {
				if want(f.fragment(at, i)) {
					best = f.sorted[i]
				}
			})
			if *steps < 0 {
				return nil
			}
		}
		if best < 0 {
			at++
			continue
		}
		if from < at {
			out = append(out, fragment{from, at, -1})
		}
		end := at + len(f.t.name(best))
		out = append(out, fragment{at, end, best})
		at, from = end, end
	}
	if from < len(text) {
		out = append(out, fragment{from, len(text), -1})
	}
	return out
}
