// Package hlo writes a graph as portable StableHLO text, with the
// contract that describes it.
//
// Emit writes plain StableHLO. The text contains no weights: parameters,
// external constants and state variables are arguments of its functions (Access), and a
// new value of a state variable is a result. A package for one compiler, such
// as compile/iree, writes other texts from the same lowerings with its own Form.
// Constants of the model's code are inline or external according to Options.Constants.
// The module's attribute contract.EncodingsAttribute names the encoding of each tensor that
// carries one; a text without such tensors has no attributes. A comment gives the
// encoding and the logical type of each parameter.
//
// A dynamic size is "?" in the text, which computes sizes from the shapes
// of the arguments. Its name is only in the contract: the caller checks
// that dimensions with the same name have the same size, and the program
// relies on it. One text serves all sizes, with the same results as the
// graph with static sizes.
//
// # Errors
//
// HLO_UNSUPPORTED_DTYPE, HLO_SYMBOL, HLO_NO_LOWERING, HLO_DYNAMIC and HLO_BUCKET, OPERATOR_TEXT of a
// registered operation, and the DAG_* errors of an invalid graph. All name a node path or a symbol.
//
// # Determinism
//
// The bytes depend only on the graph, the options and the form: parameters are sorted
// by scope and key, values are numbered in graph order,
// and the text ends with one newline.
package hlo

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Codes of this package.
const (
	CodeDType  errs.Code = "HLO_UNSUPPORTED_DTYPE" // smallest input: an argument of i4
	CodeSymbol errs.Code = "HLO_SYMBOL"            // smallest input: a parameter named as a function is
	// CodeDynamic is a dynamic dimension whose size the text cannot compute.
	CodeDynamic errs.Code = "HLO_DYNAMIC"
	// CodeNoLowering is an operation that a form has no text for.
	CodeNoLowering errs.Code = "HLO_NO_LOWERING"
)

// Options configures an export.
type Options struct {
	Constants ConstantPolicy // nil means InlineAlways
	Scope     string         // of external constants; "" means "model"
}

// Module is an emitted graph.
type Module struct {
	Text     []byte
	Contract *contract.Contract
	// Parameters are the external tensors, sorted by scope and key.
	Parameters []ExternalParameterRef
	// Constants are the values of the parameters whose source is a constant.
	Constants map[string]tensor.Value
	// Access lists, by entry point, the arguments and results in addition to those
	// of the contract, in a form whose parameters are arguments.
	Access map[string]Access
}

// ExternalParameterRef is a tensor that the text names but does not contain.
type ExternalParameterRef struct {
	Scope, Key string
	Type       tensor.Type // in the text; with an encoding, the type of the blocks' bytes
	Encoding   quant.Encoding
	Source     contract.Source
}

// Emit writes g as plain StableHLO.
func Emit(g *dag.Graph, o Options) (*Module, error) { return EmitAs(g, o, Plain()) }

// EmitAs writes g in a form.
func EmitAs(g *dag.Graph, o Options, form *Form) (*Module, error) {
	if err := dag.Verify(g); err != nil {
		return nil, err
	}
	if o.Constants == nil {
		o.Constants = InlineAlways
	}
	if o.Scope == "" {
		o.Scope = "model"
	}
	entries, encodings := g, encodingsOf(g)
	g, err := dag.Portable(g, func(n *dag.Node) bool { return !form.Keeps(n) })
	if err != nil {
		return nil, err
	}
	for _, pass := range form.Passes {
		if g, err = pass(g); err != nil {
			return nil, err
		}
	}
	if g, err = dag.Outline(g); err != nil {
		return nil, err
	}
	p := newPrinter(g, form)
	m := &Module{Constants: map[string]tensor.Value{}, Access: map[string]Access{}}
	if m.Parameters, err = p.externals(o, m.Constants); err != nil {
		return nil, err
	}
	if form.Arguments {
		p.accesses(m)
	}
	for _, start := range form.Starts {
		start(p)
	}
	p.Line("module @%s%s {", g.Name, encodings.header(form.Header))
	p.indent++
	if form.Arguments {
		for _, r := range m.Parameters {
			p.Line("// parameter %s: %s", Quote(r.Key), r.Stored())
		}
	}
	for _, globals := range form.Globals {
		if err := globals(p, m); err != nil {
			return nil, err
		}
	}
	for _, f := range g.Funcs {
		p.function(f)
	}
	p.functions()
	p.indent--
	p.Line("}")
	if p.err != nil {
		return nil, p.err
	}
	m.Text = p.buf.Bytes()
	if m.Contract, err = contractOf(entries, m); err != nil {
		return nil, err
	}
	return m, nil
}

func contractOf(g *dag.Graph, m *Module) (*contract.Contract, error) {
	sum := sha256.Sum256(m.Text)
	c := &contract.Contract{
		Schema: contract.Schema, Name: g.Name, TextSHA256: hex.EncodeToString(sum[:]),
		Entries: describe.Entries(g), Parameters: []contract.Parameter{},
	}
	for _, r := range m.Parameters {
		p, err := describe.Parameter(dag.Param{Scope: r.Scope, Key: r.Key, Type: r.Type, Encoding: r.Encoding}, r.Source)
		if err != nil {
			return nil, err
		}
		c.Parameters = append(c.Parameters, p)
	}
	return c, nil
}
