package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/docs/rulereference/stardoc"
)

// kinds are the words for stardoc.AttributeType.
var kinds = []string{
	"unknown", "name", "int", "label", "string", "list of strings", "list of ints", "list of labels", "bool",
	"dict of labels to strings", "dict of strings", "dict of strings to lists", "output", "list of outputs",
	"dict of strings to labels", "dict of strings to lists of labels",
}

// rule is a rule, a repository rule, an aspect or a tag class.
type rule interface {
	GetDocString() string
	GetAttribute() []*stardoc.AttributeInfo
}

// named is a rule with the heading it stands under.
type named struct {
	name     string
	rule     rule
	provides []string
}

func writeModule(page *bytes.Buffer, title string, m *stardoc.ModuleInfo) {
	fmt.Fprintf(page, "\n== %s\n\n%s", title, prose(m.GetModuleDocstring()))
	for _, f := range sorted(m.FuncInfo, (*stardoc.StarlarkFunctionInfo).GetFunctionName) {
		fmt.Fprintf(page, "\n=== %s\n\n%s", f.GetFunctionName(), prose(f.GetDocString()))
		table(page, "Argument", len(f.Parameter), func(row func(name, kind, value, doc string)) {
			for _, p := range f.Parameter {
				row(p.GetName(), "", standard(p.GetMandatory(), p.GetDefaultValue()), p.GetDocString())
			}
		})
		if returns := f.GetReturn().GetDocString(); returns != "" {
			fmt.Fprintf(page, "\nReturns: %s", prose(returns))
		}
	}
	var rules, aspects []named
	for _, r := range m.RuleInfo {
		rules = append(rules, named{r.GetRuleName(), r, r.GetAdvertisedProviders().GetProviderName()})
	}
	for _, r := range m.RepositoryRuleInfo {
		rules = append(rules, named{name: r.GetRuleName(), rule: r})
	}
	for _, a := range m.AspectInfo {
		aspects = append(aspects, named{name: a.GetAspectName(), rule: a})
	}
	for _, list := range [][]named{rules, aspects} {
		for _, r := range sorted(list, func(r named) string { return r.name }) {
			writeRule(page, "===", r)
		}
	}
	for _, p := range sorted(m.ProviderInfo, (*stardoc.ProviderInfo).GetProviderName) {
		fmt.Fprintf(page, "\n=== %s\n\n%s", p.GetProviderName(), prose(p.GetDocString()))
		table(page, "Field", len(p.FieldInfo), func(row func(name, kind, value, doc string)) {
			for _, f := range p.FieldInfo {
				row(f.GetName(), "", "", f.GetDocString())
			}
		})
	}
	for _, e := range sorted(m.ModuleExtensionInfo, (*stardoc.ModuleExtensionInfo).GetExtensionName) {
		fmt.Fprintf(page, "\n=== %s\n\n%s", e.GetExtensionName(), prose(e.GetDocString()))
		for _, t := range e.TagClass {
			writeRule(page, "====", named{name: e.GetExtensionName() + "." + t.GetTagName(), rule: t})
		}
	}
}

func writeRule(page *bytes.Buffer, level string, r named) {
	fmt.Fprintf(page, "\n%s %s\n\n%s", level, r.name, prose(r.rule.GetDocString()))
	if len(r.provides) > 0 {
		fmt.Fprintf(page, "\nProvides `%s`.\n", strings.Join(r.provides, "`, `"))
	}
	attributes := r.rule.GetAttribute()
	table(page, "Attribute", len(attributes), func(row func(name, kind, value, doc string)) {
		for _, a := range attributes {
			kind := kinds[0]
			if n := int(a.GetType()); n > 0 && n < len(kinds) {
				kind = kinds[n]
			}
			doc := a.GetDocString()
			var gives []string
			for _, g := range a.GetProviderNameGroup() {
				gives = append(gives, g.GetProviderName()...)
			}
			if len(gives) > 0 {
				doc = strings.TrimSpace(doc) + " It gives `" + strings.Join(gives, "`, `") + "`."
			}
			if a.GetName() == "name" && doc == "" {
				doc = "The target's name."
			}
			row(a.GetName(), kind, standard(a.GetMandatory(), a.GetDefaultValue()), doc)
		}
	})
}

func sorted[T any](list []T, name func(T) string) []T {
	return slices.SortedStableFunc(slices.Values(list), func(a, b T) int { return cmp.Compare(name(a), name(b)) })
}

func standard(mandatory bool, value string) string {
	switch {
	case mandatory:
		return "must be given"
	case value == "": // **kwargs
		return "any, by name"
	default:
		return "`+" + value + "+`"
	}
}

// table writes a list with a line for each name, and nothing for none.
func table(page *bytes.Buffer, what string, n int, rows func(row func(name, kind, value, doc string))) {
	if n == 0 {
		return
	}
	fmt.Fprintf(page, "\n.%ss\n[horizontal]\n", what)
	rows(func(name, kind, value, doc string) {
		of := strings.Trim(kind+", "+value, ", ")
		if of != "" {
			of = " _(" + of + ")_"
		}
		said := strings.TrimSpace(prose(doc))
		if said == "" {
			said = "{empty}"
		}
		// A list or a listing hangs on its line by the plus sign.
		fmt.Fprintf(page, "`%s`::%s %s\n", name, of, strings.ReplaceAll(said, "\n\n", "\n+\n"))
	})
}

// prose makes AsciiDoc of a docstring, whose common indentation Bazel has taken off.
func prose(doc string) string {
	if strings.TrimSpace(doc) == "" {
		return ""
	}
	var out []string
	for _, part := range strings.Split(strings.TrimSpace(doc), "\n\n") {
		lines := strings.Split(part, "\n")
		if strings.HasPrefix(lines[0], "    ") {
			out = append(out, "....\n"+dedent(part)+"\n....")
			continue
		}
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		out = append(out, strings.Join(lines, "\n"))
	}
	return strings.Join(out, "\n\n") + "\n"
}

// dedent takes off what all lines begin with.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	common := len(text)
	for _, line := range lines {
		if trimmed := strings.TrimLeft(line, " "); trimmed != "" {
			common = min(common, len(line)-len(trimmed))
		}
	}
	for i, line := range lines {
		lines[i] = line[min(common, len(line)):]
	}
	return strings.Join(lines, "\n")
}
