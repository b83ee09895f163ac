package convert

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// everything fits every name, slashes or not.
const everything = "**"

// Match reports whether a name fits a glob; see Rule. CONVERT_BAD_GLOB is a
// malformed one.
func Match(glob, name string) (bool, error) {
	ok, err := doublestar.Match(glob, name)
	if err != nil {
		return false, errs.Wrap(CodeGlob, err, "%q", glob).Hint("close every bracket, and write \\[ for a bracket itself")
	}
	return ok, nil
}

// Names is a choice of tensors by globs; none takes all.
type Names []string

// Check returns the error of a malformed glob, before a file is opened.
func (n Names) Check() error {
	for _, glob := range n {
		if _, err := Match(glob, ""); err != nil {
			return err
		}
	}
	return nil
}

// Match reports whether a name fits one of the globs, which were checked.
func (n Names) Match(name string) bool {
	for _, glob := range n {
		if ok, err := Match(glob, name); err == nil && ok {
			return true
		}
	}
	return len(n) == 0
}

// choice is the globs of the options and what has been seen of each.
type choice struct {
	o     Options
	keeps func(tensor.Spec) bool
	globs []string
	used  []bool
	kept  []*tensor.Spec // of a rule that has changed nothing: a tensor that fits it
}

// choose returns the selected tensors and the storage that each is to have.
func choose(all []tensor.Spec, o Options, path string, keeps func(tensor.Spec) bool) ([]tensor.Spec, []transform.Storage, error) {
	c := &choice{o: o, keeps: keeps, globs: slices.Concat(o.Select, o.Exclude)}
	for _, r := range o.Rules {
		c.globs = append(c.globs, r.Glob)
	}
	for _, g := range c.globs {
		if !doublestar.ValidatePattern(g) {
			return nil, nil, errs.Wrap(CodeGlob, doublestar.ErrBadPattern, "%q", g).
				Hint("close every bracket, and write \\[ for a bracket itself")
		}
	}
	c.used, c.kept = make([]bool, len(c.globs)), make([]*tensor.Spec, len(c.globs))
	var specs []tensor.Spec
	var storage []transform.Storage
	for i := range all {
		if to, ok := c.take(&all[i]); ok {
			specs, storage = append(specs, all[i]), append(storage, to)
		}
	}
	return specs, storage, c.unused(len(all), path)
}

// take reports whether a tensor is written, and how it is stored then.
func (c *choice) take(s *tensor.Spec) (to transform.Storage, ok bool) {
	outs, rules := len(c.o.Select), len(c.o.Select)+len(c.o.Exclude) // where those begin
	selected, excluded := outs == 0, false
	for i, g := range c.globs[:rules] {
		if doublestar.MatchUnvalidated(g, s.Name) {
			c.used[i] = true
			selected, excluded = selected || i < outs, excluded || i >= outs
		}
	}
	to = transform.StorageOf(*s)
	if !selected || excluded {
		return to, false
	}
	for i, r := range c.o.Rules {
		i += rules
		switch {
		case !doublestar.MatchUnvalidated(r.Glob, s.Name):
		case changes(*s) && !c.keeps(*s) && (transform.Fits(*s, r.To) || !isPattern(r.Glob)):
			c.used[i], to = true, r.To
		case r.To == to:
			c.used[i] = true // it is stored so
		case c.kept[i] == nil:
			c.kept[i] = s
		}
	}
	return to, true
}

// unused is the error of a glob that did nothing.
func (c *choice) unused(all int, path string) error {
	rules := len(c.o.Select) + len(c.o.Exclude)
	for i, g := range c.globs {
		if c.used[i] || g == everything {
			continue
		}
		if s := c.kept[i]; s != nil {
			return errs.New(CodeNoChange, "%q asks for %s, but matches only tensors that keep their type, such as this one of %s",
				g, c.o.Rules[i-rules].To, transform.StorageOf(*s)).In(path).On(s.Name).
				Hint("only floats and blocks are converted, and to blocks only matrices whose rows are whole blocks; drop the rule, or exclude the tensors with --exclude")
		}
		return errs.New(CodeNoMatch, "no tensor matches %q (%d tensors)", g, all).In(path).
			Hint("list the names with: skainet inspect FILE")
	}
	return nil
}

// isPattern reports whether a glob may fit several names. What names one tensor is
// meant for it, and an error where it cannot be.
func isPattern(glob string) bool { return strings.ContainsAny(glob, "*?[{\\") }

// changes reports whether a rule applies to a tensor: to floats of any storage.
func changes(s tensor.Spec) bool {
	_, small := s.DType.Small()
	return !s.Encoding.IsOpaque() && (!s.Encoding.IsDense() || s.DType.IsFloat() || small && s.DType != dtype.F8E8M0FNU)
}
