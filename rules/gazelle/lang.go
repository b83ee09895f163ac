// Package gazelle writes skainet_model targets: an extension of Gazelle, to be
// built into a gazelle_binary beside the languages that come with it.
//
//	gazelle_binary(
//	    name = "gazelle_skainet",
//	    languages = DEFAULT_LANGUAGES + ["@skainet//rules/gazelle"],
//	)
//
// A package holds a model where its go_library has an exported function with the
// signature of lang.Constructor, func(m *lang.Module), judged by syntax alone:
// the package lang is known by its import path, under any name, and the type as it is
// written. Model is the one that is used or, without it, the only constructor. The
// others, and constructors returned by a call, are named by directives:
//
//	# gazelle:skainet_constructor Encoder        a target named encoder
//	# gazelle:skainet_constructor Heads(12) bert a target named bert
//	# gazelle:skainet_backend edge aarch64       an entry of backends; a row or a platform
//	# gazelle:skainet_parity edge because REASON parity, none without a name, and no_parity: why others are left out
//	# gazelle:skainet_rows //rows:board          rows
//	# gazelle:skainet_weights @hub//:w.gguf      weights, in this package only
//	# gazelle:skainet_extension disabled         or enabled
//
// All but the weights apply to subfolders too. A folder that names one of
// them has only its own; a directive without a value clears what it inherits.
// If a package has none of the constructors that a parent folder names, its
// own is found as if there were no directive. Without a reason behind parity none is
// written, and the rule asks for one (MODEL_PARITY) where a backend that runs here is left out.
//
// # Merging
//
// A target is identified by its library and its constructor, whatever its name.
// Existing attributes stay; only the constructor, after a rename, and those
// with a directive are written. Entries of backends that no directive names stay: a
// directive adds its own and sets those of its name. An attribute that is not a literal, such as
// `backends = FLEET`, stays. A target of this package's library whose constructor is
// gone is removed. "# keep" works for targets, for attributes, and for entries of
// backends, parity, no_parity and rows.
//
// # Errors
//
// Each error is printed with its file and line, nothing is written or removed for that
// package, and Gazelle continues with the others: its interface has no errors.
//
// # Determinism
//
// The output depends only on the Go files, the BUILD file and the directives
// it inherits. Backends are written in order of their names.
//
// # Untrusted input
//
// Go files are parsed and never run. They are read in full: they belong to the
// workspace, which Gazelle's own Go extension reads too.
package gazelle

import (
	"flag"
	"log"

	"github.com/bazelbuild/bazel-gazelle/config"
	"github.com/bazelbuild/bazel-gazelle/language"
	"github.com/bazelbuild/bazel-gazelle/rule"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package.
const (
	CodeSource      errs.Code = "GAZELLE_SOURCE"      // a Go file of a model's package that cannot be read or parsed
	CodeAmbiguous   errs.Code = "GAZELLE_AMBIGUOUS"   // a package with several constructors, none of them Model
	CodeSignature   errs.Code = "GAZELLE_SIGNATURE"   // a function named as a constructor that is not one
	CodeConstructor errs.Code = "GAZELLE_CONSTRUCTOR" // a directive that names a constructor which the package lacks
	CodeLibrary     errs.Code = "GAZELLE_LIBRARY"     // a constructor in package main, or outside any go_library
	CodeName        errs.Code = "GAZELLE_NAME"        // a model whose name is another target's
	CodeDirective   errs.Code = "GAZELLE_DIRECTIVE"   // a directive with an invalid value
)

const (
	name   = "skainet"
	kind   = "skainet_model"
	module = "skainet" // the Bazel module
	// langPath is the package whose Module a constructor takes.
	langPath = "github.com/skainet-dev/skainet-go/lang"
)

// extension implements language.Language. Its state is whether the workspace is skainet's own.
type extension struct {
	language.BaseLang
	own    bool
	report func(error)
}

// NewLanguage is the function that a gazelle_binary calls.
func NewLanguage() language.Language {
	return &extension{report: func(err error) { log.Print(err) }}
}

func (*extension) Name() string { return name }

// CheckFlags is called once, when the workspace is known.
func (x *extension) CheckFlags(_ *flag.FlagSet, c *config.Config) error {
	x.own = c.RepoName == module
	return nil
}

func (*extension) Kinds() map[string]rule.KindInfo {
	return map[string]rule.KindInfo{kind: {
		NonEmptyAttrs: map[string]bool{"model": true},
		MergeableAttrs: map[string]bool{
			"backends": true, "constructor": true, "model": true, "no_parity": true, "parity": true, "rows": true,
		},
	}}
}

// Loads is for a workspace without modules.
func (x *extension) Loads() []rule.LoadInfo {
	return x.ApparentLoads(func(string) string { return "" })
}

// ApparentLoads returns the file of the rules under the workspace's name for
// their module.
func (x *extension) ApparentLoads(apparent func(string) string) []rule.LoadInfo {
	file := "//rules:defs.bzl"
	if !x.own {
		repository := apparent(module)
		if repository == "" {
			repository = module
		}
		file = "@" + repository + file
	}
	return []rule.LoadInfo{{Name: file, Symbols: []string{kind}}}
}
