package fromonnx

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// setting is an input of a single number that decides a branch or a loop, and the numbers
// with which the file compares it.
type setting struct {
	label    string
	values   []string
	compared bool // with the values
}

// settings returns the inputs that decide v, if these are inputs of a single number and
// nothing else does.
func (s *session) settings(v *dag.Value) (list []setting) {
	seen := map[*dag.Value]bool{}
	var visit func(v *dag.Value) bool
	visit = func(v *dag.Value) bool {
		if seen[v] {
			return true
		}
		if _, known := s.have(v, false); known || s.numbers(v) != nil {
			return true
		}
		seen[v] = true
		if label := s.labels[v]; label != "" {
			x := setting{label: label, values: []string{"1", "0"}}
			if v.Type.DType != dtype.Bool {
				x.values = s.compared(v)
				x.compared = len(x.values) > 0
			}
			list = append(list, x)
			return v.Type.Shape.Product().Size == 1
		}
		if v.Node == nil || len(v.Node.Blocks) > 0 || len(seen) > mostTraced || len(v.Node.Inputs) == 0 {
			return false
		}
		return !slices.ContainsFunc(v.Node.Inputs, func(x *dag.Value) bool { return !visit(x) })
	}
	if !visit(v) {
		return nil
	}
	return list
}

// compared returns the numbers with which the entry point compares an input, of which a few
// are enough for a hint.
func (s *session) compared(input *dag.Value) (values []string) {
	is := func(v *dag.Value) bool {
		for v != input {
			if v.Node == nil || v.Node.Op.Role != op.Moves && v.Node.Op.Role != op.Converts || len(v.Node.Inputs) != 1 {
				return false
			}
			v = v.Node.Inputs[0]
		}
		return true
	}
	for _, n := range s.function.Body.Nodes {
		if n.Op.ID != id.Compare {
			continue
		}
		for side, v := range n.Inputs {
			if !is(v) {
				continue
			}
			list := s.numbers(n.Inputs[1-side])
			if len(list) == 0 {
				continue
			}
			x, ok := list[0].constant()
			if text := strconv.FormatInt(x, 10); ok && !slices.Contains(values, text) && len(values) < mostOffered {
				values = append(values, text)
			}
		}
	}
	return values
}

// setHint says which inputs to give a value so that v, what for, is known at the import; ""
// if v does not follow from such inputs.
func (s *session) setHint(v *dag.Value, what string) string {
	var ways []string
	for _, x := range s.settings(v) {
		way := "--fix " + x.label + "=VALUE"
		if len(x.values) > 0 {
			way = "--fix " + x.label + "=" + strings.Join(x.values, " or --fix "+x.label+"=")
		}
		if x.compared {
			way += ", with which the file compares it"
		}
		ways = append(ways, way)
	}
	if len(ways) == 0 {
		return ""
	}
	return "give the input that decides " + what + " its value: " + strings.Join(ways, " and ")
}

// fromElements reports whether elements of an argument have a part in v, so that no size
// makes it known.
func (s *session) fromElements(v *dag.Value) bool {
	seen := map[*dag.Value]bool{}
	var visit func(v *dag.Value) bool
	visit = func(v *dag.Value) bool {
		switch {
		case seen[v]:
			return false
		case s.labels[v] != "":
			return true
		case v.Node == nil || v.Node.Op.Role == op.Measures || len(seen) > mostTraced:
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(v.Node.Inputs, visit)
	}
	return visit(v)
}

// followsFrom notes that an error is about what v decides, of which no more is known.
func (s *session) followsFrom(err *errs.Error, v *dag.Value) *errs.Error {
	if hint := s.setHint(v, "it"); hint != "" {
		return err.Hint("%s", hint)
	}
	var undecided *errs.Error
	if _, open := s.evaluated(v, false); errors.As(open, &undecided) && s.decides[undecided] != nil {
		s.decides[err] = s.decides[undecided]
	}
	return err
}

// sizesHint says which inputs to give numbers as sizes, so that these have none of these names; ""
// if no input has them.
func (s *session) sizesHint(all []shape.Dim) string {
	var inputs []*dag.Value
	named := map[string]bool{}
	for _, d := range all {
		for _, name := range d.Names() {
			named[name] = true
			if p, ok := s.names[name]; ok && s.labels[p.v] != "" && !slices.Contains(inputs, p.v) {
				inputs = append(inputs, p.v)
			}
		}
	}
	var ways []string
	for _, v := range inputs {
		var sizes []string
		for _, d := range v.Type.Shape {
			text := strings.TrimSuffix(d.String(), "?")
			if slices.ContainsFunc(d.Names(), func(name string) bool { return named[name] }) {
				text = "NUMBER"
			}
			sizes = append(sizes, text)
		}
		ways = append(ways, "--shape "+s.labels[v]+"="+strings.Join(sizes, ","))
	}
	if len(ways) == 0 {
		return ""
	}
	return "give the open sizes numbers: " + strings.Join(ways, " ")
}
