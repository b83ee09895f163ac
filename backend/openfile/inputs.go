package openfile

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
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

// shapes returns --shape options that give the sizes that the file leaves open the
// numbers of the arrays. Inputs and sizes that an option speaks of are left to it.
func (l argumentList) shapes(inputs []contract.Named, o importtext.Options) []string {
	said, sizes := spoken(inputs, o)
	var all []string
	for _, in := range inputs {
		at := slices.IndexFunc(l, func(a argument) bool { return a.name == in.Name })
		if at < 0 || l[at].array == nil || said[in.Name] || len(in.Shape) > 0 && in.Shape.IsStatic() {
			continue
		}
		given := l[at].array.Shape
		if len(given) == 0 || len(in.Shape) > 0 && len(in.Shape) != len(given) {
			continue // the call refuses another number of dimensions
		}
		words := make([]string, len(given))
		for i, d := range given {
			words[i] = d.String()
			if len(in.Shape) == 0 { // the file does not say how many there are
				continue
			}
			if other, ok := sizes[in.Shape[i].Name]; ok && in.Shape[i].IsName() {
				words[i] = other
			} else if in.Shape[i].IsStatic() {
				words[i] = "?"
			}
		}
		all = append(all, in.Name+"="+strings.Join(words, ","))
	}
	return all
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
