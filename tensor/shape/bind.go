package shape

import (
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeSizes is the code of sizes that a call may not have.
const CodeSizes errs.Code = "SHAPE_SIZES" // smallest input: sizes 1 and 2 for a dimension n in two arguments

// Argument is an argument of a call: the shape that is wanted, and the one that
// is given, all of whose sizes are known.
type Argument struct {
	Name        string
	Want, Given Shape
}

// Bind returns the sizes of the names in the wanted shapes. A static size must be the
// wanted one, a dynamic one at least 1, and those of one name equal; a derived size must
// be what its names make it. A name that is no dimension of its own is what one such as
// 32*name says (Dim.Tells).
func Bind(args ...Argument) (map[string]int64, error) {
	sizes, from := map[string]int64{}, map[string]string{}
	for _, a := range args {
		if len(a.Want) != len(a.Given) {
			return nil, errs.New(CodeSizes, "argument %q is %s, want %s", a.Name, a.Given, a.Want)
		}
		for i, d := range a.Want {
			n := a.Given[i].Size
			switch {
			case d.IsStatic():
				if n != d.Size {
					return nil, errs.New(CodeSizes, "dimension %d of argument %q is %d, want %d", i, a.Name, n, d.Size)
				}
			case n < 1:
				return nil, errs.New(CodeSizes, "dimension %d of argument %q, %s, is %d", i, a.Name, d, n).
					Hint("a dynamic size is at least 1")
			case isName(d.Name):
				if old, ok := sizes[d.Name]; ok && old != n {
					return nil, errs.New(CodeSizes, "dimension %d of argument %q, %s, is %d, and %d in argument %q", i, a.Name, d, n, old, from[d.Name]).
						Hint("dimensions of one name have one size in a call")
				} else if !ok {
					sizes[d.Name], from[d.Name] = n, a.Name
				}
			}
		}
	}
	for _, a := range args {
		for i, d := range a.Want {
			name, times, plus, ok := d.Tells()
			if _, seen := sizes[name]; !ok || seen {
				continue
			}
			n := a.Given[i].Size
			if n -= plus; n < times || n%times != 0 {
				return nil, errs.New(CodeSizes, "dimension %d of argument %q, %s, is %d", i, a.Name, d, a.Given[i].Size).
					Hint("it is one of %d, %d, %d, ...", times+plus, 2*times+plus, 3*times+plus)
			}
			sizes[name], from[name] = n/times, a.Name
		}
	}
	for _, a := range args {
		want, err := a.Want.Bind(sizes)
		if err != nil {
			return nil, errs.Wrap(CodeSizes, err, "argument %q is %s", a.Name, a.Given)
		}
		for i, d := range want {
			if d.IsStatic() && d.Size != a.Given[i].Size {
				return nil, errs.New(CodeSizes, "dimension %d of argument %q is %d, and %s is %d here", i, a.Name, a.Given[i].Size, a.Want[i], d.Size).
					Hint("the other arguments say what the names are")
			}
		}
	}
	return sizes, nil
}
