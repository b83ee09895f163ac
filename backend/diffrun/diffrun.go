// Package diffrun runs an ONNX model here and in another engine, and finds the first node
// whose results differ. Here is the CPU reference, or a program that IREE or XLA compiles of
// the model with every compared value as a result: what its compiler fuses is what lies
// between two of them, so that of fewer values it is nearer to the program without them.
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
// types, DIFFRUN_VALUE for one that no node makes, DIFFRUN_DIFFERS of a report in which values differ. Everything else comes from reading
// the model (ONNX_*), the import, and for programs from packages openfile and open.
//
// # Determinism
//
// A report depends on the model, the inputs and the engine.
package diffrun

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/errs"
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
	CodeValue   errs.Code = "DIFFRUN_VALUE"   // smallest input: --value none
	CodeDiffers errs.Code = "DIFFRUN_DIFFERS" // a value that is not the engine's
)

// Options configures Run.
type Options struct {
	Model     string
	Python    string   // the interpreter; "" means python3
	Inputs    []string // NAME=@FILE.npy or NAME=VALUES; others of known sizes are made up
	Values    []string // those to compare; all that nodes make, where there are none
	Tolerance parity.Tolerance
	Noise     string // see fromonnx.Options
	// Here says where the model runs here; its Import is not used. Its Memory is the most bytes
	// of the run, and of what the import computes.
	Here openfile.Options
}

// Row is a value that a node makes.
type Row struct {
	Node, Op, Value string
	Result          parity.Result // its Type is of rank 0 and no element type where it was not compared
	Why             string        // it was not compared
	Output          bool          // of the model
}

// Differs reports whether elements differ by more than the tolerance.
func (r Row) Differs() bool { return r.Result.Mismatches > 0 }

// Report is the comparison of all values, in the order of the nodes.
type Report struct {
	Backend string // that the model ran on here
	Engine  string // with its version
	Rows    []Row
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

// Outputs says in a line whether the model's outputs agree, as far as they were compared;
// "" where none was.
func (r *Report) Outputs() string {
	agree, missing := 0, 0
	var differ []string
	for _, row := range r.Rows {
		switch {
		case !row.Output:
		case row.Why != "":
			missing++
		case row.Differs():
			differ = append(differ, row.Value)
		default:
			agree++
		}
	}
	var words []string
	if len(differ) > 0 {
		words = append(words, fmt.Sprintf("%d differ (%s)", len(differ), strings.Join(differ, ", ")))
	}
	if agree > 0 {
		words = append(words, fmt.Sprintf("%d agree", agree))
	}
	if missing > 0 {
		words = append(words, fmt.Sprintf("%d are not compared", missing))
	}
	if len(words) == 0 {
		return ""
	}
	return "of the model's outputs " + strings.Join(words, ", ")
}

// Err returns an error that names the first value that differs, or nil.
func (r *Report) Err() error {
	first := r.First()
	if first == nil {
		return nil
	}
	p, do := first.Result.First, "its inputs agree within the tolerance: see what the node computes, or give a larger one with --tolerance"
	if s := r.Outputs(); s != "" && !slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Output && (row.Differs() || row.Why != "") }) {
		do = s + ": the difference does not reach them, and may be no fault; " + do
	}
	return errs.New(CodeDiffers, "%s of %s is the first value that differs from %s: %d of %d elements; at %v it is %s, and there %s",
		first.Value, first.Op, r.Engine, first.Result.Mismatches, first.Result.Elements, p.Index, p.Got, p.Want).
		On(first.Node).Hint("%s", do)
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
	values, err := chosen(m, o.Values)
	if err != nil {
		return nil, errs.WithFile(err, o.Model)
	}
	outputs := []string{}
	for _, v := range m.Graph.Outputs {
		outputs = append(outputs, v.Name)
	}
	theirs, err := ask(ctx, o.Python, o.Model, inputs, values, outputs)
	if err != nil {
		return nil, err
	}
	asked := slices.Clone(values)
	values = slices.DeleteFunc(values, func(name string) bool { _, ok := theirs.values[name]; return !ok })
	ours, err := compute(ctx, m, o, inputs, values)
	if err != nil {
		return nil, errs.WithFile(err, o.Model)
	}
	r := &Report{Backend: ours.backend, Engine: "ONNX Runtime " + theirs.version}
	rules := parity.Rules{Float: map[dtype.DType]parity.Tolerance{}, NaNEqual: true}
	for _, d := range []dtype.DType{dtype.F16, dtype.BF16, dtype.F32, dtype.F64} {
		rules.Float[d] = o.Tolerance
	}
	for i := range m.Graph.Nodes {
		n := &m.Graph.Nodes[i]
		for _, name := range n.Outputs {
			if !slices.Contains(asked, name) {
				continue
			}
			row := Row{Node: n.Place(), Op: n.Op, Value: name, Why: ours.why[name], Output: slices.Contains(outputs, name)}
			want, ok := theirs.values[name]
			got, have := ours.values[name]
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

// chosen returns the values of a model to compare: those that are named, or all.
func chosen(m *onnx.Model, names []string) ([]string, error) {
	all := made(m)
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, errs.New(CodeValue, "no node of the graph makes the value %q", name).On(name).
				Hint("skainet diff-run without --value, with --all, lists the values")
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(names, name) }), nil
}

// computed is what the model gives here.
type computed struct {
	backend string
	values  map[string]tensor.Value
	why     map[string]string // why a value is not there
}

// compute returns the values here.
func compute(ctx context.Context, m *onnx.Model, o Options, inputs map[string]tensor.Value, names []string) (*computed, error) {
	memory := int64(o.Here.Memory)
	to := fromonnx.Options{Evaluate: open.Evaluator(memory), MaxMemory: memory, Noise: o.Noise, Shapes: map[string]shape.Shape{}, Constants: map[string]tensor.Value{}}
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
			return nil, err
		}
	}
	why := map[string]string{}
	names = importable(m, to, names, why)
	to.Outputs = names
	g, err := fromonnx.Import(m, to)
	if err != nil {
		return nil, err
	}
	if o.Here.Run.Backend == "" {
		o.Here.Run.Backend = open.CPU
	}
	model, err := openfile.Given(g, o.Model, o.Here)
	if err != nil {
		return nil, err
	}
	g = model.Graph
	args, err := arguments(g, m, to.Constants, inputs)
	if err != nil {
		return nil, err
	}
	x, err := model.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	out, err := x.Call(ctx, g.Funcs[0].Name, args...)
	if err != nil {
		return nil, err
	}
	values := map[string]tensor.Value{}
	for i, name := range names {
		values[name] = out[i]
	}
	return &computed{model.Backend(), values, why}, nil
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
