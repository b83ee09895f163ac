package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Keras and TensorFlow write a layer over time as a loop of as many turns as there are
// steps, whose body compares a counter with that number once more. The results that such
// a loop stacks are as many as its turns only if the comparison never ends it earlier.

// implied finds the number of turns of a loop that has only a condition, from that before the
// first turn: that a number which grows by 1 is below another one. A guess, which lasts and
// ends prove. A number of few turns is left to the condition.
func (l *looped) implied() (count shape.Dim, ok bool) {
	v := l.going
	for v.Node != nil && (v.Node.Op.ID == id.Reshape || v.Node.Op.ID == id.Convert) {
		v = v.Node.Inputs[0]
	}
	if v.Node == nil || v.Node.Op.ID != id.Compare || v.Node.Attrs.String("direction") != string(op.LT) {
		return shape.Dim{}, false
	}
	turns := single(l.session.numbers(v.Node.Inputs[1])).minus(single(l.session.numbers(v.Node.Inputs[0])))
	count, ok = turns.size()
	return count, ok && (!count.IsStatic() || count.Size > fewTurns)
}

// lasts reports whether the condition holds before each of the counted turns: after one
// that another one follows, which is the count less 1 and less a number of 1 or more.
func (l *looped) lasts(args []*dag.Value, results []thing) bool {
	name := identifiers{}
	for n := range l.names {
		name[n] = true
	}
	turn := sizeOf(l.count).minus(integer(1)).minus(sizeOf(shape.Named(name.of("turn"))))
	return l.counted && sure(l.session.numbers(l.going)) && l.after(turn, args, results).atLeast(1)
}

// ends reports whether the condition does not hold after the last of the counted turns.
func (l *looped) ends(args []*dag.Value, results []thing) bool {
	c, ok := l.after(sizeOf(l.count).minus(integer(1)), args, results).constant()
	return l.counted && ok && c == 0
}

// after returns the condition after a turn. Integers that a turn changes by a constant are
// followed.
func (l *looped) after(turn number, args []*dag.Value, results []thing) number {
	s := l.session
	taken := identifiers{}
	for name := range l.names {
		taken[name] = true
	}
	starts := make([]number, l.carried)
	for i, t := range l.start {
		starts[i] = single(s.numbers(t.value))
	}
	saved := s.followed
	defer func() { s.followed = saved }()

	before := make([]number, l.carried)
	s.followed = map[*dag.Value][]number{}
	for i, v := range args[2:] {
		if v.Type.DType.IsInt() && rank(v) == 0 {
			before[i] = sizeOf(shape.Named(taken.of("carried")))
			s.followed[v] = []number{before[i]}
		}
	}
	steps := make([]number, l.carried)
	for i := range steps {
		if _, ok := single(s.numbers(results[1+i].value)).minus(before[i]).constant(); ok {
			steps[i] = single(s.numbers(results[1+i].value)).minus(before[i])
		}
	}

	s.followed = map[*dag.Value][]number{args[0]: {turn}, args[1]: {integer(1)}}
	for i, v := range args[2:] {
		if at := starts[i].plus(steps[i].times(turn)); at.known {
			s.followed[v] = []number{at}
		}
	}
	return single(s.numbers(results[0].value))
}

// single returns the only number of a list, or an unknown one.
func single(list []number) number {
	if len(list) != 1 {
		return number{}
	}
	return list[0]
}

// sure reports whether a list is one number that is not 0.
func sure(list []number) bool { return single(list).atLeast(1) }
