package verify

import (
	"maps"
	"slices"
)

// form says which types the pretty form of an operation states.
type form byte

const (
	formFunction form = iota // (T, U) -> V, the only form of some
	formSame                 // T, the type of all operands and the result; or a function type
	formEach                 // T, U: the types of the operands, and of the results
	formIns                  // T, U: the types of the operands; no result
	formOut                  // T, the type of the result; no operands
	formSelect               // P, T: the predicate, and everything else
	formArrow                // T -> U
	formIndexed              // T, the type of the first operand; everything else is an index
	formTied                 // T{%n, ..}, the type of the first operand and of the result; the other operands are indices
	formNone                 // none
)

// spec holds the requirements on the text of an operation.
type spec struct {
	form       form
	min, max   int // operands; max < 0 means any number
	regions    int // < 0 means any number
	ownRegions bool
	keys       []string // key = value attributes of the pretty form
	rule       func(c *checker, o *op)
}

func (s spec) takes(key string) bool { return slices.Contains(s.keys, key) }

// table has the known operations; the files of the families have the rules.
var table = map[string]spec{}

func init() {
	for _, family := range []map[string]spec{elementwise, layout, contractions, reductions, indexing, sized, slicing, controls, others} {
		maps.Copy(table, family)
	}
}

func same(operands int, class func(string) bool) spec {
	return spec{form: formSame, min: operands, max: operands, rule: func(c *checker, o *op) { c.alike(o, class) }}
}

func anyElem(string) bool          { return true }
func floatElem(e string) bool      { return isFloat(e) || isComplex(e) }
func realFloat(e string) bool      { return isFloat(e) }
func intElem(e string) bool        { return isInt(e) }
func logicElem(e string) bool      { return isInt(e) || isBool(e) }
func signedElem(e string) bool     { return floatElem(e) || isInt(e) && !isUnsigned(e) }
func arithmeticElem(e string) bool { return floatElem(e) || isInt(e) }

// others are operations for which only the names, operands and types of uses
// are checked: our texts have none of them, but those of other tools may.
var others = func() map[string]spec {
	m := map[string]spec{}
	for _, name := range []string{
		"all_gather", "all_reduce", "all_to_all", "after_all", "batch_norm_inference", "batch_norm_training",
		"cholesky", "collective_permute", "complex", "create_token", "fft", "imag", "map",
		"partition_id", "real", "replica_id", "rng", "rng_bit_generator", "set_dimension_size",
		"triangular_solve", "uniform_dequantize", "uniform_quantize", "dynamic_conv", "dynamic_gather", "dynamic_pad", "select_and_scatter",
	} {
		m["stablehlo."+name] = spec{max: -1, regions: -1, ownRegions: true, keys: []string{"algorithm", "distribution", "format", "dim", "type", "length"}, rule: regionsAsTheyAre}
	}
	m["chlo.constant"] = spec{form: formOut, rule: constant}
	for _, name := range []string{"next_after", "polygamma", "zeta", "conj", "ragged_dot", "constant_like"} {
		m["chlo."+name] = spec{form: formSame, max: -1}
	}
	for _, name := range []string{"add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder", "and", "or", "xor", "compare", "select"} {
		m["chlo.broadcast_"+name] = spec{max: -1}
	}
	m["sdy.sharding_constraint"] = spec{form: formSame, min: 1, max: 1}
	return m
}()

// regionsAsTheyAre checks only the contents of regions.
func regionsAsTheyAre(c *checker, o *op) {
	for _, r := range o.regions {
		var want []typ
		if n := len(r.ops); n > 0 && r.ops[n-1].name == "stablehlo.return" {
			want = r.ops[n-1].list
		}
		c.region(r, "stablehlo.return", want)
	}
}
