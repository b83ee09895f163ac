package safetensors

import (
	"cmp"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
)

// tile sorts the tensors by their place and checks that their ranges follow
// each other from the start of the data to the end of the file. A tensor of no
// bytes takes part: it lies between two others, or at an end. Where a tensor
// could not be read, what none of the others claims is not a hole.
func (h *header) tile(size int64, faults *errs.Faults) error {
	slices.SortStableFunc(h.tensors, func(a, b Info) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	var end int64 // of what was seen
	var last string
	for i := range h.tensors {
		t := &h.tensors[i]
		var err *errs.Error
		switch {
		case t.begin > end && !h.partial:
			err = fail(CodeHole, t.field, "the data begins at %d, %d bytes before it belong to no tensor", t.begin, t.begin-end)
		case t.begin < end:
			err = fail(CodeOverlap, t.field, "the data begins at %d, before the end of %q at %d", t.begin, clip(last), end)
		}
		if err != nil {
			if err := faults.Add(err.On(t.Name)); err != nil {
				return err
			}
		}
		if t.end >= end {
			end, last = t.end, t.Name
		}
	}
	if rest := size - h.data - end; rest > 0 && !h.partial {
		return faults.Add(fail(CodeTrailing, h.data+end, "%d bytes follow the last tensor", rest).
			Hint("the file changed after it was written; fetch it again"))
	}
	return nil
}
