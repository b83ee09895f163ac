// Package recorded is the extension for the tests of its binary: which error codes
// it prints is recorded, see internal/errs/errtest.
package recorded

import (
	"github.com/bazelbuild/bazel-gazelle/language"

	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest" // for its effect
	"github.com/skainet-dev/skainet-go/rules/gazelle"
)

// NewLanguage is what a gazelle_binary calls.
func NewLanguage() language.Language { return gazelle.NewLanguage() }
