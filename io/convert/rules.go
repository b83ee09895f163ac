package convert

import (
	"github.com/bmatcuk/doublestar/v4"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/quant"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// everything fits every name, slashes or not.
const everything = "**"

// Match says whether a name fits a glob; see Rule. CONVERT_BAD_GLOB is a
// malformed one.
func Match(glob, name string) (bool, error) {
	ok, err := doublestar.Match(glob, name)
	if err != nil {
		return false, errs.Wrap(CodeGlob, err, "%q", glob).Hint("close what is opened, and write \\[ for a bracket itself")
	}
	return ok, nil
}

// choose gives the selected tensors and the storage that each is to have.
func choose(all []tensor.Spec, o Options, path string) ([]tensor.Spec, []transform.Storage, error) {
	globs := make([]string, 0, len(o.Select)+len(o.Rules))
	globs = append(globs, o.Select...)
	for _, r := range o.Rules {
		globs = append(globs, r.Glob)
	}
	for _, g := range globs {
		if !doublestar.ValidatePattern(g) {
			return nil, nil, errs.Wrap(CodeGlob, doublestar.ErrBadPattern, "%q", g).
				Hint("close what is opened, and write \\[ for a bracket itself")
		}
	}
	used := make([]bool, len(globs))
	var specs []tensor.Spec
	var storage []transform.Storage
	for _, s := range all {
		selected := len(o.Select) == 0
		to := transform.StorageOf(s)
		for i, g := range globs {
			if ok := doublestar.MatchUnvalidated(g, s.Name); !ok {
				continue
			}
			if i < len(o.Select) {
				used[i], selected = true, true
			} else if selected {
				used[i] = true
				if changes(s) {
					to = o.Rules[i-len(o.Select)].To
				}
			}
		}
		if selected {
			specs, storage = append(specs, s), append(storage, to)
		}
	}
	for i, g := range globs {
		if !used[i] && g != everything {
			return nil, nil, errs.New(CodeNoMatch, "no tensor fits %q (%d tensors)", g, len(all)).In(path).
				Hint("list the names with: skainet inspect FILE")
		}
	}
	return specs, storage, nil
}

// changes says whether a rule applies to a tensor: to floats of any storage.
func changes(s tensor.Spec) bool {
	_, small := s.DType.Small()
	return !s.Encoding.IsOpaque() && (s.Encoding != quant.Dense || s.DType.IsFloat() || small && s.DType != dtype.F8E8M0FNU)
}
