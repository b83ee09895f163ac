package op

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// registry holds the operations of other packages.
type registry struct {
	sync.RWMutex
	rows     map[string]*Op
	mistakes []error
}

var registered = &registry{rows: map[string]*Op{}}

func (r *registry) named(name string) *Op {
	r.RLock()
	defer r.RUnlock()
	return r.rows[name]
}

func (r *registry) numbered(i ID) *Op { return r.named(i.String()) }

func (r *registry) all() []*Op {
	r.RLock()
	defer r.RUnlock()
	var rows []*Op
	for _, o := range r.rows {
		rows = append(rows, o)
	}
	return rows
}

// Registered returns the registered operations sorted by name.
func Registered() []*Op { return sorted(registered.all()) }

// Mistakes returns the errors of all registrations that failed, sorted by their texts. A
// model is not captured while there is one: registrations are package variables, where
// nothing else would report it.
func Mistakes() []error {
	registered.RLock()
	defer registered.RUnlock()
	list := slices.Clone(registered.mistakes)
	slices.SortFunc(list, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return list
}

// namespaced is the form of a registered operation's name.
var namespaced = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*\.[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// Register adds an operation of another package to the table. Custom must be set; its Form
// becomes the row's Decompose or, beside a CPU function, Portable. It returns an error for
// a name that has no namespace or is taken, for a column that is missing or contradicts
// another, and for an example that the rule refuses; Mistakes then has it too.
func Register(o *Op) error {
	err := o.complete()
	registered.Lock()
	defer registered.Unlock()
	if err == nil {
		if old := registered.rows[o.Name]; old != nil {
			err = errs.New(CodeName, "operation %s is registered twice", o.Name).On(o.Custom.Package).
				Hint("%s registers it too: rename one of them", old.Custom.Package)
		}
	}
	if err != nil {
		registered.mistakes = append(registered.mistakes, err)
		return err
	}
	o.ID = id.Assign(o.Name)
	registered.rows[o.Name] = o
	return nil
}

// complete checks a row and sets the columns that follow from others.
func (o *Op) complete() error {
	c := o.Custom
	if o.Padding = Unproven; c.Form != nil {
		o.Padding = InParts
	}
	fail := func(what string, args ...any) error {
		return errs.New(CodeDefinition, "operation %s: %s", o.Name, fmt.Sprintf(what, args...)).On(c.Package).
			Hint("see lang/operator.Definition")
	}
	if !namespaced.MatchString(o.Name) {
		return errs.New(CodeName, "operation name %q has no namespace, or is none", o.Name).On(c.Package).
			Hint(`use lower-case letters, digits and _ on both sides of one dot, such as "acme.swish"`)
	}
	names := map[string]bool{}
	for _, p := range c.placeholders(o) {
		if !argument.MatchString(p) || names[p] {
			return fail("operand, attribute or result name %q is not an identifier, or is taken; results are y, or y0, y1, ...", p)
		}
		names[p] = true
	}
	switch variadic := slices.ContainsFunc(o.Operands, func(x Operand) bool { return x.Variadic }); {
	case o.Doc == "":
		return fail("it has no Doc")
	case o.Rule == nil:
		return fail("it has no Rule")
	case len(o.Operands) == 0:
		return fail("it has no operand")
	case o.soundOperands() != "":
		return fail("%s", o.soundOperands())
	case o.soundAttributes() != "":
		return fail("%s", o.soundAttributes())
	case len(o.Examples) == 0:
		return fail("it has no example, from which its tests and random graphs are made")
	case c.Form == nil && c.Texts[AnyTarget] == "":
		return fail("it has neither Decompose nor a text for any target")
	case c.Form != nil && c.Texts[AnyTarget] != "":
		return fail("it has both Decompose and a text for any target")
	case c.CPU == nil && len(c.Texts) > 0:
		return fail("it has a text but no CPU function")
	case variadic && len(c.Texts) > 0:
		return fail("an operation with any number of operands cannot have a text; use Decompose")
	}
	if err := o.Traits.check(o); err != nil {
		return fail("%v", err)
	}
	o.Rule = guarded(o.Rule)
	if c.Form != nil {
		if form := o.adapted(c.Form); c.CPU == nil {
			o.Decompose = form
		} else {
			o.Portable = form
		}
	}
	if err := c.parse(o); err != nil {
		return err
	}
	return o.tryExamples()
}

// argument matches names that texts use for values.
var argument = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`)

// guarded returns the rule with a panic, and a result that no graph may have, as errors.
func guarded(rule func(c *Call) ([]tensor.Type, error)) func(c *Call) ([]tensor.Type, error) {
	return func(c *Call) (out []tensor.Type, err error) {
		defer func() {
			if r := recover(); r != nil {
				out, err = nil, c.Failf(CodeRule, "its rule panicked: %v", r).Hint("this is a fault in the rule of %s, which %s registers", c.Op.Name, c.Op.Custom.Package)
			}
		}()
		out, err = rule(c)
		if err != nil {
			return nil, err
		}
		if len(out) == 0 {
			return nil, c.Failf(CodeRule, "its rule returns no type")
		}
		for _, t := range out {
			if !Any.Has(t.DType) {
				return nil, c.Failf(CodeRule, "its rule returns %s, an element type that no operation has", t)
			}
		}
		return out, nil
	}
}

// tryExamples infers each example, and writes its texts.
func (o *Op) tryExamples() error {
	for i, e := range o.Examples {
		wrong := func(what string, args ...any) error {
			return errs.New(CodeDefinition, "operation %s: example %d: %s", o.Name, i, fmt.Sprintf(what, args...)).On(o.Custom.Package).
				Hint("see lang/operator.Definition")
		}
		if fault := o.soundExample(e); fault != "" {
			return wrong("%s", fault)
		}
		out, attrs, err := o.infer(o.ExampleTypes(e, dtype.F32), e.Attrs)
		if err != nil {
			return o.from(err)
		}
		if len(out) != len(e.Gives) {
			return wrong("the rule gives %d results, Gives has %d", len(out), len(e.Gives))
		}
		for j, t := range out {
			if want := tensor.TypeOf(t.DType, e.Gives[j]...); !t.Equal(want) {
				return wrong("the rule gives %s, Gives has %s", t, want)
			}
		}
		if o.Custom.Form != nil {
			if err := o.tryForm(o.ExampleTypes(e, dtype.F32), attrs, nil); err != nil {
				return o.from(err)
			}
		}
		for _, target := range o.Custom.targets() {
			if _, err := o.Custom.Text(target, Shapes{Op: o, In: o.ExampleTypes(e, dtype.F32), Out: out, Attrs: attrs}); err != nil {
				return err
			}
		}
	}
	return nil
}

// from names the package that registers o in an error that says no place.
func (o *Op) from(err error) error {
	var e *errs.Error
	if errors.As(err, &e) && e.Node == "" {
		e.Node = o.Custom.Package
	}
	return err
}

// tryForm builds a call from other operations, whose types alone are inferred. within lists
// the operations whose forms apply it.
func (o *Op) tryForm(types []tensor.Type, attrs Attrs, within []*Op) error {
	within = append(slices.Clip(within), o)
	_, err := o.Expand(unvalued(types), attrs, func(name string, attrs Attrs, in []Ref) ([]Ref, error) {
		if i := slices.IndexFunc(within, func(w *Op) bool { return w.Name == name }); i >= 0 {
			return nil, Cycle(within[i], names(within[i+1:])...).On(within[0].Custom.Package)
		}
		types := make([]tensor.Type, len(in))
		for i, r := range in {
			types[i] = r.Type
		}
		out, filled, err := Infer(name, types, attrs)
		if err != nil {
			return nil, err
		}
		if inner := registered.named(name); inner != nil && inner.Custom.Form != nil {
			err = inner.tryForm(types, filled, within)
		}
		return unvalued(out), err
	})
	return err
}

func names(of []*Op) []string {
	var list []string
	for _, o := range of {
		list = append(list, o.Name)
	}
	return list
}

// unvalued returns references of these types to no value.
func unvalued(types []tensor.Type) []Ref {
	refs := make([]Ref, len(types))
	for i, t := range types {
		refs[i].Type = t
	}
	return refs
}

// Cycle is the error of an operation whose decomposition leads back to it, through others or
// through none.
func Cycle(o *Op, through ...string) *errs.Error {
	chain := append(append([]string{o.Name}, through...), o.Name)
	return errs.New(CodeCycle, "the decomposition of %s applies %s again: %s", o.Name, o.Name, strings.Join(chain, " -> ")).
		Hint("write one of these decompositions with operations that do not lead back to it; %s registers %s", o.Custom.Package, o.Name)
}
