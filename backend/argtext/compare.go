package argtext

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of comparisons.
const (
	CodeExpected errs.Code = "RUN_EXPECTED" // smallest input: expected = ["y"]
	CodeMismatch errs.Code = "RUN_MISMATCH" // smallest input: expected = ["y: f32 = 1"] of a program that gives 2
)

// line is a line of Text: a result's name and type, and its elements, or the
// first of them and the total number.
type line struct {
	name, kind string
	words      []string
	sizes      []int // of the brackets
	rest       string
}

const expectedForm = `write lines as the program prints them, such as "y: f32[2x2] = [[1 2] [3 4]]"`

// parseLine parses a line that Text writes.
func parseLine(text string) (*line, *errs.Error) {
	bad := func(what string) *errs.Error {
		return errs.New(CodeExpected, "%q %s", text, what).Hint(expectedForm)
	}
	head, value, ok := strings.Cut(text, " = ")
	name, kind, typed := strings.Cut(head, ": ")
	if !ok || !typed || name == "" {
		return nil, bad(`is not of the form "NAME: TYPE = VALUE"`)
	}
	l := &line{name: name, kind: kind}
	if before, all, cut := strings.Cut(value, " ... "); cut { // only the first elements are printed
		before, l.rest = strings.TrimPrefix(before, "["), all
		l.words = strings.Fields(before)
		return l, nil
	}
	depth := 0
	var count []int
	for _, w := range strings.Fields(strings.NewReplacer("[", " [ ", "]", " ] ").Replace(value)) {
		switch w {
		case "[":
			if depth > 0 {
				count[depth-1]++
			}
			if depth++; depth > len(count) {
				count = append(count, 0)
			}
			count[depth-1] = 0
		case "]":
			depth--
			if depth < 0 {
				return nil, bad("has a ] without its [")
			}
			for len(l.sizes) < len(count) {
				l.sizes = append(l.sizes, -1)
			}
			if n := l.sizes[depth]; n >= 0 && n != count[depth] {
				return nil, bad(fmt.Sprintf("has rows of %d and of %d", n, count[depth]))
			}
			l.sizes[depth] = count[depth]
		default:
			if depth > 0 {
				count[depth-1]++
			}
			l.words = append(l.words, w)
		}
	}
	if depth > 0 {
		return nil, bad("has a [ without its ]")
	}
	return l, nil
}

// index returns the index of an element: "[1 0]", or "" for a scalar.
func (l *line) index(i int) string {
	if len(l.sizes) == 0 {
		if l.rest != "" {
			return fmt.Sprintf("[%d of all in row-major order]", i)
		}
		return ""
	}
	place := make([]string, len(l.sizes))
	for d := len(l.sizes) - 1; d >= 0; d-- {
		n := max(l.sizes[d], 1)
		place[d] = strconv.Itoa(i % n)
		i /= n
	}
	return "[" + strings.Join(place, " ") + "]"
}

// difference returns |got - want| if both are numbers.
func difference(got, want string) (diff, size float64, numbers bool) {
	g, err1 := strconv.ParseFloat(got, 64)
	w, err2 := strconv.ParseFloat(want, 64)
	return math.Abs(g - w), math.Abs(w), err1 == nil && err2 == nil
}

// compare describes how two lines with the same name differ; "" if they do not.
func (l *line) compare(want *line, t parity.Tolerance) string {
	switch {
	case l.kind != want.kind:
		return fmt.Sprintf("%s: it is %s, want %s", l.name, l.kind, want.kind)
	case len(l.words) != len(want.words) || l.rest != want.rest:
		return fmt.Sprintf("%s: %d elements, want %d: %s prints at most %d of a result in full", l.name, len(l.words), len(want.words), "skainet run", maxPrinted)
	}
	wrong, first, worst, most := 0, -1, -1, -1.0
	for i, got := range l.words {
		diff, size, numbers := difference(got, want.words[i])
		if got == want.words[i] || numbers && diff <= t.Abs+t.Rel*size {
			continue
		}
		if wrong++; first < 0 {
			first = i
		}
		if !numbers || math.IsNaN(diff) {
			diff = math.Inf(1)
		}
		if diff > most {
			worst, most = i, diff
		}
	}
	if wrong == 0 {
		return ""
	}
	say := func(i int) string {
		text := fmt.Sprintf("%s%s: got %s, want %s", l.name, l.index(i), l.words[i], want.words[i])
		if diff, _, numbers := difference(l.words[i], want.words[i]); numbers {
			text += fmt.Sprintf(" (differs by %.3g)", diff)
		}
		return text
	}
	text := fmt.Sprintf("%s: %d of %d elements differ by more than %g + %g times what is wanted; first %s", l.name, wrong, len(l.words), t.Abs, t.Rel, say(first))
	if worst != first {
		text += "; worst " + say(worst)
	}
	return text
}

// Compare compares results printed by Text with the expected lines. It returns RUN_MISMATCH
// with the result, the index, both values and the tolerance of the first and the
// worst element that differ, and RUN_EXPECTED for lines that are not in Text's format.
// Numbers agree within t, everything else if the text is equal.
func Compare(printed, expected string, t parity.Tolerance) error {
	if printed == expected {
		return nil
	}
	var got, want []*line
	for text, to := range map[string]*[]*line{printed: &got, expected: &want} {
		for _, l := range strings.Split(strings.Trim(text, "\n"), "\n") {
			if strings.TrimSpace(l) == "" {
				continue
			}
			parsed, err := parseLine(l)
			if err != nil {
				return err
			}
			*to = append(*to, parsed)
		}
	}
	var faults []string
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			faults = append(faults, fmt.Sprintf("result %q is not printed", want[i].name))
		case i >= len(want):
			faults = append(faults, fmt.Sprintf("result %q is printed but not expected", got[i].name))
		case got[i].name != want[i].name:
			faults = append(faults, fmt.Sprintf("result %d is %q, want %q", i, got[i].name, want[i].name))
		default:
			if fault := got[i].compare(want[i], t); fault != "" {
				faults = append(faults, fault)
			}
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return errs.New(CodeMismatch, "%s", strings.Join(faults, "; ")).
		Hint("if the program is right, update the expected lines; for rounding differences set atol or rtol of the test")
}
