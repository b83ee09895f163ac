package op

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Target is a kind of text that an operation may be written in by hand.
type Target string

// The targets.
const (
	// AnyTarget is portable StableHLO: what every text without a text of its own has.
	AnyTarget Target = "any"
	// CPUTarget is the text that IREE compiles for processors, in any dialect that it reads.
	CPUTarget Target = "cpu"
)

// Build builds the results of a call from other operations.
type Build func(c *Call, in []Ref, add Adder) ([]Ref, error)

// Custom holds the columns of an operation of another package.
type Custom struct {
	Package string // the import path of the package that registers it
	// CPU computes the results. Narrow floats are given as f32, and its f32 results are
	// rounded to them.
	CPU func(c *Call, in []tensor.Value) ([]tensor.Value, error)
	// Form builds it from other operations.
	Form Build
	// Texts are bodies of functions, as templates of package text/template: see Text.
	Texts map[Target]string

	parsed map[Target]*template.Template
}

// Widened returns the type in which the CPU function and the texts of an operation see a
// value of type t: f32 for narrow floats.
func Widened(t tensor.Type) tensor.Type { return tensor.Type{DType: wide(t.DType), Shape: t.Shape} }

// Symbol returns the name of o in the names of functions, which have no dot.
func (o *Op) Symbol() string { return strings.ReplaceAll(o.Name, ".", "_") }

// Has reports whether there is a text for the target itself.
func (c *Custom) Has(t Target) bool { return c.Texts[t] != "" }

func (c *Custom) targets() []Target { return slices.Sorted(maps.Keys(c.Texts)) }

// placeholders lists the names that texts may use and that must differ.
func (c *Custom) placeholders(o *Op) []string {
	var names []string
	for _, x := range o.Operands {
		names = append(names, x.Name)
	}
	for _, a := range o.Attributes {
		names = append(names, a.Name)
	}
	if len(o.Examples) > 0 {
		names = append(names, resultNames(len(o.Examples[0].Gives))...)
	}
	return names
}

// resultNames are y, or y0, y1, ...
func resultNames(n int) []string {
	if n == 1 {
		return []string{"y"}
	}
	names := make([]string, n)
	for i := range names {
		names[i] = "y" + strconv.Itoa(i)
	}
	return names
}

func (c *Custom) parse(o *Op) error {
	c.parsed = map[Target]*template.Template{}
	for _, target := range c.targets() {
		if target != AnyTarget && target != CPUTarget {
			return errs.New(CodeDefinition, "operation %s: no texts are written for %q", o.Name, target).On(c.Package).
				Hint("use %q, which every program takes where there is no other, or %q", AnyTarget, CPUTarget)
		}
		t, err := template.New(o.Name).Option("missingkey=error").Parse(c.Texts[target])
		if err != nil {
			return errs.Wrap(CodeText, err, "the text of %s for %s is not a template", o.Name, target).On(c.Package)
		}
		c.parsed[target] = t
	}
	return nil
}

// Shapes are the types and attributes that a text is written for. Spell spells a type;
// nil spells it as StableHLO does.
type Shapes struct {
	Op    *Op
	In    []tensor.Type
	Out   []tensor.Type
	Attrs Attrs
	Spell func(t tensor.Type) string
}

// Spelled is a type in a text. Its String is that of a tensor, such as tensor<2x3xf32>.
type Spelled struct {
	text  string
	shape shape.Shape
}

// String returns the tensor type.
func (s Spelled) String() string { return s.text }

// Element returns the element type, such as f32.
func (s Spelled) Element() string {
	return strings.TrimSuffix(s.text[strings.LastIndexAny(s.text, "<x")+1:], ">")
}

// Rank returns the number of dimensions.
func (s Spelled) Rank() int { return s.shape.Rank() }

// Indices returns d0, d1, ..., for affine maps of all dimensions.
func (s Spelled) Indices() string { return s.each(func(i int) string { return "d" + strconv.Itoa(i) }) }

// Parallel returns "parallel", ..., the iterator types of a linalg.generic over all
// dimensions.
func (s Spelled) Parallel() string { return s.each(func(int) string { return `"parallel"` }) }

func (s Spelled) each(f func(i int) string) string {
	list := make([]string, len(s.shape))
	for i := range list {
		list[i] = f(i)
	}
	return strings.Join(list, ", ")
}

// Dim returns the size of a dimension, or "?".
func (s Spelled) Dim(i int) string {
	if d := s.shape[i]; d.IsStatic() {
		return strconv.FormatInt(d.Size, 10)
	}
	return "?"
}

// Text writes the text for a target. The template's names are the operands and the
// results, which are Spelled, and the attributes, which are spelled as attributes of MLIR
// of that number or list; strings are escaped, to stand between quotation marks.
func (c *Custom) Text(target Target, s Shapes) (string, error) {
	if s.Spell == nil {
		s.Spell = spell
	}
	names := map[string]any{}
	for i, t := range s.In {
		names[s.Op.Operands[min(i, len(s.Op.Operands)-1)].Name] = Spelled{s.Spell(t), t.Shape}
	}
	for i, name := range resultNames(len(s.Out)) {
		names[name] = Spelled{s.Spell(s.Out[i]), s.Out[i].Shape}
	}
	for _, name := range s.Attrs.Names() {
		if f, ok := s.Attrs[name].(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			return "", errs.Wrap(CodeText, fmt.Errorf("attribute %q is %v, and texts spell finite numbers", name, f), "the text of %s for %s cannot be written", s.Op.Name, target).On(c.Package).
				Hint("let the rule refuse other numbers")
		}
		names[name] = attribute(s.Attrs[name])
	}
	var b strings.Builder
	if err := c.parsed[target].Execute(&b, names); err != nil {
		return "", errs.Wrap(CodeText, err, "the text of %s for %s cannot be written", s.Op.Name, target).On(c.Package).
			Hint("it may name the operands, the results y or y0, y1, ..., and the attributes")
	}
	return b.String(), nil
}

// attribute spells the value of an attribute.
func attribute(v any) any {
	switch v := v.(type) {
	case float64:
		text := strconv.FormatFloat(v, 'e', -1, 64)
		if digits, exponent, ok := strings.Cut(text, "e"); ok && !strings.Contains(digits, ".") {
			text = digits + ".0e" + exponent
		}
		return text
	case []int64:
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ", "), "[]")
	case dtype.DType:
		return v.MLIR()
	case string:
		return Escaped(v)
	}
	return v
}

// Escaped returns the text of a string in MLIR, between the quotation marks: bytes that are
// not printable ASCII, quotation marks and backslashes are written as \HH.
func Escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			fmt.Fprintf(&b, "\\%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func spell(t tensor.Type) string {
	var b strings.Builder
	for _, d := range t.Shape {
		if d.IsStatic() {
			b.WriteString(strconv.FormatInt(d.Size, 10) + "x")
		} else {
			b.WriteString("?x")
		}
	}
	return "tensor<" + b.String() + t.DType.MLIR() + ">"
}

// adapted returns a build as a form of the table, whose results have the types of the rule.
func (o *Op) adapted(build Build) func(c *Call, b *builder, in []expr) []expr {
	return func(c *Call, b *builder, in []expr) []expr {
		refs := make([]Ref, len(in))
		for i, x := range in {
			refs[i] = x.Ref
		}
		made, err := build(c, refs, b.add)
		want, wrong := o.Rule(c)
		if err == nil {
			err = wrong
		}
		if err == nil && len(made) != len(want) {
			err = c.Failf(CodeForm, "its decomposition returns %d tensors, its rule gives %d", len(made), len(want))
		}
		if err != nil {
			panic(refusal{err})
		}
		out := make([]expr, len(made))
		for i, r := range made {
			if !r.Type.Equal(want[i]) {
				panic(refusal{c.Failf(CodeForm, "result %d of its decomposition is %s, its rule gives %s", i, r.Type, want[i])})
			}
			out[i] = expr{r, b.add}
		}
		return out
	}
}
