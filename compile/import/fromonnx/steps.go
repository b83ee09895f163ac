package fromonnx

import (
	"context"
	"sync/atomic"

	"github.com/skainet-dev/skainet-go/compile/dag"
)

// Bounds of what one loop over constants may take, in bytes that its operations write: what
// takes less than a line of a cache counts as that.
const (
	mostWritten  = 1 << 30
	leastWritten = 1 << 10
)

// steps is a context that is cancelled once an evaluator has asked as often as its limit
// says: the CPU backend asks before each operation, also of each turn of a loop. Unlike a
// clock it gives the same result on every machine.
type steps struct {
	context.Context
	limit, taken int64
}

// counting returns the context in which a node is computed.
func (s *session) counting(n *dag.Node) *steps {
	written := int64(leastWritten)
	for _, b := range n.Blocks {
		b.Walk(func(n *dag.Node) {
			for _, o := range n.Outputs {
				if size, err := o.Type.Bytes(); err == nil {
					written = max(written, size)
				}
			}
		})
	}
	return &steps{Context: context.Background(), limit: mostWritten / written}
}

// Err implements context.Context.
func (s *steps) Err() error {
	if atomic.AddInt64(&s.taken, 1) > s.limit {
		return context.Canceled
	}
	return s.Context.Err()
}

// exhausted reports whether the evaluator was stopped.
func (s *steps) exhausted() bool { return atomic.LoadInt64(&s.taken) > s.limit }
