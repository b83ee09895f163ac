package gazelle

import (
	"maps"
	"slices"

	"github.com/bazelbuild/bazel-gazelle/rule"
	"github.com/bazelbuild/buildtools/build"
)

// unchanged is the value of an attribute that no directive sets.
type unchanged struct{ build.Expr }

func (u unchanged) BzlExpr() build.Expr               { return u.Expr }
func (u unchanged) Merge(other build.Expr) build.Expr { return other }

// words is a list of strings set by directives.
type words []string

func (w words) BzlExpr() build.Expr { return rule.ExprFromValue([]string(w)) }

// Merge keeps the entries that are in both and those marked "# keep".
func (w words) Merge(other build.Expr) build.Expr {
	old, ok := other.(*build.ListExpr)
	if !ok || !allStrings(old.List) {
		return other
	}
	merged := rule.MergeList(w.BzlExpr(), old)
	if merged == nil {
		return &build.ListExpr{}
	}
	return merged
}

func allStrings(list []build.Expr) bool {
	return !slices.ContainsFunc(list, func(e build.Expr) bool {
		_, ok := e.(*build.StringExpr)
		return !ok
	})
}

// entries is a dict of strings set by directives.
type entries map[string]string

func (e entries) BzlExpr() build.Expr { return e.Merge(&build.DictExpr{}) }

// Merge keeps what is in both, with its comments, what is marked "# keep", and what no directive
// names: a person wrote that.
func (e entries) Merge(other build.Expr) build.Expr {
	old, ok := literal(other)
	if !ok {
		return other
	}
	have := map[string]*build.KeyValueExpr{}
	changed := false
	for _, pair := range old.List {
		key := pair.Key.(*build.StringExpr).Value
		target, named := e[key]
		if !named || pair.Value.(*build.StringExpr).Value == target || keeps(pair) {
			have[key] = pair
		} else {
			changed = true
		}
	}
	for key, value := range e {
		if have[key] == nil {
			have[key] = &build.KeyValueExpr{Key: &build.StringExpr{Value: key}, Value: &build.StringExpr{Value: value}}
			changed = true
		}
	}
	if !changed {
		return other
	}
	// A single entry stays on the call's line, as buildifier formats it.
	merged := &build.DictExpr{ForceMultiLine: len(have) > 1}
	for _, key := range slices.Sorted(maps.Keys(have)) {
		merged.List = append(merged.List, have[key])
	}
	return merged
}

func keeps(pair *build.KeyValueExpr) bool {
	return rule.ShouldKeep(pair) || rule.ShouldKeep(pair.Key) || rule.ShouldKeep(pair.Value)
}

// literal returns e as a dict if all its keys and values are string literals.
func literal(e build.Expr) (*build.DictExpr, bool) {
	d, ok := e.(*build.DictExpr)
	if !ok {
		return nil, false
	}
	for _, pair := range d.List {
		if !allStrings([]build.Expr{pair.Key, pair.Value}) {
			return nil, false
		}
	}
	return d, true
}
