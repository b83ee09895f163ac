package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Keras and TensorFlow write a layer over time as a loop of as many turns as there are
// steps, whose body compares a counter with that number once more. The results that such
// a loop stacks are as many as its turns only if the comparison never ends it earlier.

// lasts reports whether the condition holds before each of the counted turns. Integers
// that a turn changes by a constant are followed: in a turn after which another one comes,
// which is the count less 1 and less a number of 1 or more, the next condition must hold.
func (l *looped) lasts(args []*dag.Value, results []thing) bool {
	s := l.session
	if !l.counted || !sure(s.numbers(l.going)) {
		return false
	}
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

	turn := sizeOf(l.count).minus(integer(1)).minus(sizeOf(shape.Named(taken.of("turn"))))
	s.followed = map[*dag.Value][]number{args[0]: {turn}, args[1]: {integer(1)}}
	for i, v := range args[2:] {
		if at := starts[i].plus(steps[i].times(turn)); at.known {
			s.followed[v] = []number{at}
		}
	}
	return sure(s.numbers(results[0].value))
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
