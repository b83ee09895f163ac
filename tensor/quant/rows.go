package quant

import (
	"math"
	"math/bits"

	"github.com/skainet-dev/skainet-go/errs"
)

// SizeRows returns the stored bytes of a [rows, cols] tensor; with more
// dimensions, cols is the last one. A row must be whole blocks, unless a byte may
// hold the end of one row and the start of the next. Errors are those of Size.
func (e Encoding) SizeRows(rows, cols int64) (int64, error) {
	if rows < 0 || cols < 0 {
		return 0, errs.New(CodeBadLength, "%d rows of %d elements cannot be stored in %s", rows, cols, e)
	}
	if b, ok := byName[e]; !ok || !b.short {
		if _, err := e.Size(cols); err != nil {
			return 0, err
		}
	}
	hi, lo := bits.Mul64(uint64(rows), uint64(cols))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, errs.New(CodeBadLength, "%d rows of %d elements are more than 2^63", rows, cols)
	}
	return e.Size(int64(lo))
}
