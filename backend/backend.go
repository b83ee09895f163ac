// Package backend is the interface behind which every way to run a model
// stands: the CPU reference, and compiled programs in process or in a tool.
//
// # Errors
//
// Implementations give coded errors of their own area; a call with arguments
// that do not fit the entry point is BACKEND_BAD_ARGUMENT from Check.
//
// # Determinism
//
// A backend gives the same results for the same calls on the same machine.
package backend

import (
	"context"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// CodeBadArgument is the code of a call that does not fit its entry point.
const CodeBadArgument errs.Code = "BACKEND_BAD_ARGUMENT"

// Executable is a loaded program with its parameters and its state. One
// goroutine uses it at a time.
type Executable interface {
	// Contract describes the entry points.
	Contract() *contract.Contract
	// Call runs an entry point. State that the program keeps is kept from call
	// to call.
	Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error)
	// Close frees what the program holds.
	Close() error
}

// Check compares arguments with the entry point. Dynamic dimensions of one name
// must have one size, at least 1.
func Check(e *contract.Entry, args []tensor.Value) error {
	if len(args) != len(e.Args) {
		return errs.New(CodeBadArgument, "%d arguments given, %d wanted", len(args), len(e.Args)).On(e.Name)
	}
	shapes := make([]shape.Argument, len(args))
	for i, want := range e.Args {
		shapes[i] = shape.Argument{Name: want.Name, Want: want.Shape, Given: args[i].Type.Shape}
		if !Fits(args[i].Type, want.Type()) {
			return errs.New(CodeBadArgument, "argument %q is %s, want %s", want.Name, args[i].Type, want.Type()).On(e.Name)
		}
		if err := args[i].Check(); err != nil {
			return errs.Wrap(CodeBadArgument, err, "argument %q", want.Name).On(e.Name)
		}
	}
	if _, err := shape.Bind(shapes...); err != nil { // what Fits does not compare: sizes of one name
		return errs.Wrap(CodeBadArgument, err, "the sizes of the arguments do not fit each other").On(e.Name)
	}
	return nil
}

// Fits says whether a value of type got, whose sizes are known, may be given where
// want is asked for: a dynamic dimension takes any size.
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
