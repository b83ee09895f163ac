// Package recorded wraps the extension for the tests of its binary: which error codes
// it prints is recorded, see test/errtest.
package recorded

import (
	"github.com/bazelbuild/bazel-gazelle/language"

	"github.com/skainet-dev/skainet-go/rules/gazelle"
	_ "github.com/skainet-dev/skainet-go/test/errtest" // for its effect
)

// NewLanguage is the function that a gazelle_binary calls.
func NewLanguage() language.Language { return gazelle.NewLanguage() }
