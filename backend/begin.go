package backend

import (
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Begun is a call whose arguments fit its entry point.
type Begun struct {
	Entry   *contract.Entry
	Sizes   map[string]int64 // of its dynamic dimensions, by name
	Results []tensor.Type    // what it returns
}

// Begin checks a call before a backend runs it: that the entry point exists, that the arguments
// fit it and each other, as Check does, and which results it has. A program trusts its caller
// that dimensions with the same name have the same size: otherwise it would read past the end
// of the smaller one.
func Begin(c *contract.Contract, entry string, args []tensor.Value) (Begun, error) {
	e, err := c.Entry(entry)
	if err != nil {
		return Begun{}, err
	}
	types := make([]tensor.Type, len(args))
	for i := range args {
		types[i] = args[i].Type
	}
	b, err := BeginOf(e, types)
	if err != nil {
		return Begun{}, err
	}
	return b, checkBytes(e, args)
}

// BeginOf is Begin where only the types of the arguments are known.
func BeginOf(e *contract.Entry, types []tensor.Type) (Begun, error) {
	sizes, err := Bind(e, types)
	if err != nil {
		return Begun{}, err
	}
	results, err := Results(e, sizes)
	if err != nil {
		return Begun{}, err
	}
	return Begun{Entry: e, Sizes: sizes, Results: results}, nil
}
