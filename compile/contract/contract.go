// Package contract describes a compiled model to its users: its entry points, the
// parameters that it reads from archives, and the text it was compiled from.
//
// The file <name>.contract.json lies beside each .mlir; anything that packs
// weights for a program or runs it needs nothing else.
//
// # Errors
//
// CONTRACT_BAD for a document that is not a contract; the CONTRACT_* codes of Check name
// the parameter at fault.
//
// # Determinism
//
// Marshal gives the same bytes for equal contracts.
package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/jsonlimit"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Schema is the version of the document that this package reads and writes.
const Schema = 1

// MaxValues is the maximum number of values in a document, far above any model's:
// each parameter has about twelve.
const MaxValues = 1 << 20

// maxNesting is the maximum nesting depth; Marshal's output is 6 deep.
const maxNesting = 16

// Codes of this package.
const (
	CodeBad     errs.Code = "CONTRACT_BAD"      // a document that is not a contract; smallest input: {}
	CodeNoEntry errs.Code = "CONTRACT_NO_ENTRY" // smallest input: the entry point "f" of a program that has only "main"
)

// Contract is the document.
type Contract struct {
	Schema     int         `json:"schema"`      // version of this document, 1
	Name       string      `json:"name"`        // of the module, as in "name.entry"
	Entries    []Entry     `json:"entries"`     // the entry points
	Parameters []Parameter `json:"parameters"`  // sorted by scope, then key
	IREE       string      `json:"iree"`        // version the text was written for
	TextSHA256 string      `json:"text_sha256"` // of the portable text, in hexadecimal
	// KernelsTextSHA256 is the digest of the text for CPU targets, which computes
	// the same with kernels in place of some operations.
	KernelsTextSHA256 string `json:"kernels_text_sha256,omitempty"`
}

// Entry is one entry point.
type Entry struct {
	Name    string  `json:"name"`    // of the entry point, as a caller gives it
	Args    []Named `json:"args"`    // in the order of a call
	Results []Named `json:"results"` // in the order of a call
	// State is whether a call depends on earlier calls of the same session.
	State bool `json:"state,omitempty"`
}

// Named is an argument or a result.
type Named struct {
	Name  string      `json:"name"`  // as a caller gives it
	DType dtype.DType `json:"dtype"` // of the elements, such as "f32" or "i64"
	Shape shape.Shape `json:"shape"` // sizes; "NAME?", or "?" without a name, for one that differs from call to call
}

// Type returns the type alone.
func (n Named) Type() tensor.Type { return tensor.Type{DType: n.DType, Shape: n.Shape} }

// EncodingsAttribute is the attribute of a text's module that maps the names of tensors to
// their encodings: {w_q4 = "Q4_K", w_q8 = "Q8_0"}. Of a parameter it says what its entry here says.
// Names are keys of parameters, names of arguments, state variables and constants, and the
// path of a constant without a name.
const EncodingsAttribute = "skainet.tensor_encodings"

// Source is where a parameter's bytes come from.
type Source string

// The sources.
const (
	FromWeights  Source = "weights"  // the weight file, under the same key
	FromConstant Source = "constant" // a constant of the model's own code
	// FromRows is i8 [N, ...]: the tensor of that key and shape in the weight file,
	// each of its N rows divided by the row's scale and rounded to nearest even.
	FromRows Source = "int8_rows"
	// FromScales is f32 [N]: the scales of those rows, each the largest magnitude
	// in the row over 127. The key is the tensor's with ScalesSuffix.
	FromScales Source = "int8_scales"
)

// ScalesSuffix appended to a tensor's key is the key of its scales.
const ScalesSuffix = "#int8_scales"

// Parameter is one external tensor.
type Parameter struct {
	Scope    string         `json:"scope"`    // of the archive, "model" for the model's own weights
	Key      string         `json:"key"`      // name of the entry in the archive
	DType    dtype.DType    `json:"dtype"`    // logical
	Shape    shape.Shape    `json:"shape"`    // logical
	Encoding quant.Encoding `json:"encoding"` // of the bytes: "dense", or a block encoding such as "Q4_K"
	Bytes    int64          `json:"bytes"`    // stored length in the archive
	Source   Source         `json:"source"`   // where the bytes come from
}

// Stored returns the type of the bytes as a program reads them: with an encoding, the
// blocks (tensor.BlocksOf), else the logical type.
func (p Parameter) Stored() (tensor.Type, error) {
	if p.Encoding.IsDense() {
		return tensor.Type{DType: p.DType, Shape: p.Shape}, nil
	}
	return tensor.BlocksOf(p.Encoding, p.Shape)
}

// DefaultScope is the scope of a model's own weights.
const DefaultScope = "model"

// MaxScopes is the number of scopes that a program can have. It is IREERT_MAX_SCOPES of
// toolchains/iree/runtime/internal.h and MAX_SCOPES of toolchains/iree/runner/runner.h.
const MaxScopes = 8

// Scopes returns the scopes of the parameters, sorted. Each has archives of its own.
func (c *Contract) Scopes() []string {
	var names []string
	for _, p := range c.Parameters {
		if !slices.Contains(names, p.Scope) {
			names = append(names, p.Scope)
		}
	}
	slices.Sort(names)
	return names
}

// Path spells the parameter as programs and messages do: its key, after the scope and
// "::" if that is not DefaultScope.
func (p Parameter) Path() string {
	if p.Scope == DefaultScope {
		return p.Key
	}
	return p.Scope + "::" + p.Key
}

// Entry returns the entry point of that name.
func (c *Contract) Entry(name string) (*Entry, error) {
	names := make([]string, len(c.Entries))
	for i := range c.Entries {
		if c.Entries[i].Name == name {
			return &c.Entries[i], nil
		}
		names[i] = c.Entries[i].Name
	}
	return nil, errs.New(CodeNoEntry, "program %s has no entry point %q", c.Name, name).
		Hint("it has %q", names)
}

// Marshal returns stable JSON with one trailing newline.
func (c *Contract) Marshal() ([]byte, error) {
	b, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return nil, errs.Wrap(CodeBad, err, "cannot encode the contract")
	}
	return append(b, '\n'), nil
}

// Parse reads the output of Marshal; unknown fields are an error, since a newer
// field may change the meaning of the others.
func Parse(data []byte) (*Contract, error) {
	if at := jsonlimit.Exceeds(data, maxNesting, MaxValues); at >= 0 {
		return nil, errs.New(CodeBad, "more than %d values, or nesting deeper than %d", MaxValues, maxNesting).At(int64(at)).
			Hint("export the model again")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var c Contract
	if err := d.Decode(&c); err != nil {
		wrong := errs.Wrap(CodeBad, err, "not a contract").At(offset(err, d))
		if isGraph(data) {
			wrong = wrong.Hint("this is a graph: its contract is what skainet export or compile writes with it")
		}
		return nil, wrong
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errs.New(CodeBad, "trailing data after the contract").At(d.InputOffset())
	}
	if c.Schema != Schema {
		return nil, errs.New(CodeBad, "schema version %d; this program supports %d", c.Schema, Schema).
			Hint("export the model again with this version")
	}
	return &c, c.check()
}

// isGraph reports whether a document has what graph files have and contracts do not.
func isGraph(data []byte) bool {
	var d struct {
		Functions []json.RawMessage `json:"functions"`
	}
	return json.Unmarshal(data, &d) == nil && d.Functions != nil
}

// offset returns the byte offset of a fault in the document.
func offset(err error, d *json.Decoder) int64 {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &typ):
		return typ.Offset
	}
	return d.InputOffset()
}
