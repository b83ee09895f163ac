package tokenizer

import (
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
	// order holds them as they are looked for, longest first.
	order []int32
}

func newFinder(t *table, ids []int32) *finder {
	f := &finder{t: t, sorted: slices.Clone(ids), order: slices.Clone(ids)}
	slices.SortFunc(f.sorted, func(a, b int32) int { return strings.Compare(t.name(a), t.name(b)) })
	f.sorted = slices.DeleteFunc(f.sorted, func(id int32) bool { return t.name(id) == "" })
	i := 0
	for b := range 257 {
		for i < len(f.sorted) && int(t.name(f.sorted[i])[0]) < b {
			i++
		}
		f.start[b] = int32(i)
	}
	slices.SortStableFunc(f.order, func(a, b int32) int { return len(t.name(b)) - len(t.name(a)) })
	return f
}

// at calls yield with each token that text begins with, the shortest first.
func (f *finder) at(text string, yield func(id int32)) {
	lo, hi := f.start[text[0]], f.start[int(text[0])+1]
	for n := 1; lo < hi; n++ {
		// All tokens in lo..hi begin with text[:n]; the one that is text[:n] is first.
		if f.t.name(f.sorted[lo]) == text[:n] {
			yield(f.sorted[lo])
			lo++
		}
		if n == len(text) || lo >= hi {
			return
		}
		b := text[n]
		from, _ := slices.BinarySearchFunc(f.sorted[lo:hi], b, func(id int32, b byte) int { return int(f.t.name(id)[n]) - int(b) })
		to, _ := slices.BinarySearchFunc(f.sorted[lo:hi], int(b)+1, func(id int32, b int) int { return int(f.t.name(id)[n]) - b })
		lo, hi = lo+int32(from), lo+int32(to)
	}
}

// fragment is a part of a text: a token, or with id -1 text.
type fragment struct {
	start, end int
	id         int32
}

// fragments cuts text at tokens that want lets through. GGUF's order is
// llama.cpp's: the longest token is cut out of the whole text first, then the
// next; tokenizer.json's is the leftmost, and of those at one place the longest.
func (f *finder) fragments(text string, leftmost bool, want func(fragment) bool) []fragment {
	whole := []fragment{{0, len(text), -1}}
	if text == "" {
		return nil
	}
	if len(f.sorted) == 0 {
		return whole
	}
	if leftmost {
		return f.leftmost(text, want)
	}
	found := map[int32]bool{}
	for i := 0; i < len(text); i++ {
		if b := text[i]; f.start[b] < f.start[int(b)+1] {
			f.at(text[i:], func(id int32) { found[id] = true })
		}
	}
	if len(found) == 0 {
		return whole
	}
	parts := whole
	for _, id := range f.order {
		if found[id] {
			parts = cut(parts, text, f.t.name(id), id, want)
		}
	}
	return parts
}

// cut takes a token out of all parts that are text, where it is wanted.
func cut(parts []fragment, text, token string, id int32, want func(fragment) bool) []fragment {
	var out []fragment
	for _, p := range parts {
		for from := p.start; p.id < 0; {
			i := strings.Index(text[from:p.end], token)
			if i < 0 {
				break
			}
			found := fragment{from + i, from + i + len(token), id}
			if !want(found) {
				from = found.start + 1
				continue
			}
			if p.start < found.start {
				out = append(out, fragment{p.start, found.start, -1})
			}
			out = append(out, found)
			p.start, from = found.end, found.end
		}
		if p.start < p.end {
			out = append(out, p)
		}
	}
	return out
}

func (f *finder) leftmost(text string, want func(fragment) bool) []fragment {
	var out []fragment
	from := 0
	for i := 0; i < len(text); {
		best := int32(-1)
		if b := text[i]; f.start[b] < f.start[int(b)+1] {
			f.at(text[i:], func(id int32) {
				if want(fragment{i, i + len(f.t.name(id)), id}) {
					best = id
				}
			})
		}
		if best < 0 {
			i++
			continue
		}
		if from < i {
			out = append(out, fragment{from, i, -1})
		}
		end := i + len(f.t.name(best))
		out = append(out, fragment{i, end, best})
		i, from = end, end
	}
	if from < len(text) {
		out = append(out, fragment{from, len(text), -1})
	}
	return out
}
