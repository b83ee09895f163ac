// Package typed calls the entry points of a program with Go values. It is what the packages
// that the rule skainet_go_library (//rules:defs.bzl) writes are made of:
//
//	c := typed.Begin(x, "main", typed.Sizes{"n": 3})
//	typed.Slice(c, []float32{1, 2, 3}) // the first argument, f32[n?]
//	c.Run(ctx)
//	y := typed.Elements[float32](c) // the first result
//	return y, c.Err()
//
// A Call keeps its first error, and does nothing after it, so that one look at the end
// serves.
//
// Element types without a Go type of their own, f16 and bf16, are float32 here: arguments
// are rounded to nearest even, results are exact.
//
// # Errors
//
// BACKEND_BAD_ARGUMENT for values that do not fit the entry point, IREE_TOOL_STATE for a
// program that keeps state but runs in a new process for each call; otherwise those of
// packages program and backend, and of the program's backend.
//
// # Determinism
//
// As the program.
package typed

import (
	"context"
	"strconv"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Open opens a program whose entry points are called in any order: one that keeps state
// needs a runtime that keeps it.
func Open(p program.Parts, o program.Options) (backend.Executable, error) {
	x, err := p.Open(o)
	if err != nil {
		return nil, err
	}
	for _, e := range x.Contract().Entries {
		if e.State && !backend.KeepsState(x) {
			x.Close()
			return nil, errs.New(iree.CodeToolState, "the entry point continues from earlier calls, and the runtime's tool starts anew for each").On(e.Name).
				Hint("run it in the runtime library: leave out Tool, and name the library with Library where the build had none")
		}
	}
	return x, nil
}

// Session opens another session of a program, with state of its own, and other archives for
// the scopes in archives.
func Session(x backend.Executable, archives map[string][]string) (backend.Executable, error) {
	s, ok := x.(backend.Shared)
	if !ok {
		return nil, errs.New(program.CodeDevice, "the program has one session alone").Hint("open the program again")
	}
	return s.Session(archives)
}

// Sizes are the sizes of a call's named dimensions. A dimension of an argument without a
// name has that of the argument and the dimension's number: "x_0".
type Sizes map[string]int64

// Call is a call of an entry point.
type Call struct {
	x     backend.Executable
	entry *contract.Entry
	sizes Sizes
	args  []tensor.Value
	left  []tensor.Value // results that were not taken yet
	err   error
}

// Begin begins a call.
func Begin(x backend.Executable, entry string, sizes Sizes) *Call {
	e, err := x.Contract().Entry(entry)
	return &Call{x: x, entry: e, sizes: sizes, err: err}
}

// Err returns the first error.
func (c *Call) Err() error { return c.err }

// next returns the next argument's description.
func (c *Call) next() (a contract.Named, ok bool) {
	if c.err != nil {
		return a, false
	}
	if len(c.args) == len(c.entry.Args) {
		c.fail(nil, "got %d arguments, want %d", len(c.args)+1, len(c.entry.Args))
		return a, false
	}
	return c.entry.Args[len(c.args)], true
}

func (c *Call) fail(cause error, what string, args ...any) {
	c.err = errs.Wrap(backend.CodeBadArgument, cause, what, args...).On(c.entry.Name)
}

// Slice adds an argument, its elements in row-major order.
func Slice[T tensor.Element](c *Call, elements []T) {
	if a, ok := c.next(); ok {
		if v, ok := dense(c, a, elements); ok {
			c.args = append(c.args, v)
		}
	}
}

// dense returns the value of an argument.
func dense[T tensor.Element](c *Call, a contract.Named, elements []T) (v tensor.Value, ok bool) {
	sizes, err := c.dims(a)
	if err == nil {
		v, err = tensor.Of(elements, sizes...)
	}
	if err != nil {
		c.fail(err, "argument %q, %s", a.Name, a.Type())
	}
	return v, err == nil
}

// Scalar adds an argument of rank 0.
func Scalar[T tensor.Element](c *Call, v T) { Slice(c, []T{v}) }

// Rounded adds an argument of a float type that Go does not have. A finite number that the
// type does not reach is an error.
func Rounded(c *Call, elements []float32) {
	a, ok := c.next()
	if !ok {
		return
	}
	full, ok := dense(c, a, elements)
	if !ok {
		return
	}
	v := tensor.Value{Type: tensor.Type{DType: a.DType, Shape: full.Type.Shape}, Bytes: make([]byte, a.DType.Bytes(int64(len(elements))))}
	if over, err := tensor.PutFloat32s(a.DType, v.Bytes, elements); err != nil || over > 0 {
		c.fail(err, "argument %q: %d of %d numbers are beyond %s", a.Name, over, len(elements), a.DType)
		return
	}
	c.args = append(c.args, v)
}

// RoundedScalar is Rounded for an argument of rank 0.
func RoundedScalar(c *Call, v float32) { Rounded(c, []float32{v}) }

// Value adds an argument of any type.
func Value(c *Call, v tensor.Value) {
	if _, ok := c.next(); ok {
		c.args = append(c.args, v)
	}
}

// dims returns the sizes of an argument.
func (c *Call) dims(a contract.Named) ([]int64, error) {
	sizes := make([]int64, len(a.Shape))
	for i, d := range a.Shape {
		n := d
		var err error
		if !d.IsKnown() {
			n.Size = c.sizes[SizeName(a, i)]
		} else if n, err = d.Bind(c.sizes); err != nil {
			return nil, err
		}
		if !n.IsStatic() || n.Size < 1 && !d.IsStatic() {
			return nil, errs.New(backend.CodeBadArgument, "dimension %d has no size of 1 or more", i)
		}
		sizes[i] = n.Size
	}
	return sizes, nil
}

// Run calls the entry point.
func (c *Call) Run(ctx context.Context) {
	if c.err == nil {
		c.left, c.err = c.x.Call(ctx, c.entry.Name, c.args...)
	}
}

// Result takes the next result.
func Result(c *Call) (v tensor.Value) {
	if c.err != nil {
		return v
	}
	if len(c.left) == 0 {
		c.fail(nil, "the entry point has no more than %d results", len(c.entry.Results))
		return v
	}
	v, c.left = c.left[0], c.left[1:]
	return v
}

// Elements takes the next result as its elements in row-major order.
func Elements[T tensor.Element](c *Call) []T {
	v := Result(c)
	if c.err != nil {
		return nil
	}
	elements, err := tensor.Slice[T](v)
	c.err = err
	return elements
}

// Element takes the next result, of rank 0.
func Element[T tensor.Element](c *Call) T { return first(c, Elements[T](c)) }

// Widened takes the next result, of a float type that Go does not have.
func Widened(c *Call) []float32 {
	v := Result(c)
	if c.err != nil {
		return nil
	}
	n, err := v.Type.Shape.Elements()
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		c.err = err
		return nil
	}
	elements := make([]float32, n)
	c.err = tensor.Float32s(v.Type.DType, elements, v.Bytes)
	return elements
}

// WidenedElement is Widened for a result of rank 0.
func WidenedElement(c *Call) float32 { return first(c, Widened(c)) }

func first[T any](c *Call, elements []T) (v T) {
	switch {
	case c.err != nil:
	case len(elements) != 1:
		c.fail(nil, "a result has %d elements, want 1", len(elements))
	default:
		v = elements[0]
	}
	return v
}

// SizeName returns the name in Sizes of a dimension without a name.
func SizeName(a contract.Named, dim int) string { return a.Name + "_" + strconv.Itoa(dim) }

// IsRounded reports whether Rounded and Widened are for an element type.
func IsRounded(d dtype.DType) bool { return d == dtype.F16 || d == dtype.BF16 }
