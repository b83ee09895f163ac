// Package optable writes the table of operations for people and programs: as
// Markdown, as the AsciiDoc of the reference page, and as JSON.
//
// # Errors
//
// None.
//
// # Determinism
//
// The bytes depend only on the table of compile/op: families in its order,
// operations by name.
package optable

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Operation is a row of the table.
type Operation struct {
	Name       string      `json:"name"`
	Family     string      `json:"family"`
	Doc        string      `json:"doc"` // with the shapes
	Operands   []Operand   `json:"operands"`
	Attributes []Attribute `json:"attributes"`
	// Blocks is the number of nested blocks.
	Blocks int `json:"blocks"`
	// Composite reports whether graphs contain other operations instead.
	Composite bool `json:"composite"`
	// Package is the Go package that registers it, if it is not in the table.
	Package string `json:"package,omitempty"`
}

// Operand is an operand of an operation.
type Operand struct {
	Name string `json:"name"`
	// Classes are float, integer and bool; DTypes are the element types in them.
	Classes  []string      `json:"classes"`
	DTypes   []dtype.DType `json:"dtypes"`
	Variadic bool          `json:"variadic"`
}

// Attribute is an attribute of an operation. Default is the value if it
// is omitted; required ones have none.
type Attribute struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Required bool   `json:"required"`
	Default  string `json:"default,omitempty"`
	Doc      string `json:"doc"`
}

// Operations lists the table sorted by name.
func Operations() []Operation {
	var all []Operation
	for _, o := range op.All() {
		row := Operation{
			Name: o.Name, Family: string(o.Family), Doc: o.Doc, Blocks: o.Blocks, Composite: o.IsComposite(),
			Operands: []Operand{}, Attributes: []Attribute{},
		}
		if o.Custom != nil {
			row.Package = o.Custom.Package
		}
		for _, x := range o.Operands {
			operand := Operand{Name: x.Name, Classes: strings.Split(x.Class.String(), " or "), Variadic: x.Variadic}
			for _, d := range dtype.All() {
				if x.Class.Has(d) {
					operand.DTypes = append(operand.DTypes, d)
				}
			}
			row.Operands = append(row.Operands, operand)
		}
		for _, a := range o.Attributes {
			row.Attributes = append(row.Attributes, Attribute{
				Name: a.Name, Kind: a.Kind.String(), Required: a.Default == nil, Default: value(a.Default), Doc: a.Doc,
			})
		}
		all = append(all, row)
	}
	return all
}

// value returns a default as in a document (compile/dag/graphjson).
func value(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strconv.Quote(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []int64:
		text := make([]string, len(v))
		for i, n := range v {
			text[i] = strconv.FormatInt(n, 10)
		}
		return "[" + strings.Join(text, ", ") + "]"
	case tensor.Value:
		return v.Type.String()
	}
	return fmt.Sprint(v)
}

// family is a group of rows.
type family struct {
	name string
	rows []Operation
}

// families groups the rows by family, in order of first appearance.
func families() []family {
	var groups []family
	at := map[string]int{}
	for _, o := range Operations() {
		i, ok := at[o.Family]
		if !ok {
			i = len(groups)
			at[o.Family], groups = i, append(groups, family{name: o.Family})
		}
		groups[i].rows = append(groups[i].rows, o)
	}
	return groups
}

// operands returns "x: float, ys...: any".
func (o *Operation) operands() string {
	var list []string
	for _, x := range o.Operands {
		name, classes := x.Name, strings.Join(x.Classes, ", ")
		if x.Variadic {
			name += "..."
		}
		if len(x.Classes) == 3 {
			classes = "any"
		}
		list = append(list, name+": "+classes)
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, "; ")
}

// notes returns remarks that no column covers.
func (o *Operation) notes() string {
	switch {
	case o.Package != "":
		return fmt.Sprintf("Registered by %s.", o.Package)
	case o.Blocks > 0:
		return fmt.Sprintf("It has %d nested blocks.", o.Blocks)
	case o.Composite:
		return "Composite: a graph contains simpler operations instead."
	}
	return ""
}

// text returns "kind, required" or "kind, default 1".
func (a *Attribute) text() string {
	if a.Required {
		return a.Kind + ", required"
	}
	return a.Kind + ", default " + a.Default
}
