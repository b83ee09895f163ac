// Package hlo writes a graph as StableHLO text for IREE's compiler, with the
// contract that describes it.
//
// The text names weights and never holds them: each is a
//
//	util.global private @key = #flow.parameter.named<"scope"::"key"> : type
//
// that the program reads from an archive when it is loaded. Constants of the
// model's own code are inline or external by Options.Constants. The text has no
// attributes: how a weight is stored, and that it is blocks of an encoding, says the
// contract alone, for each parameter.
//
// A dynamic size is "?" in the text, which computes what it needs of it from the
// shapes of the arguments. Its name is in the contract alone: whoever calls the
// program checks that arguments have one size where they have one name, and the
// program relies on it. One text serves all sizes, and each gives what the graph
// of known sizes gives.
//
// Some forms that StableHLO allows gave silently wrong numbers or great costs in
// the pinned compiler; the lowerings avoid them, each where it says so.
//
// # Errors
//
// HLO_UNSUPPORTED_DTYPE, HLO_SYMBOL, HLO_STATE_ALIAS and HLO_DYNAMIC; a graph that
// is not valid gives its DAG_* error. All name a node path or a symbol.
//
// # Determinism
//
// The bytes depend only on the graph and the options: globals are sorted by
// scope and key, values are numbered in graph order, nothing that varies is
// printed, and the text ends with one newline.
package hlo

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// IREEVersion is the release whose dialects the text is written for.
const IREEVersion = "3.13.0"

// Codes of this package.
const (
	CodeDType  errs.Code = "HLO_UNSUPPORTED_DTYPE"
	CodeSymbol errs.Code = "HLO_SYMBOL"
	CodeAlias  errs.Code = "HLO_STATE_ALIAS"
	// CodeDynamic is a dynamic dimension whose size the text cannot compute.
	CodeDynamic errs.Code = "HLO_DYNAMIC"
)

// Options of an export.
type Options struct {
	Constants ConstantPolicy // nil means InlineAlways
	Scope     string         // of external constants; "" means "model"
	// Kernels writes products of one row with a weight as kernels of the package
	// of this name, for CPU targets only. It changes the text and nothing else.
	Kernels bool
	// IntegerF16 is for processors that have no instructions for f16: the program
	// widens and rounds such numbers by their bits, exactly, and computes in f32.
	// It too changes the text and nothing else.
	IntegerF16 bool
	// Without names forms that keep the pinned compiler from a fault, to be left out:
	// for tests that show the fault, and for a compiler that has it no more.
	Without []string
}

// Module is an emitted graph.
type Module struct {
	Text     []byte
	Contract *contract.Contract
	// Parameters are the external tensors, sorted by scope and key.
	Parameters []ExternalParameterRef
	// Constants are the values of those parameters whose source is a constant.
	Constants map[string]tensor.Value
}

// ExternalParameterRef is a tensor that the text names but does not hold.
type ExternalParameterRef struct {
	Scope, Key string
	Type       tensor.Type // in the text: with an encoding, of the bytes of the blocks
	Encoding   quant.Encoding
	Source     contract.Source
}

// Emit writes g.
func Emit(g *dag.Graph, o Options) (*Module, error) {
	if err := dag.Verify(g); err != nil {
		return nil, err
	}
	if o.Constants == nil {
		o.Constants = InlineAlways
	}
	if o.Scope == "" {
		o.Scope = "model"
	}
	entries := g
	g, err := dag.Portable(g, func(n *dag.Node) bool { return !o.Kernels || !hasKernel(n) })
	if err != nil {
		return nil, err
	}
	if o.IntegerF16 && g.Holds(dtype.F16) {
		if g, err = integerF16(g); err != nil {
			return nil, err
		}
	}
	if g, err = dag.Outline(g); err != nil {
		return nil, err
	}
	p := newPrinter(g)
	p.integerF16 = o.IntegerF16
	for _, id := range o.Without {
		p.without[id] = true
	}
	p.inState = inState(g)
	m := &Module{Constants: map[string]tensor.Value{}}
	if m.Parameters, err = p.externals(o, m.Constants); err != nil {
		return nil, err
	}
	p.apart = longRows(g)
	if o.Kernels {
		p.fused = true
		p.chooseKernels()
		// For processors a long row is no trouble, one of unknown length is: its
		// elements would be kept on the stack.
		maps.DeleteFunc(p.apart, func(v *dag.Value, _ bool) bool { return v.Type.Shape.IsStatic() })
	} else {
		maps.Copy(p.apart, slicedWidenings(g))
		maps.Copy(p.apart, transposedProducts(g))
	}
	p.line("module @%s {", g.Name)
	p.indent++
	p.executables()
	for _, r := range m.Parameters {
		p.line("util.global private %s = #flow.parameter.named<%s::%s> : %s", symbol(r.Key), quote(r.Scope), quote(r.Key), p.typ(stored(r.Type)))
	}
	if err := p.states(); err != nil {
		return nil, err
	}
	for _, f := range g.Funcs {
		p.function(f)
	}
	p.indent--
	p.line("}")
	if p.err != nil {
		return nil, p.err
	}
	m.Text = p.buf.Bytes()
	if m.Contract, err = describe(entries, m); err != nil {
		return nil, err
	}
	return m, nil
}

func describe(g *dag.Graph, m *Module) (*contract.Contract, error) {
	sum := sha256.Sum256(m.Text)
	c := &contract.Contract{
		Schema: contract.Schema, Name: g.Name, IREE: IREEVersion, TextSHA256: hex.EncodeToString(sum[:]),
		Entries: []contract.Entry{}, Parameters: []contract.Parameter{},
	}
	for _, f := range g.Funcs {
		if !f.Entry {
			continue
		}
		e := contract.Entry{Name: f.Name, State: len(g.ReadsState(f)) > 0, Args: []contract.Named{}, Results: []contract.Named{}}
		for i, n := range f.Args {
			t := f.Body.Args[i].Type
			e.Args = append(e.Args, contract.Named{Name: n, DType: t.DType, Shape: t.Shape})
		}
		for i, n := range f.Results {
			t := f.Body.Results[i].Type
			e.Results = append(e.Results, contract.Named{Name: n, DType: t.DType, Shape: t.Shape})
		}
		c.Entries = append(c.Entries, e)
	}
	for _, r := range m.Parameters {
		n, err := r.Type.Bytes()
		if err != nil {
			return nil, err
		}
		logical := dag.Param{Type: r.Type, Encoding: r.Encoding}.Logical()
		c.Parameters = append(c.Parameters, contract.Parameter{
			Scope: r.Scope, Key: r.Key, DType: logical.DType, Shape: logical.Shape, Encoding: r.Encoding, Bytes: n, Source: r.Source,
		})
	}
	return c, nil
}
