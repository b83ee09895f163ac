package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
)

// list is a sequence, whose tensors are followed while a model is converted, or an
// optional value that is absent. One that is present is what it holds.
type list struct {
	of     []*dag.Value
	absent bool
}

// thing is what a name stands for: a tensor or a list.
type thing struct {
	value *dag.Value
	list  *list
}

// lookup returns what a name stands for; an empty name is an absent value.
func (e *env) lookup(name string) thing {
	if name == "" {
		return thing{list: &list{absent: true}}
	}
	for at := e; at != nil; at = at.outer {
		if l := at.lists[name]; l != nil {
			return thing{list: l}
		}
		if at.values[name] != nil || at.tensors[name] != nil {
			break
		}
	}
	return thing{value: e.find(name)}
}

// bind lets a name stand for something in this block.
func (e *env) bind(name string, t thing) {
	delete(e.values, name)
	delete(e.lists, name)
	if t.list != nil {
		e.lists[name] = t.list
	} else if t.value != nil {
		e.values[name] = t.value
	}
}

// given returns the list or tensor that is input i.
func (n *node) given(i int) thing {
	if i >= len(n.Inputs) {
		return thing{list: &list{absent: true}}
	}
	t := n.lookup(n.Inputs[i])
	if t.value == nil && t.list == nil {
		n.unmade(n.Inputs[i])
	}
	return t
}

// listed returns the tensors of input i.
func (n *node) listed(i int) []*dag.Value {
	t := n.given(i)
	if t.list == nil || t.list.absent {
		n.refuse("a sequence that is a tensor or absent")
	}
	return t.list.of
}

// gives makes output i something, which a rule does not return if it is a list.
func (n *node) gives(i int, t thing) *dag.Value {
	if t.list != nil && i < len(n.Outputs) && n.Outputs[i] != "" {
		n.bind(n.Outputs[i], t)
	}
	return t.value
}

func (n *node) givesSequence(of []*dag.Value) []*dag.Value {
	return one(n.gives(0, thing{list: &list{of: of}}))
}

// index returns the position that input i gives in a sequence, or the usual one.
func (n *node) index(i, usual, most int) int {
	at := int64(usual)
	if n.has(i) {
		at = n.whole(i)
	}
	if at < 0 {
		at += int64(most)
	}
	if at < 0 || at > int64(most) {
		n.refuse("a position outside a sequence")
	}
	return int(at)
}

// In init, since SequenceMap converts a body by rules.
func init() {
	same := func(n *node) []*dag.Value { return one(n.gives(0, n.given(0))) }
	for name, r := range map[string]rule{
		"Identity": same, "Optional": same,
		"OptionalGetElement": func(n *node) []*dag.Value {
			if l := n.given(0).list; l != nil && l.absent {
				n.refuse("the content of an optional value that is absent")
			}
			return same(n)
		},
		"OptionalHasElement": func(n *node) []*dag.Value {
			l := n.given(0).list
			return one(n.truth(l == nil || !l.absent))
		},
		"SequenceEmpty":     func(n *node) []*dag.Value { return n.givesSequence(nil) },
		"SequenceConstruct": func(n *node) []*dag.Value { return n.givesSequence(n.all()) },
		"SequenceLength": func(n *node) []*dag.Value {
			return one(n.reshape(n.list([]int64{int64(len(n.listed(0)))})))
		},
		"SequenceAt": func(n *node) []*dag.Value {
			s := n.listed(0)
			at := n.index(1, 0, len(s))
			if at == len(s) {
				n.refuse("a position outside a sequence")
			}
			return one(s[at])
		},
		"SequenceInsert": func(n *node) []*dag.Value {
			s := n.listed(0)
			return n.givesSequence(slices.Insert(slices.Clone(s), n.index(2, len(s), len(s)), n.in(1)))
		},
		"SequenceErase": func(n *node) []*dag.Value {
			s := n.listed(0)
			at := n.index(1, len(s)-1, len(s))
			if at == len(s) {
				n.refuse("a position outside a sequence")
			}
			return n.givesSequence(slices.Delete(slices.Clone(s), at, at+1))
		},
		"ConcatFromSequence": func(n *node) []*dag.Value {
			s := slices.Clone(n.listed(0))
			if len(s) == 0 {
				n.refuse("the concatenation of no tensors")
			}
			a := n.int("axis", 0)
			if n.int("new_axis", 0) == 0 {
				return one(n.add("concatenate", op.Attrs{"dim": n.axis(a, rank(s[0]))}, s...))
			}
			a = n.axis(a, rank(s[0])+1)
			for i, v := range s {
				s[i] = n.reshape(v, slices.Insert(slices.Clone(sizes(v)), int(a), 1)...)
			}
			return one(n.add("concatenate", op.Attrs{"dim": a}, s...))
		},
		"SplitToSequence": func(n *node) []*dag.Value { return n.givesSequence(n.split()) },
		"SequenceMap":     (*node).mapped,
	} {
		rules[name] = r
	}
}

// truth is a constant.
func (e *env) truth(b bool) *dag.Value {
	v, err := tensor.Of([]bool{b})
	if err != nil {
		panic(refusal{err})
	}
	return e.constant(v)
}

// split cuts input 0 along an axis, into pieces of the sizes of input 1, of one size, or
// of size 1.
func (n *node) split() (parts []*dag.Value) {
	x := n.in(0)
	a := n.axis(n.int("axis", 0), rank(x))
	size := sizes(x)[a]
	var pieces []int64
	if n.has(1) && rank(n.in(1)) == 1 {
		pieces, _ = n.ints("", 1)
	} else {
		each := int64(1)
		if n.has(1) {
			each = n.whole(1)
		}
		if each < 1 {
			n.refuse("a split into pieces of %d", each)
		}
		for at := int64(0); at < size; at += each {
			pieces = append(pieces, min(each, size-at))
		}
	}
	at := int64(0)
	for _, p := range pieces {
		v := n.window(x, a, at, at+p, 1)
		if !n.has(1) && n.int("keepdims", 1) == 0 {
			v = n.reshape(v, slices.Delete(slices.Clone(sizes(v)), int(a), int(a)+1)...)
		}
		parts = append(parts, v)
		at += p
	}
	return parts
}

// mapped applies a body to each tensor of a sequence, with those at its place of the other
// sequences, and the tensors.
func (n *node) mapped() []*dag.Value {
	body, count := n.Attributes["body"].Graph, len(n.listed(0))
	if body == nil || len(body.Inputs) != len(n.Inputs) {
		n.refuse("a map without a body of as many inputs")
	}
	made := make([][]*dag.Value, len(body.Outputs))
	for at := range count {
		var in []thing
		for i := range n.Inputs {
			t := n.given(i)
			if t.list != nil {
				if len(t.list.of) != count {
					n.refuse("sequences of different lengths")
				}
				t = thing{value: t.list.of[at]}
			}
			in = append(in, t)
		}
		for i, t := range n.applied(body, in) {
			if t.value == nil {
				n.refuse("sequences of sequences")
			}
			made[i] = append(made[i], t.value)
		}
	}
	var out []*dag.Value
	for i := range n.Outputs {
		if i < len(made) {
			out = append(out, n.gives(i, thing{list: &list{of: made[i]}}))
		}
	}
	return out
}

// applied adds the nodes of a body for its inputs to this block, and returns what its
// outputs are.
func (n *node) applied(body *onnx.Graph, in []thing) []thing {
	return n.inner(n.b, n.outer).results(body, in)
}

// results adds the nodes of a graph for its inputs.
func (e *env) results(body *onnx.Graph, in []thing) (out []thing) {
	for i, t := range in {
		e.bind(body.Inputs[i].Name, t)
	}
	e.initialize(body)
	e.convertNodes(body, outputsOf(body))
	for _, o := range body.Outputs {
		t := e.lookup(o.Name)
		if t.value == nil && t.list == nil {
			panic(refusal{unmapped("an output that no rule makes")})
		}
		out = append(out, t)
	}
	return out
}
