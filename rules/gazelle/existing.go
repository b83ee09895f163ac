package gazelle

import (
	"path"
	"slices"
	"strings"

	"github.com/bazelbuild/bazel-gazelle/label"
	"github.com/bazelbuild/bazel-gazelle/language"
	"github.com/bazelbuild/bazel-gazelle/rule"
	"github.com/bazelbuild/buildtools/build"
)

// library is the go_library of a folder as it will be after Gazelle's merge.
type library struct {
	name    string
	files   map[string]bool
	partial bool // some of its sources are not in the folder
}

// libraryOf returns the library that Gazelle's Go extension generated, or nil.
func libraryOf(args language.GenerateArgs) *library {
	for _, generated := range args.OtherGen {
		if generated.Kind() != "go_library" {
			continue
		}
		l := &library{name: generated.Name(), files: map[string]bool{}}
		l.add(generated, args)
		if args.File != nil {
			if old := matching(args, generated); old != nil {
				l.name = old.Name()
				l.add(old, args)
			}
		}
		return l
	}
	return nil
}

// add adds a rule's sources, including those inside select().
func (l *library) add(r *rule.Rule, args language.GenerateArgs) {
	l.partial = l.partial || r.Attr("embed") != nil
	srcs := r.Attr("srcs")
	if srcs == nil {
		return
	}
	build.Walk(srcs, func(e build.Expr, _ []build.Expr) {
		if s, ok := e.(*build.StringExpr); ok {
			l.files[s.Value] = true
			if strings.ContainsAny(s.Value[:min(1, len(s.Value))], ":/@") && !strings.HasPrefix(s.Value, "@io_bazel_rules_go") &&
				!strings.HasPrefix(s.Value, "@rules_go") && s.Value != "//conditions:default" {
				l.partial = true
			}
			if slices.Contains(args.GenFiles, s.Value) && !slices.Contains(args.RegularFiles, s.Value) {
				l.partial = true
			}
		}
	})
}

// matching returns the rule that Gazelle will merge a go_library with.
func matching(args language.GenerateArgs, generated *rule.Rule) *rule.Rule {
	kinds := kindsOf(args, "go_library")
	var found *rule.Rule
	for _, r := range args.File.Rules {
		if !kinds[r.Kind()] {
			continue
		}
		if r.Name() == generated.Name() {
			return r
		}
		if found == nil && r.AttrString("importpath") == generated.AttrString("importpath") {
			found = r
		}
	}
	return found
}

// kindsOf returns the names that a kind has in a folder: its own, that of map_kind
// and those of alias_kind.
func kindsOf(args language.GenerateArgs, kind string) map[string]bool {
	kinds := map[string]bool{kind: true}
	if mapped, ok := args.Config.KindMap[kind]; ok {
		kinds[mapped.KindName] = true
	}
	for alias, of := range args.Config.AliasMap {
		if of == kind {
			kinds[alias] = true
		}
	}
	return kinds
}

// target is a skainet_model of the BUILD file.
type target struct {
	rule *rule.Rule
	constructor
	known bool // the constructor is a literal
}

// existing returns the models that the BUILD file declares for a library of this package.
// hidden reports whether there are others, in a list comprehension or a function.
func existing(args language.GenerateArgs, libraryName string) (targets []target, hidden bool) {
	if args.File == nil {
		return nil, false
	}
	kinds := kindsOf(args, kind)
	calls := 0
	build.Walk(args.File.File, func(e build.Expr, _ []build.Expr) {
		if call, ok := e.(*build.CallExpr); ok {
			if f, ok := call.X.(*build.Ident); ok && kinds[f.Name] {
				calls++
			}
		}
	})
	for _, r := range args.File.Rules {
		if !kinds[r.Kind()] {
			continue
		}
		calls--
		if !sameTarget(r.AttrString("model"), args, libraryName) {
			continue
		}
		t := target{rule: r, constructor: constructor{text: "Model", symbol: "Model"}, known: true}
		if r.Attr("constructor") != nil {
			t.constructor, t.known = parseExpression(r.AttrString("constructor"))
		}
		targets = append(targets, t)
	}
	return targets, calls > 0
}

// sameTarget reports whether a label in this package's BUILD file refers to the library; any
// target of the package where the library has no name.
func sameTarget(text string, args language.GenerateArgs, libraryName string) bool {
	l, err := label.Parse(text)
	if text == "" || err != nil {
		return false
	}
	l = l.Abs("", args.Rel)
	if l.Repo != "" && l.Repo != "@" && l.Repo != args.Config.RepoName || l.Pkg != args.Rel {
		return false
	}
	return libraryName == "" || l.Name == libraryName
}

// buildFile returns the BUILD file's name for messages.
func buildFile(args language.GenerateArgs) string {
	if args.File == nil {
		return path.Join(args.Rel, "BUILD.bazel")
	}
	return path.Join(args.Rel, path.Base(args.File.Path))
}
