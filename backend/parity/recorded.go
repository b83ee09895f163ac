package parity

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// DefaultRecorded is the tolerance of recorded results. Another engine sums in another
// order and may round functions such as exp to one place less; its own tests allow as much.
var DefaultRecorded = Tolerance{Abs: 1e-4, Rel: 1e-3}

// maxCalls is the most calls of a recorded case.
const maxCalls = 1 << 16

// Recorded returns a case whose arguments, and results of another implementation, are
// arrays in .npz and .npy files. An array has the name of an argument or a result, or one
// that becomes it when each character that is no letter, digit or _ becomes _, as names
// of an imported model do; that of a file .npy is its name without the extension. In a case of several calls, which
// matters for a program with state, NAME#1 belongs to the second call, NAME#2 to the
// third. Results may be omitted.
//
// A call is of the entry point that has all of its names. A case named ENTRY:NAME
// only calls ENTRY, where several have them.
func Recorded(c *contract.Contract, name string, files []string) (Case, error) {
	var calls []map[string]array
	for _, path := range files {
		list, err := arrays(path)
		if err != nil {
			return Case{}, err
		}
		for _, a := range list {
			key, at := step(a.Name)
			key = Known(c, key)
			for len(calls) <= at {
				calls = append(calls, map[string]array{})
			}
			if other, twice := calls[at][key]; twice {
				return Case{}, errs.New(CodeInput, "the array %q is in two files, %s and %s", a.Name, other.path, path).On(name)
			}
			calls[at][key] = array{a, path}
		}
	}
	one := Case{Name: name}
	only, _, chosen := strings.Cut(name, ":")
	for i, given := range calls {
		var found []string
		var call Call
		for e := range c.Entries {
			entry := &c.Entries[e]
			if chosen && entry.Name != only || !has(entry, given) {
				continue
			}
			found = append(found, entry.Name)
			var err error
			if call, err = recorded(entry, given); err != nil {
				return Case{}, err
			}
		}
		if len(found) != 1 {
			return Case{}, noEntry(c, name, i, given, found)
		}
		one.Calls = append(one.Calls, call)
	}
	if len(one.Calls) == 0 {
		return Case{}, errs.New(CodeInput, "no array is given").On(name)
	}
	return one, nil
}

// RecordedTypes returns the types of the arrays in the files of a recorded case, those of all
// calls, by name without the number of the call.
func RecordedTypes(files []string) (map[string][]tensor.Type, error) {
	types := map[string][]tensor.Type{}
	for _, path := range files {
		list, err := arrays(path)
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			name, _ := step(a.Name)
			types[name] = append(types[name], a.Value.Type)
		}
	}
	return types, nil
}

type array struct {
	npy.Array
	path string
}

// arrays reads the arrays of a file.
func arrays(path string) ([]npy.Array, error) {
	if strings.HasSuffix(path, ".npz") {
		return npy.ReadArchive(path)
	}
	v, err := npy.ReadFile(path)
	return []npy.Array{{Name: strings.TrimSuffix(filepath.Base(path), ".npy"), Value: v}}, err
}

// step splits the number of a call off the name of an array.
func step(name string) (key string, at int) {
	i := strings.LastIndexByte(name, '#')
	n, err := strconv.Atoi(name[i+1:])
	if i < 0 || err != nil || n < 0 || n >= maxCalls {
		return name, 0
	}
	return name[:i], n
}

// Known returns the name of an argument or result that an array's name stands for; without
// one the name itself, and also where two names of a file became one but for a number behind
// the second ("x y" and "x_y": x_y and x_y_2), of which either could be meant.
func Known(c *contract.Contract, name string) string {
	identifier := Identifier(name)
	has := func(name string) bool {
		return slices.ContainsFunc(c.Entries, func(e contract.Entry) bool { return find(e.Args, name) >= 0 || find(e.Results, name) >= 0 })
	}
	for _, try := range []string{name, identifier, "_" + identifier} {
		switch {
		case !has(try):
		case try != name && has(try+"_2"):
			return name
		default:
			return try
		}
	}
	return name
}

// Identifier returns a name with _ for each character that is no letter, digit or _.
func Identifier(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

func find(list []contract.Named, name string) int {
	return slices.IndexFunc(list, func(n contract.Named) bool { return n.Name == name })
}

// has reports whether arrays are all arguments of an entry point, and otherwise results.
func has(e *contract.Entry, given map[string]array) bool {
	for name := range given {
		if find(e.Args, name) < 0 && find(e.Results, name) < 0 {
			return false
		}
	}
	return !slices.ContainsFunc(e.Args, func(a contract.Named) bool { _, ok := given[a.Name]; return !ok })
}

func recorded(e *contract.Entry, given map[string]array) (Call, error) {
	call := Call{Entry: e.Name, Want: make([]tensor.Value, len(e.Results))}
	for _, want := range e.Args {
		a := given[want.Name]
		if !backend.Fits(a.Type, want.Type()) {
			return call, errs.New(CodeInput, "argument %q is %s, the file holds %s", want.Name, want.Type(), a.Type).In(a.path).On(e.Name)
		}
		call.Args = append(call.Args, a.Value)
	}
	for i, r := range e.Results {
		a, ok := given[r.Name]
		if !ok {
			continue
		}
		if a.Type.DType != r.DType {
			return call, errs.New(CodeInput, "result %q is %s, the file holds %s", r.Name, r.Type(), a.Type).In(a.path).On(e.Name)
		}
		call.Want[i] = a.Value
	}
	return call, nil
}

// noEntry says which names no entry point has, or what several have.
func noEntry(c *contract.Contract, name string, at int, given map[string]array, found []string) error {
	names := make([]string, 0, len(given))
	for n := range given {
		names = append(names, n)
	}
	slices.Sort(names)
	if len(found) > 1 {
		return errs.New(CodeInput, "call %d with the arrays %q may be of %q", at, names, found).On(name).Hint("name the case ENTRY:%s", name)
	}
	var has []string
	for _, e := range c.Entries {
		text := e.Name + " has the arguments"
		for _, a := range e.Args {
			text += " " + a.Name
		}
		text += " and the results"
		for _, r := range e.Results {
			text += " " + r.Name
		}
		has = append(has, text)
	}
	return errs.New(CodeInput, "no entry point has all of the arrays %q of call %d, and no other argument", names, at).On(name).
		Hint("%s", cmp.Or(strings.Join(has, "; "), "the program has no entry point"))
}
