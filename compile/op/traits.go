package op

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// ID is the number of an operation in Go code. Texts and documents use its name.
type ID = id.ID

// Traits describe an operation beyond its types. Kernels, lowerings,
// passes, memory plans and test tolerances use them, so that none keeps a list of
// names. The zero value of the first eight is Unset, which TestTraitsAreSet
// rejects; the others may be omitted if they do not apply.
type Traits struct {
	Role      Role
	Rounding  Rounding
	Precision Precision
	Memory    Memory
	Reduces   Reduces
	Terms     Terms
	Rows      Rows
	Padding   Padding

	Algebra Algebra
	// Scalar is the function of each element, if the operation is elementwise.
	Scalar Scalar
	// Bounds, if not nil, bounds the elements of the result.
	Bounds Bounds
	// Limits, if not nil, says to what the operation limits an operand.
	Limits Limits
	// StableHLO is the operation's spelling in texts, if StableHLO has it.
	StableHLO Spelling
	// Varies, if not nil, returns the traits for some attributes: see Op.TraitsFor.
	Varies func(t Traits, a Attrs) Traits
}

// Role is what an operation does in a graph.
type Role uint8

// The roles.
const (
	RoleUnset Role = iota
	Computes       // computes numbers from the operands
	Converts       // returns the operand's numbers or bits in another element type
	Moves          // returns elements of the operands unchanged, in other positions
	Literal        // a value stored in the graph (constant)
	Uniform        // one number everywhere (splat)
	Counts         // counts along a dimension (iota)
	Measures       // returns a size (dim_size)
	Weight         // reads a parameter
	Variable       // reads a state variable
	Loops          // runs its blocks repeatedly (while)
	Chooses        // runs one of its blocks (cond)
	Calls          // runs another function
)

// MakesValues reports whether results depend on the operands alone.
func (o *Op) MakesValues() bool { return o.Role == Computes || o.Role == Converts || o.Role == Moves }

// Rounding bounds the difference between two implementations' float results.
type Rounding uint8

// The roundings.
const (
	RoundingUnset Rounding = iota
	Exact                  // nothing is rounded
	Correct                // the result that IEEE 754 specifies, rounded once
	Near                   // one ulp
	Sum                    // depends on the order of a sum, as if the operands were rounded
	Approximate            // approximation of a function, as if the operands were rounded too
	Periodic               // as Approximate, plus one ulp of 1
	Cancelling             // as Approximate, plus ulps of the last operand, which an internal sum loses
)

// IsStated reports whether every implementation returns the same bits.
func (r Rounding) IsStated() bool { return r == Exact || r == Correct }

// Precision is the element type in which an operation computes when a graph of f32 is
// converted to a narrow float.
type Precision uint8

// The precisions. Wide are sums of many terms, and functions whose error grows with
// their argument or whose results span many magnitudes, as in the lists of PyTorch's
// automatic mixed precision. The expansion of a Wide composite operation is Wide.
const (
	PrecisionUnset Precision = iota
	Follow                   // f32 if all operands are, else narrow
	Narrow                   // narrow, with internal sums in f32
	Wide                     // f32
	First                    // the type of the first operand, which is not converted for its updates
	Own                      // the operand's own type, whose bits are read
)

// Memory says whose memory the result of an operation may use.
type Memory uint8

// The kinds of memory.
const (
	MemoryUnset Memory = iota
	Fresh              // its own
	Same               // the first operand's: the same elements in the same order
	View               // the first operand's, if the implementation supports that
	Part               // a part of the first operand's, if the implementation supports that
	Updates            // the first operand's with windows replaced, if nothing else needs it
	Inner              // that of values in its blocks or in the called function
	Store              // the program's: weights, states, constants
)

// SharesFirst reports whether the result may use the memory of the first operand.
func (m Memory) SharesFirst() bool { return m == Same || m == View || m == Part || m == Updates }

// Reduces says what names the dimensions that an operation
// reduces, or reads completely for each element.
type Reduces uint8

// The sources of the dimensions.
const (
	ReducesUnset Reduces = iota
	Nothing
	Dims        // the attribute dims
	Dim         // the attribute dim
	Last        // the last dimension
	Contracting // the attributes lhs_contracting and rhs_contracting
	Windows     // windows and channels
)

// Terms says what is summed in each element of a result.
type Terms uint8

// The terms.
const (
	TermsUnset Terms = iota
	NoTerms
	Addends   // elements of the operands
	Products  // products of elements of the first operand and of the second, or of the first with itself
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

// Padding is what an operation makes of the elements that the text of a bucket adds after
// those of a named size, up to the bucket's largest one (compile/hlo.Bucketed). They hold
// any numbers, and none of them may reach the elements of a result that a call gets.
type Padding uint8

// The ways.
const (
	PaddingUnset Padding = iota
	Apart                // an element is made of those at its own place, so that padding becomes padding
	LeftOut              // the text for buckets leaves padding out: compared with the CPU in backend/xla's TestBuckets
	InParts              // the text has other operations instead, which say it
	Unproven             // not known: a graph with it has no text for buckets
)

// Algebra is a set of laws that hold for every element, NaN and infinities included.
type Algebra uint16

// The laws.
const (
	Involution  Algebra = 1 << iota // f(f(x)) = x
	Idempotent                      // f(f(x)) = f(x)
	Integral                        // returns integers, and maps integers to themselves
	Commutative                     // f(a, b) = f(b, a)
	Selects                         // f(x, x) = x
)

// Scalar is a function of elements in float64; one field is set. Results are
// rounded once to the element type. Kernels for integers have separate functions.
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
// operands and result have the same type.
type Spelling struct {
	Name string
	Wide bool // narrow floats are computed in f32, since the narrow function is inaccurate
}

// TraitsFor returns the traits of o with these attributes.
func (o *Op) TraitsFor(a Attrs) Traits {
	if o.Varies == nil {
		return o.Traits
	}
	return o.Varies(o.Traits, a)
}

// ReducedDims returns the dimensions of an operand of this rank that o with these
// attributes reduces; none if it reduces windows, or nothing.
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

// check returns an error that names a column that is not set, that holds none of its values,
// or that contradicts another.
func (t Traits) check(o *Op) error {
	for _, e := range t.enumerations() {
		switch {
		case e.value == 0:
			return unset(o, e.column)
		case e.value > e.last:
			return fmt.Errorf("column %s of operation %s is %d, which is none of its values, 1 to %d", e.column, o.Name, e.value, e.last)
		}
	}
	switch {
	case t.Algebra&^laws != 0:
		return fmt.Errorf("column Algebra of operation %s is %#x, which holds more than its laws", o.Name, uint16(t.Algebra))
	case t.Padding == Apart && o.gathers(t):
		return fmt.Errorf("column Padding of operation %s is Apart, but its results hold elements of other places", o.Name)
	case t.Memory.SharesFirst() && len(o.Operands) == 0:
		return fmt.Errorf("%s shares the memory of its first operand, but has no operand", o.Name)
	case t.Precision == First && len(o.Operands) == 0:
		return fmt.Errorf("%s computes in the type of its first operand, but has no operand", o.Name)
	case t.Scalar.Binary != nil && len(o.Operands) != 2, t.Scalar.Scaled != nil && len(o.Attributes) == 0:
		return fmt.Errorf("the scalar function of %s takes different operands than the operation", o.Name)
	case !t.Scalar.IsZero() && o.Family != Elementwise:
		return fmt.Errorf("%s has a scalar function but is not elementwise", o.Name)
	}
	return nil
}

// gathers reports whether an operation of o's family, or with such traits, makes an element
// from those of other places.
func (o *Op) gathers(t Traits) bool {
	switch o.Family {
	case Contraction, Convolution, Reduction, Indexing, Normalising, Pooling, Attention, Recurrent, Resampling, Quantising:
		return true
	}
	return t.Reduces != Nothing
}

func unset(o *Op, column string) error {
	return fmt.Errorf("column %s of operation %s is not set", column, o.Name)
}
