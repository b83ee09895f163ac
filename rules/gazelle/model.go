package gazelle

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/bazel-gazelle/language"
	"github.com/bazelbuild/bazel-gazelle/rule"
	"github.com/bazelbuild/buildtools/build"
)

// leftOut was once written as the reason of the backends that the directive does not compare.
// It is none, and goes.
const leftOut = "left out by the directive " + parityKey

// model returns the rule to merge into old, or to write if old is nil.
func (s *settings) model(name, library string, c constructor, old *rule.Rule, args language.GenerateArgs) *rule.Rule {
	r := rule.NewRule(kind, name)
	r.SetAttr("model", library)
	if c.text != "Model" || old != nil && old.Attr("constructor") != nil {
		r.SetAttr("constructor", c.text)
	}
	if s.weights != "" {
		r.SetAttr("weights", relative(s.weights, args.Rel))
	}

	// Gazelle would remove a mergeable attribute that is not set here.
	for _, attribute := range []string{"backends", "no_parity", "parity", "rows"} {
		if old != nil && old.Attr(attribute) != nil && old.AttrString(attribute) != leftOut {
			r.SetAttr(attribute, unchanged{old.Attr(attribute)})
		}
	}
	if s.rows != nil {
		r.SetAttr("rows", words(relatives(*s.rows, args.Rel)))
	}
	// Backends that are not written here belong to the file, and parity names some of them.
	if old != nil && old.Attr("backends") != nil && !isOurs(old) {
		return r
	}
	if s.parity != nil {
		r.SetAttr("parity", words(*s.parity))
		if s.noParity != "" {
			r.SetAttr("no_parity", s.noParity)
		}
	}
	if s.backends == nil {
		return r
	}
	backends := entries{}
	for backend, target := range s.backends {
		backends[backend] = relative(target, args.Rel)
	}
	r.SetAttr("backends", backends)
	return r
}

// isOurs reports whether backends is a literal without "# keep".
func isOurs(old *rule.Rule) bool {
	_, ok := literal(old.Attr("backends"))
	comments := old.AttrComments("backends")
	return ok && !slices.ContainsFunc(slices.Concat(comments.Before, comments.Suffix), func(c build.Comment) bool {
		word := strings.TrimSpace(strings.TrimLeft(c.Token, "#"))
		return word == "keep" || strings.HasPrefix(word, "keep: ")
	})
}

func relatives(labels []string, rel string) []string {
	var out []string
	for _, l := range labels {
		out = append(out, relative(l, rel))
	}
	return out
}

// mayHoldModels reports whether a Go file of the folder imports package lang: other folders are
// not parsed. A file that cannot be read counts.
func mayHoldModels(args language.GenerateArgs) bool {
	for _, base := range args.RegularFiles {
		if !isSource(base) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(args.Dir, base))
		if err != nil || bytes.Contains(data, []byte(`"`+langPath+`"`)) || bytes.Contains(data, []byte("`"+langPath+"`")) {
			return true
		}
	}
	return false
}
