package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// kinds are the names of stardoc_output.AttributeType.
var kinds = []string{
	"unknown", "name", "int", "label", "string", "list of strings", "list of ints", "list of labels", "bool",
	"dict of labels to strings", "dict of strings", "dict of strings to lists", "output", "list of outputs",
	"dict of strings to labels", "dict of strings to lists of labels",
}

func writeModule(page *bytes.Buffer, title string, m *module) {
	fmt.Fprintf(page, "\n== %s\n\n%s", title, prose(m.doc))
	for _, f := range sorted(m.functions, func(f function) string { return f.name }) {
		fmt.Fprintf(page, "\n=== %s\n\n%s", f.name, prose(f.doc))
		table(page, "Argument", len(f.parameters), func(row func(name, kind, value, doc string)) {
			for _, p := range f.parameters {
				row(p.name, "", standard(p.mandatory, p.value), p.doc)
			}
		})
		if f.returns != "" {
			fmt.Fprintf(page, "\nReturns: %s", prose(f.returns))
		}
	}
	for _, r := range sorted(m.rules, func(r rule) string { return r.name }) {
		writeRule(page, "===", r)
	}
	for _, r := range sorted(m.aspects, func(r rule) string { return r.name }) {
		writeRule(page, "===", r)
	}
	for _, p := range sorted(m.providers, func(p provider) string { return p.name }) {
		fmt.Fprintf(page, "\n=== %s\n\n%s", p.name, prose(p.doc))
		table(page, "Field", len(p.fields), func(row func(name, kind, value, doc string)) {
			for _, f := range p.fields {
				row(f.name, "", "", f.doc)
			}
		})
	}
	for _, e := range sorted(m.extensions, func(e extension) string { return e.name }) {
		fmt.Fprintf(page, "\n=== %s\n\n%s", e.name, prose(e.doc))
		for _, t := range e.tags {
			t.name = e.name + "." + t.name
			writeRule(page, "====", t)
		}
	}
}

func writeRule(page *bytes.Buffer, level string, r rule) {
	fmt.Fprintf(page, "\n%s %s\n\n%s", level, r.name, prose(r.doc))
	if len(r.provides) > 0 {
		fmt.Fprintf(page, "\nProvides `%s`.\n", strings.Join(r.provides, "`, `"))
	}
	table(page, "Attribute", len(r.attributes), func(row func(name, kind, value, doc string)) {
		for _, a := range r.attributes {
			kind := kinds[0]
			if a.kind < len(kinds) {
				kind = kinds[a.kind]
			}
			doc := a.doc
			if len(a.providers) > 0 {
				doc = strings.TrimSpace(doc) + " It gives `" + strings.Join(a.providers, "`, `") + "`."
			}
			if a.name == "name" && doc == "" {
				doc = "The target's name."
			}
			row(a.name, kind, standard(a.mandatory, a.value), doc)
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
