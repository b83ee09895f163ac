package cpu

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
)

// keptSizes is the maximum number of specialised programs that are kept.
const keptSizes = 8

// specialized is a program for the sizes of one call; it shares parameters and
// state with the original program.
type specialized struct {
	key string
	*executable
}

// specialized returns the program for a call of fn.
func (x *executable) specialized(fn *dag.Func, args []tensor.Value) (*executable, error) {
	types := make([]tensor.Type, len(args))
	for i, v := range args {
		types[i] = v.Type
	}
	key := fn.Name + fmt.Sprint(types)
	if i := slices.IndexFunc(x.made, func(s specialized) bool { return s.key == key }); i >= 0 {
		s := x.made[i]
		x.made = slices.Insert(slices.Delete(x.made, i, i+1), 0, s)
		return s.executable, nil
	}
	g, origins, err := dag.SpecializeFrom(x.graph, fn.Name, types...)
	if err != nil {
		return nil, err
	}
	s := &executable{
		graph: g, contract: x.contract, options: x.options,
		params: x.params, stored: x.stored, states: x.states, ours: x.ours, fixed: map[*dag.Value]array{},
		general: x, origins: origins,
	}
	if err := s.checkValues(); err != nil {
		return nil, err
	}
	s.plan = newPlan(g)
	x.made = slices.Insert(x.made, 0, specialized{key, s})
	if len(x.made) > keptSizes {
		x.made = slices.Delete(x.made, keptSizes, len(x.made))
	}
	return s, nil
}
