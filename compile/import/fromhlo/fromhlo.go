// Package fromhlo converts StableHLO text, as JAX, TensorFlow, PyTorch or this project's
// own export write it, to a graph.
//
// Each public function is an entry point. What it calls, and the decompositions of
// composites, become part of it. Sizes that the text computes from shapes are followed
// symbolically: a dimension ? of an argument has a name, by its position if Options.Shapes
// gives none, and two that an operation needs to be equal get one name.
//
// Constants of more than Options.Inline bytes become parameters of scope "model", whose
// values are given beside the graph: keys depend on names in the text and not on values, so
// a text of the same structure with other weights gives an equal graph.
//
// # Errors
//
// HLO_* of package verify for a text that is not valid. HLO_IMPORT_OPERATION is an operation
// that the table (compile/op) cannot say, HLO_IMPORT_FORM a form of one, HLO_IMPORT_CALL a
// custom call without a known meaning, HLO_IMPORT_TYPE an element type without arithmetic,
// HLO_IMPORT_SIZE a size that only values tell, HLO_IMPORT_CONSTANT a constant whose values
// are not in the text, HLO_IMPORT_ENTRY a text without an entry point, HLO_IMPORT_OPTION a
// name in Options that the text lacks, and HLO_IMPORT_LIMIT a text beyond MaxNodes or
// MaxCalls. All have line:column as their node.
//
// # Determinism
//
// The graph depends only on the text and the options.
//
// # Untrusted input
//
// Texts are within the limits of package verify. Calls expand to at most MaxNodes nodes and
// nest at most MaxCalls deep.
package fromhlo

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodeOperation errs.Code = "HLO_IMPORT_OPERATION" // smallest input: stablehlo.fft
	CodeForm      errs.Code = "HLO_IMPORT_FORM"      // smallest input: a sort by the sum of two operands
	CodeCall      errs.Code = "HLO_IMPORT_CALL"      // smallest input: stablehlo.custom_call @mine
	CodeType      errs.Code = "HLO_IMPORT_TYPE"      // smallest input: an argument of tensor<complex<f32>>
	CodeSize      errs.Code = "HLO_IMPORT_SIZE"      // smallest input: stablehlo.dynamic_reshape to sizes that an argument gives
	CodeEntry     errs.Code = "HLO_IMPORT_ENTRY"     // smallest input: a module without functions
	CodeOption    errs.Code = "HLO_IMPORT_OPTION"    // smallest input: Options.Shapes of an argument that is not there
	CodeLimit     errs.Code = "HLO_IMPORT_LIMIT"     // smallest input: a function that calls itself
)

// Limits.
const (
	MaxNodes = 1 << 19
	MaxCalls = 100
	// maxUnified is the number of pairs of dimensions that operations prove to be equal.
	maxUnified = 64
)

// DefaultInline is the number of bytes above which a constant is a parameter.
const DefaultInline = 1024

// Options configures Graph.
type Options struct {
	File string // what errors call the text
	Name string // of the module; empty means the text's
	// Shapes gives arguments of entry points other sizes where the text has ?: numbers, or
	// names.
	Shapes map[string]shape.Shape
	// States are results of entry points that are the next value of an argument: the
	// argument becomes a state variable, zero at first, and the result its new value.
	States map[string]string
	// Inline is the number of bytes up to which a constant stays in the graph; 0 means
	// DefaultInline, and less than 0 that all do.
	Inline int64
}

// Constant is a large constant of a text: a parameter of the graph.
type Constant struct {
	Key  string
	Type tensor.Type
	tree *verify.Tree
	attr verify.Attr
}

// Value returns the elements.
func (c Constant) Value() (tensor.Value, error) { return constants.Value(c.tree, c.attr, c.Type) }

// Constants are those of a text, in the order of their first use.
type Constants []Constant

// Of returns the graph of a text that has been parsed.
func Of(tree *verify.Tree, o Options) (*dag.Graph, Constants, error) { return converted(tree, o) }

// Inputs returns the arguments of the first entry point, as Graph names them.
func Inputs(tree *verify.Tree) []contract.Named {
	im := newImporter(tree, Options{}, nil)
	for _, f := range tree.Funcs {
		if f.Private || f.Body == nil {
			continue
		}
		var list []contract.Named
		for i, name := range im.names(f) {
			d, _ := constants.DType(f.Args[i].Type.Elem)
			s := shape.Of(f.Args[i].Type.Dims...)
			for k, n := range s {
				if !n.IsKnown() {
					s[k] = openSize(name, k)
				}
			}
			list = append(list, contract.Named{Name: name, DType: d, Shape: s})
		}
		return list
	}
	return nil
}

// Graph returns the graph of a text.
func Graph(text []byte, o Options) (*dag.Graph, Constants, error) {
	tree, faults := verify.Parse(o.File, string(text))
	if len(faults) > 0 {
		return nil, nil, faults[0]
	}
	return converted(tree, o)
}

// converted converts a tree, again each time that an operation proves two sizes to be equal.
func converted(tree *verify.Tree, o Options) (*dag.Graph, Constants, error) {
	if o.Inline == 0 {
		o.Inline = DefaultInline
	}
	equal, keys := map[string]shape.Dim{}, map[int]string{}
	for _, c := range constants.Of(tree) {
		keys[c.Pos] = c.Key
	}
	for range maxUnified {
		im := newImporter(tree, o, equal)
		im.keys = keys
		err := im.module()
		var pair *unequal
		if errors.As(err, &pair) {
			equal[pair.name] = pair.is
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		passes.CleanUp(im.g)
		if err := dag.Verify(im.g); err != nil {
			return nil, nil, err
		}
		return im.g, im.used(), nil
	}
	return nil, nil, errs.New(CodeLimit, "operations prove more than %d pairs of dynamic dimensions to be equal", maxUnified).In(o.File).
		Hint("give the dimensions of the arguments the same names, or sizes, with --shape")
}

// used returns the constants that are still parameters of the graph.
func (im *importer) used() Constants {
	keys := map[string]bool{}
	for _, f := range im.g.Funcs {
		parameters(f.Body, keys)
	}
	return slices.DeleteFunc(im.constants, func(c Constant) bool { return !keys[c.Key] })
}

func parameters(b *dag.Block, keys map[string]bool) {
	for _, n := range b.Nodes {
		if n.Op.Name == "parameter" {
			keys[n.Attrs.String("key")] = true
		}
		for _, inner := range n.Blocks {
			parameters(inner, keys)
		}
	}
}

// module converts all entry points.
func (im *importer) module() (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			err = r.error
		case error: // a form that the rules and the verifier did not expect
			err = im.failed(CodeForm, "a form that cannot be followed: %v", r)
		default:
			panic(r)
		}
	}()
	im.globals()
	for _, f := range im.tree.Funcs {
		if f.Private || f.Body == nil {
			continue
		}
		im.entry(f)
	}
	if len(im.g.Funcs) == 0 {
		return errs.New(CodeEntry, "the text has no public function").In(im.o.File).
			Hint("export the text again with its main function, or remove private before func.func @main")
	}
	for _, name := range sortedKeys(im.o.Shapes) {
		if !im.seen[name] {
			return errs.New(CodeOption, "no entry point has an argument %q; there are %s", name, quotedList(im.seen)).In(im.o.File).Hint("correct --shape")
		}
	}
	for _, name := range sortedKeys(im.o.States) {
		if !im.seen[name] || !im.seen[im.o.States[name]] {
			return errs.New(CodeOption, "no entry point has an argument %q and a result %q; there are %s", im.o.States[name], name, quotedList(im.seen)).In(im.o.File).Hint("correct --state")
		}
	}
	return nil
}

// entry converts a public function.
func (im *importer) entry(f *verify.TreeFunc) {
	im.at, im.place = im.unique(identifier(f.Name, "main"), im.entries), f.Pos
	im.entryName = im.at
	fn := &dag.Func{Name: im.at, Entry: true, Body: &dag.Block{}}
	im.b, im.scope = fn.Body, &scope{values: map[string]*dag.Value{}}
	next := map[string]string{} // argument by result
	for result, arg := range im.o.States {
		next[result] = arg
	}
	states := map[string]*dag.Value{}
	for i, name := range im.names(f) {
		a := f.Args[i]
		im.seen[name] = true
		t := im.argument(name, a.Type)
		if isNext(next, name) {
			states[name] = im.state(name, t)
			im.scope.values[a.Name] = states[name]
			continue
		}
		im.scope.values[a.Name] = fn.Body.AddArg(t)
		fn.Args = append(fn.Args, name)
	}
	results := im.region(f.Body)
	names := map[string]bool{}
	for i, v := range results {
		name := im.unique(identifier(noted(f.Notes[i], "jax.result_info", ""), fmt.Sprintf("result%d", i)), names)
		im.seen[name] = true
		if arg, ok := next[name]; ok && states[arg] != nil {
			if !v.Type.Equal(states[arg].Type) {
				panic(refusal{errs.New(CodeOption, "the result %q is %s, and cannot be the next value of %q, %s", name, v.Type, arg, states[arg].Type).In(im.o.File).Hint("correct --state")})
			}
			fn.Writes = append(fn.Writes, dag.Write{State: arg, Value: v})
			continue
		}
		fn.Results = append(fn.Results, name)
		fn.Body.Results = append(fn.Body.Results, v)
	}
	fn.Writes = im.ordered(append(fn.Writes, im.writes()...))
	im.g.Funcs = append(im.g.Funcs, fn)
}

// names returns the names of an entry point's arguments.
func (im *importer) names(f *verify.TreeFunc) []string {
	taken := map[string]bool{}
	out := make([]string, len(f.Args))
	for i, a := range f.Args {
		out[i] = im.unique(identifier(noted(a.Notes, "jax.arg_info", a.Name), fmt.Sprintf("arg%d", i)), taken)
	}
	return out
}

func isNext(next map[string]string, name string) bool {
	for _, arg := range next {
		if arg == name {
			return true
		}
	}
	return false
}

// noted returns a text of a dictionary, or else.
func noted(notes verify.Attr, key, otherwise string) string {
	if a := notes.Get(key); a.Kind == verify.AttrString && a.Text != "" {
		return a.Text
	}
	return otherwise
}
