package fromonnx

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of Import.
const (
	CodeOption errs.Code = "ONNX_OPTION" // smallest input: a shape for an input that the model does not have
	CodeInput  errs.Code = "ONNX_INPUT"  // smallest input: an input without a type
	CodeMemory errs.Code = "ONNX_MEMORY" // smallest input: NonZero of 2^31 constants
	CodeOpset  errs.Code = "ONNX_OPSET"  // smallest input: a model of version 6 of ONNX's operators
	// CodeExpansion is the code of a node that would be written out too long.
	CodeExpansion errs.Code = "ONNX_EXPANSION" // smallest input: a Split into 2^18 parts
)

// Options say how a model becomes a graph.
type Options struct {
	Name     string    // of the graph; an identifier. "model" where it is empty
	Evaluate Evaluator // computes what is constant
	// MaxMemory is how many bytes the results of Evaluate may take; less than 1 means
	// DefaultMaxMemory.
	MaxMemory int64
	// Shapes gives inputs their sizes, by their names. A size that the file names, and
	// that gets another name or a number in one input, gets it in all of them.
	Shapes map[string]shape.Shape
	// Constants are inputs that are no arguments: they have these values.
	Constants map[string]tensor.Value
	// Outputs are the values that the entry point returns; the model's outputs where it is
	// empty.
	Outputs []string
	// States gives for outputs the inputs whose next values they are: each is a state
	// variable, zero at first, and neither an argument nor a result.
	//
	// A state that grows, as past_key_values.0.key that becomes present.0.key with a
	// step more, is kept as INPUT:STEPS, with which the program keeps its last steps; what the
	// model computes of its length is followed. A * in the output and in the input stands for
	// the same text, as in present.* and past_key_values.*:2048.
	States map[string]string
	// Cut names tensors at which the model is split into two entry points: EntryBefore
	// returns them, and EntryAfter takes them. A single integer among them that decides a
	// size is taken as the size of an argument: see Import.
	Cut []string
	// Inline is the number of bytes up to which a stored tensor is a constant of the
	// graph; a larger one is a parameter. 0 stands for DefaultInline.
	Inline int64
	// Noise says what random numbers are: NoiseArgument or NoiseZero; without it a model
	// that has some is refused.
	Noise string
	// Dequantize computes a quantized model in f32: its weights are those of the file, and
	// what it makes of them is not rounded to integers.
	Dequantize bool
	// Note, if not nil, is told what the import assumes of sizes that the file leaves open.
	Note func(text string)
}

// DefaultInline is the size of lists of sizes, and of single numbers.
const DefaultInline = 64

// DefaultMaxMemory is far more than sizes, indices and masks take.
const DefaultMaxMemory = 1 << 30

// What random numbers may be.
const (
	NoiseArgument = "argument" // of the entry point, in the file's name: what a distribution's standard one gives
	NoiseZero     = "zero"     // the mean
)

// Names of the entry points of a model that is cut.
const (
	EntryBefore = "before"
	EntryAfter  = "after"
)

// Import returns the graph of a model. Its entry point takes the model's inputs and
// returns its outputs, by their names in the file with _ for what no identifier has.
// Sizes that the file names, or leaves open, have names in the graph; what the model
// computes with them is followed. Stored tensors are parameters of the scope "model" by
// their keys.
//
// A model that is cut has two entry points. A cut tensor that is a single integer is a
// number of elements: the second entry point takes, in its place, an argument u8[N] whose
// elements are not read and whose size N, of the tensor's name, is that number.
//
// A model that holds for some sizes only has those, such as multiples of 32, in the types
// of the arguments, and Options.Note is told.
func Import(m *onnx.Model, o Options) (*dag.Graph, error) {
	t := (&fitter{model: m, options: o}).fit()
	if t.err == nil && t.narrowed != "" && o.Note != nil {
		o.Note(t.narrowed)
	}
	if t.err == nil && o.Note != nil {
		for _, text := range t.assumed {
			o.Note(text)
		}
	}
	return t.graph, t.err
}

// run makes the graph.
func (i *importer) run(outputs []string) (g *dag.Graph, err error) {
	defer func() {
		if err != nil && i.tooMuch != nil { // the rest follows from that
			g, err = nil, i.tooMuch
		}
	}()
	defer recovered(&err)
	i.choices = newChoices()
	if len(i.Cut) > 0 {
		if err := i.halves(outputs); err != nil {
			return nil, err
		}
	} else if err := i.entry("main", i.order, outputs, len(i.Outputs) > 0); err != nil {
		return nil, err
	}
	if i.graph, err = dag.WithSizes(i.graph, i.choices.units); err != nil {
		return nil, err
	}
	if err := i.grown(); err != nil {
		return nil, err
	}
	if err := dag.Verify(i.graph); err != nil {
		return nil, err
	}
	return i.graph, passes.Run(i.graph, passes.Default...)
}

// importer makes the entry points of a model.
type importer struct {
	*session
	Options
	narrowings
	graph    *dag.Graph
	order    []string // the inputs that the file does not store, in its order
	infos    map[string]*onnx.ValueInfo
	types    map[string]tensor.Type
	declared map[string]tensor.Type // as they are before narrowing
	states   map[string]string      // names of state variables by input
	growths  []*growth              // states that grow
}

// newImporter checks the options, and returns the names of the values that the model gives.
func newImporter(m *onnx.Model, o Options, n narrowings) (*importer, []string, error) {
	s := newSession(m, o.Evaluate, cmp.Or(o.Inline, DefaultInline))
	s.noise, s.dequantize = o.Noise, o.Dequantize
	if o.MaxMemory > 0 {
		s.limit = o.MaxMemory
	}
	i := &importer{session: s, Options: o, narrowings: n, graph: &dag.Graph{Name: cmp.Or(o.Name, "model")}}
	if err := checked(m); err != nil {
		return i, nil, err
	}
	if err := i.options(); err != nil {
		return i, nil, err
	}
	if err := i.inputs(); err != nil {
		return i, nil, err
	}
	if len(o.Outputs) > 0 {
		return i, o.Outputs, nil
	}
	return i, outputsOf(&m.Graph), nil
}

// options checks that each name in the options is one of the file.
func (i *importer) options() error {
	i.infos, i.states = map[string]*onnx.ValueInfo{}, map[string]string{}
	stored := map[string]bool{}
	for k := range i.model.Graph.Initializers {
		stored[i.model.Graph.Initializers[k].Name] = true
	}
	for k := range i.model.Graph.Inputs {
		in := &i.model.Graph.Inputs[k]
		if stored[in.Name] {
			continue
		}
		if i.infos[in.Name] != nil {
			return errs.New(CodeInput, "the model has two inputs %q", in.Name).On(in.Name).Hint("name them differently, and export the model again")
		}
		i.infos[in.Name] = in
		i.order = append(i.order, in.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(i.Shapes)) {
		if i.infos[name] == nil {
			return i.noInput("a shape is given for", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(i.Constants)) {
		if i.infos[name] == nil {
			return i.noInput("a value is given for", name)
		}
	}
	outputs := map[string]bool{}
	for _, o := range outputsOf(&i.model.Graph) {
		outputs[o] = true
	}
	states, kept, err := i.resolved()
	if err != nil {
		return err
	}
	i.States = states
	of := map[string]string{}
	for _, out := range slices.Sorted(maps.Keys(i.States)) {
		in := i.States[out]
		switch other := of[in]; {
		case i.infos[in] == nil:
			return i.noInput("a state is", in)
		case !outputs[out]:
			return errs.New(CodeOption, "the state %s is the output %q, which the model does not have", in, out).Hint("its outputs are %s", strings.Join(outputsOf(&i.model.Graph), ", "))
		case other != "":
			return errs.New(CodeOption, "the state %s is the output %q and the output %q", in, other, out)
		case i.Constants[in].Type.DType.Valid():
			return errs.New(CodeOption, "the input %q is a state and has a value", in)
		}
		of[in] = out
		if kept[in] > 0 {
			i.growths = append(i.growths, &growth{input: in, output: out, steps: kept[in]})
		}
	}
	if err := i.tensors(); err != nil {
		return err
	}
	if len(i.States) > 0 && len(i.Cut) > 0 {
		return errs.New(CodeOption, "a model that is cut cannot have states").Hint("make the states arguments and results")
	}
	if len(i.Cut) != len(slices.Compact(slices.Sorted(slices.Values(i.Cut)))) {
		return errs.New(CodeOption, "a tensor is named twice at the cut")
	}
	switch i.Noise {
	case "", NoiseArgument, NoiseZero:
		return nil
	}
	return errs.New(CodeOption, "random numbers as %q", i.Noise).Hint("use %s or %s", NoiseArgument, NoiseZero)
}

func (i *importer) noInput(what, name string) error {
	return errs.New(CodeOption, "%s the input %q, which the model does not have", what, name).Hint("its inputs are %s", strings.Join(i.order, ", "))
}

// entry adds an entry point that takes inputs and returns values. With only those inputs
// that these need are arguments.
func (i *importer) entry(name string, inputs, outputs []string, only bool) error {
	grow := map[string]*growth{}
	for _, g := range i.growths {
		grow[g.output] = g
	}
	var results, states []string
	for _, o := range outputs {
		if i.States[o] == "" {
			results = append(results, o)
		}
	}
	for _, o := range slices.Sorted(maps.Keys(i.States)) {
		if g := grow[o]; g != nil {
			g.result, results = len(results), append(results, o)
		} else {
			states = append(states, o)
		}
	}
	all := append(slices.Clone(results), states...)
	e, err := i.begin(name, inputs, all, only)
	if err != nil {
		return err
	}
	values := e.wanted(&i.model.Graph, all)
	return i.finish(e.function, values, results, states)
}

// begin returns the environment of an entry point with its arguments, for these values.
func (i *importer) begin(name string, inputs, all []string, only bool) (*env, error) {
	e := i.enter(&i.model.Graph)
	e.scope = name
	f := &dag.Func{Name: name, Entry: true, Body: e.b}
	i.function, i.taken = f, identifiers{}
	needed := map[string]bool{}
	if only {
		e.needed(&i.model.Graph, all, needed)
	}
	next := map[string]string{} // outputs by the inputs whose next values they are
	for o, in := range i.States {
		next[in] = o
	}
	grow := map[string]*growth{}
	for _, g := range i.growths {
		grow[g.input] = g
		delete(next, g.input)
	}
	for _, in := range inputs {
		switch c, fixed := i.Constants[in]; {
		case only && !needed[in]:
		case fixed:
			e.at = name + "/" + in
			e.values[in] = e.constant(c)
		case next[in] != "":
			if err := i.state(e, in); err != nil {
				return nil, err
			}
		default:
			if g := grow[in]; g != nil {
				g.arg = len(f.Args)
				for _, d := range i.types[in].Shape {
					if d.IsName() {
						i.filling[d.Name] = true
					}
				}
			}
			e.argument(in, i.types[in], onnx.DType(i.infos[in].Type))
		}
	}
	return e, nil
}

// finish gives a function its results and the next values of the states.
func (i *importer) finish(f *dag.Func, values []*dag.Value, results, states []string) error {
	f.Body.Results = values[:len(results)]
	taken := identifiers{}
	for _, r := range results {
		f.Results = append(f.Results, taken.of(r))
	}
	for k, v := range values[len(results):] {
		in := i.States[states[k]]
		if t := i.types[in]; !v.Type.Equal(t) {
			return errs.New(CodeOption, "the output %q, %s, is not of the type of the state %s, %s", states[k], v.Type, in, t)
		}
		f.Writes = append(f.Writes, dag.Write{State: i.states[in], Value: v})
	}
	place := map[string]int{}
	for k, s := range i.graph.States {
		place[s.Name] = k
	}
	slices.SortFunc(f.Writes, func(a, b dag.Write) int { return place[a.State] - place[b.State] })
	live := map[*dag.Value]bool{}
	for _, v := range values {
		live[v] = true
	}
	f.Body.Sweep(live)
	if err := i.uncounted(f); err != nil {
		return err
	}
	i.graph.Funcs = append(i.graph.Funcs, f)
	return nil
}

// argument adds an argument of the entry point.
func (e *env) argument(name string, t tensor.Type, d dtype.DType) *dag.Value {
	v := e.function.Body.AddArg(t)
	e.function.Args = append(e.function.Args, e.taken.of(name))
	e.coded(v, d)
	e.labels[v] = name
	for i, x := range t.Shape {
		if n, _, _, ok := x.Tells(); ok {
			if _, seen := e.names[n]; !seen {
				e.names[n] = place{v, i}
			}
		}
	}
	e.root.values[name] = v
	return v
}

// state makes an input a state variable.
func (i *importer) state(e *env, in string) error {
	t := i.types[in]
	if !t.Shape.IsStatic() {
		return errs.New(CodeOption, "the state %s is %s, and a state variable has sizes that are numbers", in, t).
			Hint("give them: --shape %s=NUMBER,...; of a state that grows, the steps that the program keeps: --state OUTPUT=%s:STEPS", in, in)
	}
	if i.states[in] == "" {
		i.states[in] = i.variables.of(in)
		i.graph.States = append(i.graph.States, &dag.State{Name: i.states[in], Type: t})
	}
	e.at = e.scope + "/" + in
	e.values[in] = e.add("state", op.Attrs{"type": t, "name": i.states[in]})
	return nil
}
