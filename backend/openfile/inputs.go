package openfile

import (
	"errors"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// argument is one of a call: the file's name of the input, its value as text, and the type
// of the array where that is a file.
type argument struct {
	name, value string
	array       *tensor.Type
}

type argumentList []argument

// arguments splits each text into a name and a value. A name of the file may have an equals
// sign itself, or other characters that the contract's names do not have.
func arguments(m *modelfile.Model, texts []string) (argumentList, error) {
	inputs := m.Inputs()
	var list argumentList
	for _, text := range texts {
		var a argument
		for _, in := range inputs {
			if value, ok := strings.CutPrefix(text, in.Name+"="); ok && len(in.Name) >= len(a.name) {
				a.name, a.value = in.Name, value
			}
		}
		if a.name == "" {
			a.name, a.value, _ = strings.Cut(text, "=")
		}
		if path, ok := argtext.File(a.value); ok {
			t, err := npy.TypeOf(path)
			if err != nil {
				return nil, err
			}
			a.array = &t
		}
		list = append(list, a)
	}
	return list, nil
}

// like returns arrays of these types, by the file's names of inputs or as the contract writes
// them, in order.
func like(m *modelfile.Model, types map[string][]tensor.Type) argumentList {
	var list argumentList
	for _, in := range m.Inputs() {
		found, ok := types[in.Name]
		if name := parity.Identifier(in.Name); !ok {
			found = append(found, types[name]...)
			found = append(found, types["_"+name]...)
		}
		for i := range found {
			list = append(list, argument{in.Name, "", &found[i]})
		}
	}
	return list
}

// sizes returns the sizes that all arrays for an input have, and dynamic ones where they
// differ; nil if there is no array, or they have different numbers of dimensions.
func (l argumentList) sizes(name string) shape.Shape {
	var s shape.Shape
	for _, a := range l {
		switch {
		case a.name != name || a.array == nil:
		case s == nil:
			s = slices.Clone(a.array.Shape)
		case len(s) != len(a.array.Shape):
			return nil
		default:
			for i, d := range a.array.Shape {
				if s[i] != d {
					s[i] = shape.Dim{Size: shape.Dynamic}
				}
			}
		}
	}
	return s
}

// shapes returns --shape options that give the sizes that the file leaves open the
// numbers of the arrays. Inputs and sizes that an option speaks of are left to it, and sizes
// that are not the same in all calls, or that have buckets, to the file.
func (l argumentList) shapes(inputs []contract.Named, o importtext.Options, buckets xla.Buckets) []string {
	said, sizes := spoken(inputs, o)
	var all []string
	for _, in := range inputs {
		given := l.sizes(in.Name)
		if said[in.Name] || len(in.Shape) > 0 && in.Shape.IsStatic() {
			continue
		}
		if len(given) == 0 || len(in.Shape) > 0 && len(in.Shape) != len(given) {
			continue // the call refuses another number of dimensions
		}
		if len(in.Shape) == 0 && !given.IsStatic() {
			continue // nothing says what they have in common
		}
		words := make([]string, len(given))
		for i, d := range given {
			words[i] = d.String()
			if len(in.Shape) == 0 { // the file does not say how many there are
				continue
			}
			if other, ok := sizes[in.Shape[i].Name]; ok && in.Shape[i].IsName() {
				words[i] = other
			} else if in.Shape[i].IsStatic() || !d.IsStatic() || in.Shape[i].IsName() && buckets.Has(in.Shape[i].Name) {
				words[i] = "?"
			}
		}
		all = append(all, in.Name+"="+strings.Join(words, ","))
	}
	return all
}

// tooLate says of an input that an import has to know that the argument of a call comes too late.
func (l argumentList) tooLate(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) {
		return err
	}
	for _, a := range l {
		if a.name != "" && strings.Contains(e.Do, "--fix "+a.name+"=") {
			e.Do += "; the argument " + a.name + "=" + a.value + " is that of a call, which the import does not see: give --fix in its place"
		}
	}
	return err
}

// spoken returns the inputs that options speak of, and what they say of sizes that the file
// names.
func spoken(inputs []contract.Named, o importtext.Options) (said map[string]bool, sizes map[string]string) {
	said, sizes = map[string]bool{}, map[string]string{}
	for _, in := range inputs {
		for _, text := range o.Fixed {
			said[in.Name] = said[in.Name] || strings.HasPrefix(text, in.Name+"=")
		}
		for _, text := range o.Shapes {
			value, ok := strings.CutPrefix(text, in.Name+"=")
			if !ok {
				continue
			}
			said[in.Name] = true
			for i, word := range strings.Split(value, ",") {
				if i < len(in.Shape) && in.Shape[i].IsName() {
					sizes[in.Shape[i].Name] = word
				}
			}
		}
	}
	return said, sizes
}

// named returns the arguments as texts, with the names that they have in the contract.
func (l argumentList) named(c *contract.Contract) []string {
	var texts []string
	for _, a := range l {
		texts = append(texts, parity.Known(c, a.name)+"="+a.value)
	}
	return texts
}
