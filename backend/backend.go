// Package backend defines the interface of a loaded program, which every way to run a
// model implements: the CPU reference, and compiled programs in process or in a tool.
//
// # Errors
//
// Implementations return coded errors of their own area; a call with arguments
// that do not match the entry point is BACKEND_BAD_ARGUMENT from Check.
//
// # Determinism
//
// A backend returns the same results for the same calls on the same machine.
package backend

import (
	"context"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// CodeBadArgument is the code of a call that does not fit its entry point.
const CodeBadArgument errs.Code = "BACKEND_BAD_ARGUMENT"

// Executable is a loaded program with its parameters and its state. One
// goroutine uses it at a time.
type Executable interface {
	// Contract describes the entry points.
	Contract() *contract.Contract
	// Call runs an entry point. The program's state persists between
	// calls.
	Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error)
	// Close frees the program's resources.
	Close() error
}

// CallerAllocated is implemented by an Executable that can write results into the
// caller's memory, so that repeated calls allocate nothing.
type CallerAllocated interface {
	// CallInto is like Call, and writes results into the corresponding elements of
	// into if they have the results' types; other results are allocated.
	CallInto(ctx context.Context, entry string, into []tensor.Value, args ...tensor.Value) ([]tensor.Value, error)
}

// Shared is implemented by an Executable of whose program other sessions can be opened.
type Shared interface {
	// Session opens another session of the program, with state of its own. The scopes in
	// archives have these .irpa files in place of those that this session was opened
	// with, such as another adapter. The program and the weights that both have are in
	// memory once. Either session may be closed first.
	Session(archives map[string][]string) (Executable, error)
}

// PerCall is implemented by an Executable that may keep nothing from one call to the next,
// such as one that is a process for each.
type PerCall interface {
	// PerCall reports whether each call begins with the initial state.
	PerCall() bool
}

// KeepsState reports whether the state that a call leaves is there for the next one. Where it
// is not, a call is given all that it needs: a whole conversation, not its newest turn.
func KeepsState(x Executable) bool {
	p, ok := x.(PerCall)
	return !ok || !p.PerCall()
}

// Check compares arguments with the entry point. Dynamic dimensions with the same name
// must have the same size, at least 1.
func Check(e *contract.Entry, args []tensor.Value) error {
	types := make([]tensor.Type, len(args))
	for i := range args {
		types[i] = args[i].Type
	}
	if _, err := Bind(e, types); err != nil {
		return err
	}
	return checkBytes(e, args)
}

// checkBytes returns an error if an argument has not the bytes of its type.
func checkBytes(e *contract.Entry, args []tensor.Value) error {
	for i := range args {
		if err := args[i].Check(); err != nil {
			return errs.Wrap(CodeBadArgument, err, "argument %q", e.Args[i].Name).On(e.Name)
		}
	}
	return nil
}

// Bind compares the types of arguments with the entry point and returns the sizes
// of its dynamic dimensions by name. Dimensions with the same name must have the same size,
// at least 1.
func Bind(e *contract.Entry, types []tensor.Type) (map[string]int64, error) {
	if len(types) != len(e.Args) {
		var names []string
		for _, a := range e.Args {
			names = append(names, a.Name+" "+a.Type().String())
		}
		return nil, errs.New(CodeBadArgument, "got %d arguments, want %d", len(types), len(e.Args)).On(e.Name).
			Hint("it takes, in this order: %s", strings.Join(names, ", "))
	}
	shapes := make([]shape.Argument, len(types))
	for i, want := range e.Args {
		shapes[i] = shape.Argument{Name: want.Name, Want: want.Shape, Given: types[i].Shape}
		if !Fits(types[i], want.Type()) {
			return nil, errs.New(CodeBadArgument, "argument %q is %s, want %s", want.Name, types[i], want.Type()).On(e.Name)
		}
	}
	sizes, err := shape.Bind(shapes...)
	if err != nil { // Fits does not compare sizes with the same name
		return nil, errs.Wrap(CodeBadArgument, err, "the sizes of the arguments are inconsistent").On(e.Name)
	}
	return sizes, nil
}

// Results returns the types of an entry point's results for these sizes
// of its dynamic dimensions.
func Results(e *contract.Entry, sizes map[string]int64) ([]tensor.Type, error) {
	types := make([]tensor.Type, len(e.Results))
	for i, r := range e.Results {
		s, err := r.Shape.Bind(sizes)
		if err != nil {
			return nil, errs.Wrap(CodeBadArgument, err, "the result %q cannot have these sizes", r.Name).On(e.Name)
		}
		types[i] = tensor.Type{DType: r.DType, Shape: s}
	}
	return types, nil
}

// Fits reports whether a value of static type got may be passed for
// want: a dynamic dimension accepts any size.
func Fits(got, want tensor.Type) bool {
	if got.DType != want.DType || got.Shape.Rank() != want.Shape.Rank() {
		return false
	}
	for i, d := range want.Shape {
		if d.IsStatic() && d.Size != got.Shape[i].Size {
			return false
		}
	}
	return true
}
