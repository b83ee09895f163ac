package op

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// ID is the number of an operation in Go code. Texts and documents have its name.
type ID = id.ID

// Traits are what is known of an operation besides its types. Kernels, lowerings,
// passes, plans of memory and tolerances of tests ask for them, so that none keeps a
// list of names. The zero value of the first six is Unset, which TestTraitsAreSet
// refuses; the others may be left out where they do not apply.
type Traits struct {
	Role      Role
	Rounding  Rounding
	Precision Precision
	Memory    Memory
	Reduces   Reduces
	Terms     Terms
	Rows      Rows

	Algebra Algebra
	// Scalar is the function of each element, where the operation is elementwise.
	Scalar Scalar
	// Bounds, if not nil, says where the elements of the result are.
	Bounds Bounds
	// StableHLO is how texts spell the operation, if it is one of theirs.
	StableHLO Spelling
	// Varies, if not nil, gives the traits for some attributes: see Op.TraitsFor.
	Varies func(t Traits, a Attrs) Traits
}

// Role is what an operation does in a graph.
type Role uint8

// The roles.
const (
	RoleUnset Role = iota
	Computes       // makes numbers from those of the operands
	Converts       // gives the operand's numbers or bits in another element type
	Moves          // gives elements of the operands as they are, in other places
	Literal        // gives a value of the graph (constant)
	Uniform        // gives one number everywhere (splat)
	Counts         // counts along a dimension (iota)
	Measures       // gives a size (dim_size)
	Weight         // reads a parameter
	Variable       // reads a state variable
	Loops          // runs its blocks again and again (while)
	Chooses        // runs one of its blocks (cond)
	Calls          // runs another function
)

// Rounding is how far the results for floats of two implementations may be apart.
type Rounding uint8

// The roundings.
const (
	RoundingUnset Rounding = iota
	Exact                  // nothing is rounded
	Correct                // the result that IEEE 754 states, rounded once
	Near                   // a unit in the last place
	Sum                    // by the order of a sum, as if the operands were rounded
	Approximate            // by the approximation of a function, as if the operands were rounded too
	Periodic               // also by a unit in the last place of 1
	Cancelling             // also by units in the last place of the last operand, which a sum inside loses
)

// IsStated reports whether every implementation gives the same bits.
func (r Rounding) IsStated() bool { return r == Exact || r == Correct }

// Precision is the element type in which an operation computes when a graph of f32 is
// converted to a narrow float.
type Precision uint8

// The precisions. Wide are sums of many terms, and functions whose error grows with
// their argument or whose results span many magnitudes, as PyTorch's automatic mixed
// precision lists them. What a composite operation that is Wide stands for is Wide.
const (
	PrecisionUnset Precision = iota
	Follow                   // f32 where all operands are, else narrow
	Narrow                   // narrow, with sums in f32 inside
	Wide                     // f32
	First                    // the type of the first operand, which is not converted for what updates it
	Own                      // the type that the operand has, whose bits are read
)

// Memory is whose memory the result of an operation may lie in.
type Memory uint8

// The kinds of memory.
const (
	MemoryUnset Memory = iota
	Fresh              // its own
	Same               // the first operand's: the same elements in the same order
	View               // the first operand's, where an implementation can
	Part               // a part of the first operand's, where an implementation can
	Updates            // the first operand's with windows replaced, where nothing else needs that
	Inner              // that of values of the blocks or the function that it runs
	Store              // that of the program: weights, states, constants
)

// SharesFirst reports whether the result may lie in the memory of the first operand.
func (m Memory) SharesFirst() bool { return m == Same || m == View || m == Part || m == Updates }

// Reduces is what names the dimensions along which an operation goes from many
// elements to one, or looks at all of them for each.
type Reduces uint8

// What names them.
const (
	ReducesUnset Reduces = iota
	Nothing
	Dims        // the attribute dims
	Dim         // the attribute dim
	Last        // the last dimension
	Contracting // the attributes lhs_contracting and rhs_contracting
	Windows     // windows and channels
)

// Terms are what is added up in each element of a result.
type Terms uint8

// The terms.
const (
	TermsUnset Terms = iota
	NoTerms
	Addends   // elements of the operands
	Products  // products of elements of the first operand and of the second, or its own
	Quotients // the quotient of two operands
)

// Rows is how an operation reads a matrix whose rows may be stored in another way than
// its elements: scaled integers, or blocks.
type Rows uint8

// The ways.
const (
	RowsUnset  Rows = iota
	Elements        // element by element: rows are unpacked first
	Picked          // rows of the first operand are picked by indices
	Multiplied      // either operand's rows may be multiplied with the other's and added up
)

// Algebra is a set of laws that hold for every element, NaN and infinities included.
type Algebra uint16

// The laws.
const (
	Involution  Algebra = 1 << iota // f(f(x)) = x
	Idempotent                      // f(f(x)) = f(x)
	Integral                        // gives integers, and an integer is what it makes of it
	Commutative                     // f(a, b) = f(b, a)
	Selects                         // f(x, x) = x
)

// Scalar is a function of elements in float64, of which one field is set. Results are
// rounded once to the element type. Kernels of integers have functions of their own.
type Scalar struct {
	Unary  func(x float64) float64
	Binary func(a, b float64) float64
	Scaled func(x, attribute float64) float64 // with the first attribute
	Test   func(x float64) bool
}

// IsZero reports whether there is no function.
func (s Scalar) IsZero() bool {
	return s.Unary == nil && s.Binary == nil && s.Scaled == nil && s.Test == nil
}

// Spelling is an operation of StableHLO or CHLO, such as stablehlo.exponential, whose
// operands and result have one type.
type Spelling struct {
	Name string
	Wide bool // narrow floats are computed in f32, since the narrow function is coarse
}

// TraitsFor returns the traits of o with these attributes.
func (o *Op) TraitsFor(a Attrs) Traits {
	if o.Varies == nil {
		return o.Traits
	}
	return o.Varies(o.Traits, a)
}

// ReducedDims returns the dimensions of an operand of this rank that o with these
// attributes reduces; none where it reduces windows, or nothing.
func (o *Op) ReducedDims(a Attrs, rank int) []int64 {
	switch o.Reduces {
	case Dims:
		return a.Ints("dims")
	case Dim:
		return []int64{a.Int("dim")}
	case Last:
		return []int64{int64(rank - 1)}
	case Contracting:
		return a.Ints("lhs_contracting")
	}
	return nil
}

// check is an error that names a column that is not set, or that does not fit another.
func (t Traits) check(o *Op) error {
	switch {
	case t.Role == RoleUnset:
		return unset(o, "Role")
	case t.Rounding == RoundingUnset:
		return unset(o, "Rounding")
	case t.Precision == PrecisionUnset:
		return unset(o, "Precision")
	case t.Memory == MemoryUnset:
		return unset(o, "Memory")
	case t.Reduces == ReducesUnset:
		return unset(o, "Reduces")
	case t.Terms == TermsUnset:
		return unset(o, "Terms")
	case t.Rows == RowsUnset:
		return unset(o, "Rows")
	case t.Memory.SharesFirst() && len(o.Operands) == 0:
		return fmt.Errorf("%s shares the memory of its first operand, and has none", o.Name)
	case t.Precision == First && len(o.Operands) == 0:
		return fmt.Errorf("%s computes in the type of its first operand, and has none", o.Name)
	case t.Scalar.Binary != nil && len(o.Operands) != 2, t.Scalar.Scaled != nil && len(o.Attributes) == 0:
		return fmt.Errorf("the scalar function of %s takes other operands than the operation", o.Name)
	case !t.Scalar.IsZero() && o.Family != Elementwise:
		return fmt.Errorf("%s has a scalar function and is not elementwise", o.Name)
	}
	return nil
}

func unset(o *Op, column string) error {
	return fmt.Errorf("column %s of operation %s is not set", column, o.Name)
}
