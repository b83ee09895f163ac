// Package regex matches the regular expressions of pre-tokenizers, in the notation of
// Oniguruma that Hugging Face's tokenizers use, and bounds what a match may cost.
//
// Go's own engine has no look-ahead, which nearly all of these patterns need, so this is
// a small backtracking one: the leftmost match, and of alternatives the first. It takes
// literals, classes with \p, \s, \d, groups, alternatives, greedy and lazy repetition,
// look-ahead and $ as the end of the text. Everything else is rejected, never matched with
// another meaning. \s is the white space of Unicode, \d is \p{Nd}.
//
// The page Decisions of the documentation says why it is not github.com/dlclark/regexp2.
//
// # Errors
//
// An *Error for a pattern that cannot be used, a *CostError for a match that takes too
// many steps.
//
// # Determinism
//
// Parts and errors depend on the pattern and the text alone: the bound is a count of
// steps, not a clock.
//
// # Untrusted input
//
// A pattern has at most MaxBytes (32 KiB) and compiles to at most MaxCode (4096)
// instructions. A match takes at most 64 steps for each byte of the text, all parts that
// it is cut into together, and leaves at most 65536 choices open.
package regex

import (
	"fmt"
	"strings"
)

// Limits on a pattern: its bytes, and its instructions.
const (
	MaxBytes = 1 << 15
	MaxCode  = 1 << 12
)

const (
	stepsPerByte = 64
	stepsPart    = 1 << 10 // for each part of a text that is split separately
	maxChoices   = 1 << 16
)

// Pattern is a compiled regular expression. It may be used by several goroutines at once.
type Pattern struct {
	source string
	code   []inst
	// tail is the class of a pattern "class+$": searching for that one step by step
	// would be quadratic.
	tail *runeSet
}

// Code returns the number of instructions.
func (p *Pattern) Code() int { return len(p.code) }

// Error is a pattern that cannot be used.
type Error struct{ Pattern, Reason string }

func (e *Error) Error() string { return fmt.Sprintf("pattern %q: %s", brief(e.Pattern), e.Reason) }

// CostError is a match that takes too many steps.
type CostError struct{ Pattern string }

func (e *CostError) Error() string {
	return fmt.Sprintf("the pattern %q takes more than %d steps for each byte of the text, or leaves more than %d choices open",
		brief(e.Pattern), stepsPerByte, maxChoices)
}

// brief returns a pattern shortened for a message.
func brief(source string) string {
	const most = 120
	if len(source) > most {
		return strings.ToValidUTF8(source[:most], "") + "..."
	}
	return source
}
