// Package globs matches names of tensors with patterns of the command line.
//
// In a pattern "*" stands for any text, "/" and "." included, "?" for one
// character, [abc], [a-c] and [!abc] for one of a set, {a,b} for one of several
// texts, and "\" takes its meaning from the next character.
//
// # Errors
//
// GLOB_BAD is a pattern that cannot be read.
//
// # Determinism
//
// A match depends only on the pattern and the name.
package globs

import (
	"github.com/gobwas/glob"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// CodeBad is the code of a pattern that cannot be read; smallest input: "[".
const CodeBad errs.Code = "GLOB_BAD"

// Pattern is one pattern.
type Pattern struct {
	Text string
	g    glob.Glob
}

// Compile reads a pattern.
func Compile(text string) (Pattern, error) {
	g, err := glob.Compile(text)
	if err != nil {
		return Pattern{}, errs.Wrap(CodeBad, err, "the pattern %q cannot be read", text).
			Hint("* stands for any text, ? for one character; put a \\ before a character that is meant as it is")
	}
	return Pattern{text, g}, nil
}

// Match says whether the whole name fits.
func (p Pattern) Match(name string) bool { return p.g.Match(name) }

// Set is a list of patterns.
type Set []Pattern

// CompileAll reads patterns.
func CompileAll(texts []string) (Set, error) {
	set := make(Set, len(texts))
	for i, text := range texts {
		var err error
		if set[i], err = Compile(text); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// Match says whether the name fits one of the patterns; a set without patterns
// takes every name.
func (s Set) Match(name string) bool {
	for _, p := range s {
		if p.Match(name) {
			return true
		}
	}
	return len(s) == 0
}
