package open

import (
	"math"

	"github.com/dustin/go-humanize"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/memory"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// DefaultMaxMemory is the limit if Options sets none, on a machine that has
// that much.
const DefaultMaxMemory = 32 << 30

// budget rejects a graph that would take more memory than allowed, before any weight is
// read: a graph of a few kilobytes may request any amount, and a process that runs out
// of memory ends without an error.
func budget(g *dag.Graph, limit int64) error {
	if limit <= 0 {
		limit = min(DefaultMaxMemory, memory.Installed())
	}
	most, where, err := peak(g)
	if err != nil {
		return err
	}
	if most <= limit {
		return nil
	}
	return errs.New(CodeMemory, "the values of a run take %d bytes at once (%s); the limit is %d (%s)",
		most, humanize.IBytes(uint64(most)), limit, humanize.IBytes(uint64(limit))).On(where).
		Hint("allow more with --max-memory, or make the graph's values smaller")
}

// Budget refuses a graph whose values of a run, as far as their sizes are numbers, take more
// than a limit at once, which is that of Options.MaxMemory. To open a graph does so too; what
// makes arguments before that asks here first.
func Budget(g *dag.Graph, limit int64) error { return budget(g, limit) }

// Need is the memory of a graph on the CPU backend.
type Need struct {
	Weights int64 // in memory, in the types of the backend
	States  int64
	// Values is the most that the values of a call take at once, of those whose sizes are
	// numbers.
	Values int64
}

// Memory plans what a graph needs, before anything is read.
func Memory(g *dag.Graph) (Need, error) {
	params, err := g.Params()
	if err != nil {
		return Need{}, err
	}
	var n Need
	for _, p := range params {
		n.Weights = plus(n.Weights, held(p.Type))
	}
	for _, s := range g.States {
		n.States = plus(n.States, held(s.Type))
	}
	most, _, err := peak(g)
	n.Values = most - min(most, plus(n.Weights, n.States))
	return n, err
}

// plus adds what is not negative, up to the largest number.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// peak is analysis.Peak with values as the CPU backend holds them: f16 and bf16 as f32.
// Values of dynamic sizes are not counted; each call with such sizes is planned when it
// is made.
func peak(g *dag.Graph) (bytes int64, where string, err error) { return analysis.Peak(g, held) }

// held returns the bytes of a value in memory, or 0 if its size is dynamic.
func held(t tensor.Type) int64 {
	if !t.Shape.IsStatic() {
		return 0
	}
	if t.DType == dtype.F16 || t.DType == dtype.BF16 {
		t.DType = dtype.F32
	}
	n, err := t.Bytes()
	if err != nil {
		return math.MaxInt64
	}
	return n
}
