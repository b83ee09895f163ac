package shape

// Grows reports whether d is never smaller in a call whose sizes are all as large or larger,
// so that its largest value is that for the largest sizes: "past+seq" and "seq-1" are so,
// "batch-seq" is not.
func (d Dim) Grows() bool {
	p, ok := d.polynomial()
	return ok && p.grows()
}

func (p polynomial) grows() bool {
	for _, t := range p {
		if t.coefficient < 0 && len(t.factors) > 0 {
			return false
		}
		for _, f := range t.factors {
			if !f.isName() && !f.numerator.grows() {
				return false
			}
		}
	}
	return true
}
