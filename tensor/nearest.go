package tensor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/skainet-dev/skainet-go/errs"
)

// missing says that there is no tensor of a name, and which are like it.
func (x *Index) missing(name string) error {
	err := errs.New(CodeIndexMissing, "the weights hold no tensor of this name (%d others)", len(x.Tensors)).On(name)
	near := x.nearest(name)
	if len(near) == 0 {
		return err.Hint("check that the weight file belongs to this model: skainet inspect FILE lists its names")
	}
	quoted := make([]string, len(near))
	for i, n := range near {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return err.Hint("keys are written as in the file, which has %s; skainet inspect FILE lists all", strings.Join(quoted, ", "))
}

// nearest returns at most three names that are like one, the nearest first. What parts
// a name may be a dot or a slash: files of one model are written with either.
func (x *Index) nearest(name string) []string {
	const most = 3
	plain := func(name string) string { return strings.ReplaceAll(name, "/", ".") }
	want := plain(name)
	module := want[:strings.LastIndexByte(want, '.')+1]
	limit := max(2, len(want)/3)
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, t := range x.Tensors {
		have := plain(t.Name)
		// The same name within a larger model.
		if rest, ok := strings.CutSuffix(have, "."+want); ok {
			found = append(found, near{t.Name, 1 + strings.Count(rest, ".")})
			continue
		}
		beside := module != "" && strings.HasPrefix(have, module) && !strings.Contains(have[len(module):], ".")
		// A longer name is not like this one, and comparing it costs its length.
		if len(have) > len(want)+limit && (!beside || len(have) > 2*len(want)+limit) {
			continue
		}
		if d := levenshtein.ComputeDistance(want, have); d <= limit || beside {
			found = append(found, near{t.Name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, f := range found[:min(most, len(found))] {
		names = append(names, f.name)
	}
	return names
}
