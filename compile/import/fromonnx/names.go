package fromonnx

import (
	"strconv"
	"strings"
)

// identifiers gives names that are different identifiers.
type identifiers map[string]bool

// of returns an identifier for a name of the file: letters, digits and _, and a number
// behind one that is taken.
func (t identifiers) of(name string) string {
	var b strings.Builder
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
			b.WriteRune(c)
		case c >= '0' && c <= '9':
			if b.Len() == 0 {
				b.WriteByte('_')
			}
			b.WriteRune(c)
		default:
			b.WriteByte('_')
		}
	}
	base := b.String()
	if base == "" {
		base = "_"
	}
	id := base
	for k := 2; t[id]; k++ {
		id = base + "_" + strconv.Itoa(k)
	}
	t[id] = true
	return id
}
