// Package diffrun runs an ONNX model on the CPU reference and in another engine, and finds the
// first node whose results differ.
//
// The engine is ONNX Runtime of the user's Python, which is optional: it is run as a process,
// with every value that a node of the model makes as a result, and without optimizations, so
// that all of them exist. Values inside branches, loops and functions are not compared, nor are
// those of types that NumPy lacks.
//
// # Errors
//
// DIFFRUN_PYTHON without Python, DIFFRUN_MISSING without ONNX Runtime in it, DIFFRUN_FAILED where
// it refuses the model or the inputs, DIFFRUN_INPUT for inputs that are missing or of other
// types, DIFFRUN_DIFFERS of a report in which values differ. Everything else comes from reading
// the model (ONNX_*) and the import.
//
// # Determinism
//
// A report depends on the model, the inputs and the engine.
package diffrun

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodePython  errs.Code = "DIFFRUN_PYTHON"  // smallest input: --python /none
	CodeMissing errs.Code = "DIFFRUN_MISSING" // smallest input: a Python without onnxruntime
	CodeFailed  errs.Code = "DIFFRUN_FAILED"  // smallest input: an operator that ONNX Runtime does not have
	CodeInput   errs.Code = "DIFFRUN_INPUT"   // smallest input: a model whose input has an open size, without --input
	CodeDiffers errs.Code = "DIFFRUN_DIFFERS" // a value that is not the engine's
)

// Options configures Run.
type Options struct {
	Model     string
	Python    string   // the interpreter; "" means python3
	Inputs    []string // NAME=@FILE.npy or NAME=VALUES; others of known sizes are made up
	Tolerance parity.Tolerance
	Noise     string           // see fromonnx.Options
	Memory    command.ByteSize // most bytes of the run, and of what the import computes; 0 means the defaults
}

// Row is a value that a node makes.
type Row struct {
	Node, Op, Value string
	Result          parity.Result // its Type is of rank 0 and no element type where it was not compared
	Why             string        // it was not compared
}

// Differs reports whether elements differ by more than the tolerance.
func (r Row) Differs() bool { return r.Result.Mismatches > 0 }

// Report is the comparison of all values, in the order of the nodes.
type Report struct {
	Engine string // with its version
	Rows   []Row
}

// First returns the first value that differs, or nil.
func (r *Report) First() *Row {
	for i := range r.Rows {
		if r.Rows[i].Differs() {
			return &r.Rows[i]
		}
	}
	return nil
}

// Err returns an error that names the first value that differs, or nil.
func (r *Report) Err() error {
	first := r.First()
	if first == nil {
		return nil
	}
	p := first.Result.First
	return errs.New(CodeDiffers, "%s of %s is the first value that differs from %s: %d of %d elements; at %v it is %s, and there %s",
		first.Value, first.Op, r.Engine, first.Result.Mismatches, first.Result.Elements, p.Index, p.Got, p.Want).
		On(first.Node).Hint("its inputs agree within the tolerance: see what the node computes, or give a larger one with --tolerance")
}

// Run compares all values.
func Run(ctx context.Context, o Options) (*Report, error) {
	f, err := onnx.Open(o.Model)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := f.Model()
	inputs, err := given(m, o.Inputs)
	if err != nil {
		return nil, errs.WithFile(err, o.Model)
	}
	if o.Python == "" {
		o.Python = "python3"
	}
	values, outputs := made(m), []string{}
	for _, v := range m.Graph.Outputs {
		outputs = append(outputs, v.Name)
	}
	theirs, err := ask(ctx, o.Python, o.Model, inputs, values, outputs)
	if err != nil {
		return nil, err
	}
	values = slices.DeleteFunc(values, func(name string) bool { _, ok := theirs.values[name]; return !ok })
	ours, why, err := compute(ctx, m, o, inputs, values)
	if err != nil {
		return nil, errs.WithFile(err, o.Model)
	}
	r := &Report{Engine: "ONNX Runtime " + theirs.version}
	rules := parity.Rules{Float: map[dtype.DType]parity.Tolerance{}, NaNEqual: true}
	for _, d := range []dtype.DType{dtype.F16, dtype.BF16, dtype.F32, dtype.F64} {
		rules.Float[d] = o.Tolerance
	}
	for i := range m.Graph.Nodes {
		n := &m.Graph.Nodes[i]
		for _, name := range n.Outputs {
			if name == "" {
				continue
			}
			row := Row{Node: n.Place(), Op: n.Op, Value: name, Why: why[name]}
			want, ok := theirs.values[name]
			got, have := ours[name]
			switch {
			case !ok:
				row.Why = "ONNX Runtime gives no array"
			case !have:
			default:
				compared, err := parity.Compare(name, []string{name}, []tensor.Value{got}, []tensor.Value{want}, rules)
				if err != nil {
					row.Why = fmt.Sprintf("%s here, %s there", got.Type, want.Type)
					break
				}
				row.Result = compared.Results[0]
			}
			r.Rows = append(r.Rows, row)
		}
	}
	return r, nil
}

// made lists the values that the nodes of a model make.
func made(m *onnx.Model) []string {
	var list []string
	for i := range m.Graph.Nodes {
		for _, name := range m.Graph.Nodes[i].Outputs {
			if name != "" {
				list = append(list, name)
			}
		}
	}
	return list
}

// given returns the inputs of a model: those in the texts, and made-up ones.
func given(m *onnx.Model, texts []string) (map[string]tensor.Value, error) {
	e := &contract.Entry{Name: "main"}
	for _, in := range m.Inputs() {
		n := contract.Named{Name: in.Name, DType: onnx.DType(in.Type)}
		for _, d := range in.Shape {
			size := shape.Dim{Size: shape.Dynamic, Name: d.Param}
			if d.Known {
				size = shape.N(d.Size)
			}
			n.Shape = append(n.Shape, size)
		}
		if !in.Ranked {
			s, err := shapeOf(in.Name, texts)
			if err != nil {
				return nil, err
			}
			n.Shape = s
		}
		e.Args = append(e.Args, n)
	}
	values, have, err := argtext.ParseSome(e, texts)
	if err != nil {
		return nil, err
	}
	out := map[string]tensor.Value{}
	for i, a := range e.Args {
		if !have[i] {
			if !a.Shape.IsStatic() || a.DType == dtype.Invalid {
				return nil, errs.New(CodeInput, "the input %s, %s, has an open size", a.Name, a.Type()).On(a.Name).
					Hint("give it: --input %s=@FILE.npy", a.Name)
			}
			h := fnv.New64a()
			h.Write([]byte(a.Name))
			if values[i], err = parity.Random(rand.New(rand.NewPCG(h.Sum64(), 1)), a.Type()); err != nil {
				return nil, err
			}
		}
		out[a.Name] = values[i]
	}
	return out, nil
}

// shapeOf returns the shape of an input of which the model does not say the rank: that of
// its file.
func shapeOf(name string, texts []string) (shape.Shape, error) {
	for _, text := range texts {
		if path, ok := strings.CutPrefix(text, name+"=@"); ok {
			v, err := npy.ReadFile(path)
			return v.Type.Shape, err
		}
	}
	return nil, errs.New(CodeInput, "the model does not say how many dimensions the input %s has", name).On(name).
		Hint("give it: --input %s=@FILE.npy", name)
}

// compute returns the values on the CPU reference, and why one is not there.
func compute(ctx context.Context, m *onnx.Model, o Options, inputs map[string]tensor.Value, names []string) (map[string]tensor.Value, map[string]string, error) {
	to := fromonnx.Options{Evaluate: open.Evaluator(int64(o.Memory)), MaxMemory: int64(o.Memory), Noise: o.Noise, Shapes: map[string]shape.Shape{}, Constants: map[string]tensor.Value{}}
	for name, v := range inputs {
		to.Shapes[name] = v.Type.Shape
	}
	_, err := fromonnx.Import(m, to)
	if err != nil { // sizes that depend on values: those of this call
		for name, v := range inputs {
			if !v.Type.DType.IsFloat() {
				to.Constants[name] = v
				delete(to.Shapes, name)
			}
		}
		if _, again := fromonnx.Import(m, to); again != nil {
			return nil, nil, err
		}
	}
	why := map[string]string{}
	names = importable(m, to, names, why)
	to.Outputs = names
	g, err := fromonnx.Import(m, to)
	if err != nil {
		return nil, nil, err
	}
	args, err := arguments(g, m, to.Constants, inputs)
	if err != nil {
		return nil, nil, err
	}
	x, err := open.Graph(ctx, g, open.Options{Backend: open.CPU, Weights: o.Model, MaxMemory: int64(o.Memory)})
	if err != nil {
		return nil, nil, err
	}
	defer x.Close()
	out, err := x.Call(ctx, g.Funcs[0].Name, args...)
	if err != nil {
		return nil, nil, err
	}
	values := map[string]tensor.Value{}
	for i, name := range names {
		values[name] = out[i]
	}
	return values, why, nil
}

// importable returns the names that a graph can return, and says why of the others.
func importable(m *onnx.Model, o fromonnx.Options, names []string, why map[string]string) []string {
	if len(names) == 0 {
		return nil
	}
	o.Outputs = names
	_, err := fromonnx.Import(m, o)
	switch {
	case err == nil:
		return names
	case len(names) == 1:
		why[names[0]] = err.Error()
		return nil
	}
	half := len(names) / 2
	return slices.Concat(importable(m, o, names[:half], why), importable(m, o, names[half:], why))
}

// arguments returns the inputs in the order of a graph's arguments, which have the names of
// inputs as identifiers and leave out what no value needs.
func arguments(g *dag.Graph, m *onnx.Model, fixed, inputs map[string]tensor.Value) ([]tensor.Value, error) {
	var order []string
	for _, in := range m.Inputs() {
		if _, ok := fixed[in.Name]; !ok {
			order = append(order, in.Name)
		}
	}
	f := g.Funcs[0]
	args, next := make([]tensor.Value, len(f.Args)), 0
	for i, a := range f.Body.Args {
		for next < len(order) && !named(f.Args[i], order[next]) {
			next++
		}
		if next == len(order) {
			return nil, errs.New(CodeInput, "no input is the argument %s of the graph; there are %v", f.Args[i], slices.Sorted(maps.Keys(inputs))).On(f.Args[i])
		}
		if args[i] = fromonnx.Carrier(inputs[order[next]]); args[i].Type.DType != a.Type.DType {
			return nil, errs.New(CodeInput, "the input is %s, the graph takes %s", args[i].Type, a.Type).On(order[next])
		}
		next++
	}
	return args, nil
}

// named reports whether an identifier may stand for a name of the file.
func named(id, name string) bool {
	i := 0
	for _, c := range name {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9'
		if i == 0 && c >= '0' && c <= '9' && len(id) > 0 && id[0] == '_' {
			i++
		}
		if i >= len(id) || ok && rune(id[i]) != c || !ok && id[i] != '_' {
			return false
		}
		i++
	}
	return true // what may follow is a number
}
