// Package op is the table of operations: one entry per operation, with its
// operands, attributes, dtype classes, shape rule and documentation.
//
// Other packages add operations by Register, whose rows have the names of their
// packages' namespace, and hold their own functions for the CPU and for texts.
//
// Everything else that depends on the operation is keyed by this table: the
// CPU kernels (backend/cpu), the StableHLO lowering (compile/hlo). Their tests
// walk the table and fail on a missing entry. Composite operations have neither: the
// table says which others replace them (composite.go).
//
// # Errors
//
// Infer returns OP_UNKNOWN, OP_OPERANDS, OP_DTYPE, OP_SHAPE or OP_ATTRIBUTE, each
// naming the operation and its operand types. Of registered operations: OPERATOR_NAME,
// OPERATOR_DEFINITION and OPERATOR_TEXT at registration, OPERATOR_RULE, OPERATOR_FORM and
// OPERATOR_CYCLE where one is applied or decomposed, and OPERATOR_CPU where one is computed.
//
// # Determinism
//
// The table is fixed; inference is pure. Lists are sorted by name, whatever the order of
// registration.
package op

import (
	"fmt"
	"sort"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of inference.
const (
	CodeUnknown   errs.Code = "OP_UNKNOWN"   // smallest input: an operation named "no_such"
	CodeOperands  errs.Code = "OP_OPERANDS"  // smallest input: add of one operand
	CodeDType     errs.Code = "OP_DTYPE"     // smallest input: add of an f32 and an i32
	CodeShape     errs.Code = "OP_SHAPE"     // smallest input: add of f32[3] and f32[2]
	CodeAttribute errs.Code = "OP_ATTRIBUTE" // smallest input: reverse along dimension 2 of f32[2x3]
)

// Codes of registered operations.
const (
	CodeName       errs.Code = "OPERATOR_NAME"       // smallest input: an operation named "swish", without a namespace, or two of one name
	CodeDefinition errs.Code = "OPERATOR_DEFINITION" // smallest input: an operation without a rule
	CodeText       errs.Code = "OPERATOR_TEXT"       // smallest input: the text "{{.nothing}}"
	CodeRule       errs.Code = "OPERATOR_RULE"       // smallest input: a rule that panics
	CodeForm       errs.Code = "OPERATOR_FORM"       // smallest input: a decomposition that returns no tensor
	CodeCycle      errs.Code = "OPERATOR_CYCLE"      // smallest input: a decomposition that applies its own operation
	CodeCPU        errs.Code = "OPERATOR_CPU"        // smallest input: a CPU function that writes to element 1 of 1
)

// Class is a set of element types that an operand accepts.
type Class uint8

// The classes; a set is their union.
const (
	Float Class = 1 << iota
	Int
	Bool
	Any     = Float | Int | Bool
	Numeric = Float | Int
)

// Has reports whether d is in the class. No operation supports i4 or u4, which occur
// only in files.
func (c Class) Has(d dtype.DType) bool {
	return c&Float != 0 && d.IsFloat() || c&Int != 0 && d.IsInt() && d.Bits() >= 8 || c&Bool != 0 && d == dtype.Bool
}

// String lists the classes.
func (c Class) String() string {
	var parts []string
	for _, p := range []struct {
		c    Class
		name string
	}{{Float, "float"}, {Int, "integer"}, {Bool, "bool"}} {
		if c&p.c != 0 {
			parts = append(parts, p.name)
		}
	}
	return strings.Join(parts, " or ")
}

// Operand describes one operand.
type Operand struct {
	Name     string
	Class    Class
	Variadic bool // takes all remaining operands; only the last one may be
	Blocks   bool // the bytes of blocks of the attribute encoding
}

// Kind is the Go type of an attribute's value.
type Kind uint8

// The kinds.
const (
	KindInt    Kind = iota + 1 // int64
	KindInts                   // []int64
	KindFloat                  // float64
	KindBool                   // bool
	KindString                 // string
	KindDType                  // dtype.DType
	KindValue                  // tensor.Value
	KindType                   // tensor.Type
	KindDims                   // []int64, or shape.Shape if a size is dynamic
)

// Attribute describes one attribute; a nil Default makes it required.
type Attribute struct {
	Name    string
	Kind    Kind
	Default any
	Doc     string
}

// Family groups operations; the same split of files exists in this package,
// compile/hlo and backend/cpu.
type Family string

// The families.
const (
	Source      Family = "source"
	Elementwise Family = "elementwise"
	Layout      Family = "shape"
	Contraction Family = "contraction"
	Convolution Family = "convolution"
	Reduction   Family = "reduce"
	Indexing    Family = "indexing"
	Normalising Family = "norm"
	Pooling     Family = "pool"
	Attention   Family = "attention"
	Recurrent   Family = "recurrent"
	Resampling  Family = "resize"
	Quantising  Family = "quantize"
	Control     Family = "control"
)

// Op is one entry of the table.
type Op struct {
	ID         ID // of Name; 0 until it is in the table
	Name       string
	Family     Family
	Doc        string // one paragraph, with shapes
	Operands   []Operand
	Attributes []Attribute
	// Blocks is the number of nested blocks (while: condition and body).
	Blocks int
	// Rule returns the result types; operand classes and attributes have been checked.
	Rule func(c *Call) ([]tensor.Type, error)
	// Decompose, if not nil, builds the results from other operations: see
	// composite.go. Such an operation has no kernel and no lowering.
	Decompose func(c *Call, b *builder, in []expr) []expr
	// Portable, if not nil, builds the results from other operations, only for
	// texts: graphs contain the operation, backend/cpu has a kernel, compile/hlo may
	// have a lowering, and if it has none, the text has this form (compile/dag.Portable).
	Portable func(c *Call, b *builder, in []expr) []expr

	Traits
	Examples []Example
	// Custom is what an operation of another package has: see Register.
	Custom *Custom
}

// IsComposite reports whether graphs contain other operations instead of o.
func (o *Op) IsComposite() bool { return o.Decompose != nil }

// OperandAt returns the row of operand i of a call.
func (o *Op) OperandAt(i int) Operand { return o.Operands[min(i, len(o.Operands)-1)] }

// Call is a call of an operation, as a rule sees it.
type Call struct {
	Op    *Op
	In    []tensor.Type
	Attrs Attrs
}

// Attrs holds attribute values by name.
type Attrs map[string]any

// Int returns an int64 attribute, or 0.
func (a Attrs) Int(name string) int64 { v, _ := a[name].(int64); return v }

// Ints returns an []int64 attribute, or nil. In a list of sizes a dynamic one
// is shape.Dynamic.
func (a Attrs) Ints(name string) []int64 {
	if s, ok := a[name].(shape.Shape); ok {
		return s.Sizes()
	}
	v, _ := a[name].([]int64)
	return v
}

// Dims returns an attribute that lists sizes, or nil.
func (a Attrs) Dims(name string) shape.Shape {
	if s, ok := a[name].(shape.Shape); ok {
		return s
	}
	return shape.Of(a.Ints(name)...)
}

// Float returns a float64 attribute, or 0.
func (a Attrs) Float(name string) float64 { v, _ := a[name].(float64); return v }

// Bool returns a bool attribute, or false.
func (a Attrs) Bool(name string) bool { v, _ := a[name].(bool); return v }

// String returns a string attribute, or "".
func (a Attrs) String(name string) string { v, _ := a[name].(string); return v }

// DType returns a dtype attribute, or Invalid.
func (a Attrs) DType(name string) dtype.DType { v, _ := a[name].(dtype.DType); return v }

// Value returns a tensor attribute.
func (a Attrs) Value(name string) tensor.Value { v, _ := a[name].(tensor.Value); return v }

// Type returns a type attribute.
func (a Attrs) Type(name string) tensor.Type { v, _ := a[name].(tensor.Type); return v }

// Names lists the attribute names in sorted order.
func (a Attrs) Names() []string {
	names := make([]string, 0, len(a))
	for n := range a {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func (k Kind) holds(v any) bool {
	switch k {
	case KindInt:
		_, ok := v.(int64)
		return ok
	case KindInts:
		_, ok := v.([]int64)
		return ok
	case KindFloat:
		_, ok := v.(float64)
		return ok
	case KindBool:
		_, ok := v.(bool)
		return ok
	case KindString:
		_, ok := v.(string)
		return ok
	case KindDType:
		_, ok := v.(dtype.DType)
		return ok
	case KindValue:
		_, ok := v.(tensor.Value)
		return ok
	case KindType:
		_, ok := v.(tensor.Type)
		return ok
	case KindDims:
		_, ok := v.([]int64)
		_, also := v.(shape.Shape)
		return ok || also
	}
	return false
}

// Failf returns an error that names the operation and its operand types.
func (c *Call) Failf(code errs.Code, what string, args ...any) *errs.Error {
	types := make([]string, len(c.In))
	for i, t := range c.In {
		types[i] = t.String()
	}
	return errs.New(code, "%s(%s): %s", c.Op.Name, strings.Join(types, ", "), fmt.Sprintf(what, args...))
}
