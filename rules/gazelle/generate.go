package gazelle

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"unicode"

	"github.com/bazelbuild/bazel-gazelle/language"
	"github.com/bazelbuild/bazel-gazelle/rule"

	"github.com/skainet-dev/skainet-go/errs"
)

// GenerateRules generates the models of one folder.
func (x *extension) GenerateRules(args language.GenerateArgs) language.GenerateResult {
	s, ok := args.Config.Exts[name].(*settings)
	if !ok || s.disabled {
		return language.GenerateResult{}
	}
	gen, empty, faults := generate(s, args)
	for _, fault := range faults {
		x.report(fault)
	}
	return language.GenerateResult{Gen: gen, Empty: empty, Imports: make([]any, len(gen))}
}

func generate(s *settings, args language.GenerateArgs) (gen, empty []*rule.Rule, faults []error) {
	lib := libraryOf(args)
	if lib == nil {
		return without(args)
	}
	targets, hidden := existing(args, lib.name)
	if len(targets) == 0 && !s.named && !mayHoldModels(args) {
		return nil, nil, nil
	}
	src := scan(args.Dir, args.Rel, args.RegularFiles, lib.files)
	if len(src.faults) > 0 {
		return nil, nil, src.faults
	}
	if src.packageName == "main" {
		return nil, nil, inMain(src)
	}
	wanted, faults := s.wanted(src, targets, hidden, args)
	for _, t := range targets {
		// The compiler reports functions whose types cannot be parsed here.
		d := src.symbols[t.symbol]
		if why := t.lacks(d); t.known && !t.rule.ShouldKeep() && d.shape != other && why != "" {
			faults = append(faults, t.fault(d, why))
		}
	}
	if len(faults) > 0 {
		return nil, nil, faults
	}

	// If one target has lost its constructor and one constructor has no target,
	// the constructor was renamed.
	var gone []target
	for _, t := range targets {
		if _, declared := src.symbols[t.symbol]; !declared && t.known && !lib.partial && !t.rule.ShouldKeep() {
			gone = append(gone, t)
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(wanted), func(c constructor) bool {
		return slices.ContainsFunc(targets, func(t target) bool { return t.known && t.covers(c) })
	})
	if len(gone) == 1 && len(fresh) == 1 {
		for i := range targets {
			if targets[i].rule == gone[0].rule {
				targets[i].constructor = fresh[0]
			}
		}
		gone, fresh = nil, nil
	}
	for _, t := range targets {
		switch isGone := slices.ContainsFunc(gone, func(g target) bool { return g.rule == t.rule }); {
		case isGone:
			empty = append(empty, rule.NewRule(kind, t.rule.Name()))
		case t.known && !t.rule.ShouldKeep():
			gen = append(gen, s.model(t.rule.Name(), t.rule.AttrString("model"), t.constructor, t.rule, args))
		}
	}
	names := taken(args, gen)
	for _, c := range fresh {
		target, err := c.name(names, args)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		names[target] = true
		r := s.model(target, ":"+lib.name, c, nil, args)
		if moduleName := c.moduleName(src.packageName); moduleName != target {
			r.SetAttr("module_name", moduleName)
		}
		gen = append(gen, r)
	}
	return gen, empty, faults
}

func (c constructor) covers(d constructor) bool {
	plain := strings.NewReplacer(" ", "", "\t", "")
	return plain.Replace(c.text) == plain.Replace(d.text)
}

// without handles a folder that has no library: models of a removed library are
// removed, and constructors are an error.
func without(args language.GenerateArgs) (gen, empty []*rule.Rule, faults []error) {
	if !slices.ContainsFunc(slices.Concat(args.RegularFiles, args.GenFiles), isSource) {
		targets, _ := existing(args, "")
		for _, t := range targets {
			if t.known && goneWithIt(args, t) {
				empty = append(empty, rule.NewRule(kind, t.rule.Name()))
			}
		}
		return nil, empty, nil
	}
	if !mayHoldModels(args) {
		return nil, nil, nil
	}
	src := scan(args.Dir, args.Rel, args.RegularFiles, nil)
	if len(src.faults) == 0 && len(src.builders) > 0 {
		b := src.builders[0]
		faults = append(faults, errs.New(CodeLibrary, "%s is a model constructor, but Gazelle generates no go_library for its package", b.name).
			In(b.place).Hint("list this extension after Go's in the gazelle_binary's languages; if # gazelle:lang is used, name both there"))
	}
	return nil, nil, faults
}

// goneWithIt reports whether Gazelle is removing the target's library.
func goneWithIt(args language.GenerateArgs, t target) bool {
	for _, r := range args.File.Rules {
		if kindsOf(args, "go_library")[r.Kind()] && sameTarget(t.rule.AttrString("model"), args, r.Name()) {
			return !r.ShouldKeep()
		}
	}
	return false
}

func inMain(src *sources) []error {
	var faults []error
	for _, b := range src.builders {
		faults = append(faults, errs.New(CodeLibrary, "%s is a model constructor in package main, which the exporter cannot import", b.name).
			In(b.place).Hint("move it to a package of its own"))
	}
	return faults
}

// wanted returns the constructors that get a target.
func (s *settings) wanted(src *sources, targets []target, hidden bool, args language.GenerateArgs) ([]constructor, []error) {
	if found, faults := s.chosen(src); s.named && s.constructors != nil || len(found)+len(faults) > 0 {
		return found, faults
	}
	if hidden || slices.ContainsFunc(targets, func(t target) bool { return !t.known }) {
		return nil, nil // the file already lists its models
	}
	covered := slices.ContainsFunc(targets, func(t target) bool {
		_, declared := src.symbols[t.symbol]
		return declared
	})
	model, declared := src.symbols["Model"]
	only := constructor{text: "Model", symbol: "Model"}
	switch {
	case slices.ContainsFunc(src.builders, func(b symbol) bool { return b.name == "Model" }):
		return []constructor{only}, nil
	case covered:
		return nil, nil
	case len(src.builders) == 1:
		only.text, only.symbol = src.builders[0].name, src.builders[0].name
		return []constructor{only}, nil
	case len(src.builders) > 1:
		var found []string
		for _, b := range src.builders {
			found = append(found, fmt.Sprintf("%s (%s)", b.name, b.place))
		}
		return nil, []error{errs.New(CodeAmbiguous, "the package has %d constructors and none is named Model: %s", len(found), strings.Join(found, ", ")).
			In(buildFile(args)).Hint("name those that are models, one per line: # gazelle:%s %s", constructorKey, src.builders[0].name)}
	case declared && (model.shape == near || model.shape == maker):
		return nil, []error{only.fault(model, model.why)}
	}
	return nil, nil
}

// chosen returns the constructors that directives name. Those of a parent folder apply to
// the packages that declare them.
func (s *settings) chosen(src *sources) ([]constructor, []error) {
	var found []constructor
	var faults []error
	for _, c := range s.constructors {
		d, declared := src.symbols[c.symbol]
		why := c.lacks(d)
		switch {
		case declared && why == "":
			found = append(found, c)
		case declared && (s.named || d.shape != other):
			faults = append(faults, c.fault(d, why))
		case !declared && s.named:
			faults = append(faults, errs.New(CodeConstructor, "the package has no %s", c.symbol).In(s.file).On("gazelle:"+constructorKey).
				Hint("name an exported function of its Go files, or remove the line"))
		}
	}
	return found, faults
}

func (c constructor) fault(d symbol, why string) error {
	err := errs.New(CodeSignature, "%s is not a model constructor: %s", c.text, why).In(d.place)
	switch {
	case !ast.IsExported(d.name):
		return err.Hint("begin its name with a capital letter")
	case c.call:
		return err.Hint("write func %s(...) lang.Constructor", d.name)
	case d.shape == maker:
		return err.Hint("write the call with its arguments: # gazelle:%s %s(...)", constructorKey, d.name)
	}
	return err.Hint("write func %s(m *lang.Module), or a function that takes the other arguments and returns it, and name the call with # gazelle:%s %s(...); if it is only a part of other packages' models, write # gazelle:%s disabled", d.name, constructorKey, d.name, extensionKey)
}

// name returns a new target's name: the directive's, "model" for Model, else that of the
// function, with _model appended if another target in the folder has it.
func (c constructor) name(taken map[string]bool, args language.GenerateArgs) (string, error) {
	name := c.target
	if name == "" {
		name = snake(c.symbol)
		if taken[name] {
			name += "_model"
		}
	}
	if taken[name] {
		return "", errs.New(CodeName, "the model of %s would be named %s, which another target in the file already uses", c.text, name).
			In(buildFile(args)).Hint("give it another: # gazelle:%s %s NAME", constructorKey, c.text)
	}
	return name, nil
}

// moduleName returns the module's name in the text: the package's name for Model.
func (c constructor) moduleName(packageName string) string {
	if c.symbol == "Model" {
		return packageName
	}
	if c.target != "" {
		return packageName + "_" + c.target
	}
	return packageName + "_" + snake(c.symbol)
}

// taken returns the names in use in the BUILD file.
func taken(args language.GenerateArgs, gen []*rule.Rule) map[string]bool {
	names := map[string]bool{}
	for _, r := range slices.Concat(args.OtherGen, gen) {
		names[r.Name()] = true
	}
	if args.File != nil {
		for _, r := range args.File.Rules {
			names[r.Name()] = true
		}
	}
	return names
}

// snake converts camel case to snake case: MiniLM becomes mini_lm.
func snake(camel string) string {
	runes := []rune(camel)
	var b strings.Builder
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) && runes[i-1] != '_' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
