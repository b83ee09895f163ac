package fromonnx

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// CodeState is the code of a state that grows and that no variable of a fixed size can stand for.
const CodeState errs.Code = "ONNX_STATE" // smallest input: a state past:8 whose output is not longer than its input

// mostKept bounds the steps that a state keeps, which an i32 counts.
const mostKept = 1 << 30

// resolved returns the states of the options with a pattern's in its place, and how many
// steps those keep that grow, by their inputs: INPUT:STEPS is such a state, and a * in
// the output and in the input stands for the same text.
func (i *importer) resolved() (states map[string]string, kept map[string]int64, err error) {
	states, kept = map[string]string{}, map[string]int64{}
	outputs := outputsOf(&i.model.Graph)
	set := func(out, in string, steps int64) error {
		if other, seen := states[out]; seen {
			return errs.New(CodeOption, "the output %q is the state %s and the state %s", out, other, in)
		}
		states[out] = in
		if steps > 0 {
			kept[in] = steps
		}
		return nil
	}
	for _, out := range slices.Sorted(maps.Keys(i.States)) {
		in, steps, err := i.steps(i.States[out])
		if err != nil {
			return nil, nil, err
		}
		if !strings.Contains(out, "*") || slices.Contains(outputs, out) {
			if err := set(out, in, steps); err != nil {
				return nil, nil, err
			}
			continue
		}
		if strings.Count(out, "*") != 1 || strings.Count(in, "*") != 1 {
			return nil, nil, errs.New(CodeOption, "the states %s=%s: a pattern has one * on each side", out, in).Hint("as in present.*=past_key_values.*:2048")
		}
		before, after, _ := strings.Cut(out, "*")
		found := false
		for _, o := range outputs {
			if len(o) < len(before)+len(after) || !strings.HasPrefix(o, before) || !strings.HasSuffix(o, after) {
				continue
			}
			found = true
			if err := set(o, strings.Replace(in, "*", o[len(before):len(o)-len(after)], 1), steps); err != nil {
				return nil, nil, err
			}
		}
		if !found {
			return nil, nil, errs.New(CodeOption, "no output of the model is one of %s", out).Hint("its outputs are %s", strings.Join(outputs, ", "))
		}
	}
	return states, kept, nil
}

// steps splits INPUT:STEPS; without a number of steps they are 0.
func (i *importer) steps(text string) (in string, steps int64, err error) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 || i.infos[text] != nil {
		return text, 0, nil
	}
	if steps, err = strconv.ParseInt(text[at+1:], 10, 64); err != nil {
		return "", 0, errs.Wrap(CodeOption, err, "the state %s, which is no input, has no number of steps behind the colon", text).Hint("write INPUT:STEPS")
	}
	if steps < 1 || steps > mostKept {
		return "", 0, errs.New(CodeOption, "the state %s keeps %d steps", text[:at], steps).Hint("it keeps 1 to 2^30")
	}
	return text[:at], steps, nil
}

// growth is a state that grows while it is an argument and a result.
type growth struct {
	input, output string
	steps         int64
	arg, result   int // its places in the entry point
	axis          int
}

// grown makes states of what grows: arguments in which a dimension is so many steps of the
// calls before become variables of a fixed number of steps.
func (i *importer) grown() error {
	if len(i.growths) == 0 {
		return nil
	}
	f := i.graph.Funcs[0]
	past, more := "", shape.Dim{}
	for _, g := range i.growths {
		from, to := f.Body.Args[g.arg].Type, f.Body.Results[g.result].Type
		wrong := func(what string, args ...any) *errs.Error {
			args = append([]any{g.input, from, g.output, to}, args...)
			return errs.New(CodeState, "the state %s, %s, becomes the output %s, %s: "+what, args...).On(g.output)
		}
		if from.DType != to.DType || len(from.Shape) != len(to.Shape) {
			return wrong("another type")
		}
		var axes []int
		for k, d := range from.Shape {
			if !d.Same(to.Shape[k]) {
				axes = append(axes, k)
			}
		}
		if len(axes) != 1 || !from.Shape[axes[0]].IsName() {
			return wrong("no state that grows by one dimension, whose size is open in the file").
				Hint("a state that does not grow has no number of steps: --state %s=%s", g.output, g.input)
		}
		g.axis = axes[0]
		name, by := from.Shape[g.axis].Name, to.Shape[g.axis].Minus(from.Shape[g.axis])
		switch {
		case !by.IsKnown() || slices.Contains(by.Names(), name) || !by.IsStatic() && !by.AtLeast(0) || by.IsStatic() && by.Size < 1:
			return wrong("it does not grow by the steps of a call")
		case past != "" && (name != past || !by.Same(more)):
			return wrong("other states grow by %s to %s%s", more, past, more).Hint("give what is the same size the same name: --shape %s=...", g.input)
		case g.steps != i.growths[0].steps:
			return wrong("it keeps %d steps, and others %d", g.steps, i.growths[0].steps)
		}
		for k, d := range from.Shape {
			if k != g.axis && !d.IsStatic() {
				return wrong("a state variable has sizes that are numbers").Hint("give them: --shape %s=...", g.input)
			}
		}
		past, more = name, by
	}
	r := newRing(i, past, i.growths)
	if err := r.rewrite(f); err != nil {
		return err
	}
	i.graph = &dag.Graph{Name: i.graph.Name, States: append(slices.Clone(i.graph.States), r.states...), Funcs: []*dag.Func{r.to}}
	return nil
}
