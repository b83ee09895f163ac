package open

import (
	"math"

	"github.com/dustin/go-humanize"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// DefaultMaxMemory is the limit where Options gives none, on a machine that has
// as much.
const DefaultMaxMemory = 32 << 30

// budget refuses a graph that would take more memory than is allowed, before a
// weight is read: a graph of a few kilobytes may ask for any amount, and a
// process that gets none ends without an error.
func budget(g *dag.Graph, limit int64) error {
	if limit <= 0 {
		limit = min(DefaultMaxMemory, installed())
	}
	most, where, err := peak(g)
	if err != nil {
		return err
	}
	if most <= limit {
		return nil
	}
	return errs.New(CodeMemory, "the values of a run take %d bytes at once (%s), the limit is %d (%s)",
		most, humanize.IBytes(uint64(most)), limit, humanize.IBytes(uint64(limit))).On(where).
		Hint("allow more with --max-memory, or make the graph's values smaller")
}

// peak is analysis.Peak as the CPU backend holds values: f16 and bf16 as f32. Values
// whose size only a call tells are not counted; such a call is planned with its sizes
// when it comes.
func peak(g *dag.Graph) (bytes int64, where string, err error) { return analysis.Peak(g, held) }

// held returns the bytes of a value in memory; 0 where only a call tells its size.
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
