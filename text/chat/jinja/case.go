package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// The full mappings of Unicode, as Python has them: a letter may become several.

func upper(t string) string { return cases.Upper(language.Und).String(t) }
func lower(t string) string { return cases.Lower(language.Und).String(t) }

// titled is the title case of one letter.
func titled(r rune) string { return cases.Title(language.Und, cases.NoLower).String(string(r)) }

// casefold folds the case. Those of Cherokee fold to the capital ones, which are older.
func casefold(t string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xAB70 && r <= 0xABBF:
			return r - 0xAB70 + 0x13A0
		case r >= 0x13F8 && r <= 0x13FD:
			return r - 8
		}
		return r
	}, cases.Fold().String(t))
}

// title makes the first letter of each word large, as str.title does. What a letter
// becomes in lower case may depend on those around it, but not how long it is.
func title(t string) string {
	var b strings.Builder
	inside, low := false, lower(t)
	for _, r := range t {
		n := len(lower(string(r)))
		if inside {
			b.WriteString(low[:n])
		} else {
			b.WriteString(titled(r))
		}
		inside, low = isCased(r), low[n:]
	}
	return b.String()
}

func capitalize(t string) string {
	r, n := utf8.DecodeRuneInString(t)
	if n == 0 {
		return t
	}
	return titled(r) + strings.TrimPrefix(lower(t), lower(string(r)))
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Upper, unicode.Lower, unicode.Title, unicode.Other_Uppercase, unicode.Other_Lowercase)
}

// isUpper is str.isupper: a text has letters of that case and no others that have one.
func isUpper(t string) bool { return ofCase(t, unicode.Upper, unicode.Other_Uppercase) }
func isLower(t string) bool { return ofCase(t, unicode.Lower, unicode.Other_Lowercase) }

func ofCase(t string, letters ...*unicode.RangeTable) bool {
	some := false
	for _, r := range t {
		switch {
		case unicode.In(r, letters...):
			some = true
		case isCased(r):
			return false
		}
	}
	return some
}

// isDigit is str.isdigit: decimal digits, and other signs of one digit.
func isDigit(r rune) bool { return unicode.IsDigit(r) || unicode.Is(otherDigits, r) }

// otherDigits are those of Numeric_Type=Digit in Unicode.
var otherDigits = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00B2, 0x00B3, 1}, {0x00B9, 0x00B9, 1}, {0x1369, 0x1371, 1}, {0x19DA, 0x19DA, 1}, {0x2070, 0x2070, 1}, {0x2074, 0x2079, 1},
		{0x2080, 0x2089, 1}, {0x2460, 0x2468, 1}, {0x2474, 0x247C, 1}, {0x2488, 0x2490, 1}, {0x24EA, 0x24EA, 1}, {0x24F5, 0x24FD, 1},
		{0x24FF, 0x24FF, 1}, {0x2776, 0x277E, 1}, {0x2780, 0x2788, 1}, {0x278A, 0x2792, 1},
	},
	R32: []unicode.Range32{
		{0x10A40, 0x10A43, 1}, {0x10E60, 0x10E68, 1}, {0x11052, 0x1105A, 1}, {0x1F100, 0x1F10A, 1},
	},
	LatinOffset: 2,
}
