// Package operator adds operations to the language from packages outside this repository.
//
// A package registers an operation in a variable and gives models a function that applies it:
//
//	var swish = operator.Register(operator.Definition{Name: "acme.swish", ...})
//
//	func Swish(x lang.Tensor, beta float64) lang.Tensor {
//		return swish.Apply(operator.Attrs{"beta": beta}, x)[0]
//	}
//
// From there on it is an operation like those of the table: graphs hold it by its name,
// passes follow its traits, backend/cpu computes it by its function, texts have its
// decomposition or its own text, random graphs and the page of operations
// (rules/defs.bzl: operators_test, operations_page) are made from its row.
//
// # Errors
//
// A mistake in a definition has one of the OPERATOR_* codes. Register does not panic, which
// in a package's variable would end any program that links it: Err and Apply return
// the error, and so does each capture of a model, of any model, until it is mended.
//
// # Determinism
//
// Names, not the order of registration, decide any order.
package operator

import (
	"runtime"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
)

// Operator is a registered operation.
type Operator struct {
	row *op.Op
	err error
}

// Register adds an operation for as long as the program runs.
func Register(d Definition) *Operator {
	o := &Operator{row: d.row(caller())}
	o.err = op.Register(o.row)
	return o
}

// caller returns the import path of the package that called Register.
func caller() string {
	pc := make([]uintptr, 1)
	runtime.Callers(3, pc)
	frame, _ := runtime.CallersFrames(pc).Next()
	folder := strings.LastIndexByte(frame.Function, '/') + 1
	name, _, _ := strings.Cut(frame.Function[folder:], ".")
	return frame.Function[:folder] + name
}

// Err returns the mistake in the definition, or nil.
func (o *Operator) Err() error { return o.err }

// Name returns the operation's name.
func (o *Operator) Name() string { return o.row.Name }

// Apply applies the operation to tensors of one function. Attributes with a default may be
// left out. A mistake is a panic, which lang.Capture returns as an error.
func (o *Operator) Apply(attributes Attrs, in ...lang.Tensor) []lang.Tensor {
	if o == nil || o.row == nil {
		panic(errs.New(op.CodeForm, "an operation is applied before Register has returned it").
			Hint("a decomposition applies operations that are registered before its own, and never its own"))
	}
	if o.err != nil {
		panic(o.err)
	}
	if len(in) == 0 {
		panic(errs.New(op.CodeOperands, "%s is applied to no tensor", o.row.Name).Hint("it takes %d", len(o.row.Operands)))
	}
	return lang.Apply(o.row.ID, attributes, in...)
}
