package tokenizer

import "slices"

// wants returns the predicate for matching a token in the text.
func (o *Options) wants(v *vocabulary) func(fragment) bool {
	return func(f fragment) bool {
		return v.kinds[f.id] == user || !o.Literal && !o.verbatim(f)
	}
}

// verbatim reports whether a part of Verbatim has a byte of f.
func (o *Options) verbatim(f fragment) bool {
	i, _ := slices.BinarySearchFunc(o.Verbatim, f.start, func(s Span, start int) int {
		if s.End <= start {
			return -1
		}
		return 1
	})
	for ; i < len(o.Verbatim) && o.Verbatim[i].Start < f.end; i++ {
		if s := o.Verbatim[i]; s.Start < s.End {
			return true
		}
	}
	return false
}

// Controls returns where control tokens are spelled.
func (v *vocabulary) Controls(text string) []Span {
	var spans []Span
	if v.finder == nil {
		return nil // it only decodes
	}
	// If the step limit is exceeded here, it is in Encode too, which reports it.
	steps := stepsMin + stepsFinding*len(text)
	for i := range len(text) {
		if b := int(text[i]); v.finder.start[b] == v.finder.start[b+1] {
			continue
		}
		v.finder.at(text[i:], &steps, func(at int32) {
			id, end := v.finder.sorted[at], i+len(v.finder.name(at))
			switch n := len(spans); {
			case v.kinds[id] == user:
			case n > 0 && spans[n-1].End > i: // they overlap
				spans[n-1].End = max(spans[n-1].End, end)
			default:
				spans = append(spans, Span{i, end})
			}
		})
	}
	return spans
}
