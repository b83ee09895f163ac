// Package verify checks StableHLO text, as written by package
// hlo or by hand for a compiler, and lists its errors
// before a compiler sees it.
//
// It accepts a module with or without a name and attributes, functions,
// util globals, calls, kernels and util functions (whose bodies it does not check), and the
// operations of the table in this package in the pretty and the generic
// form, with regions. Each value must be defined once, before its use and visible
// to it, with the type that the use states; operand and result types must
// obey the rule of the operation in the StableHLO specification.
//
// # Errors
//
// Each error has one of the codes below, and line:column as its node,
// both counted from 1, columns in bytes. A syntax error ends parsing and is
// the only one listed; otherwise all errors are, up to MaxFaults, in the order
// of the text.
//
// # Determinism
//
// The errors depend only on the text.
//
// # Untrusted input
//
// A text has at most MaxText bytes (1 GiB) and MaxTokens tokens (2097152; a
// constant's bytes are one); regions, lists and attributes nest at most MaxDepth
// deep (100); a tensor has at most MaxRank dimensions (64) of at most 2^61
// elements in all; an operation has at most MaxKeys attributes (64) outside
// braces. Memory grows with the text and its tokens, by about 300 bytes
// for each, never with a number in it.
package verify

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package, each with a text that has the error.
const (
	CodeSyntax     errs.Code = "HLO_SYNTAX"             // module {
	CodeLimit      errs.Code = "HLO_LIMIT"              // [[[[... more than MaxDepth times
	CodeOperation  errs.Code = "HLO_UNKNOWN_OPERATION"  // stablehlo.ad %x, %y : tensor<f32>
	CodeUndefined  errs.Code = "HLO_UNDEFINED"          // return %nothing : tensor<f32>
	CodeRedefined  errs.Code = "HLO_REDEFINED"          // %x = ... twice
	CodeDominance  errs.Code = "HLO_DOMINANCE"          // a use before the definition, or of a value inside another region
	CodeType       errs.Code = "HLO_TYPE"               // a use with another type than the definition; an add of f32 and i32
	CodeShape      errs.Code = "HLO_SHAPE"              // stablehlo.reshape of 6 elements to 5
	CodeCount      errs.Code = "HLO_COUNT"              // stablehlo.add %x : tensor<f32>
	CodeAttribute  errs.Code = "HLO_ATTRIBUTE"          // stablehlo.transpose %x, dims = [0, 0]
	CodeTerminator errs.Code = "HLO_TERMINATOR"         // a function without return
	CodeUnknownSym errs.Code = "HLO_UNKNOWN_SYMBOL"     // func.call @nothing
	CodeTwiceSym   errs.Code = "HLO_REDEFINED_SYMBOL"   // two functions of one name
	CodeImmutable  errs.Code = "HLO_STORE_TO_IMMUTABLE" // util.global.store to a global that is not mutable
	CodeEncoding   errs.Code = "HLO_ENCODING"           // skainet.tensor_encodings = {w = "Q4_K"} for a parameter that is dense in the contract
	CodeFile       errs.Code = "HLO_FILE"               // a file that cannot be read
)

// Limits.
const (
	MaxText   = 1 << 30
	MaxTokens = 1 << 21
	MaxDepth  = 100
	MaxRank   = 64
	MaxKeys   = 64
	MaxFaults = 1000
)

// File returns the errors in a file's text; the second result is an error of reading it.
func File(path string) ([]error, error) {
	text, err := read(path)
	if err != nil {
		if errs.CodeOf(err) == CodeLimit {
			return []error{err}, nil
		}
		return nil, err
	}
	return Text(path, text), nil
}

// read returns a file's text.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, errs.Wrap(CodeFile, err, "cannot read the text").In(path)
	}
	if info.Size() > MaxText {
		return nil, errs.New(CodeLimit, "the text has %d bytes, more than %d", info.Size(), MaxText).In(path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, errs.Wrap(CodeFile, err, "cannot read the text").In(path)
	}
	return text, nil
}

// Text returns the errors of a text, which they call name.
func Text(name string, text []byte) []error {
	_, faults := checked(name, string(text))
	return faults
}

// checked parses a text and returns all its errors.
func checked(name, text string) (*module, []error) {
	m, err := parsed(name, text)
	if err != nil {
		return nil, []error{err}
	}
	var c checker
	c.module(m)
	return m, located(name, text, c.found)
}

// parsed returns a text's module, or its first error of syntax.
func parsed(name, text string) (*module, error) {
	if len(text) > MaxText {
		return nil, errs.New(CodeLimit, "the text has %d bytes, more than %d", len(text), MaxText).In(name)
	}
	p := newParser(text)
	m := p.module()
	if p.fault != nil {
		return nil, located(name, p.text, []fault{*p.fault})[0]
	}
	return m, nil
}

// Operations returns the number of operations in a text, which the error calls name; those
// in regions count, and the bodies of kernels do not. A compiler's work grows with it.
func Operations(name string, text []byte) (int64, error) {
	m, err := parsed(name, string(text))
	if err != nil {
		return 0, err
	}
	n := int64(0)
	for _, f := range m.funcs {
		if f.body != nil {
			n += f.body.operations()
		}
	}
	return n, nil
}

func (r *region) operations() int64 {
	n := int64(len(r.ops))
	for _, o := range r.ops {
		for _, inner := range o.regions {
			n += inner.operations()
		}
	}
	return n
}

// fault is an error at a position of the text.
type fault struct {
	pos  int
	code errs.Code
	what string
	see  int // position of a related definition, or -1
}

// located turns positions into lines and columns, in one pass over the text.
func located(name, text string, found []fault) []error {
	sort.SliceStable(found, func(i, j int) bool { return found[i].pos < found[j].pos })
	var places []int
	for _, f := range found {
		places = append(places, f.pos)
		if f.see >= 0 {
			places = append(places, f.see)
		}
	}
	where := lines(text, places)
	all := errs.Gather(MaxFaults)
	for _, f := range found {
		what := f.what
		if f.see >= 0 {
			what += " (defined at " + where[f.see] + ")"
		}
		_ = all.Add(errs.New(f.code, "%s", what).In(name).On(where[f.pos]))
	}
	return all.List()
}

// lines returns line:column of positions.
func lines(text string, places []int) map[int]string {
	sort.Ints(places)
	out := map[int]string{}
	line, start, at := 1, 0, 0
	for _, pos := range places {
		for at < pos {
			n := strings.IndexByte(text[at:pos], '\n')
			if n < 0 {
				at = pos
				break
			}
			at += n + 1
			line, start = line+1, at
		}
		out[pos] = fmt.Sprintf("%d:%d", line, pos-start+1)
	}
	return out
}
