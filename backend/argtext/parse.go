// Package argtext turns command-line text into the arguments of an entry point,
// and results into text or JSON.
//
// An argument is name=FILE.npy, name=@FILE or name=1,2,3: all elements in row-major
// order. Of a dynamic dimension the elements' number tells the size, if it is the only one of the
// argument that no other argument tells; with more, a file is needed. Arguments are given by name,
// in any order, each once; the name may be that of a model file, whose characters other than
// letters, digits and _ the contract writes as _ (parity.Known).
//
// Elements are true, false, 1 or 0 for a bool; integers in decimal or, after 0x, in
// hexadecimal digits; floats in decimal digits with or without an exponent, in
// hexadecimal ones with a binary exponent (0x1.8p-3), inf or nan. Leading zeros are
// ignored, and _ is not allowed between digits. A float is rounded once, to nearest even,
// to the argument's type; a finite number that would become infinite is an error.
//
// # Errors
//
// BACKEND_BAD_ARGUMENT with the argument's name, and the NPY_* codes of a file
// that is not a .npy; RUN_MISMATCH for unexpected results, and RUN_EXPECTED
// for expected lines that cannot be parsed.
//
// # Determinism
//
// Floats are printed with the fewest digits that read back to the same value.
package argtext

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Parse returns the arguments of e in their order.
func Parse(e *contract.Entry, texts []string) ([]tensor.Value, error) {
	args, given, err := ParseSome(e, texts)
	if err != nil {
		return nil, err
	}
	for i, ok := range given {
		if !ok {
			return nil, bad(e, "argument %q is not given", e.Args[i].Name).Hint("the arguments are: %s", names(e.Args))
		}
	}
	return args, nil
}

// ParseSome is like Parse for a call that may omit arguments; it also returns which are given.
func ParseSome(e *contract.Entry, texts []string) ([]tensor.Value, []bool, error) {
	args := make([]tensor.Value, len(e.Args))
	given := make([]bool, len(e.Args))
	values := make([]string, len(e.Args))
	var order []int
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, nil, bad(e, "%q is not of the form name=@file.npy or name=1,2,3", text)
		}
		i := index(e.Args, parity.Known(&contract.Contract{Entries: []contract.Entry{*e}}, name))
		if i < 0 {
			return nil, nil, bad(e, "no argument is named %q", name).Hint("the arguments are: %s", names(e.Args))
		}
		if given[i] {
			return nil, nil, bad(e, "argument %q is given twice", name)
		}
		given[i], values[i] = true, value
		order = append(order, i)
	}
	return args, given, parseAll(e, order, values, args)
}

// parseAll parses arguments: files first, whose sizes others may have, then those whose sizes
// follow, until none is left.
func parseAll(e *contract.Entry, order []int, values []string, args []tensor.Value) error {
	slices.SortStableFunc(order, func(i, j int) int { return notFile(values[i]) - notFile(values[j]) })
	sizes := map[string]int64{}
	for len(order) > 0 {
		at := slices.IndexFunc(order, func(i int) bool {
			return notFile(values[i]) == 0 || e.Args[i].Shape.IsStatic() || follows(e.Args[i], sizes, values[i])
		})
		i := order[max(at, 0)] // where no size follows any more, the first one is refused
		order = slices.Delete(order, max(at, 0), max(at, 0)+1)
		want := e.Args[i]
		if s, ok := sized(want.Shape, sizes, int64(len(words(values[i])))); ok && notFile(values[i]) == 1 {
			want.Shape = s
		}
		v, err := parseOne(e, want, values[i])
		if err != nil {
			return err
		}
		args[i] = v
		tell(sizes, e.Args[i].Shape, v.Type.Shape)
	}
	return nil
}

// follows reports whether the sizes of an argument that is given as elements are known.
func follows(a contract.Named, sizes map[string]int64, value string) bool {
	_, ok := sized(a.Shape, sizes, int64(len(words(value))))
	return ok
}

// notFile returns 0 for the value of a file, else 1.
func notFile(value string) int {
	if _, file := File(value); file {
		return 0
	}
	return 1
}

// words returns the elements of a value.
func words(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}

// File returns the path in a value that is a file.
func File(value string) (path string, ok bool) {
	path, ok = strings.CutPrefix(value, "@")
	return path, ok || strings.HasSuffix(value, ".npy") // no element ends so
}

func parseOne(e *contract.Entry, want contract.Named, text string) (tensor.Value, error) {
	if path, ok := File(text); ok {
		v, err := npy.ReadFile(path)
		if err != nil {
			return tensor.Value{}, err
		}
		if !backend.Fits(v.Type, want.Type()) {
			refused := bad(e, "argument %q is %s, the file holds %s", want.Name, want.Type(), v.Type).In(path)
			if name := want.DType.NumPy(); name != "" && backend.Fits(tensor.Type{DType: want.DType, Shape: v.Type.Shape}, want.Type()) {
				return tensor.Value{}, refused.Hint("its elements have another type: in NumPy, x.astype('%s')", name)
			}
			return tensor.Value{}, refused
		}
		return v, nil
	}
	words := words(text)
	n, err := want.Shape.Elements()
	if !want.Shape.IsStatic() {
		return tensor.Value{}, bad(e, "argument %q is %s, and its sizes do not follow from %d elements", want.Name, want.Type(), len(words)).
			Hint("use a .npy file, which has its sizes; or, where the command takes it, --shape, which gives the open sizes of an ONNX file or of text")
	}
	if err != nil {
		return tensor.Value{}, errs.Wrap(backend.CodeBadArgument, err, "argument %q", want.Name).On(e.Name)
	}
	if int64(len(words)) != n {
		return tensor.Value{}, bad(e, "argument %q is %s, %d elements given", want.Name, want.Type(), len(words))
	}
	v := tensor.Value{Type: want.Type(), Bytes: []byte{}}
	for i, w := range words {
		v.Bytes, err = appendElement(v.Bytes, want.DType, strings.Trim(w, space))
		if err != nil {
			return tensor.Value{}, bad(e, "argument %q: element %d, %q, is not a valid %s", want.Name, i, strings.Trim(w, space), want.DType).Hint("%s", forms(want.DType))
		}
	}
	return v, nil
}

func bad(e *contract.Entry, what string, args ...any) *errs.Error {
	return errs.New(backend.CodeBadArgument, what, args...).On(e.Name)
}

func index(all []contract.Named, name string) int {
	for i := range all {
		if all[i].Name == name {
			return i
		}
	}
	return -1
}

func names(all []contract.Named) string {
	list := make([]string, len(all))
	for i, n := range all {
		list[i] = n.Name + " " + n.Type().String()
	}
	return strings.Join(list, ", ")
}
